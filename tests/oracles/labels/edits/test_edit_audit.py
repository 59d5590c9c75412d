"""Tests of the edit audit on valid edits: an unchanged candidate passes, and so do free changes of wording."""

import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.domain import Status
from oracles.labels.edits.audit import audit_edit
from oracles.labels.edits.candidate import subject_of
from oracles.labels.edits.findings import EditFinding, EditFindingKind
from tests.cases import cases
from tests.oracles.labels.edits.edited_candidates import by_hand, few

Record = dict[str, Any]
_STILL = re.compile(r"the words still say '(.*)'")
ADJECTIVES = ("small", "red", "very", "local", "whole new")
SYNONYMS = {
    "So": "Therefore",
    "has": "owns",
    "keeps": "holds",
    "costs": "is priced at",
    "buys": "purchases",
    "The": "Those",
}
TAILS = (" in this way.", " as we see.", ", of course!", "…", "")


def findings(
    record: Record, *, lines: list[str] | None = None, explanation: str | None = None
) -> tuple[EditFinding, ...]:
    """Audit a candidate with other lines or another explanation."""
    details = record["label"]["error_details"]
    own = record["flawed_solution"].split("\n")
    return audit_edit(record, lines or own, details["explanation"] if explanation is None else explanation)


def still(record: Record) -> set[str]:
    """Return the words that a candidate says it still has to lose."""
    return {match[1] for edit in record["edits"] if (match := _STILL.fullmatch(edit))}


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Return the flawed solutions of a few problems."""
    return few()


def assert_left_alone(records: list[Record]) -> None:
    """Assert that nothing but the words that a candidate names itself speaks against it."""
    for record in records:
        found = findings(record)
        assert {finding.found.lower() for finding in found} == still(record), (record["flaw_id"], found)
        for finding in found:
            text = record["flawed_solution"].split("\n")[int(finding.where[1:]) - 1]
            assert finding.kind is EditFindingKind.STALE_WORD
            assert finding.status is Status.UNKNOWN
            assert text[finding.start : finding.end] == finding.found
            assert finding.where == record["label"]["error_details"]["erroneous_line_number"]


def test_candidates_as_they_were_made_have_no_finding(records: list[Record]) -> None:
    """Neither of slips nor of mistakes; words that a candidate still has to lose are found where they stand, and alone."""
    assert_left_alone(records)
    assert len(records) > 300
    assert len([record for record in records if still(record)]) > 10


@st.composite
def reworded(draw: st.DrawFn, text: str) -> str:
    """Return a line with other words: no number, no operation and no equation is touched."""
    kind = draw(st.integers(0, 4))
    gaps = [match.start() for match in re.finditer(r"(?<=[a-z]) (?=[a-z])", text)]
    words = [match for match in re.finditer(r"[A-Za-z]+", text) if match[0] in SYNONYMS]
    if kind == 0 and gaps:
        place = draw(st.sampled_from(gaps))
        return f"{text[:place]} {draw(st.sampled_from(ADJECTIVES))}{text[place:]}"
    if kind == 1 and words:
        word = draw(st.sampled_from(words))
        return text[: word.start()] + SYNONYMS[word[0]] + text[word.end() :]
    if kind == 2 and gaps:
        order = re.search(r"\b(in total|in all|altogether|now|then|also)\b", text)
        if order is not None:
            return f"{order[1].capitalize()}, {text[: order.start()]}{text[order.end() :].lstrip()}"
    if kind == 3:
        return f"Well, {text}"
    return text.rstrip(".") + draw(st.sampled_from(TAILS))


@settings(max_examples=150)
@given(st.data())
def test_harmless_words_give_no_finding(data: st.DataObject) -> None:
    """Adjectives, synonyms, punctuation, another order, on the labelled line or after it."""
    record = data.draw(st.sampled_from([record for record in few() if not still(record)]))
    subject = subject_of(record)
    if subject.place == len(subject.lines) - 1:
        return
    lines = list(subject.lines)
    place = data.draw(st.integers(subject.place, len(lines) - 2))
    lines[place] = data.draw(reworded(lines[place]))
    assert findings(record, lines=lines) == (), lines[place]


@cases(
    ("place", "old", "new"),
    [
        (2, "two seedlings", "2 seedlings"),
        (2, "9*2 = <<9*2=18>>18", "2 * 9 = <<2*9=18>>18"),
        (2, "18 in all", "18 of them, once and for all"),
        (3, "keeps 28-18 = <<28-18=10>>10", "keeps 28 - 18 = <<28-18=10>> 10"),
        (3, "28-18 = <<28-18=10>>10 seedlings", "28 minus 18 = <<28-18=10>>10 seedlings"),
        (1, "40-12 = <<40-12=28>>28", "$40 - $12 = $<<40-12=28>>28.00"),
        (4, "#### 10", "#### $10.00 "),
        (4, "#### 10", "####10 seedlings"),
    ],
)
def test_numbers_may_be_written_otherwise(place: int, old: str, new: str) -> None:
    """In digits or in words, with units or without, with spaces: what counts is that the same is computed."""
    record = by_hand()
    lines = record["flawed_solution"].replace("Together she grows", "First she grows").split("\n")
    assert old in lines[place]
    lines[place] = lines[place].replace(old, new)
    assert findings(record, lines=lines) == ()


def test_a_number_word_that_has_to_go_may_become_the_new_one() -> None:
    """Where the candidate says that its words still say `two`, another number that the line works with may stand there."""
    record = by_hand()
    record["edits"] = ["the words still say 'two'"]
    record["label"]["error_details"]["erroneous_line_number"] = "L3"
    lines = record["flawed_solution"].split("\n")
    assert EditFindingKind.STALE_WORD in {finding.kind for finding in findings(record, lines=lines)}
    for words in ("gives away seedlings", "gives away nine seedlings"):
        changed = [line.replace("gives away two seedlings", words) for line in lines]
        kinds = {finding.kind for finding in findings(record, lines=changed)}
        assert not kinds & {EditFindingKind.LOST_NUMBER, EditFindingKind.CHANGED_NUMBER, EditFindingKind.STALE_WORD}, (
            words
        )


@cases(
    "explanation",
    [
        "It should be 52, not 28.",
        "On line 2 the peppers are taken away: 40 - 12 = 28 is not what they grow together.",
        "Adding was called for: 52 is correct, 28 is wrong. That is a difference of 24, or 100% of what is kept.",
        "Subtracting 12 from 40 gives the difference, not the sum.",
    ],
)
def test_true_explanations_give_no_finding(explanation: str) -> None:
    """Whoever explains the same error in other words, or writes what follows from the values, is right."""
    record = by_hand()
    lines = record["flawed_solution"].replace("Together she grows", "First she grows").split("\n")
    assert findings(record, lines=lines, explanation=explanation) == ()
