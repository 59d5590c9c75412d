"""The vocabulary of SMT-LIB2: reserved symbols, the functions of its theories, logics, and the commands and options that a script may contain."""

import enum
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from harness.smtlib.s_expressions import Atom, NodeGroup

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

_OTHER_FUNCTIONS = "** bag bvadd concat cos cosecant cot csc exp extract fp iand int2bv pto real.pi rotate_left rotate_right sec select sign_extend sin sqrt store tan zero_extend arccos arcsin arctan bv2nat bvand bvmul bvneg bvnot bvor bvsub bvult bvxor repeat re.all re.none sep"
OTHER_FUNCTIONS = frozenset(_OTHER_FUNCTIONS.split())
"""Names of functions of theories that are not read here; solvers refuse some of them as names of one's own."""

_OTHER_SORTS = "Array BitVec Float128 Float16 Float32 Float64 FloatingPoint List RegLan RoundingMode Seq Set String"
OTHER_SORTS = frozenset(_OTHER_SORTS.split())
"""Sorts of theories that are not read here."""

RESERVED = frozenset(FUNCTIONS) | WORDS | OTHER_FUNCTIONS | {"ite", "true", "false"}
"""Names that no script may declare."""


class LogicFeature(enum.StrEnum):
    """The features that not every logic has."""

    INTEGERS = "Int"
    REALS = "Real"
    FUNCTIONS = "functions"
    SORTS = "declared sorts"
    DATATYPES = "datatypes"
    QUANTIFIERS = "quantifiers"
    PRODUCTS = "products and quotients of variables"


_NAME = re.compile(r"(QF_)?(A)?(UF)?(BV)?(FP)?(DT)?(IDL|RDL|[LN](?:IRA|IA|RA))?")
_ARITHMETIC = {
    "IDL": {LogicFeature.INTEGERS},
    "RDL": {LogicFeature.REALS},
    "LIA": {LogicFeature.INTEGERS},
    "LRA": {LogicFeature.REALS},
    "LIRA": {LogicFeature.INTEGERS, LogicFeature.REALS},
    "NIA": {LogicFeature.INTEGERS, LogicFeature.PRODUCTS},
    "NRA": {LogicFeature.REALS, LogicFeature.PRODUCTS},
    "NIRA": {LogicFeature.INTEGERS, LogicFeature.REALS, LogicFeature.PRODUCTS},
}


def features_of(logic: str) -> frozenset[LogicFeature] | None:
    """Return the features of a logic, `None` for an unknown logic."""
    if logic == "ALL":
        return frozenset(LogicFeature)
    if logic == "QF_AX":
        return frozenset({LogicFeature.SORTS})
    parts = _NAME.fullmatch(logic)
    if parts is None or not any(parts.groups()[1:]):
        return None
    bare, _, functions, _, _, datatypes, arithmetic = parts.groups()
    held = set(_ARITHMETIC.get(arithmetic or "", ()))
    if functions:
        held |= {LogicFeature.FUNCTIONS, LogicFeature.SORTS}
    if datatypes:
        held.add(LogicFeature.DATATYPES)
    if not bare:
        held.add(LogicFeature.QUANTIFIERS)
    return frozenset(held)


def narrowest(used: Collection[LogicFeature]) -> str:
    """Return the narrowest logic of both solvers that has all used features."""
    if LogicFeature.DATATYPES in used:
        return "ALL"
    numbers = {LogicFeature.INTEGERS, LogicFeature.REALS} & set(used)
    letters = "".join(letter for feature, letter in _LETTERS.items() if feature in numbers)
    arithmetic = f"{'N' if LogicFeature.PRODUCTS in used else 'L'}{letters}A" if numbers else ""
    functions = "UF" if {LogicFeature.FUNCTIONS, LogicFeature.SORTS} & set(used) or not arithmetic else ""
    return f"{'' if LogicFeature.QUANTIFIERS in used else 'QF_'}{functions}{arithmetic}"


_LETTERS = {LogicFeature.INTEGERS: "I", LogicFeature.REALS: "R"}


_DECLARING = (
    "declare-sort define-sort declare-datatype declare-datatypes declare-const declare-fun define-const define-fun"
)
DECLARING = frozenset(_DECLARING.split())
"""The commands that declare or define a sort, a constant or a function."""

ALLOWED = DECLARING | {"set-logic", "set-info", "set-option", "assert", "check-sat", "get-model", "get-value"}
"""The commands that may reach a solver; none of them reads or writes files, changes limits, or undoes or ends anything."""

_REFUSED = "assert-soft check-sat-assuming declare-codatatype declare-codatatypes declare-datatypes-rec define-fun-rec define-funs-rec define-sort-rec echo eval exit get-assertions get-assignment get-info get-objectives get-option get-proof get-unsat-assumptions get-unsat-core include maximize minimize pop push reset reset-assertions simplify"
REFUSED = frozenset(_REFUSED.split())
"""The commands of solvers that no script may contain."""

SOLVED = frozenset({"push", "pop", "check-sat-assuming", "define-fun-rec", "define-funs-rec"})
"""The refused commands that a validation puts to the solvers: they change what is asserted and read or write no files."""

_SAYING = "set-info get-model get-value echo get-assertions get-assignment get-info get-option get-proof get-unsat-assumptions get-unsat-core"
SAYING = frozenset(_SAYING.split())
"""The commands that a validation leaves out: they print something, and change nothing."""

OPTIONS = frozenset({":produce-models", ":produce-unsat-cores"})
"""The options a script may set, to `true` or `false`."""

RECOVERING = frozenset(name for name in ALLOWED | REFUSED if "-" in name or name == "assert")
"""The names that begin a command after any parenthesis, because no function has such a name."""

MOST_SCOPE_DIGITS = 3
"""Digits of the number of scopes that a command opens: a hundred million take a solver ten seconds and two gigabytes."""


def is_harmless(commands: Sequence[NodeGroup]) -> bool:
    """Tell whether solvers may be given commands: none reads or writes files, changes limits, or opens scopes without end."""
    for number, command in enumerate(commands):
        if command.head == "set-option":
            option = command.items[1] if len(command.items) == 3 else None
            if not isinstance(option, Atom) or option.text not in OPTIONS:
                return False
        elif command.head == "exit":
            if number < len(commands) - 1:
                return False
        elif command.head not in ALLOWED | SOLVED | SAYING or (
            command.head in {"push", "pop"}
            and any(isinstance(count, Atom) and len(count.text) > MOST_SCOPE_DIGITS for count in command.arguments)
        ):
            return False
    return True
