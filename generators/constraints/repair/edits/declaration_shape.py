"""Declarations whose parts have another shape or order than SMT-LIB2 requires."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import (
    AmbiguousError,
    ProgramDraft,
    RepairChange,
    RepairExample,
    edit_kind,
    replacement,
)
from generators.constraints.repair.syntax.name_usage import inferred_signatures, names_in, occurrences
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup

_NAMED = {AtomKind.SYMBOL, AtomKind.QUOTED}
_BETWEEN = frozenset({":", "::", "->", "→", "=>", "in", "is", "of", "as", ":type", ":sort", "type", "sort", "-"})
"""The signs that people write between a name and its sort."""
_UNKNOWN = frozenset({"?", "??", "???", "nil", "null", "none", "undefined", "unknown", "_", "tbd"})
"""Values of a constant that is to be found."""
_UNBOUNDED = frozenset({":unrestricted", ":free", ":unbounded"})


@edit_kind(
    "declaration_shape",
    order=300,
    examples=(
        RepairExample(
            "(declare-const (x Int))\n(declare-const y () Int)\n(declare-fun z Int)\n(assert (> x (+ y z)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(assert (> x (+ y z)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x y Int)\n(declare-const Int z)\n(declare-const (p q) Bool)\n(assert (=> (and p q) (> x (+ y z))))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(declare-const p Bool)\n(declare-const q Bool)\n(assert (=> (and p q) (> x (+ y z))))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-fun f Int Int)\n(declare-fun g ((x Int)) Int)\n(assert (= (f 1) (g 2)))\n(check-sat)\n",
            "(declare-fun f (Int) Int)\n(declare-fun g (Int) Int)\n(assert (= (f 1) (g 2)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int 5)\n(declare-const y : Int)\n(assert (> y x))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (= x 5))\n(declare-const y Int)\n(assert (> y x))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(Int x y)\n(declare-int z)\n(declare-fun u () -> Int)\n(declare-const v :type Int)\n(assert (> x (+ y z u v)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(declare-const u Int)\n(declare-const v Int)\n(assert (> x (+ y z u v)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-vars ((x Int) (y Int)))\n(declare-fun z () (Int))\n(assert (> x (+ y z)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(assert (> x (+ y z)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int :unrestricted)\n(declare-const y Int :min 3)\n(assert (> x y))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x y))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int ?)\n(declare-const y = ? Int)\n(assert (> x y))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x y))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x)\n(assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
    ),
)
def declaration_shape(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write each declaration as `(declare-const name sort)` or `(declare-fun name (sorts) sort)`."""
    faults = draft.faults(
        ScriptFaultKind.MALFORMED_COMMAND,
        ScriptFaultKind.UNKNOWN_SORT,
        ScriptFaultKind.UNSUPPORTED,
        ScriptFaultKind.UNKNOWN_COMMAND,
    )
    for command in draft.script.commands:
        if command.head not in {"declare-const", "declare-fun", "define-const"}:
            if (declared := _named_by_sort(draft, command)) is not None:
                yield replacement(command, declared)
            continue
        if not any(command.at.offset <= fault.at.offset < command.end for fault in faults):
            continue
        match command.arguments:
            case (Atom(), Atom() as sort, Atom(text=value)) if (
                value.lower() in _UNKNOWN and command.head == "declare-const"
            ):
                yield RepairChange(sort.end, command.end - 1, "")
                continue
            case (Atom() as name, Atom(text="="), Atom(text=value), Atom() as sort) if value.lower() in _UNKNOWN:
                yield RepairChange(name.end, sort.at.offset, " ")
                continue
            case (Atom(), Atom() as sort, Atom(kind=AtomKind.KEYWORD) as attribute, *_) if (
                attribute.text not in _BETWEEN and command.head == "declare-const"
            ):
                note = "" if attribute.text in _UNBOUNDED else f"{attribute.text} may bound its values"
                yield RepairChange(sort.end, command.end - 1, "", not note, note)
                continue
        after = None if _has_right_shape(draft, command) else _written(draft, command)
        if after is not None and after != draft.source(command):
            note = "a value beside the sort may be one of several, or a bound" if "(assert" in after else ""
            yield replacement(command, after, certain=not note, note=note)


def _named_by_sort(draft: ProgramDraft, command: NodeGroup) -> str | None:
    """Return the declarations of `(Int x y)` and `(declare-int x)`; `None` where a command has another form."""
    names = [item for item in command.arguments if isinstance(item, Atom) and item.kind in _NAMED]
    known = draft.script.scope.symbols
    first = command.items[0] if command.items else None
    if len(command.items) == 2 and len(names) == 1 and isinstance(first, Atom) and first.kind in _NAMED:
        sort = _sort(draft, names[0])
        if sort is not None and _sort(draft, first) is None and command.head not in ALLOWED | REFUSED | known.keys():
            return f"(declare-const {first.text} {sort})"
    if command.head in ALLOWED | REFUSED or not names or len(names) < len(command.arguments):
        return None
    sort = sort_name(draft, re.sub(r"^(?:declare|define|var|const)[-_]", "", command.head, flags=re.IGNORECASE))
    if sort is None or command.head in known or any(name.name in known for name in names):
        return None
    return "\n".join(f"(declare-const {name.text} {sort})" for name in names)


