"""Tests of edited records: a record takes only the text of a reviewer and is then judged again."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.domain import Status
from harness.records.review import CandidateTexts
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from reports.review.candidate_view import audit_view, edited_record
from reports.review.candidates.candidates import Candidate
from tests.reports.review.changed_records import of_record, texts

Record = dict[str, Any]
SOLVER = open_solver(SolverName.Z3)


@pytest.fixture(scope="module")
def candidates(flawed: dict[str, list[Record]]) -> list[Candidate]:
    """Return the candidates of a few problems of the bundled corpus."""
    return [of_record(record) for record in flawed["conceptual"] + flawed["computational"]]


def test_all_else_stays(candidates: list[Candidate]) -> None:
    """The certificate, the line, the type, the correction, the id and every other field."""
    for candidate in candidates:
        new, old = (
            edited_record(candidate.record, texts(candidate, explanation="So it is.")),
            copy.deepcopy(dict(candidate.record)),
        )
        for record in (new, old):
            for field in ("flawed_solution", "needs_edit", "edits", "digest", "review"):
                record.pop(field, None)
            del record["label"]["error_details"]["explanation"]
        assert new == old


def test_candidates_as_they_are_hold(candidates: list[Candidate]) -> None:
    """Judged from the record alone, each is CONFIRMED."""
    assert {
        check_record(edited_record(candidate.record, texts(candidate)), SOLVER).status for candidate in candidates
    } == {Status.CONFIRMED}


def test_a_changed_number_is_refuted(candidates: list[Candidate]) -> None:
    """The answer that does not follow, with the reason."""
    for candidate in candidates[::10]:
        result = check_record(edited_record(candidate.record, texts(candidate, FA="#### 98765")), SOLVER)
        assert result.status is Status.REFUTED
        assert "answers otherwise" in (result.reason or "")


@settings(max_examples=60)
@given(st.data())
def test_what_the_audit_finds_clean_holds(flawed: dict[str, list[Record]], data: st.DataObject) -> None:
    """No text without a finding is refuted when it is judged again: accepting it needs no second look."""
    record = data.draw(st.sampled_from(flawed["conceptual"] + flawed["computational"]))
    candidate, own = of_record(record), CandidateTexts.of_record(record)
    place = data.draw(st.integers(0, len(own.lines) - 1))
    words = own.lines[place].split(" ")
    kind = data.draw(st.integers(0, 2))
    if kind == 0:
        words.insert(
            data.draw(st.integers(0, len(words))), data.draw(st.sampled_from(["really", "7", "+", "half", "="]))
        )
    elif kind == 1:
        words.pop(data.draw(st.integers(0, len(words) - 1)))
    else:
        left, right = (data.draw(st.integers(0, len(words) - 1)) for _ in range(2))
        words[left], words[right] = words[right], words[left]
    text = CandidateTexts((*own.lines[:place], " ".join(words), *own.lines[place + 1 :]), own.explanation)
    if audit_view(candidate, text)["clean"]:
        assert check_record(edited_record(record, text), SOLVER).status is Status.CONFIRMED, text
