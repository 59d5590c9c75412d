"""The reserved symbols of SMT-LIB2 and the signatures of the functions of its theories."""

import enum
from dataclasses import dataclass

BOOL, INT, REAL = "Bool", "Int", "Real"
NUMBERS = frozenset({INT, REAL})


class ArgumentKind(enum.StrEnum):
    """The sorts of the arguments of a theory function."""

    BOOLEANS = "Bool"
    SAME = "one sort"
    NUMBERS = "numbers"
    INTEGERS = "Int"
    REALS = "Real"


@dataclass(frozen=True, slots=True)
class TheoryFunction:
    """A function of the theories: how many arguments it takes, of which sort, and its own sort; `sort` is empty where it is theirs."""

    least: int
    most: int | None
    taking: ArgumentKind
    sort: str


FUNCTIONS = {
    "not": TheoryFunction(1, 1, ArgumentKind.BOOLEANS, BOOL),
    "and": TheoryFunction(1, None, ArgumentKind.BOOLEANS, BOOL),
    "or": TheoryFunction(1, None, ArgumentKind.BOOLEANS, BOOL),
    "xor": TheoryFunction(2, None, ArgumentKind.BOOLEANS, BOOL),
    "=>": TheoryFunction(2, None, ArgumentKind.BOOLEANS, BOOL),
    "=": TheoryFunction(2, None, ArgumentKind.SAME, BOOL),
    "distinct": TheoryFunction(2, None, ArgumentKind.SAME, BOOL),
    "<": TheoryFunction(2, None, ArgumentKind.NUMBERS, BOOL),
    "<=": TheoryFunction(2, None, ArgumentKind.NUMBERS, BOOL),
    ">": TheoryFunction(2, None, ArgumentKind.NUMBERS, BOOL),
    ">=": TheoryFunction(2, None, ArgumentKind.NUMBERS, BOOL),
    "+": TheoryFunction(2, None, ArgumentKind.NUMBERS, ""),
    "*": TheoryFunction(2, None, ArgumentKind.NUMBERS, ""),
    "-": TheoryFunction(1, None, ArgumentKind.NUMBERS, ""),
    "abs": TheoryFunction(1, 1, ArgumentKind.NUMBERS, ""),
    "div": TheoryFunction(2, None, ArgumentKind.INTEGERS, INT),
    "mod": TheoryFunction(2, 2, ArgumentKind.INTEGERS, INT),
    "/": TheoryFunction(2, None, ArgumentKind.REALS, REAL),
    "to_real": TheoryFunction(1, 1, ArgumentKind.INTEGERS, REAL),
    "to_int": TheoryFunction(1, 1, ArgumentKind.REALS, INT),
    "is_int": TheoryFunction(1, 1, ArgumentKind.REALS, BOOL),
}
"""The functions of Core, Ints and Reals whose arguments are all of one kind; `ite` is by itself."""

SORTS = frozenset({BOOL, INT, REAL})
WORDS = frozenset({"!", "_", "as", "exists", "forall", "let", "match", "par"})
"""Words that are no names of terms, with or without bars, because solvers differ on them."""

_OTHER_FUNCTIONS = "bag bvadd concat cos cosecant cot csc exp extract fp iand int2bv pto real.pi rotate_left rotate_right sec select sign_extend sin sqrt store tan zero_extend arccos arcsin arctan bv2nat bvand bvmul bvneg bvnot bvor bvsub bvult bvxor repeat re.all re.none sep"
OTHER_FUNCTIONS = frozenset(_OTHER_FUNCTIONS.split())
"""Names of functions of theories that are not read here; solvers refuse some of them as names of one's own."""

_OTHER_SORTS = "Array BitVec Float128 Float16 Float32 Float64 FloatingPoint List RegLan RoundingMode Seq Set String"
OTHER_SORTS = frozenset(_OTHER_SORTS.split())
"""Sorts of theories that are not read here."""

RESERVED = frozenset(FUNCTIONS) | WORDS | OTHER_FUNCTIONS | {"ite", "true", "false"}
"""Names that no script may declare."""
