"""Functions that SMT-LIB2 lacks for counting true formulas and for the minimum or maximum of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import sorts_of
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, Node
from harness.smtlib.symbols import BOOL, NUMBERS

_ONE = {"exactlyone": "=", "atmostone": "<=", "atleastone": ">="}
_INDEXED = {"at-most": "<=", "at-least": ">="}
_EXTREMES = {"min": "<=", "minimum": "<=", "max": ">=", "maximum": ">="}
MOST_EXTREMES = 4


@edit_kind(
    "cardinality",
    order=440,
    examples=(
        RepairExample(
            "(declare-const a Bool)\n(declare-const b Bool)\n(assert (exactly-one a b))\n(assert ((_ at-most 1) a b))\n(check-sat)\n",
            "(declare-const a Bool)\n(declare-const b Bool)\n(assert (= (+ (ite a 1 0) (ite b 1 0)) 1))\n(assert (<= (+ (ite a 1 0) (ite b 1 0)) 1))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> (max x y) (+ x 3)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> (ite (>= x y) x y) (+ x 3)))\n(check-sat)\n",
        ),
    ),
)
def cardinality(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Add up ones and zeros for formulas; choose the greater or smaller of numbers."""
    for fault in draft.faults(ScriptFaultKind.UNDECLARED, ScriptFaultKind.MALFORMED_TERM):
        path = draft.path(fault.at.offset)
        if not path or path[-1].items[0].at != fault.at or len(path[-1].items) < 3:
            continue
        node = path[-1]
        first, sorts = node.items[0], sorts_of(draft, node.arguments)
        texts = [draft.source(argument) for argument in node.arguments]
        name = first.text.lower() if isinstance(first, Atom) else ""
        if set(sorts) == {BOOL}:
            sign, bound = _comparison(first)
            if sign and bound.isdigit():
                yield replacement(node, f"({sign} (+ {' '.join(f'(ite {text} 1 0)' for text in texts)}) {bound})")
        elif name in _EXTREMES and len(texts) <= MOST_EXTREMES and sorts[0] in NUMBERS and len(set(sorts)) == 1:
            yield replacement(node, _extreme(_EXTREMES[name], texts))


def _comparison(function: Node) -> tuple[str, str]:
    """Return the sign and the number by which `exactly-one` or `(_ at-most 2)` compares a count, empty where it is neither."""
    if isinstance(function, Atom):
        return _ONE.get(re.sub(r"[-_]", "", function.text).lower(), ""), "1"
    if len(function.items) != 3 or function.head != "_":
        return "", ""
    return _INDEXED.get(write_node(function.items[1]), ""), write_node(function.items[2])


def _extreme(sign: str, texts: Sequence[str]) -> str:
    first, *rest = texts
    if not rest:
        return first
    other = _extreme(sign, rest)
    return f"(ite ({sign} {first} {other}) {first} {other})"
