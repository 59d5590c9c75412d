"""UT-1: whether a formalization, evaluated exactly at its default inputs, gives the gold answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.corpora.gold_answer import match_gold, read_gold
from harness.domain import Counterexample, Status, Verdict

if TYPE_CHECKING:
    from harness.domain import Problem
    from harness.program.candidate import Candidate


def screen(problem: Problem, candidate: Candidate) -> Verdict:
    """Judge one formalization against the gold answer.

    REFUTED: it cannot be read or evaluated, raises, or gives another value. UNKNOWN: the problem has no gold answer.
    CONFIRMED: the value is the gold answer, exactly or by a reading (percent, rounded gold) the reason states.
    """

    def verdict(
        status: Status,
        method: str,
        reason: str | None,
        *,
        checked: int = 0,
        counterexample: Counterexample | None = None,
    ) -> Verdict:
        unsupported = 1 if candidate.outcome is None else 0
        return Verdict(
            claim="ut1",
            problem_id=problem.problem_id,
            left=candidate.response.model,
            right=None,
            status=status,
            method=method,
            checked=checked,
            unsupported=unsupported,
            reason=reason,
            counterexample=counterexample,
        )

    if candidate.outcome is None:
        return verdict(Status.REFUTED, "read" if candidate.program is None else "evaluate", candidate.reason)
    shown = str(candidate.outcome)
    gold = None if problem.gold is None else read_gold(problem.gold, problem.solution)
    if candidate.outcome.value is None:
        return verdict(Status.REFUTED, "evaluate", f"raises {shown}", checked=1)
    if gold is None:
        why = (
            "the problem has no gold answer"
            if problem.gold is None
            else f"the gold answer {problem.gold[:40]!r} is no number"
        )
        return verdict(Status.UNKNOWN, "evaluate", f"{why}; the formalization gives {shown}", checked=0)
    match = match_gold(candidate.outcome.value, gold)
    if match.reached:
        return verdict(Status.CONFIRMED, match.method, match.reason, checked=1)
    return verdict(
        Status.REFUTED,
        match.method,
        match.reason,
        checked=1,
        counterexample=Counterexample({}, shown, problem.gold or ""),
    )
