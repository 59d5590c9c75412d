"""Validation of SMT-LIB 2 programs by two solvers within limits: valid, satisfiable, unique answer, gold answer entailed."""

from __future__ import annotations

import enum
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from oracles.constraints.limits import SolverLimits
from oracles.constraints.worker_pool import LostTask, task_results

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping


class ValidationErrorKind(enum.StrEnum):
    """What an error begins with, where it does not begin with the reader's `ScriptFaultKind`."""

    SOLVER = "solver-error"
    DISAGREEMENT = "solvers-disagree"
    TIME = "time-limit"
    MEMORY = "memory-limit"
    DIED = "worker-died"


@dataclass(frozen=True, slots=True)
class ValidationCase:
    """A program to be validated; `gold` is a literal of SMT-LIB2 and `satisfiable` what is said of it, `None` where nothing is."""

    id: str
    program: str
    gold: str | None = None
    satisfiable: bool | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """What the solvers found.

    `valid`: both solvers read it and answer `check-sat` without an error and alike, though perhaps `unknown`; `error` begins
    with its kind, and is empty where there is none. `satisfiable`, `unique` (no second value of `answer`) and `entails_gold`
    are `None` where it is not known, or there is no `answer` or gold. `correct`: it is satisfiable and entails the gold answer
    or, where there is none, is satisfiable or not as it is said to be; `None` where nothing is said. `model` gives the
    constants' values, `answer` that of the constant of that name, `core` the assertions that clash; `by_solver` what each
    solver answered: `sat`, `unsat`, `unknown` or its error.
    """

    id: str
    valid: bool
    error: str = ""
    satisfiable: bool | None = None
    unique: bool | None = None
    entails_gold: bool | None = None
    correct: bool | None = None
    answer: str | None = None
    model: Mapping[str, str] = field(default_factory=dict)
    core: tuple[str, ...] = ()
    by_solver: Mapping[str, str] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**asdict(self), "core": list(self.core)}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Validation:
        """Return the validation of a JSON form that `record` gave."""
        return cls(**{**record, "core": tuple(record["core"])})


def validate(case: ValidationCase, *, limits: SolverLimits | None = None) -> Validation:
    """Validate one program in a worker process, which takes as long to start as a hundred programs; see `validate_all`."""
    return next(validate_all([case], limits=limits, workers=1))


def validate_all(
    cases: Iterable[ValidationCase], *, limits: SolverLimits | None = None, workers: int = 0
) -> Generator[Validation, None, None]:
    """Yield what the solvers find of each program, in the order given; `workers` of 0 is one a core."""
    tasks = (("validate", asdict(case), case) for case in cases)
    for case, outcome in task_results(tasks, limits=limits or SolverLimits(), workers=workers):
        if isinstance(outcome, LostTask):
            yield lost_validation(case, outcome)
        else:
            yield Validation.of_record(outcome)


def lost_validation(case: ValidationCase, outcome: LostTask) -> Validation:
    """Return what is known of a program whose worker was ended or died."""
    said = case.gold is not None or case.satisfiable is not None
    return Validation(
        case.id,
        valid=False,
        error=f"{outcome.kind}: {outcome.reason}",
        entails_gold=False if case.gold is not None else None,
        correct=False if said else None,
        by_solver={outcome.at: outcome.kind} if outcome.at else {},
    )
