"""What does a logic of SMT-LIB2 hold, and which is the narrowest that holds what a script uses?"""

from __future__ import annotations

import enum
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


class Feature(enum.StrEnum):
    """What a script may use that not every logic has."""

    INTEGERS = "Int"
    REALS = "Real"
    FUNCTIONS = "functions"
    SORTS = "declared sorts"
    DATATYPES = "datatypes"
    QUANTIFIERS = "quantifiers"
    PRODUCTS = "products and quotients of variables"


_NAME = re.compile(r"(QF_)?(A)?(UF)?(BV)?(FP)?(DT)?(IDL|RDL|[LN](?:IRA|IA|RA))?")
_ARITHMETIC = {
    "IDL": {Feature.INTEGERS},
    "RDL": {Feature.REALS},
    "LIA": {Feature.INTEGERS},
    "LRA": {Feature.REALS},
    "LIRA": {Feature.INTEGERS, Feature.REALS},
    "NIA": {Feature.INTEGERS, Feature.PRODUCTS},
    "NRA": {Feature.REALS, Feature.PRODUCTS},
    "NIRA": {Feature.INTEGERS, Feature.REALS, Feature.PRODUCTS},
}


def features_of(logic: str) -> frozenset[Feature] | None:
    """Return what a logic holds, or `None` where there is no such logic."""
    if logic == "ALL":
        return frozenset(Feature)
    if logic == "QF_AX":
        return frozenset({Feature.SORTS})
    parts = _NAME.fullmatch(logic)
    if parts is None or not any(parts.groups()[1:]):
        return None
    bare, _, functions, _, _, datatypes, arithmetic = parts.groups()
    held = set(_ARITHMETIC.get(arithmetic or "", ()))
    if functions:
        held |= {Feature.FUNCTIONS, Feature.SORTS}
    if datatypes:
        held.add(Feature.DATATYPES)
    if not bare:
        held.add(Feature.QUANTIFIERS)
    return frozenset(held)


def narrowest(used: Collection[Feature]) -> str:
    """Return the narrowest logic both solvers know that holds all that is used."""
    if Feature.DATATYPES in used:
        return "ALL"
    numbers = {Feature.INTEGERS, Feature.REALS} & set(used)
    letters = "".join(letter for feature, letter in _LETTERS.items() if feature in numbers)
    arithmetic = f"{'N' if Feature.PRODUCTS in used else 'L'}{letters}A" if numbers else ""
    functions = "UF" if {Feature.FUNCTIONS, Feature.SORTS} & set(used) or not arithmetic else ""
    return f"{'' if Feature.QUANTIFIERS in used else 'QF_'}{functions}{arithmetic}"


_LETTERS = {Feature.INTEGERS: "I", Feature.REALS: "R"}
