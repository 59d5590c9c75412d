"""The logics of SMT-LIB2, their features, and the narrowest logic for the features that a script uses."""

import enum
import re
from collections.abc import Collection


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
