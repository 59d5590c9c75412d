"""The opening of a formalization as a source of flaws and variants, with the proof that its solution computes the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason, open_source
from harness.domain import Status
from oracles.equivalence.equivalent_mutants import judge_mutant

if TYPE_CHECKING:
    from harness.domain import Problem, Response


def open_proved_source(problem: Problem, response: Response, *, seed: int = 0) -> FlawSource:
    """Read a formalization as a source; where it is no template, prove that the steps of the solution compute the same.

    Raises:
        UnfitError: with the class of what is missing, the proof among them.
    """
    source = open_source(problem, response)
    if source.program is not None:
        verdict = judge_mutant(problem.problem_id, source.program, source.trace, seed=seed)
        if verdict.status is not Status.CONFIRMED:
            raise UnfitError(UnfitReason.UNPROVED, f"{verdict.status.name} by {verdict.method}")
    return source
