"""Operators that people and other languages write in place of those of SMT-LIB2."""

from __future__ import annotations

import re

PREFIX = {
    "&&": "and",
    "&": "and",
    "/\\": "and",
    "||": "or",
    "\\/": "or",
    "!": "not",
    "~": "not",
    "!=": "distinct",
    "<>": "distinct",
    "/=": "distinct",
    "=/=": "distinct",
    "=!=": "distinct",
    "!==": "distinct",
    "not=": "distinct",
    "==": "=",
    "===": "=",
    "<=>": "=",
    "<->": "=",
    "->": "=>",
    "-->": "=>",
    "==>": "=>",
    "=<": "<=",
    "≠": "distinct",
    "≤": "<=",
    "≥": ">=",
    "%": "mod",
    "//": "div",
}
"""Signs, by what they stand for."""

_WORDS = {
    "and": "and",
    "conjunction": "and",
    "or": "or",
    "disjunction": "or",
    "not": "not",
    "xor": "xor",
    "implies": "=>",
    "imply": "=>",
    "implication": "=>",
    "iff": "=",
    "eq": "=",
    "equal": "=",
    "equals": "=",
    "distinct": "distinct",
    "alldifferent": "distinct",
    "alldifferentconstraint": "distinct",
    "alldiff": "distinct",
    "alldistinct": "distinct",
    "different": "distinct",
    "neq": "distinct",
    "noteq": "distinct",
    "notequal": "distinct",
    "notequals": "distinct",
    "lt": "<",
    "lessthan": "<",
    "le": "<=",
    "leq": "<=",
    "lte": "<=",
    "gt": ">",
    "greaterthan": ">",
    "ge": ">=",
    "geq": ">=",
    "gte": ">=",
    "plus": "+",
    "add": "+",
    "sum": "+",
    "minus": "-",
    "sub": "-",
    "subtract": "-",
    "times": "*",
    "mul": "*",
    "mult": "*",
    "multiply": "*",
    "divide": "/",
    "modulo": "mod",
    "mod": "mod",
    "div": "div",
    "abs": "abs",
    "if": "ite",
    "ifthenelse": "ite",
    "ite": "ite",
    "toreal": "to_real",
    "toint": "to_int",
    "forall": "forall",
    "exists": "exists",
    "let": "let",
}

INFIX = {
    "=": ("=", 6),
    "<": ("<", 6),
    "<=": ("<=", 6),
    ">": (">", 6),
    ">=": (">=", 6),
    "distinct": ("distinct", 6),
    "=>": ("=>", 2),
    "or": ("or", 3),
    "xor": ("xor", 4),
    "and": ("and", 5),
    "+": ("+", 7),
    "-": ("-", 7),
    "*": ("*", 8),
    "/": ("/", 8),
    "mod": ("mod", 8),
    "div": ("div", 8),
}
"""What may stand between its arguments, by how closely it binds."""
EQUIVALENCE = 1
COMPARISON, NEGATION, SIGN, POWER = 6, 6, 9, 10
COMPARISONS = frozenset({"=", "<", "<=", ">", ">=", "distinct"})


def operator(text: str) -> str | None:
    """Return the operator of SMT-LIB a sign or word stands for, itself if it is one; `None` if it is none."""
    if text in PREFIX:
        return PREFIX[text]
    if text in INFIX or text in {"ite", "to_real", "to_int", "is_int"}:
        return text
    return _WORDS.get(re.sub(r"[-_.]", "", text).lower()) if text[:1].isalpha() else None
