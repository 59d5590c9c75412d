"""The answers of z3 and cvc5 to whole SMT-LIB scripts, the certificates of records."""

from functools import lru_cache, partial

from harness.smtlib.solvers import COARSER, SolverError, SolverName, SolverSession, SolverSessions, open_session
from oracles.proofs.real_terms import LOGIC

__all__ = ["Solver", "SolverError", "SolverName", "open_solver"]

RESOURCE_LIMIT = 3_000_000
"""Solver work, in units of each solver."""
_ANSWERS = {"sat", "unsat", "unknown"}


class Solver:
    """Answers scripts one after the other, by one session; what one script defines is gone before the next."""

    def __init__(self, name: SolverName) -> None:
        self._sessions = SolverSessions(partial(_new_session, name), kept=True)

    # Certifying and checking again ask the same questions.
    @lru_cache(maxsize=256)  # noqa: B019  # a process has one or two solvers
    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:
        """Return `sat`, `unsat` or `unknown` for each question of a script that sets the logic and defines all it uses.

        Another number of answers is a `SolverError`.
        """
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


open_solver = Solver


def _new_session(name: SolverName, logic: str) -> SolverSession:
    if name is SolverName.CVC5:
        return open_session(name, RESOURCE_LIMIT * COARSER, logic.split()[1].rstrip(")"))
    session = open_session(name, RESOURCE_LIMIT)
    session.tell(logic)
    return session
