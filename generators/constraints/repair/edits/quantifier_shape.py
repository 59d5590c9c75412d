"""Quantifiers whose variables have another shape than SMT-LIB2 requires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generators.constraints.repair.edit_kind import (
    ProgramDraft,
    RepairChange,
    RepairExample,
    edit_kind,
    insertion,
    replacement,
)
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk

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
            "(declare-const x Int)\n(assert (let v x (< v 3)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (let ((v x)) (< v 3)))\n(check-sat)\n",
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
            match node:
                case NodeGroup(items=(Atom(text="let"), Atom() as name, value, _)) if _is_name(name):
                    bound = f"(({name.text} {draft.source(value)}))"
                    yield RepairChange(name.at.offset, value.end, bound)
            if isinstance(node, NodeGroup) and node.head in {"forall", "exists"} and len(node.items) > 1:
                yield from _shaped(draft, node)


def _shaped(draft: ProgramDraft, node: NodeGroup) -> Iterator[RepairChange]:
    bindings, rest = node.items[1], node.items[2:]
    if isinstance(bindings, Atom):
        # `(exists y Int (> y x))`
        if len(rest) == 2 and _is_name(bindings) and _is_sort(draft, rest[0]):
            yield RepairChange(bindings.at.offset, rest[0].end, f"(({bindings.text} {draft.source(rest[0])}))")
        return
    pairs = list(bindings.items)
    *complete, last = [_is_binding(draft, pair) for pair in pairs] or [False]
    if not rest and complete and all(complete) and not last:
        # `(forall ((z Int) (> z 5)))`: the list closes too late.
        yield insertion(pairs[-2].end, ")")
        yield RepairChange(bindings.end - 1, bindings.end, "")
        return
    flat = bindings if all(isinstance(pair, Atom) for pair in pairs) else pairs[0] if len(pairs) == 1 else None
    if not isinstance(flat, NodeGroup) or len(rest) != 1 or (flat is not bindings and len(flat.items) < 3):
        return
    variables = _with_sorts(draft, flat.items)
    if variables is not None:
        yield replacement(bindings, f"({variables})")


def _with_sorts(draft: ProgramDraft, items: Sequence[Node]) -> str | None:
    """Return variables with their sorts: of `x Int y Bool` each its own, of `x y Int` the last for all."""
    names, sorts, last = items[::2], items[1::2], items[-1:]
    if len(names) == len(sorts) and all(map(_is_name, names)) and all(_is_sort(draft, sort) for sort in sorts):
        pairs = list(zip(names, sorts, strict=True))
    elif len(items) > 1 and all(_is_name(item) and _is_sort(draft, item) == (item is last[0]) for item in items):
        pairs = [(name, last[0]) for name in items[:-1]]
    else:
        return None
    return " ".join(f"({draft.source(name)} {draft.source(sort)})" for name, sort in pairs)


def _is_binding(draft: ProgramDraft, node: Node) -> bool:
    if not isinstance(node, NodeGroup) or len(node.items) != 2:
        return False
    return _is_name(node.items[0]) and _is_sort(draft, node.items[1])


def _is_name(node: Node) -> bool:
    return isinstance(node, Atom) and node.kind in _NAMED


def _is_sort(draft: ProgramDraft, node: Node) -> bool:
    return isinstance(node, Atom) and _is_name(node) and sort_name(draft, node.text) is not None
