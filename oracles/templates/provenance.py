"""Checks of the provenance of a template's inputs: numbers of the question or known constants."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.domain import Evidence
from harness.program.evaluation.evaluator import format_exact
from harness.solution.trace import VariableRole
from harness.text.number_mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.domain import Exact
    from harness.solution.trace import TraceEntry

KNOWN_CONSTANTS: dict[Exact, str] = {
    1: "one of anything",
    2: "two halves, a pair, a couple",
    3: "feet in a yard, teaspoons in a tablespoon",
    4: "quarters, weeks in a month, quarts in a gallon, legs",
    5: "school days, nickel",
    6: "half a dozen, sides",
    7: "days in a week",
    8: "ounces in a cup, pints in a gallon",
    9: "square feet in a square yard",
    10: "decimal system, dime, millimetres in a centimetre",
    12: "months in a year, a dozen, inches in a foot",
    13: "a baker's dozen",
    14: "days in two weeks",
    16: "ounces in a pound, cups in a gallon",
    20: "a score",
    24: "hours in a day",
    25: "cents in a quarter",
    26: "letters, weeks in half a year",
    28: "days in February",
    29: "days in a leap February",
    30: "days in a month, minutes in half an hour",
    31: "days in a month",
    32: "ounces in a quart",
    36: "inches in a yard",
    48: "hours in two days",
    50: "states, half a hundred",
    52: "weeks in a year, cards in a deck",
    60: "seconds in a minute, minutes in an hour",
    90: "degrees in a right angle",
    100: "cents in a dollar, per cent, centimetres in a metre, years in a century",
    128: "ounces in a gallon",
    144: "a gross, square inches in a square foot",
    180: "degrees in a triangle",
    360: "degrees in a circle, days in a banker's year",
    365: "days in a year",
    366: "days in a leap year",
    1000: "grams in a kilogram, metres in a kilometre, millilitres in a litre",
    1760: "yards in a mile",
    2000: "pounds in a ton",
    3600: "seconds in an hour",
    5280: "feet in a mile",
    10_000: "square metres in a hectare, square centimetres in a square metre",
    Fraction(1, 2): "half",
    Fraction(1, 3): "a third",
    Fraction(1, 4): "a quarter",
    Fraction(1, 10): "a tenth",
    Fraction(1, 100): "one per cent",
    Fraction("0.05"): "a nickel",
    Fraction("0.25"): "a quarter dollar",
    Fraction("3.14"): "pi",
    Fraction("2.54"): "centimetres in an inch",
    Fraction("2.2"): "pounds in a kilogram",
}
"""Constants of world knowledge that a question may mention as well, with what they are."""
_ARTICLE = re.compile(r"\b(?:an?|another|each|every|per|single|once|other|daily|weekly|monthly)\b", re.IGNORECASE)


def provenance_evidence(question: str, inputs: Iterable[TraceEntry]) -> list[Evidence]:
    """Return the inputs that do not come from where they claim.

    The value of a question input is one that a number of the question can mean: digits, words, `25%` as 25 or 0.25, `half` as
    1/2 or the divisor 2, `two dozen` as 24, `a` as 1. A world-knowledge input has a value that the question does not
    mention, unless it is one of the known constants.
    """
    found = []
    stated = _stated(question)
    for entry in inputs:
        value = format_exact(entry.value)
        if entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT:
            if entry.value in stated and entry.value not in KNOWN_CONSTANTS:
                said = f"{entry.variable} = {value}, world knowledge"
                found.append(Evidence(entry.line or "?", "mentioned in the question", said, f"{stated[entry.value]!r}"))
        elif entry.role is VariableRole.QUESTION_INPUT and entry.value not in stated:
            quoted = (
                f"a number of the question; the comment quotes {entry.comment!r}"
                if entry.comment
                else "a number of the question"
            )
            found.append(Evidence(entry.line or "?", "not in the question", f"{entry.variable} = {value}", quoted))
        elif entry.role is VariableRole.INPUT:
            found.append(
                Evidence(entry.line or "?", "no provenance", f"{entry.variable} = {value}", "a quoting comment or # WK")
            )
    return found


@lru_cache(maxsize=64)
def _stated(question: str) -> dict[Exact, str]:
    """Return the values a question can mean, each with the words that say it."""
    stated: dict[Exact, str] = {}
    for mention in mentions(question):
        for value in mention.readings:
            stated.setdefault(value, mention.text)
    article = _ARTICLE.search(question)
    if article is not None:
        stated.setdefault(1, article.group())
    return stated
