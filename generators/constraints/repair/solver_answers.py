"""What z3 and cvc5 say of a program, asked in this process with bounded work; only programs that cannot do harm are put to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.smtlib.commands import SAYING, is_harmless
from harness.smtlib.faults import BEYOND_THE_READER, ScriptFaultKind
from harness.smtlib.printer import write_script
from harness.smtlib.s_expressions import Atom, NodeGroup, walk

if TYPE_CHECKING:
    from harness.smtlib.script import Script

WORK = 200_000
"""Units of z3's work for an answer: some tens of milliseconds."""
COARSER = 25
"""Units of z3's work that take about as long as one of cvc5."""
MOST_WIDENINGS = 8
MOST_INDEX_DIGITS = 3
_FORGIVEN = BEYOND_THE_READER | {ScriptFaultKind.NO_ASSERTION}
_LEFT_OUT = SAYING | {"check-sat", "check-sat-assuming", "exit"}


def accepted(script: Script) -> bool:
    """Tell whether both solvers read every command of a script, with or without a question, whatever our reader objects to."""
    if any(fault.kind not in _FORGIVEN for fault in script.faults) or not _is_bounded(script):
        return False
    commands = [command for command in script.commands if command.head not in _LEFT_OUT]
    return bool(commands) and None not in _outcomes(write_script(commands), script.logic)


def answers(script: Script) -> tuple[str | None, str | None]:
    """Return what z3 and cvc5 answer to a script without questions: `sat`, `unsat`, `unknown`, `None` for an error."""
    commands = [command for command in script.commands if command.head not in _LEFT_OUT]
    return _outcomes(f"{write_script(commands)}(check-sat)\n", script.logic)


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
    # The libraries take a tenth of a second to load, which programs that need no repair do not pay.
    import cvc5
    import z3

    context = z3.Context()
    try:
        z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :rlimit {WORK})\n")
        first = _outcome(str(z3.Z3_eval_smtlib2_string(context.ref(), text)))
    except z3.Z3Exception:
        return None, None
    terms = cvc5.TermManager()
    solver, symbols = cvc5.Solver(terms), cvc5.SymbolManager(terms)
    solver.setOption("rlimit-per", str(WORK // COARSER))
    solver.setOption("incremental", "true")
    parser = cvc5.InputParser(solver, symbols)
    head = "" if logic is not None else "(set-logic ALL)\n"
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, head + text, "script")
    printed: list[str] = []
    try:
        while not (command := parser.nextCommand()).isNull():
            printed.append(str(command.invoke(solver, symbols)))
    except RuntimeError:
        return first, None
    return first, _outcome("".join(printed))


def _outcome(printed: str) -> str | None:
    """Return the last line that a solver prints, empty where it prints nothing; `None` where it prints an error."""
    lines = [line.strip() for line in printed.splitlines() if line.strip() and not line.startswith(";")]
    if any(line.startswith("(error") or line == "unsupported" for line in lines):
        return None
    return lines[-1].partition(" ")[0] if lines else ""
