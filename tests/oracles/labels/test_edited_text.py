"""Tests of the audit of edited texts: words are free, and every other number, equation, line or answer is found where it stands."""

import copy
import re
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from hypothesis import given, settings, strategies as st

from harness.text.numbers import mentions
from oracles.labels.edited_text import LONGEST_FOUND, EditFinding, EditFindingKind, audit_edit, subject_of
from tests.cases import cases
from tests.oracles.labels.edited_candidates import by_hand, few

RECORD = by_hand()
LINES = RECORD["flawed_solution"].split("\n")
CLEAN = [line.replace("Together she grows", "First she grows") for line in LINES]
EXPLANATION = RECORD["label"]["error_details"]["explanation"]
# Five times what the slowest takes on two busy cores; a line of 4,000 characters takes a fifth of a second.
MOST_SECONDS = 3.0


def with_line(lines: Sequence[str], place: int, text: str) -> list[str]:
    """Return lines with another one at a place."""
    return [*lines[:place], text, *lines[place + 1 :]]


def audited(lines: Sequence[str], explanation: str = EXPLANATION, record: Any = RECORD) -> tuple[EditFinding, ...]:
    """Audit a text within the time that a person waits for."""
    started = time.process_time()
    found = audit_edit(record, lines, explanation)
    assert time.process_time() - started < MOST_SECONDS
    return found


def test_candidates_as_they_were_made_have_no_finding() -> None:
    """Neither of slips nor of mistakes; words that a candidate still has to lose are found where they stand, and alone."""
    named = 0
    for record in few():
        subject = subject_of(record)
        found = audit_edit(record, subject.lines, subject.explanation)
        assert {finding.kind for finding in found} <= {EditFindingKind.STALE_WORD}, (record["flaw_id"], found)
        for finding in found:
            assert finding.where == subject.line
            assert subject.lines[subject.place][finding.start : finding.end] == finding.found
        named += bool(found)
    assert named > 10


@cases(
    ("place", "old", "new"),
    [
        (2, "two seedlings", "2 small seedlings"),
        (2, "9*2 = <<9*2=18>>18", "2 * 9 = <<2*9=18>>18"),
        (3, "So she keeps", "Therefore, as we see, she holds"),
        (1, "40-12 = <<40-12=28>>28", "$40 - $12 = $<<40-12=28>>28.00"),
        (4, "#### 10", "#### $10.00 "),
        (4, "#### 10", "####10 seedlings"),
    ],
)
def test_words_and_forms_of_numbers_are_free(place: int, old: str, new: str) -> None:
    """In digits or in words, with units or without, in any words: what counts is that the same is computed."""
    assert old in CLEAN[place]
    assert audited(with_line(CLEAN, place, CLEAN[place].replace(old, new))) == ()


@cases(
    ("place", "old", "new", "kind", "found"),
    [
        (1, "First", "Altogether", EditFindingKind.STALE_WORD, "Altogether"),
        (3, "keeps 28", "keeps 52", EditFindingKind.ADDED_NUMBER, "52"),
        (3, "So", "Of the fifty-two", EditFindingKind.ADDED_NUMBER, "fifty-two"),
        (2, "in all", "in 1/7 of all", EditFindingKind.ADDED_NUMBER, "1/7"),
        (2, "two seedlings", "seedlings", EditFindingKind.LOST_NUMBER, "two"),
        (2, "9*2", "9+2", EditFindingKind.FALSE_EQUATION, "9+2 = <<9*2=18>>18"),
        (3, "28-18 = <<28-18", "28-18 = <<28/18", EditFindingKind.FALSE_EQUATION, "28/18=10"),
        (2, "9*2 = <<9*2=18>>18", "9*2 = <<9*2=18>18", EditFindingKind.UNREAD_EQUATION, "<<9*2=18>"),
        (2, "9*2 = <<9*2=18>>18", "9 2 <<9 2 18>>18", EditFindingKind.LOST_EQUATION, "9*2 = <<9*2=18>>18"),
        (4, "#### 10", "#### 34", EditFindingKind.ANSWER, "#### 34"),
        (4, "#### 10", "#### 10 or 12", EditFindingKind.ANSWER, "#### 10 or 12"),
        (4, "#### 10", "#### = 10", EditFindingKind.ANSWER, "#### = 10"),
        (4, "#### 10", "It is 10.", EditFindingKind.ANSWER, "It is 10."),
        (1, "First she grows 40-12 = <<40-12=28>>28", "She grows 40+12 = <<40+12=52>>52", EditFindingKind.LOST_EQUATION, None),
        (3, "So she", "So\nshe", EditFindingKind.CHARACTER, None),
        (3, "So she", "So \u202eshe", EditFindingKind.CHARACTER, None),
        (3, "So she", "So \ud800she", EditFindingKind.CHARACTER, None),
        (3, "So", "So " * 1400, EditFindingKind.TOO_LONG, None),
    ],
)  # fmt: skip
def test_faults_of_lines(place: int, old: str, new: str, kind: EditFindingKind, found: str | None) -> None:
    """Each gives a finding of its kind on its line, which marks what is wrong, or names what is missing."""
    text = CLEAN[place].replace(old, new, 1)
    assert text != CLEAN[place]
    told = audited(with_line(CLEAN, place, text))
    own = [finding for finding in told if finding.kind is kind]
    assert own, told
    assert {finding.where for finding in told} == {"FA" if place == 4 else f"L{place + 1}"}
    assert found is None or own[0].found == found
    assert not own[0].end or text[own[0].start : own[0].end].strip() == own[0].found


