"""UT-1: whether a formalization, evaluated exactly at its default inputs, gives the gold answer."""

from functools import partial

from harness.answers.equality import equal_answers
from harness.answers.gold_answer import match_gold, read_gold
from harness.domain import Counterexample, Problem, Status, Verdict
from harness.program.floating_point import float_difference
from harness.program.lifter import Candidate
from harness.text.quantity import read_quantity


def screen(problem: Problem, candidate: Candidate) -> Verdict:
    """Judge one formalization against the gold answer.

    REFUTED: it cannot be read or evaluated, raises, or gives another value. UNKNOWN: the problem has no gold answer, or one that
    is not read to its end. CONFIRMED: the value is the gold answer, exactly or by a reading (percent, rounded gold) that the reason states.
    """
    verdict = partial(
        Verdict,
        *("ut1", problem.problem_id, candidate.response.model, None),
        unsupported=int(candidate.outcome is None),
    )
    if candidate.outcome is None:
        return verdict(Status.REFUTED, "read" if candidate.program is None else "evaluate", reason=candidate.reason)
    shown = str(candidate.outcome)
    gold = None if problem.gold is None else read_gold(problem.gold, problem.solution)
    if candidate.outcome.value is None:
        return verdict(Status.REFUTED, "evaluate", reason=f"raises {shown}", checked=1)
    floats = None if candidate.program is None else float_difference(candidate.program, candidate.outcome)
    if floats is not None:
        given = floats.error or f"{float(floats.value or 0):.15g}"
        reason = f"gives {shown} in exact arithmetic and {given} in Python's floats"
        return verdict(Status.UNKNOWN, "floats", reason=reason)
    if problem.gold is None:
        reason = f"the problem has no gold answer; the formalization gives {shown}"
        return verdict(Status.UNKNOWN, "evaluate", reason=reason)
    missed = Counterexample({}, shown, problem.gold)
    if gold is None:
        method = "math-verify" if read_quantity(problem.gold) is None else "exact"
        match equal_answers(shown, problem.gold):
            case True:
                return verdict(Status.CONFIRMED, method, reason=f"{shown} is {problem.gold[:40]}", checked=1)
            case False:
                reason = f"gives {shown}, gold is {problem.gold[:40]}"
                return verdict(Status.REFUTED, method, reason=reason, checked=1, counterexample=missed)
        reason = f"the gold answer {problem.gold[:40]!r} is not read to its end; the formalization gives {shown}"
        return verdict(Status.UNKNOWN, "gold", reason=reason)
    match = match_gold(candidate.outcome.value, gold)
    if match.reached is None:
        return verdict(Status.UNKNOWN, match.method, reason=match.reason)
    status = Status.CONFIRMED if match.reached else Status.REFUTED
    counterexample = None if match.reached else missed
    return verdict(status, match.method, reason=match.reason, checked=1, counterexample=counterexample)
