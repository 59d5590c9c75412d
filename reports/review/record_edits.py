"""The record of a candidate with a reviewer's texts, and the re-check of its label."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.domain import Status
from harness.json_form import json_form
from harness.records.content_digest import with_digest
from harness.records.review import CandidateTexts
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import Solver, SolverName, open_solver


@dataclass(frozen=True, slots=True)
class RecheckResult:
    """Result of a re-check; `reason` says why the status is not CONFIRMED."""

    status: Status
    reason: str | None


def edited_record(record: Mapping[str, Any], texts: CandidateTexts) -> dict[str, Any]:
    """Return a copy of a candidate's record with a person's lines and explanation, marked as needing no edit.

    The certificate, the type, the line, the correction and the id stay: a person changes the words, not the error. Its `review` holds
    the texts that it was made with, by which these are checked again.
    """
    original = CandidateTexts.of_record(record)
    new = copy.deepcopy(dict(record))
    new["flawed_solution"] = "\n".join(texts.lines)
    new["label"]["error_details"]["explanation"] = texts.explanation
    new["needs_edit"] = False
    new["edits"] = []
    new["review"] = {"edited": texts != original, "original": json_form(original)}
    return with_digest(new)


def recheck(record: Mapping[str, Any], solver: Solver | None = None) -> RecheckResult:
    """Check the certificate, the numbers and the equations of a record; give a solver to check many records."""
    verdict = check_record(dict(record), solver or open_solver(SolverName.Z3))
    return RecheckResult(verdict.status, verdict.reason)
