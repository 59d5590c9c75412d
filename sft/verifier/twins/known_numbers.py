"""The numbers that a line may use, and those of them that the solution never uses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.equations.line_reader import read_line
from harness.equations.truth import numbers
from harness.text.numbers import mentions
from harness.text.units import factor

if TYPE_CHECKING:
    from harness.domain import Exact
    from harness.equations.equation import LineReading
    from sft.samples.items import Item

MOST_STATED = 24
MOST_RESULTS = 12
_FACTORS: dict[str, tuple[int, ...]] = {
    r"dozen|inch|feet|foot|year|month": (factor("month", "year"),),
    r"hour|minute|second": (factor("minute", "hour"),),
    r"day|week|daily": (factor("day", "week"),),
    r"hour|day": (factor("hour", "day"),),
    r"year|week": (factor("week", "year"),),
    r"%|percent|cent\b|cents\b": (100,),
    r"pair|twice|double|half|couple|each way": (2,),
    r"yard|tablespoon|triple": (3,),
    r"month|quarter|gallon": (4,),
    r"pound|ounce": (factor("ounce", "pound"),),
    r"kilo|meter|metre|liter|litre": (factor("meter", "kilometer"),),
}
_FACTORS_BY_WORD = {re.compile(rf"(?:{words})", re.IGNORECASE): factors for words, factors in _FACTORS.items()}


@dataclass(frozen=True, slots=True)
class KnownNumbers:
    """The possible operands: numbers of the question, results of earlier lines (latest first), usual factors.

    `unused` are the numbers of the question, and the earlier results, that no equation of the solution uses; `percents` are
    the numbers of the question before a percent sign.
    """

    stated: tuple[Exact, ...]
    results: tuple[Exact, ...]
    unused: frozenset[Exact]
    percents: tuple[Exact, ...]
    factors: tuple[int, ...]

    def given(self, value: Exact | None) -> bool:
        """Tell whether a value comes from the question or an earlier line."""
        return value in self.stated or value in self.results


def known_by_line(item: Item) -> list[KnownNumbers]:
    """Return the known numbers at each line, and then those at the final answer."""
    readings = [read_line(line) for line in item.lines]
    used = {number.value for reading in readings for equation in reading.equations for number in numbers(equation.left)}
    stated: list[Exact] = []
    unused: set[Exact] = set()
    percents: list[Exact] = []
    for mention in mentions(item.question):
        value = mention.readings[0]
        if value > 0 and value not in stated and len(stated) < MOST_STATED:
            stated.append(value)
            if used.isdisjoint(mention.readings):
                unused.add(value)
            if "%" in mention.text or "cent" in mention.text:
                percents.append(value)
    factors = tuple(
        dict.fromkeys(
            factor
            for word, factors_of in _FACTORS_BY_WORD.items()
            if word.search(item.question)
            for factor in factors_of
        )
    )
    known = []
    results: list[Exact] = []
    for reading in (*readings, None):
        latest = tuple(dict.fromkeys(reversed(results)))[:MOST_RESULTS]
        loose = unused | {value for value in latest if value not in used}
        known.append(KnownNumbers(tuple(stated), latest, frozenset(loose), tuple(percents), factors))
        results += _results(reading)
    return known


def _results(reading: LineReading | None) -> list[Exact]:
    if reading is None:
        return []
    values = (equation.right.value for equation in reading.equations)
    return [value for value in values if value is not None and value > 0]
