"""Relationships."""

from __future__ import annotations

from generators.constraints.domain import Drafting, domain
from generators.constraints.kinds.comparisons import comparison
from generators.constraints.kinds.groups import groups
from generators.constraints.kinds.relations import distances
from generators.constraints.kinds.tables import table


@domain("relationships", examples=())
def relationships() -> dict[Drafting, int]:
    """Return the kinds of problems about relationships and how often each is drawn."""
    return {groups: 2, comparison: 2, table: 2, distances: 2}
