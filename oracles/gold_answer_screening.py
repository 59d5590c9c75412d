"""UT-1: whether a formalization, evaluated exactly at its default inputs, gives the gold answer."""

from harness.answers.equality import equal_answers
from harness.answers.gold_answer import match_gold, read_gold
from harness.domain import Counterexample, Problem, Status, Verdict
from harness.program.candidate import Candidate
from harness.program.floating_point import float_difference
from harness.text.quantity import read_quantity


def screen(problem: Problem, candidate: Candidate) -> Verdict:
    """Judge one formalization against the gold answer.

    REFUTED: it cannot be read or evaluated, raises, or gives another value. UNKNOWN: the problem has no gold answer, or one that
    is not read to its end. CONFIRMED: the value is the gold answer, exactly or by a reading (percent, rounded gold) that the reason states.
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
    floats = None if candidate.program is None else float_difference(candidate.program, candidate.outcome)
    if floats is not None:
        given = floats.error or f"{float(floats.value or 0):.15g}"
        return verdict(Status.UNKNOWN, "floats", f"gives {shown} in exact arithmetic and {given} in Python's floats")
    if problem.gold is None:
        return verdict(Status.UNKNOWN, "evaluate", f"the problem has no gold answer; the formalization gives {shown}")
    if gold is None:
        method = "math-verify" if read_quantity(problem.gold) is None else "exact"
        match equal_answers(shown, problem.gold):
            case True:
                return verdict(Status.CONFIRMED, method, f"{shown} is {problem.gold[:40]}", checked=1)
            case False:
                missed = Counterexample({}, shown, problem.gold)
                reason = f"gives {shown}, gold is {problem.gold[:40]}"
                return verdict(Status.REFUTED, method, reason, checked=1, counterexample=missed)
        reason = f"the gold answer {problem.gold[:40]!r} is not read to its end; the formalization gives {shown}"
        return verdict(Status.UNKNOWN, "gold", reason)
    match = match_gold(candidate.outcome.value, gold)
    if match.reached:
        return verdict(Status.CONFIRMED, match.method, match.reason, checked=1)
    if match.reached is None:
        return verdict(Status.UNKNOWN, match.method, match.reason)
    return verdict(
        Status.REFUTED,
        match.method,
        match.reason,
        checked=1,
        counterexample=Counterexample({}, shown, problem.gold or ""),
    )
