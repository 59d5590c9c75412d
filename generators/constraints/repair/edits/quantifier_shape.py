"""Quantifiers whose variables have another shape than SMT-LIB2 requires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.smtlib.s_expressions import Node

_NAMED = {AtomKind.SYMBOL, AtomKind.QUOTED}


@edit_kind(
    "quantifier_shape",
    order=380,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (exists (y Int) (= x (* 2 y))))\n(assert (forall ((a b Int)) (=> (> a b) (> x b))))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (exists ((y Int)) (= x (* 2 y))))\n(assert (forall ((a Int) (b Int)) (=> (> a b) (> x b))))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (forall ((z Int) (> (+ z x) 5))))\n(assert (exists y Int (> y x)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (forall ((z Int)) (> (+ z x) 5)))\n(assert (exists ((y Int)) (> y x)))\n(check-sat)\n",
        ),
    ),
)
def quantifier_shape(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write each variable with its sort in parentheses, and all of them in one list."""
    if not draft.faults(ScriptFaultKind.MALFORMED_TERM):
        return
    for command in draft.script.commands:
        for node in walk(command):
            if isinstance(node, NodeGroup) and node.head in {"forall", "exists"} and len(node.items) > 1:
                yield from _shaped(draft, node)


def _shaped(draft: ProgramDraft, node: NodeGroup) -> Iterator[RepairChange]:
    bindings, rest = node.items[1], node.items[2:]
    if isinstance(bindings, Atom):
        # `(exists y Int (> y x))`
        if len(rest) == 2 and _variable(bindings) and _sorted(draft, rest[0]):
            yield RepairChange(bindings.at.offset, rest[0].end, f"(({bindings.text} {draft.source(rest[0])}))")
        return
    pairs = list(bindings.items)
    if (
        not rest
        and len(pairs) > 1
        and all(_binding(draft, one) for one in pairs[:-1])
        and not _binding(draft, pairs[-1])
    ):
        # `(forall ((z Int) (> z 5)))`: the list closes too late.
        yield RepairChange(pairs[-2].end, pairs[-2].end, ")")
        yield RepairChange(bindings.end - 1, bindings.end, "")
        return
    flat = bindings if all(isinstance(one, Atom) for one in pairs) else pairs[0] if len(pairs) == 1 else None
    if not isinstance(flat, NodeGroup) or len(rest) != 1 or (flat is not bindings and len(flat.items) < 3):
        return
    written = _listed(draft, flat.items)
    if written is not None:
        yield RepairChange(bindings.at.offset, bindings.end, f"({written})")


def _listed(draft: ProgramDraft, items: Sequence[Node]) -> str | None:
    """Return variables with their sorts: of `x Int y Bool` each its own, of `x y Int` the last for all."""
    if (
        len(items) % 2 == 0
        and all(_variable(one) for one in items[::2])
        and all(_sorted(draft, one) for one in items[1::2])
    ):
        pairs = zip(items[::2], items[1::2], strict=True)
        return " ".join(f"({draft.source(name)} {draft.source(sort)})" for name, sort in pairs)
    if (
        len(items) > 1
        and all(_variable(one) and not _sorted(draft, one) for one in items[:-1])
        and _sorted(draft, items[-1])
    ):
        return " ".join(f"({draft.source(name)} {draft.source(items[-1])})" for name in items[:-1])
    return None


def _binding(draft: ProgramDraft, node: Node) -> bool:
    return (
        isinstance(node, NodeGroup)
        and len(node.items) == 2
        and _variable(node.items[0])
        and _sorted(draft, node.items[1])
    )


def _variable(node: Node) -> bool:
    return isinstance(node, Atom) and node.kind in _NAMED


def _sorted(draft: ProgramDraft, node: Node) -> bool:
    return isinstance(node, Atom) and node.kind in _NAMED and sort_name(draft, node.text) is not None
