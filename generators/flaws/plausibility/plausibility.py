"""Plausibility of a flawed solution: a score for how likely a person is to write it, with reasons."""

from __future__ import annotations

from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from harness.records.mutation import Plausibility
from harness.solution.trace import Trace

_BASE = 0.5
_FAR = 20
_DIVISIBLE = frozenset([Quantity.MONEY, Quantity.TIME, Quantity.MEASURE, Quantity.SHARE])


def plausibility_of(
    source: FlawSource, trace: Trace, reasons: tuple[tuple[str, float], ...], edits: tuple[str, ...]
) -> Plausibility:
    """Weigh an operator's own reasons, the size and form of the answer, and what a person would still have to edit."""
    weighed = list(reasons)
    before, after = source.trace.answer.value, trace.answer.value
    if before and after:
        ratio = abs(float(after) / float(before))
        if ratio > _FAR or ratio * _FAR < 1:
            weighed.append(("the answer is of another size", -1.0))
        elif 2 * ratio >= 1 and ratio <= 2:
            weighed.append(("the answer is of the same size", 0.2))
    if after < 0 <= before:
        weighed.append(("the answer is negative", -0.6))
    if before.denominator == 1 != after.denominator:
        weighed.append(
            ("the answer is no whole number", -0.3 if source.units[source.final].quantity in _DIVISIBLE else -0.7)
        )
    weighed += [(edit, -0.2) for edit in edits]
    score = _BASE + sum(weight for _, weight in weighed) / 2
    return Plausibility(round(min(max(score, 0.0), 1.0), 3), tuple(reason for reason, _ in weighed))
