"""Rules of declarations: their shape and sorts, what is declared twice or under a reserved name, and names that nothing declares."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from generators.constraints.repair.operator_spellings import operator
from generators.constraints.repair.program_draft import (
    AmbiguousError,
    ProgramDraft,
    RepairChange,
    RepairRule,
    replacement,
)
from generators.constraints.repair.rules.spellings import folded_name, is_near_name, sort_name
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import LogicFeature
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup
from harness.smtlib.sort_inference import InferredSignature, infer
from harness.smtlib.symbols import FUNCTIONS, OTHER_SORTS, RESERVED, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.smtlib.sort_checker import Signature

MOST_COMPARED = 10_000
"""Pairs of names that are compared; of more none is compared, and none is certain."""
_NAMES = frozenset({AtomKind.SYMBOL, AtomKind.QUOTED})
_BETWEEN = frozenset({":", "::", "->", "→", ":type", ":sort"})
"""The signs that people write between a name and its sort."""
_WHOLE = frozenset({"declare-datatype", "declare-datatypes", "define-fun", "define-const"})
"""Declarations that say the same as another only where all of them does."""


def declaration_shape(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write each declaration as `(declare-const name sort)` or `(declare-fun name (sorts) sort)`."""
    offsets = [fault.at.offset for fault in draft.faults(*DECLARATION_SHAPE.faults)]
    for command in draft.script.commands:
        if command.head not in {"declare-const", "declare-fun"} or _has_shape(draft, command):
            continue
        if any(command.at.offset <= offset < command.end for offset in offsets):
            after = _in_shape(draft, command)
            if after is not None:
                yield replacement(command, after)


def _has_shape(draft: ProgramDraft, command: NodeGroup) -> bool:
    """Tell whether at most the spelling of the sorts is wrong."""
    match command.head, command.arguments:
        case "declare-const", (Atom() as name, Atom()):
            return _sort(draft, name) is None
        case "declare-fun", (Atom(), NodeGroup(items=items), Atom()):
            return all(isinstance(item, Atom) for item in items)
    return False


def _in_shape(draft: ProgramDraft, command: NodeGroup) -> str | None:
    """Return a declaration in the right shape; `None` where its names and sorts cannot be told apart."""
    parts = [part for part in command.arguments if not (isinstance(part, Atom) and part.text in _BETWEEN)]
    match parts:
        case [Atom(text=name), NodeGroup(items=(NodeGroup(), *_) as rows), Atom() as result]:
            sorts = [_sort(draft, row.items[-1]) for row in rows if isinstance(row, NodeGroup) and row.items]
            written = [sort for sort in [*sorts, _sort(draft, result)] if sort is not None]
            whole = len(written) == len(rows) + 1
            return f"(declare-fun {name} ({' '.join(written[:-1])}) {written[-1]})" if whole else None
        case [NodeGroup(items=(NodeGroup(), *_) as pairs)] if all(
            isinstance(pair, NodeGroup) and len(pair.items) == 2 for pair in pairs
        ):
            declared = [_constants(draft, pair.items) for pair in pairs if isinstance(pair, NodeGroup)]
            return None if None in declared else "\n".join(filter(None, declared))
        case [NodeGroup(items=items)]:
            parts = list(items)
    return _constants(draft, [part for part in parts if not (isinstance(part, NodeGroup) and not part.items)])


def _constants(draft: ProgramDraft, parts: Sequence[Node]) -> str | None:
    """Return the declaration of names with one sort, of a function with several, or of one name whose uses settle its sort."""
    opened = [part.items[0] if isinstance(part, NodeGroup) and len(part.items) == 1 else part for part in parts]
    atoms = [part for part in opened if isinstance(part, Atom)]
    names = [atom for atom in atoms if _sort(draft, atom) is None and atom.kind in _NAMES]
    sorts = [sort for atom in atoms if (sort := _sort(draft, atom)) is not None]
    if not names or len(atoms) < len(parts) or len(names) + len(sorts) < len(atoms):
        return None
    taken = _argument_count(draft, names[0])
    if len(sorts) == 1 and not taken:
        return "\n".join(f"(declare-const {name.text} {sorts[0]})" for name in names)
    if len(names) == 1 and len(sorts) > 1 and atoms[0] is names[0]:
        if taken == len(sorts) - 1:
            return f"(declare-fun {names[0].text} ({' '.join(sorts[:-1])}) {sorts[-1]})"
        raise AmbiguousError(f"{names[0].text} is declared with {len(sorts)} sorts")
    if not sorts and len(names) == 1 and not taken:
        signature = inferred_signatures(draft, {names[0].name: names[0]}).get(names[0].name)
        if signature is not None and not signature.assumed and not signature.conflict:
            return f"(declare-const {names[0].text} {signature.sort})"
    return None


