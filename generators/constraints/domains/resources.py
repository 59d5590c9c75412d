"""The domain of resource allocation: shares, choices within a budget, costs and mixtures, two kinds of things, limits."""

from __future__ import annotations

from generators.constraints.kinds.assignments import purchase, shares
from generators.constraints.kinds.limits import limit
from generators.constraints.kinds.relations import amounts
from generators.constraints.kinds.selections import choice
from generators.constraints.problem.domain import DomainExample, Drafting, domain

EXAMPLE = DomainExample(
    "For 39 children, Omar gets buses, each of which takes up to 6. How many buses are needed at least?", "7"
)


@domain("resources", examples=(EXAMPLE,))
def resources() -> dict[Drafting, int]:
    """Return the kinds of problems about resources and how often each is drawn."""
    return {shares: 2, choice: 2, amounts: 2, purchase: 2, limit: 2}
