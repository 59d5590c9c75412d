"""Tests of the review view: the page gets all that a reviewer needs as plain JSON, with any text."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from harness.domain import Status
from harness.records.review import CandidateTexts
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from reports.review.candidate_view import View, audit_view, candidate_view, edited_record
from reports.review.candidates import Candidate
from reports.review.logical_change import change_of
from tests.cases import cases
from tests.reports.stage_records import mutation_records

Record = dict[str, Any]
SOLVER = open_solver(SolverName.Z3)
TEXTS = st.text(max_size=20) | st.sampled_from(
    ["<script>alert(1)</script>", "\ud800", "𝟛𝟛 = 4", "\n", "#### 3", "9" * 500]
)


def of_record(record: Record) -> Candidate:
    """Return the candidate of a record."""
    names = ("position", "operator", "needs_edit", "problem_id")
    return Candidate(
        **{name: record[name] for name in names},
        candidate_id=record["flaw_id"],
        version="0123456789ab",
        tier=str(record["tier"]),
        error_type=record["label"]["error_details"]["error_type"],
        plausibility=record["plausibility"]["score"],
        record=record,
    )


def viewed(candidate: Candidate) -> View:
    """Return the view of a candidate with its own texts."""
    return candidate_view(candidate, CandidateTexts.of_record(candidate.record))


def second_line(candidate: Candidate, text: str) -> CandidateTexts:
    """Return the texts of a candidate with another second line."""
    own = CandidateTexts.of_record(candidate.record)
    return CandidateTexts((own.lines[0], text, *own.lines[2:]), own.explanation)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Return the flaws of a few problems of the bundled corpus."""
    return mutation_records()["conceptual"] + mutation_records()["computational"]


@pytest.fixture
def candidate(records: list[Record]) -> Candidate:
    """Return one whose error is on its second line."""
    return next(
        candidate for candidate in map(of_record, records) if _line(candidate) == "L2" and not candidate.needs_edit
    )


def _line(candidate: Candidate) -> str:
    return str(candidate.record["label"]["error_details"]["erroneous_line_number"])


def test_a_candidate_is_shown_whole(candidate: Candidate) -> None:
    """Problem, correct solution, the lines to edit, label, change, facts: as they stand in its record."""
    record, shown = candidate.record, viewed(candidate)
    details = record["label"]["error_details"]
    assert shown["problem"] == record["question"]
    assert "\n".join(line["text"] for line in shown["solution"]) == record["solution"]
    assert "\n".join(line["text"] for line in shown["lines"]) == record["flawed_solution"]
    assert [line["label"] for line in shown["solution"]][-2:] == [f"L{len(shown['solution']) - 1}", "FA"]
    assert (shown["explanation"], shown["correction"]) == (details["explanation"], details["correction"])
    assert shown["change"]["sentence"].startswith("On L2")
    assert shown["facts"]["plausibility_reasons"] == record["plausibility"]["reasons"]
    assert shown["facts"]["support"] == "a clique of 5, confidence 1.22, p_right 0.999"
    assert shown["facts"]["provenance"].endswith("p_right 0.999: the oracle")


def test_lines_before_the_error_are_folded(records: list[Record]) -> None:
    """The labelled one is marked, the last one is the answer's; where that is the error, all others are folded."""
    for candidate in map(of_record, records):
        lines = viewed(candidate)["lines"]
        place = [line["label"] for line in lines].index(_line(candidate))
        assert [line["erroneous"] for line in lines] == [number == place for number in range(len(lines))]
        assert [line["folded"] for line in lines] == [number < place for number in range(len(lines))]
        assert [line["answer"] for line in lines] == [False] * (len(lines) - 1) + [True]


def test_places_are_counted_as_javascript_counts(candidate: Candidate) -> None:
    """In UTF-16 units: what stands beyond the first plane takes two."""
    own = candidate.record["flawed_solution"].split("\n")[1]
    for prefix, units in (("Well, ", 6), ("😀😀 ", 5), ("é ", 2)):
        text = f"{prefix}987654 {own}"
        findings = audit_view(candidate, second_line(candidate, text))["findings"]
        (finding,) = (finding for finding in findings if finding["found"] == "987654")
        assert (finding["start"], finding["end"]) == (units, units + 6)
        assert text.encode("utf-16-le")[2 * finding["start"] : 2 * finding["end"]].decode("utf-16-le") == "987654"


