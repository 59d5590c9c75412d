"""The record of a candidate with a reviewer's texts, and the re-check of its label."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.domain import Status
from oracles.certificates.solvers import Solver, SolverName, open_solver
from oracles.recheck.record_recheck import recheck as judge
from reports.review.candidates.candidates import CandidateTexts


@dataclass(frozen=True, slots=True)
class RecheckResult:
    """What judging a record again gave; `reason` says why it is not CONFIRMED."""

    status: Status
    reason: str | None


def edited_record(record: Mapping[str, Any], texts: CandidateTexts) -> dict[str, Any]:
    """Return a candidate's record with a person's lines and explanation; nothing is left to be edited.

    The certificate, the type, the line and the correction stay: a person changes words, not what is wrong. So does the id,
    by which decisions are kept. The record given is left as it is.
    """
    new = copy.deepcopy(dict(record))
    new["flawed_solution"] = "\n".join(texts.lines)
    new["label"]["error_details"]["explanation"] = texts.explanation
    new["needs_edit"] = False
    new["edits"] = []
    return new


def recheck(record: Mapping[str, Any], solver: Solver | None = None) -> RecheckResult:
    """Judge a record from itself alone, as `oracle-factory recheck` does; whoever judges many gives the solver."""
    found = judge(dict(record), solver or open_solver(SolverName.Z3))
    return RecheckResult(found.status, found.reason)
