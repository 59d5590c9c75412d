"""The domain of logic puzzles: things in a row, who has what, honest people and liars, digits of numbers, ages."""

from generators.constraints.kinds.assignments import grid
from generators.constraints.kinds.orders import row
from generators.constraints.kinds.relations import ages
from generators.constraints.kinds.selections import liars, number_puzzle
from generators.constraints.problem.domain import DomainExample, Drafting, domain

EXAMPLE = DomainExample(
    "Three friends, Viktor, Hassan and Nadia, pose in a single row on the steps of the town hall. In the picture, places are counted from left to right. Viktor is not first from the left. Viktor is not third from the left. Who is second from the left?",
    "Viktor",
)


@domain("puzzles", EXAMPLE)
def puzzles() -> dict[Drafting, int]:
    """Return the kinds of puzzles and how often each is drawn."""
    return {row: 2, grid: 2, liars: 2, number_puzzle: 2, ages: 2}
