"""Tests of the edit audit on faulty edits: every fault is reported on its line with its kind."""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from oracles.labels.edits.audit import audit_edit
from oracles.labels.edits.candidate import subject_of
from oracles.labels.edits.findings import EditFinding, EditFindingKind
from tests.cases import cases
from tests.oracles.labels.edits.edited_candidates import by_hand, few

Record = dict[str, Any]
Lines = list[str]
CLEAN = by_hand()["flawed_solution"].replace("Together she grows", "First she grows").split("\n")


def kinds(found: Sequence[EditFinding], where: str) -> set[EditFindingKind]:
    """Return the kinds of finding at a place."""
    return {finding.kind for finding in found if finding.where == where}


def with_line(lines: Sequence[str], place: int, text: str) -> Lines:
    """Return lines with another one at a place."""
    return [*lines[:place], text, *lines[place + 1 :]]


@cases(
    ("place", "old", "new", "kind", "found"),
    [
        (1, "First", "Altogether", EditFindingKind.STALE_WORD, "Altogether"),
        (1, "First", "Adding up,", EditFindingKind.STALE_WORD, "Adding"),
        (3, "keeps 28", "keeps 52", EditFindingKind.CHANGED_NUMBER, "52"),
        (3, "So", "Of the fifty-two", EditFindingKind.ADDED_NUMBER, "fifty-two"),
        (2, "in all", "in 1/7 of all", EditFindingKind.ADDED_NUMBER, "1/7"),
        (2, "two seedlings", "nine seedlings", EditFindingKind.CHANGED_NUMBER, "nine"),
        (2, "in all", "in all 9 boxes", EditFindingKind.ADDED_NUMBER, "9"),
        (2, "two seedlings", "seedlings", EditFindingKind.LOST_NUMBER, "two"),
        (2, "9*2", "9+2", EditFindingKind.FALSE_EQUATION, "9+2 = <<9*2=18>>18"),
        (1, "40-12 = <<40-12", "40+12 = <<40-12", EditFindingKind.FALSE_EQUATION, "40+12 = <<40-12=28>>28"),
        (3, "28-18 = <<28-18", "28-18 = <<28/18", EditFindingKind.FALSE_EQUATION, "28/18=10"),
        (2, "9*2 = <<9*2=18>>18", "9*2 = <<9*2=18>18", EditFindingKind.UNREAD_EQUATION, "<<9*2=18>"),
        (2, "9*2 = <<9*2=18>>18", "9 2 <<9 2 18>>18", EditFindingKind.LOST_EQUATION, "9*2 = <<9*2=18>>18"),
        (4, "#### 10", "#### 34", EditFindingKind.ANSWER, "#### 34"),
        (4, "#### 10", "#### none", EditFindingKind.ANSWER, "#### none"),
        (4, "#### 10", "#### 10 or 12", EditFindingKind.ANSWER, "#### 10 or 12"),
        (4, "#### 10", "#### = 10", EditFindingKind.ANSWER, "#### = 10"),
        (4, "#### 10", "It is 10.", EditFindingKind.ANSWER, "It is 10."),
        (0, "she has", "she has 9 times", EditFindingKind.ADDED_NUMBER, "9"),
        (1, "First she grows 40-12 = <<40-12=28>>28", "Together she grows 40+12 = <<40+12=52>>52", EditFindingKind.SAME_AS_CORRECT, None),
        (3, "So she keeps 28-18 = <<28-18=10>>10 seedlings.", "  ", EditFindingKind.REMOVED_LINE, None),
        (3, "So she", "So\nshe", EditFindingKind.CONTROL_CHARACTER, "U+000A"),
        (3, "So she", "So \u202eshe", EditFindingKind.CONTROL_CHARACTER, "U+202E"),
        (3, "So she", "So \ud800she", EditFindingKind.CONTROL_CHARACTER, "U+D800"),
        (3, "So", "So " * 1400, EditFindingKind.TOO_LONG, "4,244 characters"),
    ],
)  # fmt: skip
def test_faults_of_lines(place: int, old: str, new: str, kind: EditFindingKind, found: str | None) -> None:
    """Each gives a finding of its kind on its line, which marks what is wrong, or names what is missing."""
    text = CLEAN[place].replace(old, new, 1)
    assert text != CLEAN[place]
    record = by_hand()
    told = audit_edit(record, with_line(CLEAN, place, text), record["label"]["error_details"]["explanation"])
    label = "FA" if place == 4 else f"L{place + 1}"
    own = [finding for finding in told if finding.kind is kind and finding.where == label]
    assert own, told
    assert {finding.where for finding in told} == {label}
    assert found is None or own[0].found == found
    if own[0].end:
        marked = text[own[0].start : own[0].end]
        assert marked.strip() == own[0].found or f"U+{ord(marked):04X}" == own[0].found


