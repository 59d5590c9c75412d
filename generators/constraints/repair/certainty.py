"""When a repair is certain: no name is guessed, no assertion is lost, and both solvers give the same answer."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile

from generators.constraints.repair.program_draft import SKIPPED
from generators.constraints.repair.spellings import has_one_argument, operator
from generators.constraints.repair.term_reader import UnreadableError, tokens
from harness.smtlib.faults import BEYOND_THE_READER, ScriptFaultKind
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk, write_node, write_script
from harness.smtlib.script import Script
from harness.smtlib.solvers import SolverError, SolverName, open_session
from harness.smtlib.vocabulary import SAYING, is_harmless

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.]*[A-Za-z0-9]+)*")
_WHOLE = re.compile(r"\.0+\Z")
_ASSERTION = re.compile(r"\(\s*assert(?=[\s()])", re.IGNORECASE)
WORK = 200_000
"""Units of z3's work for an answer: some tens of milliseconds."""
MOST_WIDENINGS = 8
MOST_INDEX_DIGITS = 3
_FORGIVEN = BEYOND_THE_READER | {ScriptFaultKind.NO_ASSERTION}
_LEFT_OUT = SAYING | {"check-sat", "check-sat-assuming", "exit"}


def assertion_count(text: str) -> int:
    """Return how many assertions a text begins, whether they can be read or not; those in comments do not count."""
    return len(_ASSERTION.findall(SKIPPED.sub(" ", text)))


def doubts(original: Script, repaired: Script, new: Collection[str]) -> tuple[str, ...]:
    """Return why a program without faults may not say what the original text says; `new` are the names that the repair declared."""
    found = dict.fromkeys((*_guessed_names(original, repaired, new), *_lost_assertions(original, repaired)))
    return tuple(found) or tuple(_disagreements(original, repaired))


def _names_and_numbers(nodes: Iterable[Node], known: Collection[str]) -> Counter[str]:
    """Return the numbers and the declared names of terms in any notation, each as often as it is written."""
    found = Counter[str]()
    for atom in (part for node in nodes for part in walk(node) if isinstance(part, Atom)):
        with suppress(UnreadableError):
            words = (token for token in tokens(atom.text, known) if token.kind == "number" or token.text in known)
            found.update(_WHOLE.sub("", token.text) for token in words)
    return found


def _names_in(nodes: Iterable[Node]) -> set[str]:
    return {part.name for node in nodes for part in walk(node) if isinstance(part, Atom)}


def _guessed_names(original: Script, repaired: Script, new: Collection[str]) -> Iterator[str]:
    """Yield a doubt for each new name that is not confirmed by two assertions in which nothing else is wrong."""
    wrong = [fault.at.offset for fault in original.faults if fault.kind is not ScriptFaultKind.UNDECLARED]
    asserted = (command for command in original.commands if command.head == "assert")
    whole = (command for command in asserted if not any(command.at.offset <= place < command.end for place in wrong))
    sound, used = [_names_in([command]) for command in whole], _names_in(repaired.assertions)
    unused = [other for other in repaired.declarations if other.name not in used and other.body is None]
    for declaration in (declared for declared in repaired.declarations if declared.name in new):
        name = declaration.name
        if declaration.sorts:
            yield f"{name} is not a function that the program declares"
        elif not _PLAIN.fullmatch(name) or operator(name) is not None:
            yield f"{name} may not be a name"
        elif (other := next((other for other in unused if other.sort == declaration.sort), None)) is not None:
            yield f"{name} may be {other.name}, which is declared and not used"
        elif len([names for names in sound if name in names]) < 2:
            yield f"{name} is not declared, and fewer than two assertions without another fault use it"


def _lost_assertions(original: Script, repaired: Script) -> Iterator[str]:
    """Yield a doubt where fewer assertions are left than are written, or where the text may have lost its end."""
    written = assertion_count(original.text)
    if written > len(repaired.assertions):
        yield f"{written} assertions are written, {len(repaired.assertions)} are left"
    known = repaired.scope.symbols.keys()
    asserted = (item for command in original.commands if command.head == "assert" for item in command.arguments)
    for word in _names_and_numbers(asserted, known) - _names_and_numbers(repaired.assertions, known):
        yield f"{word} is lost from an assertion"
    before = set(original.assertions)
    if any(not _names_in([new]) & repaired.scope.symbols.keys() for new in repaired.assertions if new not in before):
        yield "an assertion mentions no constant"
    parts = (part for new in repaired.assertions for part in walk(new) if isinstance(part, NodeGroup))
    for part in parts:
        if has_one_argument(part) or (part.head == "=>" and len(part.arguments) > 2):
            yield f"{write_node(part)} has {len(part.arguments)} of the two arguments that are usual"
    unclosed = [fault.at.offset for fault in original.faults if fault.kind is ScriptFaultKind.UNCLOSED]
    checked = any(command.head.lower().startswith("check") for command in original.commands)
    if unclosed and not checked and unclosed[-1] >= original.commands[-1].at.offset:
        yield "the text ends within a command and asks nothing: it may have been cut"
    if not checked or unclosed:
        used = _names_in(command for command in repaired.commands if command.head in {"assert", "define-fun"})
        idle = next((other for other in repaired.declarations if other.body is None and other.name not in used), None)
        if idle is not None:
            yield f"{idle.name} is declared and not used: the text may have been cut"


def _disagreements(original: Script, repaired: Script) -> Iterator[str]:
    """Yield a doubt where a solver refuses the repaired program, where they answer differently, or where only what was repaired contradicts the rest."""
    first, second = solver_answers(repaired)
    if first is None or second is None:
        yield f"{'z3' if first is None else 'cvc5'} does not read the repaired program"
    elif {first, second} == {"sat", "unsat"}:
        yield f"z3 answers {first}, cvc5 answers {second}"
    elif "unsat" in {first, second}:
        known = set(original.assertions)
        commands = repaired.commands
        kept = [command for command in commands if command.head != "assert" or command.items[-1] in known]
        some = any(command.head == "assert" for command in kept)
        if some and len(kept) < len(commands) and "sat" in solver_answers(replace(repaired, commands=tuple(kept))):
            yield "the assertions that were repaired contradict the others"


def is_accepted(script: Script) -> bool:
    """Tell whether both solvers read every command of a script, with or without a question, whatever our reader objects to."""
    if any(fault.kind not in _FORGIVEN for fault in script.faults) or not _is_bounded(script):
        return False
    return bool(_commands(script)) and None not in solver_answers(script, question="")


def solver_answers(script: Script, question: str = "(check-sat)\n") -> tuple[str | None, str | None]:
    """Return the last word that z3 and cvc5 print to what a script states and a question, empty where they print nothing; `None` for an error."""
    text = f"{write_script(_commands(script))}{question}"
    first, second = (_solver_answer(name, text, script.logic) for name in SolverName)
    return first, second


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


def _solver_answer(name: SolverName, text: str, logic: str | None) -> str | None:
    try:
        lines = open_session(name, WORK, logic or "ALL").tell(text)
    except (SolverError, MemoryError):
        return None
    return lines[-1].partition(" ")[0] if lines else ""
