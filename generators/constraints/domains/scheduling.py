"""Scheduling."""

from __future__ import annotations

from generators.constraints.domain import Drafting, domain
from generators.constraints.kinds.groups import duties
from generators.constraints.kinds.jobs import jobs
from generators.constraints.kinds.projects import project
from generators.constraints.kinds.relations import times
from generators.constraints.kinds.rows import slots


@domain("scheduling", examples=())
def scheduling() -> dict[Drafting, int]:
    """Return the kinds of scheduling problems and how often each is drawn."""
    return {slots: 2, duties: 2, jobs: 2, times: 2, project: 2}
