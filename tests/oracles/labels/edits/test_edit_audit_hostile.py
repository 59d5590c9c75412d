"""Tests of the edit audit on hostile input: any text and any record is audited in bounded time."""

import copy
import time
from typing import Any

from hypothesis import given, settings, strategies as st

from harness.domain import Status
from oracles.labels.edits.audit import audit_edit
from oracles.labels.edits.findings import LONGEST_FOUND, EditFinding, EditFindingKind
from tests.cases import cases
from tests.oracles.labels.edits.edited_candidates import by_hand

RECORD = by_hand()
LINES = RECORD["flawed_solution"].split("\n")
CLEAN = [line.replace("Together she grows", "First she grows") for line in LINES]
EXPLANATION = RECORD["label"]["error_details"]["explanation"]
# Five times what the slowest takes on two busy cores; a line of 4,000 characters takes a fifth of a second.
MOST_SECONDS = 3.0
HOSTILE = [
    *("x" * 20_000, "9" * 10**6, "9" * 3_999, "= 1 " * 950, "½" * 3_900, "1/" * 1_900, "1-" * 1_990, "(" * 3_900),
    *("<<" * 1_900, "12 is " * 600, "five " * 790, "one hundred and " * 240, "2**" * 1_000 + "9", "if 3 of 5 = " * 330),
    *("should be 3 and not 4 " * 180, "<script>alert(1)</script>", "\ud800", "\x00\x1b[2J", "\n\n\n", "#### 5", ""),
    *("   ", "1e999", "٣٤٥ = ١"),
]
PIECES = st.sampled_from(
    [
        *[
            "40-12=",
            " <<40-12=28>>",
            "28",
            "52",
            "two",
            "half",
            "Together",
            "####",
            "L3",
            "\n",
            "\u202e",
            "$",
            "%",
            "=",
            "<b>",
            " ",
        ]
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=12).map("".join)


def with_code(code: str) -> Any:
    """Return the candidate with another expression in both programs."""
    record = copy.deepcopy(RECORD)
    record["certificate"]["mutant"]["steps"][1][2] = code
    record["certificate"]["oracle"]["steps"][0][2] = code
    return record


def audited(lines: list[str], explanation: str, record: Any = RECORD) -> tuple[EditFinding, ...]:
    """Audit a text within the time that a person waits for."""
    started = time.process_time()
    found = audit_edit(record, lines, explanation)
    assert time.process_time() - started < MOST_SECONDS
    return found


@cases("text", HOSTILE)
def test_hostile_texts_are_audited_in_bounded_time(text: str) -> None:
    """On every line, which is then found wrong, alone, and as the explanation."""
    for place in range(len(CLEAN)):
        found = audited([*CLEAN[:place], text, *CLEAN[place + 1 :]], EXPLANATION)
        assert f"L{place + 1}" in {finding.where.replace("FA", "L5") for finding in found}
    audited(CLEAN, text)


@cases(
    "lines",
    [[], [""] * 200, ["x"] * 10**5, ["1+1=3"] * 150 + LINES, LINES * 30, [*LINES, *[""] * 10**5], ["9" * 3_999] * 6],
)
def test_any_number_of_lines_is_audited_in_bounded_time(lines: list[str]) -> None:
    """Too few, too many, empty ones; of empty ones at the end nobody speaks."""
    found = audited(lines, EXPLANATION)
    assert found
    if lines[: len(LINES)] == LINES and not any(lines[len(LINES) :]):
        assert {finding.kind for finding in found} == {EditFindingKind.STALE_WORD}


@settings(max_examples=150)
@given(st.lists(TEXTS, max_size=7), TEXTS)
def test_any_text_is_audited(lines: list[str], explanation: str) -> None:
    """Findings name a line that is there, mark what stands there, and come in order, each once."""
    found = audited(lines, explanation)
    labels = [f"L{number}" for number in range(1, 8)]
    assert len(set(found)) == len(found)
    for finding in found:
        assert finding.where in {*labels, "FA", "explanation"}
        assert 0 <= finding.start <= finding.end
        assert finding.message
        assert len(finding.found) <= LONGEST_FOUND
        assert finding.status in {Status.REFUTED, Status.UNKNOWN}
        if finding.end and finding.where == "explanation":
            assert finding.end <= len(explanation)
        elif finding.end and finding.where != "FA":
            assert finding.end <= len(lines[int(finding.where[1:]) - 1])


@settings(max_examples=100)
@given(st.integers(0, len(LINES) - 1), TEXTS, st.booleans())
def test_a_clean_text_differs_from_the_candidate_in_words_alone(place: int, text: str, kept: bool) -> None:
    """What is found clean has the numbers of the candidate in every line, and its answer."""
    lines = [*CLEAN[:place], f"{CLEAN[place]}{text}" if kept else text, *CLEAN[place + 1 :]]
    if not audited(lines, EXPLANATION):
        for own, new in zip(CLEAN, lines, strict=True):
            assert [token for token in own if token.isdecimal()] == [token for token in new if token.isdecimal()]


UNREADABLE: list[Any] = [
    *(None, [], {}, "text", 7),
    *({**RECORD, "certificate": certificate} for certificate in (None, {})),
    *({**RECORD, "flawed_solution": text} for text in ("x" * 10**5, "\n" * 500)),
    *({**RECORD, "question": question} for question in ({1, 2}, object())),
    {**RECORD, "solution": 5},
    {**RECORD, "label": {}},
    *(
        with_code(code)
        for code in ("9 ** 9 ** 9 ** 9", "tomatoes / 0", "__import__('os')", "(" * 3_000, "while True: pass", "unknown")
    ),
]


@cases("place", range(len(UNREADABLE)))
def test_a_record_that_cannot_be_read_is_the_finding(place: int) -> None:
    """What is not a record, lacks a part, or has powers that nobody computes and programs that do not end: one finding."""
    found = audited(LINES, EXPLANATION, UNREADABLE[place])
    assert [finding.kind for finding in found] == [EditFindingKind.UNREADABLE_CANDIDATE]


@cases("edits", [7, [7], ["the words still say '" + "(" * 150 + "'"] * 1_000, ["the words still say ''"]])
def test_reasons_of_any_form_are_read(edits: Any) -> None:
    """As words to look for, or not at all."""
    found = audited(LINES, EXPLANATION, {**RECORD, "edits": edits})
    assert {finding.found for finding in found} == {"Together"}
