"""Terms and commands that are written as lists or objects of JSON."""

from __future__ import annotations

import re
from typing import Any

from generators.constraints.repair.syntax.operator_spellings import operator
from harness.smtlib.commands import ALLOWED
from harness.smtlib.parser import DEEPEST

_PARTED = re.compile(r"[\s()\";|]")
_HEADS = (
    "op",
    "operator",
    "fn",
    "func",
    "function",
    "head",
    "call",
    "command",
    "cmd",
    "connective",
    "predicate",
    "symbol",
)
_ARGUMENTS = ("args", "arguments", "operands", "children", "params", "parameters", "terms")
_PAIRS = (("left", "right"), ("lhs", "rhs"), ("a", "b"), ("first", "second"), ("if", "then", "else"))
_SINGLE = ("arg", "argument", "operand", "body", "formula", "child", "of")
_LEAVES = ("var", "variable", "const", "constant", "name", "value", "literal", "number", "int", "ref", "id")
_KINDS = frozenset({"type", "kind", "sort"})
"""Keys that say of what kind a leaf is."""


def term_tree(value: Any, depth: int = 0) -> str:
    """Return a tree of lists, objects and atoms as an S-expression; empty where something in it is none of these."""
    if isinstance(value, dict):
        value = applied(value)
        if not isinstance(value, list):
            return _atom(value)
    if isinstance(value, list):
        items = [term_tree(item, depth + 1) for item in value] if depth < DEEPEST else [""]
        return f"({' '.join(items)})" if all(items) else "" if value else "()"
    return _atom(value)


def _atom(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value) if isinstance(value, int | float) else value if isinstance(value, str) else ""
    return text if text and not _PARTED.search(text) else ""


def applied(value: dict[str, Any]) -> Any:
    """Return an object as a list with its operator first, or the text or number of a leaf; `None` where it is neither.

    An object is `{"op": "=", "args": [...]}`, with one of the usual names for both, `{"op": "=", "left": ..., "right": ...}`, or
    `{"=": [...]}`.
    """
    keys = set(value)
    head = next((key for key in _HEADS if isinstance(value.get(key), str)), None)
    if head is None and len(keys) == 1:
        (only,) = keys
        inside = value[only]
        if only in _LEAVES and not isinstance(inside, list | dict):
            return inside
        if operator(only) is not None or only in ALLOWED:
            return [only, *inside] if isinstance(inside, list) else [only, inside]
        return None
    if head is None:
        leaf = next((key for key in _LEAVES if key in keys), None)
        if leaf is not None and keys - {leaf} <= _KINDS and not isinstance(value[leaf], list | dict):
            return value[leaf]
        head = "type" if isinstance(value.get("type"), str) and operator(value["type"]) is not None else None
        if head is None:
            return None
    rest = keys - {head} - _KINDS
    for key in (*_ARGUMENTS, *_SINGLE):
        if rest == {key}:
            inside = value[key]
            return [value[head], *inside] if isinstance(inside, list) and key in _ARGUMENTS else [value[head], inside]
    pair = next((pair for pair in _PAIRS if rest == set(pair)), None)
    return [value[head], *(value[key] for key in pair)] if pair else None if rest else [value[head]]
