"""The domain of scheduling: hours and days, jobs in sequence, project steps with dependencies, and durations."""

from __future__ import annotations

from generators.constraints.kinds.assignments import duties
from generators.constraints.kinds.orders import jobs, slots
from generators.constraints.kinds.projects import project
from generators.constraints.kinds.relations import times
from generators.constraints.problem.domain import DomainExample, Drafting, domain

EXAMPLE = DomainExample(
    "Viktor has timed what was done today: fishing and reading. The following is true: for reading, Viktor needs 9 minutes more than for fishing; all of it takes 21 minutes. How many minutes does Viktor need for reading?",
    "15",
)


@domain("scheduling", examples=(EXAMPLE,))
def scheduling() -> dict[Drafting, int]:
    """Return the kinds of scheduling problems and how often each is drawn."""
    return {slots: 2, duties: 2, jobs: 2, times: 2, project: 2}
