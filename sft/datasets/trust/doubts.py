"""The doubts about a flawed solution that no person reviewed: an edit to make, plausibility, the words of its explanation, its audit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from harness.corpora.labelled_solutions import LabelledSolution, read_record
from harness.domain import Status
from harness.records.mutation import LEAST_PLAUSIBILITY

if TYPE_CHECKING:
    from harness.records.mutation import FlawRecord

NEEDS_EDIT = "needs an edit"
IMPLAUSIBLE = f"plausibility below {LEAST_PLAUSIBILITY}"
BY_VARIABLE = "its explanation names a quantity by the words of a variable"
AUDIT = "the audit of its label is not clean"

_BY_VARIABLE = re.compile(r"\bthe [$]?\d[\d.,/]*%? \((?![^()]*\bper\b)[^()]+\)")
"""An input that the question does not show, called as the formalization calls it: `the 100 (number people present)`, but a ratio of units."""


def doubt_of(flaw: FlawRecord, form: Any, *, clean: bool | None = None) -> str:
    """Return the first doubt about the flawed solution of a record, empty where there is none; `form` is its JSON form.

    `clean` is what its audit said, `None` where it was not audited yet.
    """
    if flaw.needs_edit:
        return NEEDS_EDIT
    if flaw.plausibility.score < LEAST_PLAUSIBILITY:
        return IMPLAUSIBLE
    if _BY_VARIABLE.search(flaw.label.error_details.explanation):
        return BY_VARIABLE
    return "" if (_is_clean(flaw, form) if clean is None else clean) else AUDIT


def _is_clean(flaw: FlawRecord, form: Any) -> bool:
    from oracles.labels.audit.label_verdict import audit  # takes a tenth of a second, which `--help` need not wait for

    labelled = read_record(form, flaw.operator)
    if not isinstance(labelled, LabelledSolution):
        return False
    verdict = audit(labelled, None, flaw.problem_id)
    return verdict.status is Status.CONFIRMED and not verdict.findings
