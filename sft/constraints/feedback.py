"""The feedback on a program, for a model that must not know the gold answer.

The feedback is the error, the assertions that make the program unsatisfiable, or a second answer that it allows. Where the
solvers have no objection, it is the first clause of the problem that no assertion states, by an alignment of names that can
be wrong. No part of it depends on the gold answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.smtlib.grammar import ANSWER, CHECK
from harness.smtlib.script import read_script
from oracles.constraints.clause_alignment import align_clauses
from oracles.constraints.order_directions import opposed_assertions
from oracles.constraints.validation import ValidationCase, validate
from oracles.constraints.worker_pool import SolverWorker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oracles.constraints.validation import Validation

LONGEST = 240
MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class JudgedProgram:
    """A program with its validation; `said` is the feedback, empty without an objection."""

    program: str
    validation: Validation
    said: str

    @property
    def rank(self) -> tuple[bool, bool, bool, bool]:
        """Return the quality of a program without the gold answer: valid, satisfiable, one answer only, no objection."""
        validation = self.validation
        return validation.valid is True, validation.satisfiable is True, validation.unique is True, not self.said


@dataclass(slots=True)
class ProgramJudge:
    """Judges programs by the solvers in one process, which `close` ends."""

    _solvers: SolverWorker = field(default_factory=SolverWorker)

    def judge(self, program: str, problem: str = "") -> JudgedProgram:
        """Return a program with its feedback; with its problem, a clause that no assertion states is an objection too."""
        validation = validate(ValidationCase("", program), self._solvers)
        other: Mapping[str, str] = {}
        if validation.valid and validation.unique is False and validation.answer is not None:
            other = validate(ValidationCase("", _without(program, validation.answer)), self._solvers).model
        said = _said(program, validation, other) or (_unstated(problem, program) if problem else "")
        return JudgedProgram(program, validation, said)

    def close(self) -> None:
        """End the process."""
        self._solvers.close()


def judge(programs: Mapping[str, str]) -> dict[str, JudgedProgram]:
    """Return programs with their feedback, by id."""
    judging = ProgramJudge()
    try:
        return {name: judging.judge(program) for name, program in programs.items()}
    finally:
        judging.close()


def _without(program: str, answer: str) -> str:
    """Return the program with an assertion that excludes an answer."""
    head, checked, rest = program.rpartition(CHECK)
    return f"{head}(assert (not (= {ANSWER} {answer})))\n{checked}{rest}"


def _unstated(problem: str, program: str) -> str:
    """Return the first clause that no assertion states, or whose assertion numbers an order the other way; empty where there is none."""
    alignment = align_clauses(problem, program)
    if alignment.missing:
        return _short(f"missing: {alignment.clauses[alignment.missing[0]].text}")
    opposed = opposed_assertions(problem, program)
    return _short(f"reversed: {alignment.clauses[opposed[0].clause].text}") if opposed else ""


def declares_answer(program: str) -> bool:
    """Tell whether a program declares an answer."""
    return any(declaration.name == ANSWER for declaration in read_script(program).declarations)


def _said(program: str, validation: Validation, other: Mapping[str, str]) -> str:
    if not validation.valid:
        return _short(f"error: {validation.error}")
    if validation.satisfiable is False and declares_answer(program):
        # For a problem that asks whether something is possible, `unsat` is an answer.
        return _short(f"unsat: {' '.join(validation.core)}")
    if validation.unique is False and validation.answer is not None and ANSWER in other:
        return _short(f"{ANSWER} may be {validation.answer} or {other[ANSWER]}: {_values(other)}")
    return ""


def _values(model: Mapping[str, str]) -> str:
    named = [f"{name}={value}" for name, value in model.items() if name != ANSWER]
    return ", ".join([*named[:MOST_NAMED], *(["…"] if len(named) > MOST_NAMED else [])])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
