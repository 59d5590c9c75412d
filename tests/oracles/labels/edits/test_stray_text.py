"""Tests of what the keyboard leaves behind in an edit: a lone mark, letter or repeated word is found wherever it was added."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings, strategies as st

from harness.domain import Status
from oracles.labels.edits.audit import audit_edit
from oracles.labels.edits.findings import EXPLANATION, EditFindingKind
from oracles.labels.edits.stray_text import stray_findings
from tests.cases import cases
from tests.oracles.labels.edits.edited_candidates import by_hand

RECORD = by_hand()
LINES = tuple(RECORD["flawed_solution"].split("\n"))
WHY = RECORD["label"]["error_details"]["explanation"]
LINE = LINES[2]
WORDS = [match.span() for match in re.finditer(r"[A-Za-z]+", LINE)]
MARKS = '?!~#@^&*_+|\\<>{}[]()";:`=/'
MOST_SECONDS = 2.0
LETTERS = "bcdefghjklmnopqrstuvwxyz"


def strays(line: str) -> list[str]:
    """Return what is found in another line in place of the third."""
    found = audit_edit(RECORD, [*LINES[:2], line, *LINES[3:]], WHY)
    return [finding.found for finding in found if finding.where == "L3"]


@settings(max_examples=150, deadline=None)
@given(mark=st.sampled_from(MARKS), word=st.sampled_from(WORDS), after=st.booleans(), space=st.sampled_from(["", " "]))
def test_lone_mark_is_found(mark: str, word: tuple[int, int], after: bool, space: str) -> None:
    """A mark beside a word, with a space before it or without, speaks against the text, but for `,` `;` `:` behind a word."""
    place = word[1] if after else word[0]
    line = f"{LINE[:place]}{space}{mark}{LINE[place:]}" if after else f"{LINE[:place]}{mark}{space}{LINE[place:]}"
    if mark in ";:" and after and not space:
        return
    assert strays(line), line


@settings(max_examples=150, deadline=None)
@given(letter=st.sampled_from(LETTERS), word=st.sampled_from(WORDS), upper=st.booleans())
def test_lone_letter_is_found(letter: str, word: tuple[int, int], upper: bool) -> None:
    """A letter that is no word, typed between two words, speaks against the text."""
    letter = letter.upper() if upper else letter
    for line in (f"{LINE[: word[1]]} {letter}{LINE[word[1] :]}", f"{LINE[: word[0]]}{letter} {LINE[word[0] :]}"):
        assert strays(line), line


@settings(max_examples=100, deadline=None)
@given(word=st.sampled_from(WORDS))
def test_word_that_stands_twice_is_found(word: tuple[int, int]) -> None:
    """A word typed again behind itself speaks against the text."""
    again = LINE[word[0] : word[1]]
    assert any(
        found.casefold() == f"{again} {again}".casefold()
        for found in strays(f"{LINE[: word[1]]} {again}{LINE[word[1] :]}")
    )


@settings(max_examples=150, deadline=None)
@given(
    letter=st.sampled_from("qxjvz"),
    word=st.sampled_from([span for span in WORDS if span[1] - span[0] > 3]),
    data=st.data(),
)
def test_letter_within_a_word_is_found(letter: str, word: tuple[int, int], data: st.DataObject) -> None:
    """A letter that fell into a word speaks against the text."""
    place = data.draw(st.integers(word[0] + 1, word[1] - 1))
    assert letter in strays(f"{LINE[:place]}{letter}{LINE[place:]}")


@cases(
    ("old", "new"),
    [
        ("gives away two", "gives away, in all, two"),
        ("seedlings a box,", "seedlings a box;"),
        ("She gives", "So she gives"),
        ("seedlings a box", "seedlings of each box"),
        ("two seedlings", "two of her seedlings"),
        ("seedlings a box", "seedlings' box"),
        ("a box", "a big-box"),
        ("She gives away", "Ines then gives away"),
        ("gives", "has given"),
        ("in all.", "in all"),
        ("in all.", "altogether."),
        ("gives away two", "gives a friend two"),
    ],
)
def test_words_of_a_person_are_no_strays(old: str, new: str) -> None:
    """Commas behind words, other words, other forms of a word and stops at the end are nobody's slip."""
    assert old in LINE
    found = list(stray_findings("L3", LINE, LINE.replace(old, new, 1), [RECORD["question"], *LINES]))
    assert found == [], new


def test_question_mark_of_the_issue_is_not_accepted_silently() -> None:
    """`?` typed into a line or the explanation is one finding, at its place, for a person to judge."""
    line = LINE.replace("She", "She?", 1)
    (found,) = [finding for finding in audit_edit(RECORD, [*LINES[:2], line, *LINES[3:]], WHY) if finding.where == "L3"]
    assert (found.kind, found.status, line[found.start : found.end]) == (
        EditFindingKind.STRAY_TEXT,
        Status.UNKNOWN,
        "?",
    )
    told = [finding.kind for finding in audit_edit(RECORD, LINES, f"{WHY}?") if finding.where == EXPLANATION]
    assert told == [EditFindingKind.STRAY_TEXT]


def test_what_the_candidate_had_already_is_no_finding() -> None:
    """A mark or a repeated word of the candidate itself is not the person's."""
    assert list(stray_findings("L1", "It is is 5?", "It is is then 5?", [])) == []


@pytest.mark.parametrize("text", ["a " * 10_000, "?" * 20_000, "x? " * 7_000, "the the " * 2_000])
def test_long_texts_take_bounded_time(text: str) -> None:
    """However long a text is, it is compared within the bound."""
    started = time.process_time()
    list(stray_findings("L1", text[: len(text) // 2], text, []))
    assert time.process_time() - started < MOST_SECONDS
