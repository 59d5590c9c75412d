"""Rules of terms: another notation, and numbers and truth values of the wrong sort."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from generators.constraints.repair.program_draft import ProgramDraft, RepairChange, RepairRule, replacement
from generators.constraints.repair.term_reader import TermReading, UnreadableError, read_term
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.smtlib.sort_checker import SortChecker
from harness.smtlib.symbols import BOOL, FUNCTIONS, INT, NUMBERS, REAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 4_000
MOST_TIMES = 5
"""How often the program may be read: what is nested is read again at each level."""
_WRONG = frozenset(
    {
        ScriptFaultKind.ODD_ATOM,
        ScriptFaultKind.UNTERMINATED,
        ScriptFaultKind.MALFORMED_COMMAND,
        ScriptFaultKind.MALFORMED_TERM,
        ScriptFaultKind.UNDECLARED,
        ScriptFaultKind.WRONG_ARITY,
        ScriptFaultKind.WRONG_SORT,
        ScriptFaultKind.UNSUPPORTED,
        ScriptFaultKind.UNKNOWN_COMMAND,
    }
)
_SHAPE = frozenset({ScriptFaultKind.WRONG_ARITY, ScriptFaultKind.MALFORMED_TERM})
_WHOLE = re.compile(r"(\d+)\.0+")
_ONE_SORT = frozenset({"arguments of one sort", "branches of one sort"})


def notation(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write terms of other notations as SMT-LIB2 does, where fewer faults are left then."""
    wrong = [fault.at.offset for fault in draft.faults(*_WRONG)]
    known = frozenset(draft.script.scope.symbols)
    left = [MOST_TIMES * len(draft.text) + LONGEST]
    for command in draft.script.commands:
        terms = _terms(command)
        if terms and any(command.at.offset <= offset < command.end for offset in wrong):
            yield from _rewritten(draft, terms, known | _parameters(command), left)


def _terms(command: NodeGroup) -> tuple[Node, ...]:
    """Return the nodes of a command that should be one term."""
    match command.head:
        case "assert":
            return command.arguments
        case "define-fun":
            return command.items[4:]
        case "define-const":
            return command.items[3:]
    return () if command.head in ALLOWED | REFUSED else (command,)


def _parameters(command: NodeGroup) -> frozenset[str]:
    listed = command.items[2] if command.head == "define-fun" and len(command.items) > 2 else None
    rows = (
        (item.items[:1] for item in listed.items if isinstance(item, NodeGroup))
        if isinstance(listed, NodeGroup)
        else ()
    )
    return frozenset(name.name for name in chain.from_iterable(rows) if isinstance(name, Atom))


def _rewritten(
    draft: ProgramDraft, nodes: Sequence[Node], known: frozenset[str], left: list[int]
) -> Iterator[RepairChange]:
    """Yield the changes of nodes, or of those within them; `left` holds how many characters may still be read."""
    text = draft.text[nodes[0].at.offset : nodes[-1].end]
    left[0] -= len(text) if len(text) <= LONGEST else 0
    if left[0] < 0:
        return
    reading = _reading(text, known, several=len(nodes) > 1) if len(text) <= LONGEST else None
    if reading is None:
        # What stands deeper may still be readable by itself.
        for node in nodes:
            for item in node.items if isinstance(node, NodeGroup) else ():
                if isinstance(item, NodeGroup):
                    yield from _rewritten(draft, (item,), known, left)
        return
    after = reading.node
    better = len(nodes) > 1 or _faults(draft, after) < _faults(draft, nodes[0])
    if not better or not _fits(draft, nodes, after):
        return
    note = "; ".join(reading.doubts)
    if len(nodes) > 1:
        yield RepairChange(nodes[0].at.offset, nodes[-1].end, write_node(after), not note, note)
        return
    for before, changed in _differences(nodes[0], after):
        yield replacement(before, write_node(changed), certain=not note, note=note)


def _reading(text: str, known: frozenset[str], *, several: bool) -> TermReading | None:
    """Read a text as one term; where it is several nodes such as `< x 3`, with the parentheses that it lacks, too."""
    for form in ("{}", "({})") if several else ("{}",):
        try:
            return read_term(form.format(text), known)
        except UnreadableError:
            continue
    return None


