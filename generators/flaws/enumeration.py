"""Enumeration of all flawed solutions of one source, from slips and from mutation operators, without duplicates."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.computational_flaws import computational_flaws
from generators.flaws.conceptual_flaws import conceptual_flaws
from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardReason
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.solution_rewrite import read_source_text


def flaws_of(source: FlawSource, *, seed: int = 0) -> Iterator[Flaw | DiscardedFlaw]:
    """Yield the flawed solutions of a source, slips first, operator by operator, and the changes that gave none.

    No two have the same text: a text that several operators give belongs to the first.

    Raises:
        UnfitError: the solution itself states a false equation.
    """
    text = read_source_text(source)
    seen: set[str] = set()
    for flaw in (*computational_flaws(text, seed), *conceptual_flaws(text, seed)):
        if isinstance(flaw, Flaw):
            if flaw.text in seen:
                yield DiscardedFlaw(flaw.operator, flaw.label.line, flaw.change.after, FlawDiscardReason.DUPLICATE)
                continue
            seen.add(flaw.text)
        yield flaw