def _is_told(shown: View) -> None:
    assert json.loads(json.dumps(shown).encode()) == shown
    json.dumps(shown, ensure_ascii=False).encode("utf-8")


@given(st.data())
def test_any_text_is_plain_json(records: list[Record], data: st.DataObject) -> None:
    """That can be written as UTF-8, with any number of lines, of any text; the differences are those to the correct solution."""
    candidate = of_record(data.draw(st.sampled_from(records)))
    own = CandidateTexts.of_record(candidate.record)
    kept = data.draw(st.booleans())
    lines = (*own.lines[:-1], data.draw(TEXTS)) if kept else tuple(data.draw(st.lists(TEXTS, max_size=4)))
    written = CandidateTexts(lines, data.draw(TEXTS))
    shown = audit_view(candidate, written)
    _is_told(candidate_view(candidate, written))
    _is_told(shown)
    before = [
        "".join(piece["text"] for piece in line["before"]) for line in shown["diff"] if line["before"] is not None
    ]
    assert "\n".join(before) == candidate.record["solution"]


def test_hostile_records_are_plain_json(candidate: Candidate) -> None:
    """Halves of surrogate pairs and markup in every text; markup stays what it is, for the page to escape."""
    hostile = "<img src=x onerror=alert(1)>\ud800"
    record = json.loads(json.dumps(candidate.record))
    record |= {"question": hostile, "edits": [hostile], "mutation": {"from": hostile, "to": hostile}}
    record["flawed_solution"] = record["flawed_solution"].replace("\n", f" {hostile}\n", 1)
    record["plausibility"]["reasons"] = [hostile]
    record["label"]["error_details"]["correction"] = hostile
    shown = viewed(of_record(record))
    _is_told(shown)
    _is_told(audit_view(of_record(record), CandidateTexts.of_record(record)))
    assert shown["problem"] == "<img src=x onerror=alert(1)>\ufffd"


def test_a_record_whose_certificate_is_broken_is_shown(candidate: Candidate) -> None:
    """With what stands in it, and that it cannot be audited."""
    broken = of_record({**candidate.record, "certificate": {}})
    assert "cannot be described" in viewed(broken)["change"]["sentence"]
    findings = audit_view(broken, CandidateTexts.of_record(broken.record))["findings"]
    assert [finding["kind"] for finding in findings] == ["unreadable-candidate"]


@given(st.data())
def test_what_the_audit_finds_clean_holds(records: list[Record], data: st.DataObject) -> None:
    """No text without a finding is refuted when it is judged again: accepting it needs no second look."""
    record = data.draw(st.sampled_from(records))
    candidate, own = of_record(record), CandidateTexts.of_record(record)
    place = data.draw(st.integers(0, len(own.lines) - 1))
    words = own.lines[place].split(" ")
    left, right = (data.draw(st.integers(0, len(words) - 1)) for _ in range(2))
    kind = data.draw(st.sampled_from(["insert", "remove", "swap"]))
    if kind == "insert":
        words.insert(left, data.draw(st.sampled_from(["really", "7", "+", "half", "="])))
    elif kind == "remove":
        words.pop(left)
    else:
        words[left], words[right] = words[right], words[left]
    text = CandidateTexts((*own.lines[:place], " ".join(words), *own.lines[place + 1 :]), own.explanation)
    if audit_view(candidate, text)["clean"]:
        assert check_record(edited_record(record, text), SOLVER).status is Status.CONFIRMED, text


@cases(
    "change",
    [{"certificate": None}, {"label": {}}, {"mutation": 7}, {"mutation": {"from": "x" * 10**5, "to": "<b>" * 10**5}}],
)
def test_sentence_of_a_record_that_cannot_be_read_is_bounded(change: Record, records: list[Record]) -> None:
    """Nothing is raised, and the sentence is bounded, whatever the record holds."""
    for record in records[::10]:
        assert 0 < len(change_of({**record, **change}).sentence) < 500
