"""Resource allocation."""

from __future__ import annotations

from generators.constraints.domain import Drafting, domain
from generators.constraints.kinds.choices import choice
from generators.constraints.kinds.limits import limit
from generators.constraints.kinds.purchases import purchase
from generators.constraints.kinds.relations import amounts
from generators.constraints.kinds.shares import shares


@domain("resources", examples=())
def resources() -> dict[Drafting, int]:
    """Return the kinds of problems about resources and how often each is drawn."""
    return {shares: 1, choice: 1, amounts: 2, purchase: 2, limit: 2}
