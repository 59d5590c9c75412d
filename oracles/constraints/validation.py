"""Is a program in SMT-LIB2 valid, can it be satisfied, and does it say what the answer is? Two solvers, within limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Limits:
    """What deciding one program may take: solver work, then, for what escapes that, seconds and MiB of memory."""

    work: int = 3_000_000
    seconds: float = 20.0
    memory: int = 1_024


@dataclass(frozen=True, slots=True)
class Case:
    """A program to be validated; `gold` is a literal of SMT-LIB2, `None` where none is known."""

    id: str
    program: str
    gold: str | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """What the solvers found.

    `valid`: both solvers read it and answer `check-sat` without an error and alike; `error` begins with its kind, and is
    empty where there is none. `satisfiable`, `unique` (no second value of `answer`) and `entails_gold` are `None` where it is
    not known, or there is no `answer` or gold. `model` gives the constants' values, `answer` that of the constant of that
    name, `core` the assertions that clash; `by_solver` what each solver answered: `sat`, `unsat`, `unknown` or its error.
    """

    id: str
    valid: bool
    error: str = ""
    satisfiable: bool | None = None
    unique: bool | None = None
    entails_gold: bool | None = None
    answer: str | None = None
    model: Mapping[str, str] = field(default_factory=dict)
    core: tuple[str, ...] = ()
    by_solver: Mapping[str, str] = field(default_factory=dict)

    @property
    def correct(self) -> bool:
        """Tell whether it is valid, satisfiable and entails the gold answer."""
        return self.valid and self.satisfiable is True and self.entails_gold is True

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        raise NotImplementedError


def validate(case: Case, *, limits: Limits | None = None) -> Validation:
    """Validate one program in a worker process; see `validate_all`."""
    raise NotImplementedError


def validate_all(cases: Iterable[Case], *, limits: Limits | None = None, workers: int = 0) -> Iterator[Validation]:
    """Yield what the solvers find of each program, in the order given; `workers` of 0 is one a core."""
    raise NotImplementedError
