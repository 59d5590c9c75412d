"""What z3 and cvc5 say of a program, asked in this process with bounded work; only programs that cannot do harm are put to them."""

from itertools import takewhile

from harness.smtlib.faults import BEYOND_THE_READER, ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup, walk, write_script
from harness.smtlib.script import Script
from harness.smtlib.solvers import SolverError, SolverName, open_session
from harness.smtlib.vocabulary import SAYING, is_harmless

WORK = 200_000
"""Units of z3's work for an answer: some tens of milliseconds."""
MOST_WIDENINGS = 8
MOST_INDEX_DIGITS = 3
_FORGIVEN = BEYOND_THE_READER | {ScriptFaultKind.NO_ASSERTION}
_LEFT_OUT = SAYING | {"check-sat", "check-sat-assuming", "exit"}


def accepted(script: Script) -> bool:
    """Tell whether both solvers read every command of a script, with or without a question, whatever our reader objects to."""
    if any(fault.kind not in _FORGIVEN for fault in script.faults) or not _is_bounded(script):
        return False
    commands = _commands(script)
    return bool(commands) and None not in _outcomes(write_script(commands), script.logic)


def answers(script: Script) -> tuple[str | None, str | None]:
    """Return what z3 and cvc5 answer to a script without questions: `sat`, `unsat`, `unknown`, `None` for an error."""
    return _outcomes(f"{write_script(_commands(script))}(check-sat)\n", script.logic)


def _commands(script: Script) -> list[NodeGroup]:
    """Return the commands that state something, without the logic at the beginning, which a session is opened with."""
    head = takewhile(lambda command: command.head.startswith("set-"), script.commands)
    logic = next((command for command in head if command.head == "set-logic"), None)
    return [command for command in script.commands if command is not logic and command.head not in _LEFT_OUT]


def _is_bounded(script: Script) -> bool:
    """Tell whether no command changes limits or files, and no term is wider than its text: a bit-vector repeated a million times is."""
    nodes = [part for command in script.commands for part in walk(command)]
    words = [part.text for part in nodes if isinstance(part, Atom)]
    indexed = (part for part in nodes if isinstance(part, NodeGroup) and part.head == "_")
    # In `(_ bv123456 32)` the value may have many digits.
    indices = (item.text for part in indexed for item in part.items[2:] if isinstance(item, Atom))
    narrow = all(len(index) <= MOST_INDEX_DIGITS for index in indices)
    wide = words.count("concat") > MOST_WIDENINGS or "repeat" in words
    return narrow and not wide and is_harmless(script.commands)


def _outcomes(text: str, logic: str | None) -> tuple[str | None, str | None]:
    """Return the last word that each solver prints, empty where it prints nothing; `None` where it prints an error."""
    first, second = (_solver_answer(name, text, logic) for name in SolverName)
    return first, second


def _solver_answer(name: SolverName, text: str, logic: str | None) -> str | None:
    try:
        lines = open_session(name, WORK, logic or "ALL").tell(text)
    except (SolverError, MemoryError):
        return None
    return lines[-1].partition(" ")[0] if lines else ""
