"""An evaluator of SMT-LIB2 terms under given constants, written from the standard and independent of the generators."""

from __future__ import annotations

import operator
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from harness.smtlib.parser import read_tree
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.smtlib.s_expressions import Node

_CHAINED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}
_OPERATORS: dict[str, Callable[..., Any]] = {
    "and": lambda *values: all(values),
    "or": lambda *values: any(values),
    "not": operator.not_,
    "=>": lambda *values: not all(values[:-1]) or values[-1],
    "xor": lambda *values: reduce(operator.xor, values),
    "distinct": lambda *values: all(a != b for a, b in combinations(values, 2)),
    "+": lambda *values: sum(values),
    "-": lambda first, *rest: first - sum(rest) if rest else -first,
    "*": lambda *values: reduce(operator.mul, values),
    "mod": operator.mod,
    "ite": lambda condition, yes, no: yes if condition else no,
}


def evaluated(term: str, values: Mapping[str, str]) -> Any:
    """Return the value of a term: a truth value, a number, or the name of a value of an enumeration."""
    (node,) = read_tree(term).nodes
    return _value(node, values)


def _value(node: Node, values: Mapping[str, str]) -> Any:
    if isinstance(node, NodeGroup):
        found = [_value(argument, values) for argument in node.arguments]
        if node.head in _CHAINED:
            return all(_CHAINED[node.head](a, b) for a, b in pairwise(found))
        return _OPERATORS[node.head](*found)
    assert isinstance(node, Atom)
    text = node.text if node.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL} else values.get(node.name, node.name)
    if text in {"true", "false"}:
        return text == "true"
    return Fraction(text) if text[0].isdigit() else text
