"""Resource allocation."""

from __future__ import annotations

from generators.constraints.domain import Drafting, domain
from generators.constraints.kinds.choices import choice
from generators.constraints.kinds.shares import shares


@domain("resources", examples=())
def resources() -> dict[Drafting, int]:
    """Return the kinds of problems about resources and how often each is drawn."""
    return {shares: 1, choice: 1}
