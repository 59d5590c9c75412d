"""The domain of resource allocation: shares, choices within a budget, costs and mixtures, two kinds of things, limits.

Satisfiability and uniqueness are known by construction. `shares` and `choice` list all
possible worlds and keep those in which all clues hold, according to the meaning of the clues
in Python. At least the hidden world remains, and all that remain give one answer.
The programs of `amounts` are triangular. Those of `purchase` are two linear equations with a determinant above zero. What
`limit` needs grows with the number that is asked for.

A tenth of the problems ask instead whether a solution exists, and have no `answer`. Half of these have no world left.
"""

from __future__ import annotations

from generators.constraints.kinds.choices import choice
from generators.constraints.kinds.limits import limit
from generators.constraints.kinds.purchases import purchase
from generators.constraints.kinds.relations import amounts
from generators.constraints.kinds.shares import shares
from generators.constraints.problem.domain import DomainExample, Drafting, ProblemSize, domain

EXAMPLES = (
    DomainExample(
        0,
        ProblemSize.SMALL,
        "For 39 children, Omar gets buses, each of which takes up to 6. With how few buses can Omar manage?",
        "7",
    ),
    DomainExample(
        3,
        ProblemSize.SMALL,
        "A firm gives its 13 machines to the three departments of Ines, Ximena and Rosa. Each gets at least one, and none are kept back. Rosa gets no fewer than nine. Ines gets three times as many as Ximena. How many machines does Rosa get?",
        "9",
    ),
    DomainExample(
        1,
        ProblemSize.MEDIUM,
        "A boat has room for 20 tourists, and Goran counts 344 of them. For 13 of the tourists Goran has found another place. What is the smallest number of boats that is enough?",
        "17",
    ),
)


@domain("resources", examples=EXAMPLES)
def resources() -> dict[Drafting, int]:
    """Return the kinds of problems about resources and how often each is drawn."""
    return {shares: 2, choice: 2, amounts: 2, purchase: 2, limit: 2}
