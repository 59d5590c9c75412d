"""Benchmark of generated constraint problems: speed, diversity and confirmation by both solvers."""

from __future__ import annotations

import resource
import time
from collections import Counter
from typing import TYPE_CHECKING

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.problem.masked_text import masked_text
from oracles.constraints.validation import ValidationCase, validate_all

if TYPE_CHECKING:
    from pathlib import Path

    from generators.constraints.problem.domain import ConstraintDomain
    from harness.smtlib.constraint_problem import ConstraintProblem

DRAWN = 10_000
"""Problems of a size over which repeats are counted, as many of each domain."""
CONFIRMED = {ProblemSize.SMALL: 1_000, ProblemSize.MEDIUM: 300, ProblemSize.LARGE: 100}
"""Problems of each domain that both solvers are asked about."""
WARM = 200


def measure(_: Path) -> str:
    """Make and validate problems, and return the figures as Markdown; no data are needed."""
    parts = [
        "## Constraint problems",
        "",
        "    python -m benchmarks smt_generation",
        "",
        (
            f"Drawn: {DRAWN:,} of each size, a quarter of each domain, as they come. *Masked*: words that name people and things are hidden,"
            " and numbers, in digits or words; the share of texts that are then like an earlier one of their domain. The generators pass"
            " these over, so that none is left in what they write. Rates are of one core, construction, reasoning, wording and passing over"
            f" included, after {WARM} problems that fill the tables; CPU seconds, since the machine is shared."
        ),
        "",
        "| domain | size | problems a second | equal texts | masked repeats | program, median characters | longest | asks for an answer | can be done | cannot |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    shares: dict[ProblemSize, list[int]] = {}
    for size in ProblemSize:
        for domain in DOMAINS:
            row, repeats = _drawn(domain, size)
            shares.setdefault(size, []).append(repeats)
            parts.append(row)
    parts += [
        "",
        f"Masked repeats over all {DRAWN:,}: "
        + ", ".join(f"{size} {sum(found) / DRAWN:.1%}" for size, found in shares.items())
        + ".",
        "",
    ]
    parts += [
        "Validated by z3 and cvc5, in worker processes, one a core: satisfiable as said, the answer the only one, the gold answer entailed.",
        "",
        "| size | problems | valid | confirmed | contradictions of the solvers | undecided | programs a second | CPU a program, start of the workers included |",
        "|---|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*parts, *(_validated(size) for size in ProblemSize)])


def _drawn(domain: ConstraintDomain, size: ProblemSize) -> tuple[str, int]:
    """Return a row about a domain's problems, and how many of them are like an earlier one."""
    each = DRAWN // len(list(DOMAINS))
    for _ in domain.problems(WARM, seed=1, size=size):
        pass
    began = time.process_time()
    made = list(domain.problems(each, seed=0, size=size))
    rate = len(made) / (time.process_time() - began)
    drawn = [domain.problem(number, seed=0, size=size) for number in range(each)]
    texts = {problem.problem for problem in drawn}
    shapes = {masked_text(text) for text in (problem.problem for problem in drawn)}
    lengths = sorted(len(problem.program) for problem in made)
    asks = Counter((problem.gold is not None, problem.satisfiable) for problem in made)
    row = (
        f"| {domain.name} | {size} | {rate:,.0f} | {each - len(texts):,} | {1 - len(shapes) / each:.1%} | {lengths[len(lengths) // 2]:,} |"
        f" {lengths[-1]:,} | {asks[True, True] / each:.1%} | {asks[False, True] / each:.1%} | {asks[False, False] / each:.1%} |"
    )
    return row, each - len(shapes)


def _validated(size: ProblemSize) -> str:
    problems = [problem for domain in DOMAINS for problem in domain.problems(CONFIRMED[size], seed=2, size=size)]
    began, used = time.perf_counter(), _children()
    found = list(
        validate_all(
            ValidationCase(problem.id, problem.program, problem.gold, problem.satisfiable) for problem in problems
        )
    )
    seconds, used = time.perf_counter() - began, _children() - used
    confirmed = sum(
        _confirmed(problem, validation.correct, validation.unique)
        for problem, validation in zip(problems, found, strict=True)
    )
    contradictions = sum(validation.error.startswith("solvers-disagree") for validation in found)
    undecided = sum(validation.satisfiable is None for validation in found if validation.valid)
    return (
        f"| {size} | {len(problems):,} | {sum(validation.valid is True for validation in found):,} | {confirmed:,} | {contradictions} | {undecided} |"
        f" {len(problems) / seconds:,.0f} | {used / len(problems) * 1_000:.1f} ms |"
    )


def _children() -> float:
    """Return the CPU seconds of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _confirmed(problem: ConstraintProblem, correct: bool | None, unique: bool | None) -> bool:  # noqa: FBT001  # findings, no flags
    return correct is True and unique is problem.unique