@cases(
    ("explanation", "kind", "found"),
    [
        ("", EditFindingKind.NO_EXPLANATION, None),
        (" … ", EditFindingKind.NO_EXPLANATION, None),
        ("On line 3 there is a mistake.", EditFindingKind.EXPLANATION_DISAGREES, "line 3"),
        ("L4 is wrong.", EditFindingKind.EXPLANATION_DISAGREES, "L4"),
        ("It should be 28, not 52.", EditFindingKind.EXPLANATION_DISAGREES, "28"),
        ("It should be 50, not 52.", EditFindingKind.EXPLANATION_DISAGREES, "52"),
        ("It should be 40 + 12 = 51.", EditFindingKind.EXPLANATION_DISAGREES, "40 + 12 = 51"),
        ("She has 77 of them.", EditFindingKind.EXPLANATION_DISAGREES, "77"),
        ("Subtracted\nnot added.", EditFindingKind.CONTROL_CHARACTER, "U+000A"),
        ("x" * 2_001, EditFindingKind.TOO_LONG, "2,001 characters"),
    ],
)
def test_faults_of_explanations(explanation: str, kind: EditFindingKind, found: str | None) -> None:
    """Each is found in the explanation, for what it is."""
    told = audit_edit(by_hand(), CLEAN, explanation)
    assert kind in kinds(told, "explanation"), told
    assert {finding.where for finding in told} == {"explanation"}
    if found is not None:
        assert found in {finding.found for finding in told if finding.kind is kind}


@pytest.mark.parametrize("place", range(4))
def test_missing_and_new_lines_are_told_where_they_are(place: int) -> None:
    """A line that is gone by the label it had, a new one by the label it has."""
    record = by_hand()
    explanation = record["label"]["error_details"]["explanation"]
    without = audit_edit(record, [*CLEAN[:place], *CLEAN[place + 1 :]], explanation)
    assert EditFindingKind.REMOVED_LINE in kinds(without, f"L{place + 1}")
    more = audit_edit(record, [*CLEAN[:place], "That is all.", *CLEAN[place:]], explanation)
    assert kinds(more, f"L{place + 1}") >= {EditFindingKind.ADDED_LINE}


def another_number(text: str, random: Random) -> str:
    """Type another number in place of one, or none."""
    found = [mention for mention in mentions(text) if mention.text.isdigit()]
    if not found:
        return text
    number = random.choice(found)
    typed = random.choice(["", *(str(int(number.text) + more) for more in (1, 9, 110))])
    return f"{text[: number.start]}{typed}{text[number.end :]}"


def another_sign(text: str, random: Random) -> str:
    """Type another operator within an equation."""
    signs = list(re.finditer(r"(?<=\d)[-+*/](?=\d)", text))
    if not signs:
        return text
    match = random.choice(signs)
    sign = random.choice([sign for sign in "+-*/" if sign != match[0]])
    return f"{text[: match.start()]}{sign}{text[match.end() :]}"


NUMBERS = {EditFindingKind.CHANGED_NUMBER, EditFindingKind.ADDED_NUMBER, EditFindingKind.LOST_NUMBER}
EQUATIONS = {EditFindingKind.FALSE_EQUATION, EditFindingKind.CHANGED_EQUATION, EditFindingKind.UNREAD_EQUATION}
SAME = EditFindingKind.SAME_AS_CORRECT


@cases(("plant", "expected"), [(another_number, NUMBERS), (another_sign, EQUATIONS)])
def test_faults_planted_in_candidates_are_found(
    plant: Callable[[str, Random], str], expected: set[EditFindingKind]
) -> None:
    """In each of some hundred candidates, wherever it is planted from the error on."""
    checked = 0
    for number, record in enumerate(few()):
        subject = subject_of(record)
        random = Random(number)
        place = random.randrange(min(subject.place, len(subject.lines) - 2), len(subject.lines) - 1)
        text = plant(subject.lines[place], random)
        if text != subject.lines[place] and place >= subject.place:
            told = audit_edit(record, with_line(subject.lines, place, text), subject.explanation)
            assert kinds(told, subject.labels[place]) & (expected | {SAME}), (text, told)
            checked += 1
    assert checked > 150


def test_the_correct_line_and_another_answer_are_found() -> None:
    """The correct line put back is not an error any more, which is the one finding; another answer is found, right or not."""
    checked = 0
    for record in few():
        subject = subject_of(record)
        if subject.counterpart and subject.line != "FA":
            told = audit_edit(record, with_line(subject.lines, subject.place, subject.counterpart), subject.explanation)
            assert kinds(told, subject.line) == {SAME}, told
            checked += 1
        for answer in (subject.solution[-1], "#### 98765"):
            told = audit_edit(record, [*subject.lines[:-1], answer], subject.explanation)
            expected = {SAME} if subject.line == "FA" and answer == subject.solution[-1] else {EditFindingKind.ANSWER}
            assert kinds(told, "FA") == expected, told
    assert checked > 200


def test_values_told_the_wrong_way_round_are_found() -> None:
    """An explanation that calls the flawed value right, and the right one wrong."""
    checked = 0
    for record in few():
        subject = subject_of(record)
        name = subject.certificate.change.variable
        right, wrong = subject.before.get(name), subject.after.get(name)
        if right is None or wrong is None or right in subject.after.values() or wrong in subject.before.values():
            continue
        told = audit_edit(record, subject.lines, f"This should be {format_value(wrong)}, not {format_value(right)}.")
        if right in subject.computed_from:
            continue
        assert kinds(told, "explanation") == {EditFindingKind.EXPLANATION_DISAGREES}, told
        checked += 1
    assert checked > 100
