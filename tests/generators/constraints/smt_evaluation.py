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
    from collections.abc import Mapping

    from harness.smtlib.s_expressions import Node

_CHAINED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}


def evaluated(term: str, values: Mapping[str, str]) -> Any:
    """Return the value of a term: a truth value, a number, or the name of a value of an enumeration."""
    (node,) = read_tree(term).nodes
    return _value(node, values)


def _value(node: Node, values: Mapping[str, str]) -> Any:
    if isinstance(node, Atom):
        if node.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}:
            return Fraction(node.text)
        text = values.get(node.name, node.name)
        if text in {"true", "false"}:
            return text == "true"
        return Fraction(text) if text[0].isdigit() else text
    assert isinstance(node, NodeGroup)
    if node.head == "ite":
        condition, yes, no = node.arguments
        return _value(yes if _value(condition, values) else no, values)
    found = [_value(argument, values) for argument in node.arguments]
    match node.head:
        case "and":
            return all(found)
        case "or":
            return any(found)
        case "not":
            return not found[0]
        case "=>":
            return not all(found[:-1]) or found[-1]
        case "xor":
            return reduce(operator.xor, found)
        case "distinct":
            return all(a != b for a, b in combinations(found, 2))
        case "+":
            return sum(found)
        case "-":
            return -found[0] if len(found) == 1 else found[0] - sum(found[1:])
        case "*":
            return reduce(operator.mul, found)
        case "mod":
            return found[0] % found[1]
        case sign if sign in _CHAINED:
            return all(_CHAINED[sign](a, b) for a, b in pairwise(found))
    raise ValueError(node.head)