def _differences(before: Node, after: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the smallest nodes that differ, each with what it becomes; a function and its arguments are changed at once."""
    if before == after:
        return
    groups = isinstance(before, NodeGroup) and isinstance(after, NodeGroup)
    if (
        isinstance(before, NodeGroup)
        and isinstance(after, NodeGroup)
        and len(before.items) == len(after.items)
        and groups
    ):
        pairs = [(left, right) for left, right in zip(before.items, after.items, strict=True) if left != right]
        reshaped = any(isinstance(left, Atom) != isinstance(right, Atom) for left, right in pairs)
        listed = any(isinstance(item, Atom) and set(item.text) & set(",[]") for item in before.items)
        moved = len(pairs) > 1 and (reshaped or before.items[0] != after.items[0])
        if not moved and not listed:
            yield from chain.from_iterable(_differences(left, right) for left, right in pairs)
            return
    yield before, after


def _fits(draft: ProgramDraft, before: Sequence[Node], after: Node) -> bool:
    """Tell whether a term has no fault of shape that those it is read from lack; what is mixed in it is another matter."""
    old, new = SortChecker(draft.script.scope), SortChecker(draft.script.scope)
    for node in before:
        old.boolean(node)
    new.boolean(after)
    known = {(fault.kind, fault.found) for fault in old.faults}
    return not any(
        (fault.kind in _SHAPE or fault.expected == BOOL) and (fault.kind, fault.found) not in known
        for fault in new.faults
    )


def _faults(draft: ProgramDraft, node: Node) -> int:
    """Return how many faults a term has, odd atoms and functions in the place of arguments included."""
    checker = SortChecker(draft.script.scope)
    checker.boolean(node)
    odd = 0
    for part in walk(node):
        if isinstance(part, Atom):
            odd += part.kind is AtomKind.ODD
        else:
            odd += sum(isinstance(item, Atom) and item.text in FUNCTIONS for item in part.items[1:])
    return len(checker.faults) + odd


def number_sorts(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write whole numbers as real ones, or the reverse where a real one is written out and whole."""
    for fault in draft.faults(ScriptFaultKind.WRONG_SORT):
        node = draft.node(fault.at.offset)
        if node is None:
            continue
        if fault.expected in _ONE_SORT and isinstance(node, NodeGroup):
            nodes = node.items[2:] if node.head == "ite" else node.arguments
            sorts = draft.sorts_of(nodes)
            if set(sorts) <= NUMBERS:
                reals = [part for part, sort in zip(nodes, sorts, strict=True) if sort == REAL]
                wanted = INT if all(isinstance(part, Atom) and _WHOLE.fullmatch(part.text) for part in reals) else REAL
                for part, sort in zip(nodes, sorts, strict=True):
                    if sort != wanted:
                        yield from _converted(draft, part, wanted)
        elif fault.expected in NUMBERS and (sort := draft.sorts_of([node])[0]) in NUMBERS and sort != fault.expected:
            yield from _converted(draft, node, fault.expected)


def _converted(draft: ProgramDraft, node: Node, sort: str) -> Iterator[RepairChange]:
    text = draft.source(node)
    whole = _WHOLE.fullmatch(text)
    if sort == REAL:
        numeral = isinstance(node, Atom) and node.kind is AtomKind.NUMERAL
        yield replacement(node, f"{text}.0" if numeral else f"(to_real {text})")
    elif whole is not None:
        yield replacement(node, whole[1])
    elif isinstance(node, NodeGroup) and node.head in {"-", "to_real"} and len(node.items) == 2:
        if node.head == "-":
            yield from _converted(draft, node.items[1], INT)
        else:
            yield replacement(node, draft.source(node.items[1]))


def boolean_numbers(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write a truth value that is compared with 1 or 0 as itself or its negation, and as one or zero where it is added up."""
    for fault in draft.faults(ScriptFaultKind.WRONG_SORT):
        node = draft.node(fault.at.offset)
        if isinstance(node, NodeGroup) and node.head in {"=", "distinct"} and fault.expected in _ONE_SORT:
            sorts = draft.sorts_of(node.arguments)
            if len(sorts) == 2 and BOOL in sorts and sorts[0] != sorts[1]:
                formula, number = node.arguments if sorts[0] == BOOL else node.arguments[::-1]
                digit = number.text.removesuffix(".0") if isinstance(number, Atom) else ""
                text = draft.source(formula)
                if digit in {"0", "1"}:
                    yield replacement(node, text if (digit == "1") == (node.head == "=") else f"(not {text})")
        elif node is not None and fault.expected in {"numbers", INT} and draft.sorts_of([node]) == [BOOL]:
            path = draft.path(node.at.offset)
            if path and path[-1].head in {"+", "*"}:
                yield replacement(node, f"(ite {draft.source(node)} 1 0)")


NOTATION = RepairRule("notation", _WRONG, notation)
NUMBER_SORTS = RepairRule("number_sorts", frozenset({ScriptFaultKind.WRONG_SORT}), number_sorts)
BOOLEAN_NUMBERS = RepairRule("boolean_numbers", frozenset({ScriptFaultKind.WRONG_SORT}), boolean_numbers)
