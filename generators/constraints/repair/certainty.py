"""The one law of certainty: a repair is certain where no name is guessed, no assertion is lost, and both solvers agree."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from generators.constraints.repair.operator_spellings import COMPARISONS, operator
from generators.constraints.repair.program_draft import SKIPPED
from generators.constraints.repair.solver_answers import answers
from harness.smtlib.commands import DECLARING
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from harness.smtlib.script import Declaration, Script

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.]*[A-Za-z0-9]+)*")
_ASSERTION = re.compile(r"\(\s*assert\b", re.IGNORECASE)


def doubts(original: Script, repaired: Script, new: Collection[str]) -> tuple[str, ...]:
    """Return why a program without faults may not say what the original text says; `new` are the names that the repair declared."""
    found = dict.fromkeys((*_guessed_names(original, repaired, new), *_lost_assertions(original, repaired)))
    return tuple(found) or tuple(_disagreements(original, repaired))


def _guessed_names(original: Script, repaired: Script, new: Collection[str]) -> Iterator[str]:
    """Yield a doubt for each new name that is not confirmed by two assertions in which nothing else is wrong."""
    used = {part.name for formula in repaired.assertions for part in walk(formula) if isinstance(part, Atom)}
    unused = [other for other in repaired.declarations if other.name not in used and other.body is None]
    for declaration in (declared for declared in repaired.declarations if declared.name in new):
        name = declaration.name
        if declaration.sorts:
            yield f"{name} is not a function that the program declares"
        elif not _PLAIN.fullmatch(name) or operator(name) is not None:
            yield f"{name} may not be a name"
        elif (other := next((other for other in unused if other.sort == declaration.sort), None)) is not None:
            yield f"{name} may be {other.name}, which is declared and not used"
        elif not _is_confirmed(original, repaired, declaration):
            yield f"{name} is not declared, and fewer than two assertions without another fault use it"


def _is_confirmed(original: Script, repaired: Script, declaration: Declaration) -> bool:
    wrong = [fault.at.offset for fault in original.faults if fault.kind is not ScriptFaultKind.UNDECLARED]
    sound = [
        command
        for command in original.commands
        if command.head == "assert"
        and _holds(command, declaration.name)
        and not any(command.at.offset <= offset < command.end for offset in wrong)
    ]
    chained = any(
        isinstance(part, NodeGroup)
        and part.head in COMPARISONS - {"distinct"}
        and len(part.arguments) > 2
        and any(isinstance(item, Atom) and item.name == declaration.name for item in part.arguments)
        for formula in repaired.assertions
        for part in walk(formula)
    )
    return len(sound) > 1 and not chained


def _holds(node: Node, name: str) -> bool:
    return any(isinstance(part, Atom) and part.name == name for part in walk(node))


def _lost_assertions(original: Script, repaired: Script) -> Iterator[str]:
    """Yield a doubt where fewer assertions are left than are written, or where the text may have lost its end."""
    written = len(_ASSERTION.findall(SKIPPED.sub(" ", original.text)))
    if written > len(repaired.assertions):
        yield f"{written} assertions are written, {len(repaired.assertions)} are left"
    before = set(original.assertions)
    for formula in repaired.assertions:
        named = any(isinstance(part, Atom) and part.name in repaired.scope.symbols for part in walk(formula))
        if not named and formula not in before:
            yield "an assertion mentions no constant"
    unclosed = [fault.at.offset for fault in original.faults if fault.kind is ScriptFaultKind.UNCLOSED]
    checked = any(command.head.lower().startswith("check") for command in original.commands)
    if unclosed and not checked and unclosed[-1] >= original.commands[-1].at.offset:
        yield "the text ends within a command and asks nothing: it may have been cut"
    if not checked or unclosed:
        used = {
            part.name
            for command in repaired.commands
            if command.head in {"assert", "define-fun"}
            for part in walk(command)
            if isinstance(part, Atom)
        }
        idle = next((other for other in repaired.declarations if other.body is None and other.name not in used), None)
        if idle is not None:
            yield f"{idle.name} is declared and not used: the text may have been cut"
    if len(_versions(original)) > 1:
        yield "the text holds two programs, which assert different things"


def _versions(original: Script) -> list[set[str]]:
    """Return the assertions of each program of a text; a new program begins where a name is declared again after assertions."""
    versions, declared = [set[str]()], set[str]()
    for command in original.commands:
        if command.head in DECLARING and command.arguments:
            name = write_node(command.arguments[0])
            if name in declared and versions[-1]:
                versions.append(set())
                declared = set()
            declared.add(name)
        elif command.head == "assert":
            versions[-1].add(write_node(command))
    return [version for version in versions if not version <= versions[-1]] + versions[-1:]


def _disagreements(original: Script, repaired: Script) -> Iterator[str]:
    """Yield a doubt where a solver refuses the repaired program, where they answer differently, or where only what was repaired contradicts the rest."""
    first, second = answers(repaired)
    if first is None or second is None:
        yield f"{'z3' if first is None else 'cvc5'} does not read the repaired program"
    elif {first, second} == {"sat", "unsat"}:
        yield f"z3 answers {first}, cvc5 answers {second}"
    elif "unsat" in {first, second}:
        known = {write_node(formula) for formula in original.assertions}
        kept = [
            command
            for command in repaired.commands
            if command.head != "assert" or write_node(command.items[-1]) in known
        ]
        whole = len(kept) == len(repaired.commands)
        if (
            not whole
            and any(command.head == "assert" for command in kept)
            and "sat" in answers(replace(repaired, commands=tuple(kept)))
        ):
            yield "the assertions that were repaired contradict the others"
