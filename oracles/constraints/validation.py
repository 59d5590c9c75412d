"""Validation of SMT-LIB 2 programs by two solvers within limits: valid, satisfiable, unique answer, gold answer entailed."""

import enum
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any

from harness.json_form import read_record
from oracles.constraints.worker_pool import LostTask, SolverLimits, SolverWorker, task_results


class ValidationErrorKind(enum.StrEnum):
    """The kinds of error beside the `ScriptFaultKind` of the reader and `LossKind`; each error begins with its kind."""

    SOLVER = "solver-error"
    DISAGREEMENT = "solvers-disagree"


@dataclass(frozen=True, slots=True)
class ValidationCase:
    """A program to validate; `gold` is the expected literal and `satisfiable` the expected satisfiability, `None` if unknown."""

    id: str
    program: str
    gold: str | None = None
    satisfiable: bool | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """The result of the solvers on a program."""

    id: str
    """The problem."""
    valid: bool | None
    """Whether both solvers read it and answer `check-sat` alike, perhaps `unknown`; null where one was ended before it answered."""
    error: str = ""
    """What is wrong or what ended a solver, its kind before a colon; empty where nothing is wrong."""
    satisfiable: bool | None = None
    """Whether it can be met; null where that is not known."""
    unique: bool | None = None
    """Whether `answer` has no second value; null where that is not known or there is no `answer`."""
    entails_gold: bool | None = None
    """Whether it entails the gold answer; null where that is not known or there is no gold answer."""
    correct: bool | None = None
    """Whether it is satisfiable and entails the gold answer, or where there is none, is satisfiable or not as it is said to be."""
    answer: str | None = None
    """The value of `answer`."""
    model: Mapping[str, str] = field(default_factory=dict)
    """The values of the constants."""
    core: tuple[str, ...] = ()
    """The assertions that contradict each other."""
    by_solver: Mapping[str, str] = field(default_factory=dict)
    """What each solver answered: `sat`, `unsat`, `unknown` or its error."""
    note: str = ""
    """What the reader does not know of a program that both solvers read, or that a check was added; empty without either."""


def validate(case: ValidationCase, worker: SolverWorker) -> Validation:
    """Validate one program by a worker process, which takes as long to start as a hundred programs; see `validate_all`."""
    return _validation(case, worker.ask("validate", asdict(case)))


def validate_all(
    cases: Iterable[ValidationCase], *, limits: SolverLimits | None = None, workers: int = 0
) -> Generator[Validation, None, None]:
    """Yield the validation of each program, in order; with 0 `workers`, there is one for each core."""
    tasks = (("validate", asdict(case), case) for case in cases)
    with closing(task_results(tasks, limits=limits, workers=workers)) as results:
        for case, outcome in results:
            yield _validation(case, outcome)


def _validation(case: ValidationCase, outcome: dict[str, Any] | LostTask) -> Validation:
    """Return the validation of a program; of one whose worker was ended or died, nothing follows."""
    if isinstance(outcome, LostTask):
        error = f"{outcome.kind}: {outcome.reason}"
        return Validation(case.id, None, error, by_solver={outcome.at: outcome.kind} if outcome.at else {})
    return read_record(Validation, outcome)
