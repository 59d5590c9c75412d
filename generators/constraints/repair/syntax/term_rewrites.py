"""Rewrites of the terms that are not written as in SMT-LIB2, chosen so that fewer faults are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.smtlib.sort_checker import SortChecker
from harness.smtlib.symbols import BOOL, FUNCTIONS

WRONG = frozenset(
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
# What is nested is read again at each level, until the program was read so many times.
LONGEST = 4_000
MOST_TIMES = 5
_LISTED = frozenset(",[]")


@dataclass(frozen=True, slots=True)
class TermRewrite:
    """The replacement of a node, `before` the nodes as they were (several where one was missing its parentheses)."""

    before: tuple[Node, ...]
    after: Node

    @property
    def start(self) -> int:
        """Return the offset it begins at."""
        return self.before[0].at.offset

    @property
    def end(self) -> int:
        """Return the offset after it."""
        return self.before[-1].end


def rewritings(draft: ProgramDraft) -> list[TermRewrite]:
    """Return the smallest rewritings after which the terms of the program have fewer faults."""
    wrong = [fault.at.offset for fault in draft.faults(*WRONG)]
    known = frozenset(draft.script.scope.symbols)
    rewrites: list[TermRewrite] = []
    left = [MOST_TIMES * len(draft.text) + LONGEST]
    for command in draft.script.commands:
        terms = _terms(command)
        if terms and any(command.at.offset <= offset < command.end for offset in wrong):
            rewrites += _rewritten(draft, terms, known | _bound(command), left)
    return rewrites


def changes(draft: ProgramDraft, kind: str) -> Iterator[RepairChange]:
    """Yield the rewritings of a kind, by the name of the edit that makes them."""
    for rewrite in rewritings(draft):
        if _kind(draft, rewrite) == kind:
            yield RepairChange(
                rewrite.start, rewrite.end, write_node(rewrite.after), certain=not _joins_one(rewrite.after)
            )


def _joins_one(after: Node) -> bool:
    """Tell whether a conjunction or a disjunction is left with one argument, as where `(or p =q)` is read `(or (= p q))`."""
    groups = (node for node in walk(after) if isinstance(node, NodeGroup) and node.head in {"and", "or", "xor"})
    return any(len(group.arguments) == 1 for group in groups)


def _kind(draft: ProgramDraft, rewrite: TermRewrite) -> str:
    text = draft.text[rewrite.start : rewrite.end]
    first, single = rewrite.before[0], len(rewrite.before) == 1
    if single and isinstance(first, Atom) and not set(text) & _LISTED:
        return "negative_literal" if first.kind is AtomKind.ODD and text[:1] == "-" else "operator_spelling"
    if single and isinstance(first, NodeGroup) and first.items == (rewrite.after,):
        return "needless_parentheses"
    called = any(
        isinstance(left, Atom)
        and isinstance(right, NodeGroup)
        and left.end == right.at.offset
        and left.text[:1].isalpha()
        for node in rewrite.before
        for left, right in _neighbours(node, rewrite.before)
    )
    return "python_call" if called or "," in text or "[" in text else "infix"


def _neighbours(node: Node, row: Sequence[Node]) -> Iterator[tuple[Node, Node]]:
    yield from pairwise(row)
    for inner in walk(node):
        if isinstance(inner, NodeGroup):
            # What comes first is a function that is applied, parenthesis or not after it.
            yield from zip(inner.items[1:], inner.items[2:], strict=False)


def _terms(command: NodeGroup) -> tuple[Node, ...]:
    """Return the nodes of a command that should be one term."""
    match command.head:
        case "assert":
            return command.arguments
        case "define-fun" if len(command.items) > 4:
            return command.items[4:]
        case "define-const" if len(command.items) > 3:
            return command.items[3:]
    return () if command.head in ALLOWED | REFUSED else (command,)


def _bound(command: NodeGroup) -> frozenset[str]:
    """Return the names that a command binds for itself."""
    if command.head != "define-fun" or len(command.items) < 3 or not isinstance(command.items[2], NodeGroup):
        return frozenset()
    parameters = (item.items[0] for item in command.items[2].items if isinstance(item, NodeGroup) and item.items)
    return frozenset(name.name for name in parameters if isinstance(name, Atom))


def _rewritten(
    draft: ProgramDraft, nodes: tuple[Node, ...], known: frozenset[str], left: list[int]
) -> Iterator[TermRewrite]:
    """Yield the rewritings of nodes, or of those within them; `left` holds how many characters may still be read."""
    text = draft.text[nodes[0].at.offset : nodes[-1].end]
    left[0] -= len(text) if len(text) <= LONGEST else 0
    if left[0] < 0:
        return
    try:
        after = read_term(text if len(text) <= LONGEST else "", known)
    except UnreadableError:
        # What stands deeper may still be readable by itself.
        for node in nodes:
            for item in node.items if isinstance(node, NodeGroup) else ():
                if isinstance(item, NodeGroup):
                    yield from _rewritten(draft, (item,), known, left)
        return
    rewrites = [TermRewrite(nodes, after)] if len(nodes) > 1 else list(_differences(nodes[0], after))
    better = len(nodes) > 1 or weight(draft, after) < weight(draft, nodes[0])
    if rewrites and better and _fits(draft, nodes, after):
        yield from rewrites


def _differences(before: Node, after: Node) -> Iterator[TermRewrite]:
    if before == after:
        return
    if (
        isinstance(before, NodeGroup)
        and isinstance(after, NodeGroup)
        and len(before.items) == len(after.items)
        and not _moved(before, after)
        and not _reshaped(before, after)
        and not any(isinstance(item, Atom) and set(item.text) & _LISTED for item in before.items)
    ):
        yield from chain.from_iterable(map(_differences, before.items, after.items))
    else:
        yield TermRewrite((before,), after)


def _reshaped(before: NodeGroup, after: NodeGroup) -> bool:
    """Tell whether the function is another one and an argument has another shape: one without the other would say something else, as `(not F)` for `(!! F)`."""
    return before.items[0] != after.items[0] and any(
        isinstance(left, NodeGroup) and (not isinstance(right, NodeGroup) or len(left.items) != len(right.items))
        for left, right in zip(before.items[1:], after.items[1:], strict=True)
    )


def _moved(before: NodeGroup, after: NodeGroup) -> bool:
    """Tell whether the items themselves changed places, so that it is the group that differs."""
    pairs = [(left, right) for left, right in zip(before.items, after.items, strict=True) if left != right]
    reshaped = any(isinstance(left, Atom) != isinstance(right, Atom) for left, right in pairs)
    return len(pairs) > 1 and (reshaped or any(left in after.items for left, _ in pairs))


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


def weight(draft: ProgramDraft, node: Node) -> int:
    """Return how many faults a term has where the program's declarations hold."""
    checker = SortChecker(draft.script.scope)
    checker.boolean(node)
    return len(checker.faults) + sum(_misplaced_atoms(part) for part in walk(node))


def _misplaced_atoms(node: Node) -> int:
    """Return one for an odd atom, and for a group how many functions stand where an argument should."""
    if isinstance(node, Atom):
        return node.kind is AtomKind.ODD
    return sum(
        isinstance(item, Atom) and item.kind is not AtomKind.ODD and item.text in FUNCTIONS for item in node.items[1:]
    )
