"""Relationships."""

from __future__ import annotations

from generators.constraints.domain import Drafting, domain
from generators.constraints.kinds.groups import groups


@domain("relationships", examples=())
def relationships() -> dict[Drafting, int]:
    """Return the kinds of problems about relationships and how often each is drawn."""
    return {groups: 1}
