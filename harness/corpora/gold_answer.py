"""Exact values of gold answers, and the comparison of computed values with them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from harness.text.markup import ANNOTATED_SINGLE_EQUATION

_NUMBER = re.compile(
    r"(?P<sign>[-−–])?\s*(?:[$€£]\s*)?(?P<inner>[-−–])?"
    r"(?:(?P<whole>\d+)\s+(?=\d+/\d))?(?P<number>\d[\d,]*\.?\d*|\.\d+)(?:/(?P<denominator>\d[\d,]*))?\s*(?P<percent>%|percent\b)?"
)
_FACTOR = re.compile(r"\s*(\d[\d,]*\.?\d*|\.\d+|[-+*/()%])")
LONGEST_GOLD = 200
LONGEST_ANNOTATION = 200
LARGEST_SHOWN_AS_DECIMAL = 10**15


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """An exact gold answer; `places` are its written decimals, `percent` says it was written with `%`."""

    value: Fraction
    places: int
    percent: bool
    solution: str

    @property
    def rounded(self) -> bool:
        """Tell whether the gold itself is a rounded number: it has decimals, or the solution rounds on its way."""
        return self.places > 0 or _solution_rounds(self.solution)


@dataclass(frozen=True, slots=True)
class GoldMatch:
    """The result of a comparison with the gold answer, and the reading that decided it."""

    reached: bool
    method: str
    reason: str | None = None


# A problem's answers are read for each of its formalizations and flawed solutions.
@lru_cache(maxsize=1_024)
def read_gold(text: str, solution: str = "") -> GoldAnswer | None:
    """Read `1,250`, `$18.50`, `25%`, `3/4`, `1 1/2`, `-5` or `72 apples`; `None` where the text has no number."""
    match = _NUMBER.search(text[:LONGEST_GOLD])
    if match is None:
        return None
    number = match["number"].replace(",", "").rstrip(".") or "0"
    value = Fraction(number)
    if match["denominator"]:
        denominator = int(match["denominator"].replace(",", ""))
        if denominator == 0:
            return None
        value /= denominator
    if match["whole"]:
        value += int(match["whole"])
    if match["sign"] or match["inner"]:
        value = -value
    places = len(number.partition(".")[2])
    return GoldAnswer(value, places, match["percent"] is not None, solution)


def match_gold(value: int | Fraction, gold: GoldAnswer) -> GoldMatch:
    """Compare a computed value with the gold answer; only a rounded gold answer allows a tolerance."""
    if value == gold.value:
        return GoldMatch(reached=True, method="exact")
    readings = [Fraction(value), Fraction(value) * 100] if gold.percent else [Fraction(value)]
    if gold.value in readings:
        return GoldMatch(reached=True, method="percent", reason=f"{_show(readings[0])} is {_show(gold.value)}%")
    if gold.rounded:
        for reading in readings:
            if gold.value in _roundings(reading, gold.places):
                return GoldMatch(
                    reached=True,
                    method="rounded",
                    reason=f"gold {_show(gold.value, gold.places)} is {_show(reading)} rounded to {gold.places} places",
                )
    return GoldMatch(
        reached=False, method="exact", reason=f"gives {_show(readings[0])}, gold is {_show(gold.value, gold.places)}"
    )


def _roundings(value: Fraction, places: int) -> set[Fraction]:
    """Return the value rounded half up and half to even: both are in use for answers."""
    scale = 10**places
    half_up = Fraction(math.floor(abs(value) * scale + Fraction(1, 2)), scale)
    return {half_up if value >= 0 else -half_up, Fraction(round(value * scale), scale)}


def _show(value: Fraction, places: int = 0) -> str:
    if value.denominator == 1 or abs(value) >= LARGEST_SHOWN_AS_DECIMAL:
        return str(round(value))
    return (
        f"{float(value):.{places}f}" if places else str(value) if value.denominator < 10_000 else f"{float(value):.6g}"
    )


def _solution_rounds(solution: str) -> bool:
    """Tell whether an annotation `<<a/b=c>>` states a rounded result as equal."""
    for left, right in ANNOTATED_SINGLE_EQUATION.findall(solution):
        stated = read_number(right)
        computed = read_arithmetic(left)
        if stated is None or computed is None or computed == stated:
            continue
        places = len(right.strip().partition(".")[2].rstrip("0"))
        if stated in _roundings(computed, places):
            return True
    return False


def read_number(text: str) -> Fraction | None:
    """Read a plain number such as `1,250.5` or `.5`; `None` for anything else."""
    match = re.fullmatch(r"\s*[$]?(-?(?:\d[\d,]*\.?\d*|\.\d+))\s*", text[:LONGEST_ANNOTATION])
    return None if match is None else Fraction(match[1].replace(",", "").rstrip("."))


def read_arithmetic(text: str) -> Fraction | None:
    """Evaluate `2*(3+4)/7` exactly, `%` meaning hundredths; `None` where it is not plain arithmetic."""
    if len(text) > LONGEST_ANNOTATION:
        return None
    tokens = [match[1].replace(",", "") for match in _FACTOR.finditer(text.replace("$", ""))]
    if sum(len(token) for token in tokens) != len(re.sub(r"[\s,$]", "", text)):
        return None
    try:
        value, rest = _sum(tokens)
    except (ValueError, IndexError, ZeroDivisionError, RecursionError):
        return None
    return value if not rest else None


def _sum(tokens: list[str]) -> tuple[Fraction, list[str]]:
    value, rest = _product(tokens)
    while rest and rest[0] in "+-":
        operand, after = _product(rest[1:])
        value, rest = (value + operand if rest[0] == "+" else value - operand), after
    return value, rest


def _product(tokens: list[str]) -> tuple[Fraction, list[str]]:
    value, rest = _atom(tokens)
    while rest and rest[0] in "*/":
        operand, after = _atom(rest[1:])
        value, rest = (value * operand if rest[0] == "*" else value / operand), after
    return value, rest


def _atom(tokens: list[str]) -> tuple[Fraction, list[str]]:
    if tokens[0] in "+-":
        value, rest = _atom(tokens[1:])
        return (-value if tokens[0] == "-" else value), rest
    if tokens[0] == "(":
        value, rest = _sum(tokens[1:])
        if rest[0] != ")":
            raise ValueError(rest[0])
        rest = rest[1:]
    else:
        value, rest = Fraction(tokens[0]), tokens[1:]
    while rest and rest[0] == "%":
        value, rest = value / 100, rest[1:]
    return value, rest
