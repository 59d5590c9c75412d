"""The domain of relationships: comparisons of height, families and teams, seats around a table, distances.

Satisfiability and uniqueness are known by construction. `groups`, `comparison` and `table` list all
possible worlds and keep those in which all clues hold, according to the meaning of the clues
in Python. At least the hidden world remains, and all that remain give one answer.
The programs of `distances` are triangular: each amount is a function of earlier ones, and one sum or value gives the first.

A tenth of the problems ask instead whether a solution exists, and have no `answer`. Half of these have no world left.
"""

from __future__ import annotations

from generators.constraints.kinds.comparisons import comparison
from generators.constraints.kinds.groups import groups
from generators.constraints.kinds.relations import distances
from generators.constraints.kinds.tables import table
from generators.constraints.problem.domain import DomainExample, Drafting, ProblemSize, domain

EXAMPLES = (
    DomainExample(
        0,
        ProblemSize.SMALL,
        "The silver box, the black box and the brown box are weighed. No two weigh the same. The brown box is lighter than the black box. The silver box is lighter than the brown box. Which box is the heaviest?",
        "Black",
    ),
    DomainExample(
        3,
        ProblemSize.SMALL,
        "Astrid, Priya, Leo and Diego have taken the four places of a round table at a game night. The places are evenly spread. Going clockwise, the next person after Diego is Leo, and Astrid sits next to Leo. Who sits directly after Priya, going clockwise?",
        "Diego",
    ),
    DomainExample(
        1,
        ProblemSize.MEDIUM,
        "The blue box, the red box, the green box, the black box and the grey box are weighed. No two weigh the same. The grey box is heavier than both the red box and the black box. The red box is heavier than the blue box. The green box is heavier than one of the grey box and the black box and lighter than the other. The black box is lighter than the blue box. Which box is the lightest?",
        "Black",
    ),
)


@domain("relationships", examples=EXAMPLES)
def relationships() -> dict[Drafting, int]:
    """Return the kinds of problems about relationships and how often each is drawn."""
    return {groups: 2, comparison: 2, table: 2, distances: 2}
