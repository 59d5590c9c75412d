"""z3 and cvc5 behind one interface: sessions that answer SMT-LIB 2 commands, one after another.

A limit counts solver work, not seconds: a clock would let a busy machine change verdicts.
"""

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

COARSER = 25
"""Units of z3's work that take about as long as one of cvc5, measured on pigeonholes, cubes and factors."""
MOST_SCRIPTS = 2_000
"""The scripts of one session: cvc5 keeps three kilobytes of each that it has read."""
PUSH, POP = "(push 1)\n", "(pop 1)\n"


class SolverName(enum.StrEnum):
    """The solvers."""

    Z3 = "z3"
    CVC5 = "cvc5"


class SolverError(Exception):
    """A solver cannot read a command."""


class SolverSession(Protocol):
    """A solver with its declarations and assertions so far."""

    def tell(self, commands: str) -> list[str]:
        """Return the lines that the solver prints to commands, without empty ones; after a `SolverError` the session must not be used any more."""
        ...


def open_session(name: SolverName, work: int, logic: str = "ALL") -> SolverSession:
    """Return a session of a solver with a limit on the work for a question, in units of z3."""
    return _Z3(work) if name is SolverName.Z3 else _Cvc5(work, logic)


@dataclass(slots=True)
class SolverSessions:
    """Sessions of one solver; `kept` uses one session for many scripts.

    A new context of z3 takes 25 ms, a script in a kept one 0.8 ms. The values of a solver depend on earlier questions of the
    session; new sessions make them independent of other scripts.
    """

    opens: Callable[[str], SolverSession]
    kept: bool
    _opened: SolverSession | None = None
    _scripts: int = 0

    @contextmanager
    def script(self, logic: str) -> Iterator[SolverSession]:
        """Yield a session of a logic for one script; what it declares is gone after it. Errors as in `SolverSession.tell`."""
        with self._session(logic) as session:
            session.tell(PUSH)
            yield session
            session.tell(POP)

    def answers(self, logic: str, script: str) -> list[str]:
        """Return what the solver prints to a whole script, told at once, which takes less time; errors as in `SolverSession.tell`."""
        with self._session(logic) as session:
            return session.tell(f"{PUSH}{script}{POP}")

    @contextmanager
    def _session(self, logic: str) -> Iterator[SolverSession]:
        self._scripts += 1
        if self._opened is None or not self.kept or self._scripts % MOST_SCRIPTS == 0:
            self._opened = self.opens(logic)
        session, self._opened = self._opened, None
        yield session
        # After an error nobody knows what is declared, and the session is not used again.
        self._opened = session


class _Z3:
    """A session of z3, which reads any logic and is faster without one."""

    def __init__(self, work: int) -> None:
        import z3  # the libraries take a tenth of a second to load

        self._context = z3.Context()
        self.tell(f"(set-option :rlimit {work})\n")

    def tell(self, commands: str) -> list[str]:
        import z3

        try:
            printed = str(z3.Z3_eval_smtlib2_string(self._context.ref(), commands))
        except z3.Z3Exception as error:
            raise _failure(str(error)) from None
        return _answer_lines(printed)


class _Cvc5:
    def __init__(self, work: int, logic: str) -> None:
        import cvc5

        terms = cvc5.TermManager()
        self._solver: Any = cvc5.Solver(terms)
        self._symbols: Any = cvc5.SymbolManager(terms)
        limit = str(max(1, work // COARSER))
        for option, value in (("incremental", "true"), ("produce-models", "true"), ("rlimit-per", limit)):
            self._solver.setOption(option, value)
        self.tell(f"(set-logic {logic})\n")

    def tell(self, commands: str) -> list[str]:
        import cvc5

        parser = cvc5.InputParser(self._solver, self._symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, commands, "script")
        printed: list[str] = []
        try:
            while not (command := parser.nextCommand()).isNull():
                printed.append(str(command.invoke(self._solver, self._symbols)))
        except RuntimeError as error:
            raise _failure(str(error)) from None
        return _answer_lines("\n".join(printed))


def _failure(text: str) -> SolverError | MemoryError:
    return MemoryError(text) if "out of memory" in text or "bad_alloc" in text else SolverError(text[:300])


def _answer_lines(printed: str) -> list[str]:
    lines = [line.strip() for line in printed.split("\n") if line.strip()]
    for line in lines:
        if line.startswith("(error") or line == "unsupported":
            raise _failure(line.removeprefix("(error ").rstrip(")").strip('"'))
    # cvc5 says why it gave up after the word.
    return ["unknown" if line.startswith("unknown") else line for line in lines]