def _sort(draft: ProgramDraft, node: Node) -> str | None:
    """Return the sort that a node names in a program, or in another language."""
    if not isinstance(node, Atom):
        return None
    scope = draft.script.scope
    if node.name in scope.sorts or node.name in scope.aliases:
        return node.text
    own = [name for name in (*scope.sorts, *scope.aliases) if folded_name(name) == folded_name(node.text)]
    return own[0] if len(own) == 1 else sort_name(node.text)


def _argument_count(draft: ProgramDraft, name: Atom) -> int:
    """Return with how many arguments a name is used."""
    for atom in draft.occurrences.get(name.name, []):
        path = draft.path(atom.at.offset)
        if path and path[-1].items[0] is atom and not path[0].head.startswith("declare"):
            return len(path[-1].items) - 1
    return 0


def sort_spelling(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the sort there is; a capitalised name that is used as a sort and is not one is declared."""
    new: dict[str, Atom] = {}
    for _, name in draft.faulty(Atom, ScriptFaultKind.UNKNOWN_SORT):
        known = _sort(draft, name)
        if known is not None:
            yield replacement(name, known)
        elif re.fullmatch(r"[A-Z]\w*", name.text) and name.text not in OTHER_SORTS | draft.script.scope.symbols.keys():
            new.setdefault(name.text, name)
    for sort, name in new.items():
        place = draft.path(name.at.offset)[0].at.offset
        yield RepairChange(place, place, f"(declare-sort {sort} 0)\n", certain=False, note="its values are not known")


def duplicate_declaration(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Leave out a declaration that only says again what an earlier one says."""
    clash = ""
    again: dict[int, NodeGroup] = {}
    for fault, name in draft.faulty(Atom, ScriptFaultKind.DUPLICATE):
        path = draft.path(fault.at.offset)
        if not path:
            continue
        if path[0].head in _WHOLE:
            if any(other == path[0] for other in draft.script.commands if other.at.offset < path[0].at.offset):
                again[path[0].at.offset] = path[0]
        elif len(path) == 1 and _says_again(draft, path[0], name):
            again[path[0].at.offset] = path[0]
        elif len(path) == 1:
            clash = clash or name.name
    for command in again.values():
        yield RepairChange(command.at.offset, draft.line_end(command), "")
    if clash:
        raise AmbiguousError(f"{clash} is declared in two ways")


def _says_again(draft: ProgramDraft, command: NodeGroup, name: Atom) -> bool:
    """Tell whether a declaration of a name says the same as the one before it."""
    if command.head == "declare-sort":
        return name.name in draft.script.scope.sorts
    known = draft.script.scope.symbols.get(name.name)
    sorts = command.items[2] if command.head == "declare-fun" and len(command.items) == 4 else NodeGroup(())
    own = command.items[-1]
    if known is None or not isinstance(sorts, NodeGroup) or not isinstance(own, Atom):
        return False
    written = tuple(item.name if isinstance(item, Atom) else "" for item in sorts.items)
    return known.sorts == written and known.sort == draft.script.scope.aliases.get(own.name, own.name)


def reserved_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Give a name that SMT-LIB2 keeps for itself another one wherever it stands, unless a function of that name is read here."""
    for name in dict.fromkeys(atom.name for _, atom in draft.faulty(Atom, ScriptFaultKind.RESERVED_NAME)):
        if name not in FUNCTIONS.keys() | WORDS | {"true", "false", "ite"}:
            number = next(number for number in range(2, len(draft.used) + 3) if f"{name}_{number}" not in draft.used)
            yield from (replacement(atom, f"{name}_{number}") for atom in draft.occurrences.get(name, []))


def misspelt_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the only declared name of a fitting sort that differs by case, by signs or by one slip; it is never certain."""
    names = undeclared_names(draft)
    signatures = inferred_signatures(draft, names)
    if len(names) * len(draft.script.scope.symbols) > MOST_COMPARED:
        return
    for name in names:
        fitting = [
            own for own, signature in draft.script.scope.symbols.items() if _fits(signatures.get(name), signature)
        ]
        same = [own for own in fitting if folded_name(own) == folded_name(name)]
        choices = same or [own for own in fitting if is_near_name(name, own)]
        uses = draft.occurrences.get(name, [])
        if len(choices) == 1 and (same or len(uses) == 1):
            after = choices[0] if re.fullmatch(r"[^\s|]+", choices[0]) else f"|{choices[0]}|"
            yield from (replacement(atom, after, certain=False, note=f"nearest to {choices[0]}") for atom in uses)


def _fits(inferred: InferredSignature | None, declared: Signature) -> bool:
    """Tell whether a name can have a declared signature by all its uses."""
    if inferred is None or len(inferred.sorts) != len(declared.sorts):
        return False
    if inferred.conflict or inferred.assumed or not declared.sort:
        return True
    return inferred.sort == declared.sort or {inferred.sort, declared.sort} == {"Int", "Real"}


def undeclared_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Declare each name with the sorts that all its uses demand; Int where they allow it, with a note."""
    unread = _names_of_unread_commands(draft)
    names = {
        name: atom
        for name, atom in undeclared_names(draft).items()
        if name not in unread and _may_be_declared(draft, name, atom)
    }
    signatures = inferred_signatures(draft, names) if names else {}
    for signature in signatures.values():
        if signature.conflict:
            raise AmbiguousError(f"{signature.name} would have to be of several sorts")
    place = _place_for_declaration(draft)
    lead = "" if not place or draft.text[place - 1] == "\n" else "\n"
    tail = "" if lead and place < len(draft.text) and draft.text[place] == "\n" else "\n"
    others = (*draft.script.scope.symbols, *signatures)
    compared = len(signatures) * len(others) <= MOST_COMPARED
    for name, signature in sorted(signatures.items()):
        # Two names that nobody declared may be one, written twice.
        near = (
            next((other for other in others if other != name and is_near_name(name, other)), "") if compared else name
        )
        if signature.assumed:
            note = f"taken for {signature.sort}: its uses do not settle it"
        elif signature.sorts:
            note = "taken for a function of the program's own"
        elif signature.counted and LogicFeature.REALS in draft.script.features:
            note = f"taken for {signature.sort}: it is compared with whole numbers alone"
        else:
            note = f"may be {near} misspelt" if near else ""
        declaration = _declaration(names[name].text, signature)
        yield RepairChange(place, place, f"{lead}{declaration}{tail}", not note, note)
        lead = "" if tail else lead


def _declaration(name: str, signature: InferredSignature) -> str:
    if signature.sorts:
        return f"(declare-fun {name} ({' '.join(signature.sorts)}) {signature.sort})"
    return f"(declare-const {name} {signature.sort})"


def _names_of_unread_commands(draft: ProgramDraft) -> frozenset[str]:
    """Return the names in declarations that cannot be read: what they say of a name would be lost by another declaration."""
    faulty = draft.faulty(NodeGroup, ScriptFaultKind.UNKNOWN_COMMAND, ScriptFaultKind.MALFORMED_COMMAND)
    commands = [
        command for _, command in faulty if command.head.lower().startswith(("declare", "define", "var", "const"))
    ]
    return frozenset(item.name for command in commands for item in command.arguments if isinstance(item, Atom))


def _may_be_declared(draft: ProgramDraft, name: str, atom: Atom) -> bool:
    """Tell whether a name is not an operator, not a function of SMT-LIB2, and not a variable whose binding is odd."""
    if operator(name) is not None or name in RESERVED | draft.script.scope.sorts:
        return False
    bound = any(group.head in {"forall", "exists", "let"} for group in draft.path(atom.at.offset))
    return not bound or not draft.faults(ScriptFaultKind.MALFORMED_TERM)


def _place_for_declaration(draft: ProgramDraft) -> int:
    """Return the offset where a declaration may be put in: after the declarations that begin the program."""
    commands = draft.script.commands
    first = list(takewhile(lambda command: command.head.startswith(("set-", "declare-")), commands))
    if not first:
        return commands[0].at.offset if commands else len(draft.text)
    place, end = first[-1].end, draft.end_of_line(first[-1].end)
    rest = draft.text[place:end].strip()
    return place if rest and not rest.startswith(";") else min(end + 1, len(draft.text))


def undeclared_names(draft: ProgramDraft) -> dict[str, Atom]:
    """Return the names that are used and not declared, each with its first place."""
    names: dict[str, Atom] = {}
    for _, atom in draft.faulty(Atom, ScriptFaultKind.UNDECLARED):
        if atom.kind in _NAMES and atom.name not in draft.script.scope.symbols:
            names.setdefault(atom.name, atom)
    return names


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


_MALFORMED = frozenset({ScriptFaultKind.MALFORMED_COMMAND, ScriptFaultKind.UNKNOWN_SORT, ScriptFaultKind.UNSUPPORTED})
DECLARATION_SHAPE = RepairRule("declaration_shape", _MALFORMED, declaration_shape)
SORT_SPELLING = RepairRule("sort_spelling", frozenset({ScriptFaultKind.UNKNOWN_SORT}), sort_spelling)
RESERVED_NAME = RepairRule("reserved_name", frozenset({ScriptFaultKind.RESERVED_NAME}), reserved_name)
DUPLICATE_DECLARATION = RepairRule(
    "duplicate_declaration", frozenset({ScriptFaultKind.DUPLICATE}), duplicate_declaration
)
MISSPELT_NAME = RepairRule("misspelt_name", frozenset({ScriptFaultKind.UNDECLARED}), misspelt_name)
UNDECLARED_NAME = RepairRule("undeclared_name", frozenset({ScriptFaultKind.UNDECLARED}), undeclared_name)