def _has_right_shape(draft: ProgramDraft, command: NodeGroup) -> bool:
    """Tell whether a declaration has the right shape, and at most the spelling of its sorts is wrong."""
    parts = command.arguments
    names = [part for part in parts if isinstance(part, Atom)]
    if len(names) < 2 or names[0] is not parts[0] or _sort(draft, names[0]) is not None:
        return False
    if command.head == "declare-fun" and len(parts) == 3 and isinstance(parts[1], NodeGroup):
        return all(isinstance(item, Atom) and _sort(draft, item) is not None for item in parts[1].items)
    return command.head == "declare-const" and len(parts) == len(names) == 2


def _written(draft: ProgramDraft, command: NodeGroup) -> str | None:
    """Return a declaration in the right shape; `None` where its parts cannot be told."""
    declared = {command.arguments[0].name} if command.arguments and isinstance(command.arguments[0], Atom) else set()
    parts = [
        part
        for part in _opened(command.arguments)
        if not (isinstance(part, Atom) and part.text in _BETWEEN and part.name not in declared)
    ]
    atoms = [part for part in parts if isinstance(part, Atom)]
    names = [atom for atom in atoms if _sort(draft, atom) is None and atom.kind in _NAMED]
    sorts = [sort for atom in atoms if (sort := _sort(draft, atom)) is not None]
    groups = [part for part in parts if isinstance(part, NodeGroup)]
    if command.head == "define-const":
        return (
            f"(declare-const {names[0].text} {sorts[0]})" if len(names) == len(sorts) == 1 == len(parts) - 1 else None
        )
    if not names:
        return None
    if any(group.items for group in groups):
        return _function(draft, parts)
    used = _arguments(draft, names[0])
    if len(names) == 1 and len(sorts) > 1 and isinstance(parts[0], Atom) and parts[0] is names[0]:
        if used == len(sorts) - 1:
            return f"(declare-fun {names[0].text} ({' '.join(sorts[:-1])}) {sorts[-1]})"
        raise AmbiguousError(f"{names[0].text} is declared with {len(sorts)} sorts")
    values = [atom for atom in atoms if atom.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}]
    if len(sorts) == 1 and len(values) == 1 == len(names) and len(atoms) == 3:
        return f"(declare-const {names[0].text} {sorts[0]})\n(assert (= {names[0].text} {values[0].text}))"
    if len(sorts) == 1 and len(names) + 1 == len(atoms) and not used:
        return "\n".join(f"(declare-const {name.text} {sorts[0]})" for name in names)
    if len(sorts) == len(names) > 1 and len(names) + len(sorts) == len(atoms):
        return "\n".join(f"(declare-const {name.text} {sort})" for name, sort in zip(names, sorts, strict=True))
    if not sorts and len(names) == 1 == len(atoms) and not used and command.head == "declare-const":
        signature = inferred_signatures(draft, {names[0].name: names[0]}).get(names[0].name)
        if signature is not None and not signature.assumed and not signature.conflict:
            return f"(declare-const {names[0].text} {signature.sort})"
    return None


def _opened(parts: tuple[Node, ...]) -> list[Node]:
    """Return parts without a parenthesis that only holds names, a name and its sort, or the sort at the end."""
    opened: list[Node] = []
    pairs = parts[0].items if len(parts) == 1 and isinstance(parts[0], NodeGroup) else parts
    match pairs:
        case _ if pairs and all(isinstance(pair, NodeGroup) and len(pair.items) == 2 for pair in pairs):
            # A list of names with their sorts: each name goes before all sorts, as `_written` reads them.
            rows = [pair.items for pair in pairs if isinstance(pair, NodeGroup)]
            return [*(row[0] for row in rows), *(row[1] for row in rows)]
    for number, part in enumerate(parts):
        plain = isinstance(part, NodeGroup) and all(isinstance(item, Atom) for item in part.items)
        behind = number == len(parts) - 1 and isinstance(part, NodeGroup) and len(part.items) == 1
        if plain and isinstance(part, NodeGroup) and (len(parts) == 1 or number == 0 or behind):
            opened.extend(part.items)
        else:
            opened.append(part)
    return opened


def _function(draft: ProgramDraft, parts: list[Node]) -> str | None:
    """Return a function whose arguments are named or spelt out, as in `((x Int)) Int`."""
    match parts:
        case [Atom(text=name), NodeGroup() as arguments, result] if _sort(draft, result) is not None:
            named = [_sort(draft, atom) for atom in names_in((arguments,))]
            sorts = [sort for sort in named if sort is not None]
            if sorts and len(named) - len(sorts) in {0, len(sorts)}:
                return f"(declare-fun {name} ({' '.join(sorts)}) {_sort(draft, result)})"
    return None


def _sort(draft: ProgramDraft, node: Node) -> str | None:
    return sort_name(draft, node.text) if isinstance(node, Atom) and node.kind in _NAMED else None


def _arguments(draft: ProgramDraft, name: Atom) -> int:
    """Return how many arguments a name is used with."""
    for atom in occurrences(draft, name.name):
        path = draft.path(atom.at.offset)
        if path and path[-1].items[0] is atom and not path[0].head.startswith("declare"):
            return len(path[-1].items) - 1
    return 0
