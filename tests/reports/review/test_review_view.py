"""Tests of the review view: the page gets all that a reviewer needs as plain JSON, with any text."""

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.domain import Status
from harness.records.review import CandidateTexts
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from reports.review.candidate_view import View, audit_view, candidate_view, edited_record
from reports.review.candidates import Candidate
from tests.reports.review.changed_records import of_record, texts

Record = dict[str, Any]
SOLVER = open_solver(SolverName.Z3)
TEXTS = st.text(max_size=20) | st.sampled_from(
    ["<script>alert(1)</script>", "\ud800", "𝟛𝟛 = 4", "\n", "#### 3", "9" * 500]
)


@pytest.fixture(scope="module")
def candidates(flawed: dict[str, list[Record]]) -> list[Candidate]:
    """Return the candidates of a few problems of the bundled corpus."""
    return [of_record(record) for record in flawed["conceptual"] + flawed["computational"]]


@pytest.fixture
def candidate(candidates: list[Candidate]) -> Candidate:
    """Return one whose error is on its second line."""
    return next(candidate for candidate in candidates if _line(candidate) == "L2" and not candidate.needs_edit)


def _line(candidate: Candidate) -> str:
    return str(candidate.record["label"]["error_details"]["erroneous_line_number"])


def test_a_candidate_is_shown_whole(candidate: Candidate) -> None:
    """Problem, correct solution, the lines to edit, label, change, facts: as they stand in its record."""
    record, shown = candidate.record, candidate_view(candidate, texts(candidate))
    details = record["label"]["error_details"]
    assert shown["problem"] == record["question"]
    assert "\n".join(line["text"] for line in shown["solution"]) == record["solution"]
    assert "\n".join(line["text"] for line in shown["lines"]) == record["flawed_solution"]
    assert [line["label"] for line in shown["solution"]][-2:] == [f"L{len(shown['solution']) - 1}", "FA"]
    assert (shown["explanation"], shown["correction"]) == (details["explanation"], details["correction"])
    assert shown["change"]["sentence"].startswith("On L2")
    assert shown["change"]["values"]
    assert shown["facts"]["plausibility_reasons"] == record["plausibility"]["reasons"]
    assert shown["facts"]["support"] == "clique of 5, confidence 1.22, p_right 0.999"
    assert shown["facts"]["provenance"].endswith("probability 0.999 that it is right: the oracle")
    assert (shown["candidate_id"], shown["version"]) == (candidate.candidate_id, candidate.version)


def test_lines_before_the_error_are_folded(candidates: list[Candidate]) -> None:
    """The labelled one is marked, the last one is the answer's; where that is the error, all others are folded."""
    for candidate in candidates:
        lines = candidate_view(candidate, texts(candidate))["lines"]
        labels = [line["label"] for line in lines]
        place = labels.index(_line(candidate))
        assert [line["erroneous"] for line in lines] == [number == place for number in range(len(lines))]
        assert [line["folded"] for line in lines] == [number < place for number in range(len(lines))]
        assert [line["answer"] for line in lines] == [False] * (len(lines) - 1) + [True]


def test_places_are_counted_as_javascript_counts(candidate: Candidate) -> None:
    """In UTF-16 units: what stands beyond the first plane takes two."""
    own = candidate.record["flawed_solution"].split("\n")[1]
    for prefix, units in (("Well, ", 6), ("😀😀 ", 5), ("é ", 2)):
        text = f"{prefix}987654 {own}"
        (finding,) = (
            finding
            for finding in audit_view(candidate, texts(candidate, L2=text))["findings"]
            if finding["found"] == "987654"
        )
        assert (finding["start"], finding["end"]) == (units, units + 6)
        assert text.encode("utf-16-le")[2 * finding["start"] : 2 * finding["end"]].decode("utf-16-le") == "987654"


def test_the_difference_is_that_to_the_correct_solution(candidate: Candidate) -> None:
    """Line by line, with the stretches that the other side lacks; together they are both texts."""
    written = texts(candidate, L2="Another line.")
    diff = audit_view(candidate, written)["diff"]
    sides = [
        ["".join(piece["text"] for piece in line[side] or []) for line in diff if line[side] is not None]
        for side in ("before", "after")
    ]  # type: ignore[literal-required]  # both are keys
    assert "\n".join(sides[0]) == candidate.record["solution"]
    assert tuple(sides[1]) == written.lines
    assert any(line["differs"] for line in diff)
    assert not diff[0]["differs"]


def _is_told(shown: View) -> None:
    assert json.loads(json.dumps(shown).encode()) == shown
    json.dumps(shown, ensure_ascii=False).encode("utf-8")


@settings(max_examples=60)
@given(st.data())
def test_any_text_is_plain_json(flawed: dict[str, list[Record]], data: st.DataObject) -> None:
    """That can be written as UTF-8, with any number of lines, of any text."""
    candidate = of_record(data.draw(st.sampled_from(flawed["conceptual"])))
    own = CandidateTexts.of_record(candidate.record)
    kept = data.draw(st.booleans())
    lines = (*own.lines[:-1], data.draw(TEXTS)) if kept else tuple(data.draw(st.lists(TEXTS, max_size=4)))
    written = CandidateTexts(lines, data.draw(TEXTS))
    _is_told(candidate_view(candidate, written))
    _is_told(audit_view(candidate, written))


def test_hostile_records_are_plain_json(candidate: Candidate) -> None:
    """Halves of surrogate pairs and markup in every text; markup stays what it is, for the page to escape."""
    hostile = "<img src=x onerror=alert(1)>\ud800"
    record = json.loads(json.dumps(candidate.record))
    record["question"] = hostile
    record["flawed_solution"] = record["flawed_solution"].replace("\n", f" {hostile}\n", 1)
    record["plausibility"]["reasons"] = [hostile]
    record["edits"] = [hostile]
    record["mutation"] = {"from": hostile, "to": hostile}
    record["label"]["error_details"]["correction"] = hostile
    shown = candidate_view(of_record(record), CandidateTexts.of_record(record))
    _is_told(shown)
    _is_told(audit_view(of_record(record), CandidateTexts.of_record(record)))
    assert shown["problem"] == "<img src=x onerror=alert(1)>\ufffd"


def test_a_record_whose_certificate_is_broken_is_shown(candidate: Candidate) -> None:
    """With what stands in it, and that it cannot be audited."""
    record = {**candidate.record, "certificate": {}}
    candidate = of_record(record)
    assert "cannot be described" in candidate_view(candidate, CandidateTexts.of_record(record))["change"]["sentence"]
    assert [finding["kind"] for finding in audit_view(candidate, CandidateTexts.of_record(record))["findings"]] == [
        "unreadable-candidate"
    ]


@settings(max_examples=60)
@given(st.data())
def test_what_the_audit_finds_clean_holds(flawed: dict[str, list[Record]], data: st.DataObject) -> None:
    """No text without a finding is refuted when it is judged again: accepting it needs no second look."""
    record = data.draw(st.sampled_from(flawed["conceptual"] + flawed["computational"]))
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
