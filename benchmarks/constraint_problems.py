"""Benchmark of generated constraint problems: speed, diversity and confirmation by both solvers."""

import time
from pathlib import Path
from typing import Any

from generators.constraints.problem.domain import DOMAINS, ConstraintDomain, ProblemSize
from harness.text.words import masked_words
from oracles.constraints.validation import ValidationCase, validate_all

DRAWN = 10_000
"""Problems of a size over which repeats are counted, as many of each domain."""
CONFIRMED = {ProblemSize.SMALL: 1_000, ProblemSize.MEDIUM: 300, ProblemSize.LARGE: 100}
"""Problems of each domain that both solvers are asked about."""
WARM = 200


def measure(_: Path) -> dict[str, Any]:
    """Make problems of each size and domain, count repeats, and validate them by z3 and cvc5.

    A repeat is a text like an earlier one of its domain once names and numbers are hidden; the generators pass these over. Rates are of one core.
    """
    drawn = {size: {domain.name: _drawn(domain, size) for domain in DOMAINS} for size in ProblemSize}
    validated = {str(size): _validated(size) for size in ProblemSize}
    return {
        "drawn": {str(size): own for size, own in drawn.items()},
        "repeats": {str(size): sum(row["repeats"] for row in own.values()) for size, own in drawn.items()},
        "validated": validated,
        "all": {key: sum(row[key] for row in validated.values()) for key in ("problems", "confirmed")},
    }


def _drawn(domain: ConstraintDomain, size: ProblemSize) -> dict[str, Any]:
    each = DRAWN // len(list(DOMAINS))
    for _ in domain.problems(WARM, seed=1, size=size):
        pass
    began = time.process_time()
    made = list(domain.problems(each, seed=0, size=size))
    rate = len(made) / (time.process_time() - began)
    drawn = [domain.problem(number, seed=0, size=size) for number in range(each)]
    shapes = {tuple(masked_words(problem.problem, names=True)) for problem in drawn}
    return {
        "problems": each,
        "a_second": round(rate),
        "repeats": each - len(shapes),
        "with_an_answer": sum(problem.gold is not None for problem in made),
        "unsatisfiable": sum(not problem.satisfiable for problem in made),
    }


def _validated(size: ProblemSize) -> dict[str, Any]:
    """Count the programs that both solvers find as said: satisfiable or not, the answer the only one, the gold answer entailed."""
    problems = [problem for domain in DOMAINS for problem in domain.problems(CONFIRMED[size], seed=2, size=size)]
    began = time.perf_counter()
    cases = (ValidationCase(problem.id, problem.program, problem.gold, problem.satisfiable) for problem in problems)
    found = list(validate_all(cases))
    return {
        "problems": len(problems),
        "valid": sum(validation.valid is True for validation in found),
        "confirmed": sum(
            validation.correct is True and validation.unique is problem.unique
            for problem, validation in zip(problems, found, strict=True)
        ),
        "solvers_disagree": sum(validation.error.startswith("solvers-disagree") for validation in found),
        "undecided": sum(validation.satisfiable is None for validation in found if validation.valid),
        "a_second": round(len(problems) / (time.perf_counter() - began)),
    }
