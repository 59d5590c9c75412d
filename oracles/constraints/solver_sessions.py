"""Interactive sessions with z3 and cvc5, which answer SMT-LIB 2 commands one after another."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from oracles.proofs.solvers import MOST_SCRIPTS, SolverError, SolverName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COARSER = 25
"""Units of z3's work that take about as long as one of cvc5, measured on pigeonholes, cubes and factors."""
PUSH, POP = "(push 1)\n", "(pop 1)\n"


class SolverSession(Protocol):
    """A solver with its declarations and assertions so far."""

    def tell(self, commands: str) -> list[str]:
        """Return what the solver prints to commands, without empty texts.

        Raises:
            SolverError: a command is an error; the session must not be used any more.
        """
        ...


@dataclass(slots=True)
class SolverSessions:
    """Sessions of one solver: z3 uses a session for many scripts, cvc5 a new one for each.

    The values of a solver depend on earlier questions of the session. The reported values are those of cvc5, so that new
    sessions make them independent of other scripts.
    """

    opens: Callable[[str], SolverSession]
    kept: bool
    opened: SolverSession | None = None
    scripts: int = 0

    @classmethod
    def of(cls, name: SolverName, work: int) -> SolverSessions:
        """Return the sessions of a solver with a limit on the work for a question."""
        z3 = name is SolverName.Z3
        return cls(partial(_Z3 if z3 else _Cvc5, work), kept=z3)

    @contextmanager
    def script(self, logic: str) -> Iterator[SolverSession]:
        """Yield a session of a logic for one script; what it declares is gone after it. Errors as in `SolverSession.tell`."""
        self.scripts += 1
        if self.opened is None or not self.kept or self.scripts % MOST_SCRIPTS == 0:
            self.opened = self.opens(logic)
        session, self.opened = self.opened, None
        session.tell(PUSH)
        yield session
        session.tell(POP)
        # After an error nobody knows what is declared, and the session is not used again.
        self.opened = session


class _Z3:
    """A session of z3, which reads any logic and is faster without one."""

    def __init__(self, work: int, _: str) -> None:
        import z3

        self._context = z3.Context()
        self.tell(f"(set-option :rlimit {work})\n")

    def tell(self, commands: str) -> list[str]:
        import z3

        try:
            said = str(z3.Z3_eval_smtlib2_string(self._context.ref(), commands))
        except z3.Z3Exception as error:
            raise _failure(str(error)) from None
        return _without_errors(said.split("\n"))


class _Cvc5:
    def __init__(self, work: int, logic: str) -> None:
        import cvc5

        terms = cvc5.TermManager()
        self._solver: Any = cvc5.Solver(terms)
        self._symbols: Any = cvc5.SymbolManager(terms)
        for option, value in (
            ("incremental", "true"),
            ("produce-models", "true"),
            ("rlimit-per", str(max(1, work // COARSER))),
        ):
            self._solver.setOption(option, value)
        self.tell(f"(set-logic {logic})\n")

    def tell(self, commands: str) -> list[str]:
        import cvc5

        parser = cvc5.InputParser(self._solver, self._symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, commands, "script")
        said: list[str] = []
        try:
            while not (command := parser.nextCommand()).isNull():
                said += str(command.invoke(self._solver, self._symbols)).split("\n")
        except RuntimeError as error:
            raise _failure(str(error)) from None
        return _without_errors(said)


def _failure(text: str) -> SolverError | MemoryError:
    """Return the error that a solver's own words tell of."""
    return MemoryError(text) if "out of memory" in text or "bad_alloc" in text else SolverError(text[:300])


def _without_errors(said: list[str]) -> list[str]:
    lines = [line.strip() for line in said if line.strip()]
    for line in lines:
        if line.startswith("(error") or line == "unsupported":
            raise _failure(line.removeprefix("(error ").rstrip(")").strip('"'))
    # cvc5 says why it gave up after the word.
    return ["unknown" if line.startswith("unknown") else line for line in lines]
