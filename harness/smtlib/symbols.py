"""Which symbols does SMT-LIB2 keep for itself, and what do its functions take and give?"""

from __future__ import annotations

import enum
from dataclasses import dataclass

BOOL, INT, REAL = "Bool", "Int", "Real"
NUMBERS = frozenset({INT, REAL})


class Taking(enum.StrEnum):
    """What the arguments of a function of the theories are."""

    BOOLEANS = "Bool"
    SAME = "one sort"
    NUMBERS = "numbers"
    INTEGERS = "Int"
    REALS = "Real"


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the theories: how many arguments it takes, of which sort, and its own sort; `sort` is empty where it is theirs."""

    least: int
    most: int | None
    taking: Taking
    sort: str


FUNCTIONS = {
    "not": Function(1, 1, Taking.BOOLEANS, BOOL),
    "and": Function(1, None, Taking.BOOLEANS, BOOL),
    "or": Function(1, None, Taking.BOOLEANS, BOOL),
    "xor": Function(2, None, Taking.BOOLEANS, BOOL),
    "=>": Function(2, None, Taking.BOOLEANS, BOOL),
    "=": Function(2, None, Taking.SAME, BOOL),
    "distinct": Function(2, None, Taking.SAME, BOOL),
    "<": Function(2, None, Taking.NUMBERS, BOOL),
    "<=": Function(2, None, Taking.NUMBERS, BOOL),
    ">": Function(2, None, Taking.NUMBERS, BOOL),
    ">=": Function(2, None, Taking.NUMBERS, BOOL),
    "+": Function(2, None, Taking.NUMBERS, ""),
    "*": Function(2, None, Taking.NUMBERS, ""),
    "-": Function(1, None, Taking.NUMBERS, ""),
    "abs": Function(1, 1, Taking.NUMBERS, ""),
    "div": Function(2, None, Taking.INTEGERS, INT),
    "mod": Function(2, 2, Taking.INTEGERS, INT),
    "/": Function(2, None, Taking.REALS, REAL),
    "to_real": Function(1, 1, Taking.INTEGERS, REAL),
    "to_int": Function(1, 1, Taking.REALS, INT),
    "is_int": Function(1, 1, Taking.REALS, BOOL),
}
"""The functions of Core, Ints and Reals whose arguments are all of one kind; `ite` is by itself."""

SORTS = frozenset({BOOL, INT, REAL})
WORDS = frozenset({"!", "_", "as", "exists", "forall", "let", "match", "par"})
"""What no term can be called, bars or not, since solvers differ there."""

OTHER_FUNCTIONS = frozenset(
    [
        "bag",
        "bvadd",
        "concat",
        "cos",
        "cosecant",
        "cot",
        "csc",
        "exp",
        "extract",
        "fp",
        "iand",
        "int2bv",
        "pto",
        "real.pi",
        "rotate_left",
        "rotate_right",
        "sec",
        "select",
        "sign_extend",
        "sin",
        "sqrt",
        "store",
        "tan",
        "zero_extend",
        "arccos",
        "arcsin",
        "arctan",
        "bv2nat",
        "bvand",
        "bvmul",
        "bvneg",
        "bvnot",
        "bvor",
        "bvsub",
        "bvult",
        "bvxor",
        "repeat",
        "re.all",
        "re.none",
        "sep",
    ]
)
"""Names of functions of theories that are not read here; solvers refuse some of them as names of one's own."""

OTHER_SORTS = frozenset(
    [
        "Array",
        "BitVec",
        "Float128",
        "Float16",
        "Float32",
        "Float64",
        "FloatingPoint",
        "List",
        "RegLan",
        "RoundingMode",
        "Seq",
        "Set",
        "String",
    ]
)
"""Sorts of theories that are not read here."""

RESERVED = frozenset(FUNCTIONS) | WORDS | OTHER_FUNCTIONS | {"ite", "true", "false"}
"""What nothing that a script declares may be called."""
