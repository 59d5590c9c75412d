"""What does a solver answer to a script in SMT-LIB?"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Protocol

from oracles.reals import PRELUDE

if TYPE_CHECKING:
    from oracles.smtlib import Script

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

    def answers(self, script: Script) -> tuple[str, ...]:
        """Return `sat`, `unsat` or `unknown` for each query, in order.

        Raises:
            SolverError: the solver cannot read the script.
        """
        ...


def open_solver(name: SolverName) -> Solver:
    """Return a solver that keeps one context for all scripts."""
    return _Z3() if name is SolverName.Z3 else _Cvc5()


class _Z3:
    def __init__(self) -> None:
        self.context: Any = None

    def answers(self, script: Script) -> tuple[str, ...]:
        import z3

        try:
            if self.context is None:
                self.context = z3.Context()
                self._run(f"(set-option :rlimit {RESOURCE_LIMIT})\n{PRELUDE}")
            return _read(self._run(f"(push 1)\n{script.body}(pop 1)\n").split("\n"), script)
        except (z3.Z3Exception, SolverError) as error:
            # What was read before the error may still be defined.
            self.context = None
            raise SolverError(str(error)[:300]) from None

    def _run(self, text: str) -> str:
        import z3

        return str(z3.Z3_eval_smtlib2_string(self.context.ref(), text))


class _Cvc5:
    def __init__(self) -> None:
        self.solver: Any = None
        self.symbols: Any = None
        self.read = 0

    def answers(self, script: Script) -> tuple[str, ...]:
        try:
            if self.solver is None or self.read >= MOST_SCRIPTS:
                self._open()
            self.read += 1
            return _read(self._run(f"(push 1)\n{script.body}(pop 1)\n"), script)
        except (RuntimeError, SolverError) as error:
            # As above.
            self.solver = None
            raise SolverError(str(error)[:300]) from None

    def _open(self) -> None:
        import cvc5

        terms = cvc5.TermManager()
        self.solver, self.symbols, self.read = cvc5.Solver(terms), cvc5.SymbolManager(terms), 0
        self.solver.setOption("incremental", "true")
        self.solver.setOption("rlimit-per", str(RESOURCE_LIMIT))
        self._run(PRELUDE)

    def _run(self, text: str) -> list[str]:
        import cvc5

        parser = cvc5.InputParser(self.solver, self.symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
        found = []
        while not (command := parser.nextCommand()).isNull():
            found.append(str(command.invoke(self.solver, self.symbols)).strip())
        return found


def _read(lines: list[str], script: Script) -> tuple[str, ...]:
    found = tuple(line for line in lines if line)
    if len(found) != len(script.queries) or not _ANSWERS.issuperset(found):
        odd = next((line for line in found if line not in _ANSWERS), f"{len(found)} answers")
        message = f"{odd} to {len(script.queries)} queries"
        raise SolverError(message)
    return found
