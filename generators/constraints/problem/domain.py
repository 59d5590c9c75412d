"""The registry of constraint problem domains, the numbering, sizes and forms of their problems, and the files of these."""

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeAlias, TypeVar

from generators.constraints.problem.draft import ProblemDraft
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.records.constraint import ConstraintProblem, table, write_files
from harness.registry import Registry
from harness.text.words import masked_words

TRIES = 1_000
"""Drafts of one kind, after which another kind is drawn, and repeats after which there are no further problems."""
MOST_DRAWN = 20
"""Kinds that are drawn for one problem, more than any has taken."""
Value = TypeVar("Value")
FEASIBILITY = 0.1
"""The share of problems that ask whether a solution exists, for kinds that can ask so; half of these have none."""
SMALL_PROGRAM = 700
Drafting: TypeAlias = "Callable[[Random, ProblemSize, ProblemForm], ProblemDraft | None]"
"""Drafts one problem of a kind, or gives up."""
RECORDS = "problems.jsonl"
ORIGINAL_NAMES = {"resources": "resource_alloc"}
"""The names that tables have in the original pipeline, beside ours."""


class ProblemSize(enum.StrEnum):
    """The size of a problem; programs of small problems have at most 700 characters."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


def by_size(small: Value, medium: Value, large: Value) -> dict[ProblemSize, Value]:
    """Return a table of one value for each size."""
    return dict(zip(ProblemSize, (small, medium, large), strict=True))


class ProblemForm(enum.StrEnum):
    """The question of a problem: an answer, or whether a solution exists, with the answer yes or no."""

    ANSWER = "answer"
    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class DomainExample:
    """A problem of seed 0 that a domain makes: its text and its gold answer, its number and size."""

    problem: str
    gold: str | None
    number: int = 0
    size: ProblemSize = ProblemSize.SMALL


@dataclass(frozen=True, slots=True)
class ConstraintDomain:
    """A domain by name: its kinds of problems, each a function that drafts one or gives up, with how often it is drawn."""

    name: str
    kinds: dict[Drafting, int]
    examples: tuple[DomainExample, ...]

    def draft(self, number: int, *, seed: int, size: ProblemSize) -> ProblemDraft:
        """Return the problem of a number, which depends on nothing but the seed, the number and the size.

        Raises a RuntimeError where no kind of the domain drafts one.
        """
        rng = Random(f"{seed}:{self.name}:{number}")
        for _ in range(MOST_DRAWN):
            (kind,) = rng.choices(list(self.kinds), list(self.kinds.values()))
            form = rng.choices(tuple(ProblemForm), (1 - FEASIBILITY, FEASIBILITY / 2, FEASIBILITY / 2))[0]
            for _ in range(TRIES):
                draft = kind(rng, size, form)
                if draft is not None and (size is not ProblemSize.SMALL or len(draft.program) <= SMALL_PROGRAM):
                    return draft
        raise RuntimeError(
            f"{self.name} {number}: none of {MOST_DRAWN} kinds drafted a {size} problem in {TRIES:,} tries"
        )

    def problem(self, number: int, *, seed: int, size: ProblemSize) -> ConstraintProblem:
        """Return the problem of a number with its id."""
        draft = self.draft(number, seed=seed, size=size)
        return ConstraintProblem(
            f"{self.name}-{number:06d}",
            self.name,
            draft.problem,
            tuple(step.text for step in draft.steps),
            draft.program,
            gold=draft.answer.gold if draft.answer else None,
            satisfiable=draft.satisfiable,
            unique=True if draft.answer else None,
            seed=seed,
            stated=draft.stated,
        )

    def problems(self, count: int, *, seed: int, size: ProblemSize) -> Iterator[ConstraintProblem]:
        """Yield a number of problems in order of their numbers; no two differ only in names and numbers.

        The first of them are the same whatever the count. One that is like an earlier one is passed over; `TRIES` of these in
        a row are a `HarnessError`.
        """
        seen: set[tuple[str, ...]] = set()
        number, repeats = 0, 0
        while len(seen) < count:
            problem = self.problem(number, seed=seed, size=size)
            shape, number = tuple(masked_words(problem.problem, names=True)), number + 1
            if shape not in seen:
                seen.add(shape)
                repeats = 0
                yield problem
            elif (repeats := repeats + 1) > TRIES:
                raise HarnessError(
                    f"--count {count}: {self.name} has no more than {len(seen):,} {size} problems that differ; ask for fewer, or for another size"
                )


DOMAINS: Registry[ConstraintDomain] = Registry("generators.constraints.domains")


def domain(name: str, *examples: DomainExample) -> Callable[[Callable[[], dict[Drafting, int]]], ConstraintDomain]:
    """Register a domain under a name; the decorated function returns its kinds and how often each is drawn."""
    return lambda kinds: DOMAINS.add(ConstraintDomain(name, kinds(), examples))


def domain_tables(problems: Sequence[ConstraintProblem]) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each table, `DOMAIN.csv`, and its lines; steps of reasoning are lines of one cell."""
    for name in sorted({problem.domain for problem in problems}):
        lines = list(table(json_form(problem) for problem in problems if problem.domain == name))
        yield from ((f"{given}.csv", lines) for given in dict.fromkeys((name, ORIGINAL_NAMES.get(name, name))))


def write_problems(folder: Path, problems: Sequence[ConstraintProblem]) -> None:
    """Write the tables of `domain_tables` and `problems.jsonl`, each whole or not at all."""
    write_files(folder, {**dict(domain_tables(problems)), RECORDS: map(json_form, problems)})