@cases(
    ("explanation", "kinds"),
    [
        ("Subtracting 12 from 40 gives the difference, not the sum: 40 - 12 = 28.", set()),
        (" … ", {EditFindingKind.NO_EXPLANATION}),
        ("It should be 40 + 12 = 51.", {EditFindingKind.FALSE_EQUATION, EditFindingKind.EXPLANATION_DISAGREES}),
        ("The error is in line 4.", {EditFindingKind.EXPLANATION_DISAGREES}),
        ("It should be 12345, not 52.", {EditFindingKind.EXPLANATION_DISAGREES}),
        ("Subtracted\nnot added.", {EditFindingKind.CHARACTER}),
        ("x" * 2_001, {EditFindingKind.TOO_LONG}),
    ],
)
def test_faults_of_explanations(explanation: str, kinds: set[EditFindingKind]) -> None:
    """An explanation has words, is read whole, says nothing against the label, and no other false equation than the labelled line."""
    told = audited(CLEAN, explanation)
    assert ({finding.kind for finding in told}, {finding.where for finding in told} - {"explanation"}) == (kinds, set())


@cases("lines", [[], CLEAN[1:], [*CLEAN, "That is all."], ["x"] * 10**5])
def test_lines_stay_as_many(lines: list[str]) -> None:
    """A line that is gone or new is the one finding; empty lines at the end are none."""
    assert [finding.kind for finding in audited(lines)] == [EditFindingKind.LINES]
    assert audited([*CLEAN, *[""] * 10**5]) == ()


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


@cases("plant", [another_number, another_sign])
def test_faults_planted_in_candidates_are_found(plant: Callable[[str, Random], str]) -> None:
    """In each of some hundred candidates, on its line, wherever it is planted."""
    checked = 0
    for number, record in enumerate(few()):
        subject, random = subject_of(record), Random(number)
        place = random.randrange(len(subject.lines) - 1)
        text = plant(subject.lines[place], random)
        if text != subject.lines[place]:
            told = audit_edit(record, with_line(subject.lines, place, text), subject.explanation)
            kinds = {finding.kind for finding in told if finding.where == f"L{place + 1}"}
            assert kinds - {EditFindingKind.STALE_WORD}, (text, told)
            checked += 1
    assert checked > 150


HOSTILE = [
    *("x" * 20_000, "9" * 10**6, "9" * 3_999, "= 1 " * 950, "½" * 3_900, "1/" * 1_900, "1-" * 1_990, "(" * 3_900),
    *("<<" * 1_900, "12 is " * 600, "five " * 790, "one hundred and " * 240, "2**" * 1_000 + "9", "if 3 of 5 = " * 330),
    *("<script>alert(1)</script>", "\x00\x1b[2J", "\n\n\n", "#### 5", "", "   ", "1e999", "٣٤٥ = ١"),
]


@cases("text", HOSTILE)
def test_hostile_texts_are_audited_in_bounded_time(text: str) -> None:
    """On every line, which is then found wrong, alone, and as the explanation."""
    for place in range(len(CLEAN)):
        where = {finding.where for finding in audited(with_line(CLEAN, place, text))}
        assert where & {"FA", f"L{place + 1}"}
    audited(CLEAN, text)


PIECES = ["40-12=", " <<40-12=28>>", "28", "52", "two", "half", "Together", "####", "L3", "\n", "\u202e", "$", "%", "="]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)


@settings(max_examples=150)
@given(st.lists(TEXTS, min_size=5, max_size=5), TEXTS)
def test_any_text_is_audited(lines: list[str], explanation: str) -> None:
    """Findings mark what stands on their line, each once; a text without one has the digits of the candidate."""
    found = audited(lines, explanation)
    texts = {**{f"L{place}": line for place, line in enumerate(lines, 1)}, "explanation": explanation}
    assert len(set(found)) == len(found)
    for finding in found:
        assert finding.message
        assert len(finding.found) <= LONGEST_FOUND
        assert finding.end <= len(texts.get(finding.where, lines[-1]))
    if not found:
        assert [re.findall(r"\d", line) for line in lines] == [re.findall(r"\d", line) for line in CLEAN]


def with_code(code: str) -> Any:
    """Return the candidate with another expression in both programs."""
    record = copy.deepcopy(RECORD)
    record["certificate"]["mutant"]["steps"][1][2] = code
    record["certificate"]["oracle"]["steps"][0][2] = code
    return record


UNREADABLE: list[Any] = [
    *(None, [], {}, "text", 7, {**RECORD, "certificate": {}}, {**RECORD, "flawed_solution": "\n" * 500}),
    *({**RECORD, "question": {1, 2}}, {**RECORD, "solution": 5}, {**RECORD, "label": {}}),
    *map(with_code, ("9 ** 9 ** 9 ** 9", "tomatoes / 0", "__import__('os')", "(" * 3_000, "while True: pass")),
]


@cases("place", range(len(UNREADABLE)))
def test_a_record_that_cannot_be_read_is_the_finding(place: int) -> None:
    """What is not a record, lacks a part, or has powers that nobody computes and programs that do not end: one finding."""
    found = audited(LINES, EXPLANATION, UNREADABLE[place])
    assert [finding.kind for finding in found] == [EditFindingKind.UNREADABLE_CANDIDATE]
