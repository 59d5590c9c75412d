"""The answers of z3 and cvc5 to whole SMT-LIB scripts, the certificates of records."""

from functools import partial
from typing import Protocol

from harness.smtlib.solvers import COARSER, SolverError, SolverName, SolverSession, SolverSessions, open_session
from oracles.proofs.real_terms import LOGIC

__all__ = ["Solver", "SolverError", "SolverName", "open_solver"]

RESOURCE_LIMIT = 3_000_000
"""Solver work, in units of each solver."""
_ANSWERS = {"sat", "unsat", "unknown"}


class Solver(Protocol):
    """Answers scripts one after the other; what one script defines is gone before the next."""

    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:
        """Return `sat`, `unsat` or `unknown` for each question of a script that sets the logic and defines all it uses.

        Raises:
            SolverError: the solver cannot read the script, or it asks another number of questions.
        """
        ...


def open_solver(name: SolverName) -> Solver:
    """Return a solver that keeps one session for all scripts."""
    return _ScriptSolver(name)


class _ScriptSolver:
    def __init__(self, name: SolverName) -> None:
        self._sessions = SolverSessions(partial(_opened, name), kept=True)

    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:
        head, logic, body = text.partition(LOGIC)
        if not logic or not all(line.startswith(";") for line in head.splitlines()):
            raise SolverError(f"a script that sets another logic: {text[:60]!r}")
        try:
            found = tuple(self._sessions.answers(LOGIC, body))
        except MemoryError as error:
            raise SolverError(str(error)[:300]) from None
        if len(found) != questions or not _ANSWERS.issuperset(found):
            odd = next((line for line in found if line not in _ANSWERS), f"{len(found)} answers")
            raise SolverError(f"{odd[:300]} to {questions} queries")
        return found


def _opened(name: SolverName, logic: str) -> SolverSession:
    if name is SolverName.CVC5:
        return open_session(name, RESOURCE_LIMIT * COARSER, logic.split()[1].rstrip(")"))
    session = open_session(name, RESOURCE_LIMIT)
    session.tell(logic)
    return session
