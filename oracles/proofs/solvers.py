"""The solvers z3 and cvc5 behind one interface that answers whole SMT-LIB scripts."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from oracles.proofs.real_terms import LOGIC, PRELUDE

if TYPE_CHECKING:
    from oracles.proofs.flaw_script import FlawScript

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

    def answers(self, script: FlawScript) -> tuple[str, ...]:
        """Return `sat`, `unsat` or `unknown` for each query, in order.

        Raises:
            SolverError: the solver cannot read the script.
        """
        ...

    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:
        """Return `sat`, `unsat` or `unknown` for each question of a script that sets the logic and defines all it uses.

        Raises:
            SolverError: the solver cannot read the script, or it asks another number of questions.
        """
        ...


def open_solver(name: SolverName) -> Solver:
    """Return a solver that keeps one context for all scripts of a kind."""
    return _Z3() if name is SolverName.Z3 else _Cvc5()


class _Contexts(ABC):
    """Answers scripts between a push and a pop, in a context for each text that scripts begin with."""

    def __init__(self) -> None:
        self.opened: dict[str, Any] = {}

    @abstractmethod
    def _put(self, beginning: str, text: str) -> list[str]:
        """Return the answers to a text in the context of what it begins with."""

    def answers(self, script: FlawScript) -> tuple[str, ...]:
        return self._answers(PRELUDE, script.body, len(script.queries))

    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:
        head, logic, body = text.partition(LOGIC)
        if not logic or not all(line.startswith(";") for line in head.splitlines()):
            message = f"a script that sets another logic: {text[:60]!r}"
            raise SolverError(message)
        return self._answers(LOGIC, body, questions)

    def _answers(self, beginning: str, body: str, questions: int) -> tuple[str, ...]:
        try:
            return _read(self._put(beginning, f"(push 1)\n{body}(pop 1)\n"), questions)
        except (RuntimeError, SolverError) as error:
            # What was read before the error may still be defined.
            self.opened.pop(beginning, None)
            raise SolverError(str(error)[:300]) from None


def _read(lines: list[str], questions: int) -> tuple[str, ...]:
    found = tuple(line for line in lines if line)
    if len(found) != questions or not _ANSWERS.issuperset(found):
        odd = next((line for line in found if line not in _ANSWERS), f"{len(found)} answers")
        message = f"{odd} to {questions} queries"
        raise SolverError(message)
    return found


class _Z3(_Contexts):
    def _put(self, beginning: str, text: str) -> list[str]:
        import z3

        try:
            if beginning not in self.opened:
                self.opened[beginning] = z3.Context()
                self._run(beginning, f"(set-option :rlimit {RESOURCE_LIMIT})\n{beginning}")
            return self._run(beginning, text)
        except z3.Z3Exception as error:
            raise SolverError(str(error)) from None

    def _run(self, beginning: str, text: str) -> list[str]:
        import z3

        return str(z3.Z3_eval_smtlib2_string(self.opened[beginning].ref(), text)).split("\n")


@dataclass(slots=True)
class _Opened:
    """A solver of cvc5, its symbols, and how many scripts it has read."""

    solver: Any
    symbols: Any
    read: int = 0

    def run(self, text: str) -> list[str]:
        import cvc5

        parser = cvc5.InputParser(self.solver, self.symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
        found = []
        while not (command := parser.nextCommand()).isNull():
            found.append(str(command.invoke(self.solver, self.symbols)).strip())
        return found


class _Cvc5(_Contexts):
    def _put(self, beginning: str, text: str) -> list[str]:
        opened = self.opened.get(beginning)
        if opened is None or opened.read >= MOST_SCRIPTS:
            opened = self.opened[beginning] = _opened(beginning)
        opened.read += 1
        return opened.run(text)


def _opened(beginning: str) -> _Opened:
    import cvc5

    terms = cvc5.TermManager()
    opened = _Opened(cvc5.Solver(terms), cvc5.SymbolManager(terms))
    opened.solver.setOption("incremental", "true")
    opened.solver.setOption("rlimit-per", str(RESOURCE_LIMIT))
    opened.run(beginning)
    return opened
