"""The doubts about a flawed solution that nobody reviewed: it needs an edit, is implausible, or its audit is not clean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.corpora.labelled_solutions import LabelledSolution, read_record
from harness.domain import Status
from harness.records.mutation import LEAST_PLAUSIBILITY

if TYPE_CHECKING:
    from harness.records.mutation import FlawRecord

NEEDS_EDIT = "needs an edit"
IMPLAUSIBLE = f"plausibility below {LEAST_PLAUSIBILITY}"
AUDIT = "the audit of its label is not clean"


def doubt_of(flaw: FlawRecord, form: Any, *, clean: bool | None = None) -> str:
    """Return the first doubt about the flawed solution of a record, empty where there is none; `form` is its JSON form.

    `clean` is what its audit said, `None` where it was not audited yet.
    """
    if flaw.needs_edit:
        return NEEDS_EDIT
    if flaw.plausibility.score < LEAST_PLAUSIBILITY:
        return IMPLAUSIBLE
    return "" if (_is_clean(flaw, form) if clean is None else clean) else AUDIT


def _is_clean(flaw: FlawRecord, form: Any) -> bool:
    from oracles.labels.audit.label_verdict import audit  # takes a tenth of a second, which `--help` need not wait for

    labelled = read_record(form, flaw.operator)
    if not isinstance(labelled, LabelledSolution):
        return False
    verdict = audit(labelled, None, flaw.problem_id)
    return verdict.status is Status.CONFIRMED and not verdict.findings
