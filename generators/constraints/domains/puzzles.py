"""The domain of logic puzzles: things in a row, who has what, honest people and liars, digits of numbers, ages.

Satisfiability and uniqueness are known by construction. `row`, `grid`, `liars` and `number_puzzle` list all
possible worlds and keep those in which all clues hold, according to the meaning of the clues
in Python. At least the hidden world remains, and all that remain give one answer.
The programs of `ages` are triangular: each amount is a function of earlier ones, and one sum or value gives the first.

A tenth of the problems ask instead whether a solution exists, and have no `answer`. Half of these have no world left.
"""

from __future__ import annotations

from generators.constraints.kinds.grids import grid
from generators.constraints.kinds.liars import liars
from generators.constraints.kinds.numbers import number_puzzle
from generators.constraints.kinds.relations import ages
from generators.constraints.kinds.rows import row
from generators.constraints.problem.domain import DomainExample, Drafting, ProblemSize, domain

EXAMPLES = (
    DomainExample(
        0,
        ProblemSize.SMALL,
        "Three friends, Rania, Leo and Diego, pose in a single row for a holiday photo. In the picture, places are counted from left to right. Leo is somewhere to the left of Rania in the picture, and Diego is somewhere to the right of Rania in the picture. How many people are to the left of Diego in the picture?",
        "2",
    ),
    DomainExample(
        3,
        ProblemSize.SMALL,
        "A treasure map of Tariq hides a two-digit number. It is more than 80. The number has a ones digit that is larger than the tens digit. What is the number?",
        "89",
    ),
    DomainExample(
        1,
        ProblemSize.MEDIUM,
        "Omar is thinking of a two-digit number. The number is a multiple of 5. The number is odd, and with its digits in reverse order, it would be 18 less. Which number is it?",
        "75",
    ),
)


@domain("puzzles", examples=EXAMPLES)
def puzzles() -> dict[Drafting, int]:
    """Return the kinds of puzzles and how often each is drawn."""
    return {row: 2, grid: 2, liars: 2, number_puzzle: 2, ages: 2}
