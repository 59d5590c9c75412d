"""The domain of resource allocation: shares, choices within a budget, costs and mixtures, two kinds of things."""

from generators.constraints.kinds.assignments import purchase, shares
from generators.constraints.kinds.relations import amounts
from generators.constraints.kinds.selections import choice
from generators.constraints.problem.domain import DomainExample, Drafting, domain

EXAMPLE = DomainExample(
    "Hassan keeps beetles and spiders in a terrarium. Beetles have 6 legs and spiders have 8. There are at most 12 of them. There are 7 of them. Hassan counts 50 legs. Find the number of spiders.",
    "4",
)


@domain("resources", EXAMPLE)
def resources() -> dict[Drafting, int]:
    """Return the kinds of problems about resources and how often each is drawn."""
    return {shares: 2, choice: 2, amounts: 2, purchase: 2}
