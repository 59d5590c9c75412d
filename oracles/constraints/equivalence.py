"""Equivalence of two SMT-LIB 2 programs over the constants they share, decided in worker processes."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from harness.domain import Status, Verdict
from harness.json_form import read_record
from oracles.constraints.worker_pool import LostTask, SolverLimits, SolverWorker, task_results

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable


def equivalent(left: str, right: str, worker: SolverWorker) -> Verdict:
    """Judge whether each program's assertions entail the other's, for all values of the constants both declare.

    CONFIRMED: proved both ways by z3 and by cvc5. REFUTED: `counterexample.inputs` satisfies one and not the other, `left`
    and `right` saying which (`sat` or `unsat`). UNKNOWN: a program cannot be read, the two cannot be set side by side, or a
    solver gave up; `reason` says which.
    """
    return _verdict(worker.ask("equivalent", {"left": left, "right": right}))


def equivalences(
    pairs: Iterable[tuple[str, str]], *, limits: SolverLimits | None = None, workers: int = 0
) -> Generator[Verdict, None, None]:
    """Yield the verdict of each pair, in the order given, from worker processes; `workers` of 0 is one a core."""
    tasks = (("equivalent", {"left": left, "right": right}, None) for left, right in pairs)
    with closing(task_results(tasks, limits=limits, workers=workers)) as results:
        for _, outcome in results:
            yield _verdict(outcome)


def _verdict(outcome: dict[str, Any] | LostTask) -> Verdict:
    if isinstance(outcome, LostTask):
        reason = f"{outcome.kind}: {outcome.reason}"
        return Verdict("same-meaning", "", "left", "right", Status.UNKNOWN, "z3+cvc5", reason=reason)
    return read_record(Verdict, outcome)
