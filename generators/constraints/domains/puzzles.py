"""Puzzles: who stands where.

Satisfiability and uniqueness are known by construction: each kind lists every world there is and keeps those in which all clues hold,
by what the clues mean in Python. At least one is left, the hidden one, and all that are left give one answer.
"""

from __future__ import annotations

from generators.constraints.domain import Drafting, domain
from generators.constraints.kinds.grids import grid
from generators.constraints.kinds.liars import liars
from generators.constraints.kinds.numbers import number_puzzle
from generators.constraints.kinds.relations import ages
from generators.constraints.kinds.rows import row


@domain("puzzles", examples=())
def puzzles() -> dict[Drafting, int]:
    """Return the kinds of puzzles and how often each is drawn."""
    return {row: 2, grid: 2, liars: 2, number_puzzle: 2, ages: 2}
