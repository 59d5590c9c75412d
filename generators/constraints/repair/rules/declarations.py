"""Rules of declarations: their shape and sorts, reserved names, and names that nothing declares, whose sorts are inferred.

The sort checker tries each sort that a name may have at all its uses.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

from generators.constraints.repair.program_draft import (
    AmbiguousError,
    ProgramDraft,
    RepairChange,
    command_faults,
    insertion,
    repair_rule,
    replacement,
)
from generators.constraints.repair.spellings import folded_name, is_near_name, operator, sort_name
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.smtlib.script import Script, read_script
from harness.smtlib.sort_checker import Signature, SortChecker, SymbolScope
from harness.smtlib.vocabulary import FUNCTIONS, INT, NUMBERS, OTHER_SORTS, REAL, RESERVED, WORDS, LogicFeature

MOST_WORK = 60_000
"""Nodes that are checked for all names; the names that are left then have no sort."""
MOST_COMPARED = 10_000
"""Pairs of names that are compared; of more none is compared, and none is certain."""
_NAMES = frozenset({AtomKind.SYMBOL, AtomKind.QUOTED})
_CARDINALITIES = frozenset({"at-most", "at-least"})
"""Functions of z3 that are not read: declared as the program's own they would say nothing."""
_BETWEEN = frozenset({":", "::", "->", "→", ":type", ":sort"})
"""The signs that people write between a name and its sort."""


