"""The solvers z3 and cvc5 behind one interface that answers whole SMT-LIB scripts."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from typing import Any, Protocol

from oracles.proofs.real_terms import LOGIC

# Solver work, not seconds: a wall-clock limit would let a busy machine change verdicts.
RESOURCE_LIMIT = 3_000_000
# cvc5 keeps three kilobytes of each script it has read until its context is dropped.
MOST_SCRIPTS = 2_000
_ANSWERS = {"sat", "unsat", "unknown"}


class SolverName(enum.StrEnum):
    """The solvers a script can be put to."""

    Z3 = "z3"
    CVC5 = "cvc5"


class SolverError(Exception):
    """The solver could not read a script."""


class Solver(Protocol):
    """Answers scripts one after the other; what one script defines is gone before the next."""

    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:
        """Return `sat`, `unsat` or `unknown` for each question of a script that sets the logic and defines all it uses.

        Raises:
            SolverError: the solver cannot read the script, or it asks another number of questions.
        """
        ...


def open_solver(name: SolverName) -> Solver:
    """Return a solver that keeps one context for all scripts."""
    return _Z3() if name is SolverName.Z3 else _Cvc5()


class _Context(ABC):
    """Answers scripts between a push and a pop, in one context whose logic is set."""

    def __init__(self) -> None:
        self.context: Any = None
        self.count = 0

    @abstractmethod
    def _open(self) -> Any:
        """Return a new context."""

    @abstractmethod
    def _run(self, text: str) -> list[str]:
        """Return the answers to the commands of a text."""

    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:
        head, logic, body = text.partition(LOGIC)
        if not logic or not all(line.startswith(";") for line in head.splitlines()):
            raise SolverError(f"a script that sets another logic: {text[:60]!r}")
        if self.context is None or self.count >= MOST_SCRIPTS:
            self.context, self.count = self._open(), 0
            self._run(LOGIC)
        self.count += 1
        try:
            found = tuple(line for line in self._run(f"(push 1)\n{body}(pop 1)\n") if line)
        except (RuntimeError, SolverError) as error:
            found = (str(error),)
        if len(found) == questions and _ANSWERS.issuperset(found):
            return found
        # What was read before the error may still be defined.
        self.context = None
        odd = next((line for line in found if line not in _ANSWERS), f"{len(found)} answers")
        raise SolverError(f"{odd[:300]} to {questions} queries")


class _Z3(_Context):
    def _open(self) -> Any:
        import z3

        context = z3.Context()
        z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :rlimit {RESOURCE_LIMIT})")
        return context

    def _run(self, text: str) -> list[str]:
        import z3

        try:
            return str(z3.Z3_eval_smtlib2_string(self.context.ref(), text)).split("\n")
        except z3.Z3Exception as error:
            raise SolverError(str(error)) from None


class _Cvc5(_Context):
    def _open(self) -> Any:
        import cvc5

        terms = cvc5.TermManager()
        solver = cvc5.Solver(terms)
        solver.setOption("incremental", "true")
        solver.setOption("rlimit-per", str(RESOURCE_LIMIT))
        return solver, cvc5.SymbolManager(terms)

    def _run(self, text: str) -> list[str]:
        import cvc5

        parser = cvc5.InputParser(*self.context)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
        found = []
        while not (command := parser.nextCommand()).isNull():
            found.append(str(command.invoke(*self.context)).strip())
        return found
