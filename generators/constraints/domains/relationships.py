"""The domain of relationships: comparisons of height, families and teams, seats around a table, distances."""

from generators.constraints.kinds.assignments import groups
from generators.constraints.kinds.orders import comparison, table
from generators.constraints.kinds.relations import distances
from generators.constraints.problem.domain import DomainExample, Drafting, domain

EXAMPLE = DomainExample(
    "The silver box, the black box and the brown box are weighed. No two weigh the same. The silver box is lighter than the brown box, and the black box is lighter than the silver box. Which box is the lightest?",
    "Black",
)


@domain("relationships", EXAMPLE)
def relationships() -> dict[Drafting, int]:
    """Return the kinds of problems about relationships and how often each is drawn."""
    return {groups: 2, comparison: 2, table: 2, distances: 2}