@repair_rule(
    ScriptFaultKind.MALFORMED_COMMAND,
    ScriptFaultKind.UNKNOWN_SORT,
    ScriptFaultKind.UNSUPPORTED,
    ScriptFaultKind.MALFORMED_TERM,
)
def declaration_shape(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write what declares names in its shape: sorts with their arity, constants and functions with their sorts, bound variables in pairs."""
    yield from _bound_pairs(draft)
    for _, command in draft.faulty(NodeGroup, ScriptFaultKind.MALFORMED_COMMAND):
        if command.head == "declare-sort" and [type(part) for part in command.arguments] == [Atom]:
            yield insertion(command.end - 1, " 0")
    for _, sort in draft.faulty(NodeGroup, ScriptFaultKind.UNSUPPORTED, ScriptFaultKind.UNKNOWN_SORT):
        indices = [isinstance(part, Atom) and part.kind is AtomKind.NUMERAL for part in sort.arguments]
        if sort.head and sort.head != "_" and indices and all(indices):
            yield insertion(sort.at.offset + 1, "_ ")
    offsets = [fault.at.offset for fault in draft.faults(*declaration_shape.faults)]
    for command in draft.commands("declare-const", "declare-fun"):
        if not _has_shape(draft, command) and any(command.at.offset <= offset < command.end for offset in offsets):
            after = _in_shape(draft, command)
            if after is not None:
                yield replacement(command, after)


def _bound_pairs(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Put each bound variable and its sort in parentheses where they stand side by side."""
    for _, name in draft.faulty(Atom, ScriptFaultKind.MALFORMED_TERM):
        bindings = draft.path(name.at.offset)[-1]
        atoms = [part for part in bindings.items if isinstance(part, Atom) and part.text not in _BETWEEN]
        sorts = [_sort(draft, atom) for atom in atoms]
        if name is bindings.items[0] and re.fullmatch("(ns)+", "".join("s" if sort else "n" for sort in sorts)):
            pairs = zip(atoms[::2], sorts[1::2], strict=True)
            yield replacement(bindings, f"({' '.join(f'({atom.text} {sort})' for atom, sort in pairs)})")


def _has_shape(draft: ProgramDraft, command: NodeGroup) -> bool:
    """Tell whether at most the spelling of the sorts is wrong."""
    match command.head, command.arguments:
        case "declare-const", (Atom() as name, Atom()):
            return _sort(draft, name) is None
        case "declare-fun", (Atom(), NodeGroup(items=items), Atom()):
            return all(isinstance(item, Atom) for item in items)
    return False


def _in_shape(draft: ProgramDraft, command: NodeGroup) -> str | None:
    """Return a declaration in the right shape, by the order of its names and sorts; `None` where it is not one of these."""
    atoms = [node for part in command.arguments for node in walk(part) if isinstance(node, Atom)]
    atoms = [atom for atom in atoms if atom.text not in _BETWEEN]
    sorts = [_sort(draft, atom) or "" for atom in atoms]
    pairs = zip(atoms, sorts, strict=True)
    order = "".join("s" if sort else "n" if atom.kind in _NAMES else "?" for atom, sort in pairs)
    taken = _argument_count(draft, atoms[0]) if atoms else 0
    if re.fullmatch("n+s", order) and not taken:
        several = "\n".join(_declaration(atom, Signature((), sorts[-1])) for atom in atoms[:-1])
        phrase = draft.text[atoms[0].at.offset : atoms[-2].end]
        if len(atoms) > 2 and _fault_count(draft, phrase, "|name|") <= _fault_count(
            draft, draft.source(command), several
        ):
            raise AmbiguousError(f"{phrase} may be one name")
        return several
    if re.fullmatch("(ns){2,}", order) and not taken:
        pairs = zip(atoms[::2], sorts[1::2], strict=True)
        return "\n".join(_declaration(atom, Signature((), sort)) for atom, sort in pairs)
    if re.fullmatch("n(ns)+s", order) or (re.fullmatch("ns{2,}", order) and taken == len(sorts) - 2):
        own = [sort for sort in sorts if sort]
        return _declaration(atoms[0], Signature(tuple(own[:-1]), own[-1]))
    if re.fullmatch("ns{2,}", order):
        raise AmbiguousError(f"{atoms[0].text} is declared with {len(sorts) - 1} sorts")
    if order == "n" and not taken:
        inference = SortInference(draft.script, {atoms[0].name})
        inferred = inference.result().get(atoms[0].name)
        if inferred is not None and not inference.assumed:
            return _declaration(atoms[0], inferred)
    return None


def _declaration(name: Atom, signature: Signature) -> str:
    if signature.sorts:
        return f"(declare-fun {name.text} ({' '.join(signature.sorts)}) {signature.sort})"
    return f"(declare-const {name.text} {signature.sort})"


def _fault_count(draft: ProgramDraft, before: str, after: str) -> int:
    """Return how many faults a program has once a text in it is another."""
    return len(read_script(draft.text.replace(before, after)).faults)


def _sort(draft: ProgramDraft, node: Node) -> str | None:
    """Return the sort that a node names in a program, or in another language."""
    if not isinstance(node, Atom):
        return None
    scope = draft.script.scope
    if node.name in scope.sorts:
        return node.text
    own = [name for name in scope.sorts if folded_name(name) == folded_name(node.text)]
    return own[0] if len(own) == 1 else sort_name(node.text)


def _argument_count(draft: ProgramDraft, name: Atom) -> int:
    for atom in draft.occurrences.get(name.name, []):
        path = draft.path(atom.at.offset)
        if path and path[-1].items[0] is atom and not path[0].head.startswith("declare"):
            return len(path[-1].items) - 1
    return 0


@repair_rule(ScriptFaultKind.UNKNOWN_SORT)
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
        yield insertion(place, f"(declare-sort {sort} 0)\n", "its values are not known")


@repair_rule(ScriptFaultKind.RESERVED_NAME)
def reserved_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Give a name that SMT-LIB2 keeps for itself another one wherever it stands, unless a function of that name is read here."""
    for name in dict.fromkeys(atom.name for _, atom in draft.faulty(Atom, ScriptFaultKind.RESERVED_NAME)):
        if name not in FUNCTIONS.keys() | WORDS | {"true", "false", "ite"}:
            used = draft.occurrences
            number = next(number for number in range(2, len(used) + 3) if f"{name}_{number}" not in used)
            yield from (replacement(atom, f"{name}_{number}") for atom in used.get(name, []))


@repair_rule(ScriptFaultKind.UNDECLARED)
def misspelt_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the only declared name that fits all uses and differs by case, by signs or by one slip; it is never certain."""
    names, symbols = _undeclared_names(draft), draft.script.scope.symbols
    if len(names) * len(symbols) > MOST_COMPARED:
        return
    inference = SortInference(draft.script, names)
    for name in names:
        uses = draft.occurrences.get(name, [])
        same = [own for own in symbols if folded_name(own) == folded_name(name)]
        near = [own for own in symbols if is_near_name(name, own)] if len(uses) == 1 else []
        for choices in (same, near):
            fitting = [own for own in choices if inference.fits(name, symbols[own])]
            if len(fitting) == 1:
                after = fitting[0] if re.fullmatch(r"[^\s|]+", fitting[0]) else f"|{fitting[0]}|"
                yield from (replacement(atom, after, f"nearest to {fitting[0]}") for atom in uses)
            if fitting:
                break


@repair_rule(ScriptFaultKind.UNDECLARED)
def undeclared_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Declare each name with the sorts that all its uses demand; Int where they allow it, with a note."""
    unread = _names_of_unread_commands(draft)
    undeclared = _undeclared_names(draft).items()
    names = {name: atom for name, atom in undeclared if name not in unread and _may_be_declared(draft, name, atom)}
    inference = SortInference(draft.script, names)
    found = inference.result()
    if inference.conflicts:
        raise AmbiguousError(f"{min(inference.conflicts)} would have to be of several sorts")
    place = _place_for_declaration(draft)
    lead = "" if not place or draft.text[place - 1] == "\n" else "\n"
    tail = "" if lead and place < len(draft.text) and draft.text[place] == "\n" else "\n"
    others = (*draft.script.scope.symbols, *found)
    compared = len(found) * len(others) <= MOST_COMPARED
    for name, signature in sorted(found.items()):
        # Two names that nobody declared may be one, written twice.
        near = [other for other in others if other != name and is_near_name(name, other)] if compared else []
        if name in inference.assumed:
            note = f"taken for {signature.sort}: its uses do not settle it"
        elif signature.sorts:
            note = "taken for a function of the program's own"
        elif near:
            note = f"may be {near[0]} misspelt"
        else:
            note = "" if compared else "not compared with the many other names"
        yield insertion(place, f"{lead}{_declaration(names[name], signature)}{tail}", note)
        lead = "" if tail else lead


def _undeclared_names(draft: ProgramDraft) -> dict[str, Atom]:
    """Return the names that are used and not declared, each with its first place."""
    names: dict[str, Atom] = {}
    for _, atom in draft.faulty(Atom, ScriptFaultKind.UNDECLARED):
        if atom.kind in _NAMES and atom.name not in draft.script.scope.symbols:
            names.setdefault(atom.name, atom)
    return names


def _names_of_unread_commands(draft: ProgramDraft) -> frozenset[str]:
    """Return the names in declarations that cannot be read: what they say of a name would be lost by another declaration."""
    faulty = draft.faulty(NodeGroup, ScriptFaultKind.UNKNOWN_COMMAND, ScriptFaultKind.MALFORMED_COMMAND)
    declaring = ("declare", "define", "var", "const")
    commands = [command for _, command in faulty if command.head.lower().startswith(declaring)]
    return frozenset(item.name for command in commands for item in command.arguments if isinstance(item, Atom))


def _may_be_declared(draft: ProgramDraft, name: str, atom: Atom) -> bool:
    """Tell whether a name is not an operator, not a function of SMT-LIB2, and not a variable whose binding is odd."""
    if operator(name) is not None or name in RESERVED | _CARDINALITIES | draft.script.scope.sorts:
        return False
    bound = any(group.head in {"forall", "exists", "let"} for group in draft.path(atom.at.offset))
    return not bound or not draft.faults(ScriptFaultKind.MALFORMED_TERM)


def _place_for_declaration(draft: ProgramDraft) -> int:
    """Return the offset where a declaration may be put in: after the declarations that begin the program."""
    commands = draft.script.commands
    first = list(takewhile(lambda command: command.head.startswith(("set-", "declare-")), commands))
    if first:
        return draft.place_after(first[-1])
    return commands[0].at.offset if commands else len(draft.text)


@dataclass(slots=True)
class SortInference:
    """What is known of some names of a script, by the commands that use them; a sort that is not known fits everywhere.

    The uses of `assumed` names do not determine their sorts; those of names in `conflicts` have no sort in common.
    """

    script: Script
    names: Collection[str]
    conflicts: set[str] = field(default_factory=set)
    assumed: set[str] = field(default_factory=set)
    _scope: SymbolScope = field(init=False)
    _commands: list[tuple[NodeGroup, int]] = field(default_factory=list)
    _uses: dict[str, set[int]] = field(default_factory=dict)
    _left: int = MOST_WORK

    def __post_init__(self) -> None:
        counts: dict[str, int] = {}
        for command in dict.fromkeys(self.script.commands):
            if not command.head.startswith(("declare-", "set-")):
                nodes = list(walk(command))
                self._commands.append((command, len(nodes)))
                used = (node.name for node in nodes if isinstance(node, Atom) and node.name in self.names)
                for name in dict.fromkeys(used):
                    self._uses.setdefault(name, set()).add(len(self._commands) - 1)
                for node in (node for node in nodes if isinstance(node, NodeGroup) and node.head in self.names):
                    if counts.setdefault(node.head, len(node.arguments)) != len(node.arguments):
                        self.conflicts.add(node.head)
        unknown = {name: Signature(("",) * counts.get(name, 0), "") for name in self._uses}
        self._scope = replace(self.script.scope, symbols={**self.script.scope.symbols, **unknown}, bound={})

    def fits(self, name: str, signature: Signature) -> bool:
        """Tell whether a name may have a signature: with it no use has a fault that it lacks with an unknown one; false once `MOST_WORK` is spent."""
        fits = name in self._uses and self._faults(name, signature) <= self._faults(name, self._scope.symbols[name])
        return fits and self._left >= 0

    def result(self) -> dict[str, Signature]:
        """Return a signature for each name that is used: certain sorts first, then Int (Real in a script with reals) for numbers, then for what is left."""
        found: dict[str, Signature] = {}
        whole = LogicFeature.REALS not in self.script.features
        best: dict[str, list[str]] = {}
        while waiting := [name for name in self._uses if name not in found and name not in self.conflicts]:
            best |= {name: self._best_sorts(name) for name in waiting if name not in best}
            settled = [name for name in waiting if len(best[name]) == 1]
            counted = [name for name in waiting if set(best[name]) == NUMBERS]
            # Constants come first: they are arguments of functions.
            chosen = settled or counted or waiting[:1]
            for name in sorted(chosen, key=lambda name: len(self._scope.symbols[name].sorts)):
                if name in best:
                    sort = best[name][0] if settled else REAL if self._scope.reals else INT
                    fits = self.fits(name, replace(self._scope.symbols[name], sort=sort))
                    if self._left < 0:
                        return found
                    if not fits and not settled:
                        self.conflicts.add(name)
                    if not fits or not (settled or (counted and whole)):
                        self.assumed.add(name)
                    found[name] = self._scope.symbols[name] = Signature(self._argument_sorts(name), sort)
                    # The sort may tell more of the names in the same commands: theirs are asked for again.
                    best = {other: sorts for other, sorts in best.items() if not self._uses[other] & self._uses[name]}
        return found

    def _best_sorts(self, name: str) -> list[str]:
        """Return the sorts with which the uses of a name have the fewest faults."""
        signature = self._scope.symbols[name]
        sorts = sorted(self._scope.sorts) if self._left >= 0 else []
        counts = {sort: self._faults(name, replace(signature, sort=sort)) for sort in sorts}
        return [sort for sort, count in counts.items() if count == min(counts.values())]

    def _argument_sorts(self, name: str) -> tuple[str, ...]:
        """Return the sorts of the arguments that a function is given, Real for both kinds of numbers and Int for what is not known."""
        given: list[set[str]] = [set() for _ in self._scope.symbols[name].sorts]
        for node in (node for place in self._uses[name] for node in walk(self._commands[place][0])):
            if isinstance(node, NodeGroup) and node.head == name:
                for sorts, argument in zip(given, node.arguments, strict=True):
                    sorts |= {SortChecker(replace(self._scope, bound={})).term(argument) or ""} - {""}
        if any(len(sorts) > 1 and sorts != NUMBERS for sorts in given):
            self.conflicts.add(name)
        return tuple(REAL if len(sorts) > 1 else next(iter(sorts), INT) for sorts in given)

    def _faults(self, name: str, signature: Signature) -> int:
        """Return how many faults the uses of a name have if it has this signature."""
        known, self._scope.symbols[name] = self._scope.symbols[name], signature
        count = 0
        for command, size in (self._commands[place] for place in self._uses[name]):
            self._left -= size
            count += len(command_faults(command, self._scope)) if self._left >= 0 else 0
        self._scope.symbols[name] = known
        return count
