"""The use of names in a program: undeclared names, their inferred sorts, and the place for a declaration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from generators.constraints.repair.edit_kind import ProgramDraft
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.smtlib.sort_checker import SortChecker
from harness.smtlib.sort_inference import InferredSignature, infer
from harness.smtlib.symbols import FUNCTIONS


def undeclared_names(draft: ProgramDraft) -> dict[str, Atom]:
    """Return the names that are used and not declared, each with its first place."""
    names: dict[str, Atom] = {}
    for _, atom in draft.faulty(Atom, ScriptFaultKind.UNDECLARED):
        if atom.kind in {AtomKind.SYMBOL, AtomKind.QUOTED} and atom.name not in draft.script.scope.symbols:
            names.setdefault(atom.name, atom)
    return names


def occurrences(draft: ProgramDraft, name: str) -> list[Atom]:
    """Return the places where a name stands, in order."""
    return sorted((atom for atom in draft.atoms() if atom.name == name), key=lambda atom: atom.at.offset)


def inferred_signatures(draft: ProgramDraft, names: dict[str, Atom]) -> dict[str, InferredSignature]:
    """Return the signatures of the names by all their uses."""
    formulas: list[Node] = []
    terms: list[Node] = []
    for command in draft.script.commands:
        if command.head == "assert":
            formulas.extend(command.arguments)
        elif command.head in {"define-fun", "define-const"} and len(command.items) > 3:
            terms.append(command.items[-1])
        elif command.head == "get-value" and len(command.items) == 2 and isinstance(command.items[1], NodeGroup):
            terms.extend(command.items[1].items)
    return infer(names.keys(), terms, formulas, draft.script.scope)


def place_for_declaration(draft: ProgramDraft) -> int:
    """Return the offset where a declaration may be put in: after the declarations that begin the program."""
    commands = draft.script.commands
    first = list(takewhile(lambda command: command.head.startswith(("set-", "declare-")), commands))
    if not first:
        return commands[0].at.offset if commands else len(draft.text)
    place, end = first[-1].end, draft.end_of_line(first[-1].end)
    rest = draft.text[place:end].strip()
    return place if rest and not rest.startswith(";") else min(end + 1, len(draft.text))


def free_name(draft: ProgramDraft, wanted: str) -> str:
    """Return a name like the one wanted that stands nowhere in the program."""
    taken = draft.used | FUNCTIONS.keys()
    if wanted not in taken:
        return wanted
    return next(name for number in range(2, len(taken) + 3) if (name := f"{wanted}_{number}") not in taken)


def sorts_of(draft: ProgramDraft, nodes: Sequence[Node]) -> list[str | None]:
    """Return the sorts of terms where they stand, bound variables included; `None` where something is wrong inside."""
    checker = SortChecker(replace(draft.script.scope, bound={}))
    if nodes:
        for group in draft.path(nodes[0].at.offset):
            _bind(checker, group)
    return [checker.term(node) for node in nodes]


def _bind(checker: SortChecker, group: NodeGroup) -> None:
    """Give the variables that a group binds their sorts."""
    place = {"let": 1, "forall": 1, "exists": 1, "define-fun": 2}.get(group.head, 0)
    if not 0 < place < len(group.items) or not isinstance(bindings := group.items[place], NodeGroup):
        return
    pairs = [item.items for item in bindings.items if isinstance(item, NodeGroup) and len(item.items) == 2]
    sorts = [checker.term(value) if group.head == "let" else checker.sort(value) for _, value in pairs]
    for (name, _), sort in zip(pairs, sorts, strict=True):
        if isinstance(name, Atom):
            checker.scope.bound[name.name] = [sort]


def names_in(nodes: tuple[Node, ...]) -> Iterator[Atom]:
    """Yield the symbols below some nodes."""
    for node in nodes:
        for part in walk(node):
            if isinstance(part, Atom) and part.kind in {AtomKind.SYMBOL, AtomKind.QUOTED}:
                yield part
