"""The check for stale numbers: a rewritten solution must not state a value that the change has replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.flaws.flawed_solution import FlawDiscardReason
from generators.flaws.text.solution_rewrite import FlawDiscardError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from generators.flaws.text.solution_rewrite import FlawSourceText
    from harness.domain import Exact


def check_stale_numbers(
    text: FlawSourceText, first: int, values: Mapping[str, Exact], skipped: Collection[int] = ()
) -> None:
    """Check that from a line on, no number that belongs to no variable may be an old value.

    Raises:
        FlawDiscardError: a number is an old value, and no variable still has that value.
    """
    before = text.source.values
    old = {value for name, value in before.items() if values.get(name) != value}
    kept = {value for name, value in values.items() if before.get(name) == value}
    # In words, -7 is a 7 after a dash.
    stale = (old | {-value for value in old if value < 0}) - kept
    for number in range(first, len(text.lines)):
        if number not in skipped and not stale.isdisjoint(text.loose[number]):
            raise FlawDiscardError(FlawDiscardReason.STALE, f"L{number + 1}")
        for literal in text.lines[number].text.literals if number not in skipped else ():
            if any(values.get(name) != before[name] for name in literal.candidates):
                raise FlawDiscardError(FlawDiscardReason.STALE, f"L{number + 1}: {literal.text}")
