"""The domain of scheduling: hours and days, jobs in sequence and durations."""

from generators.constraints.kinds.assignments import duties
from generators.constraints.kinds.orders import jobs, slots
from generators.constraints.kinds.relations import times
from generators.constraints.problem.domain import DomainExample, Drafting, domain

EXAMPLE = DomainExample(
    "On one day, Elena spends time on cooking and running. Running takes twice as long as cooking. All of it takes 129 minutes. How long does cooking take, in minutes?",
    "43",
    number=1,
)


@domain("scheduling", EXAMPLE)
def scheduling() -> dict[Drafting, int]:
    """Return the kinds of scheduling problems and how often each is drawn."""
    return {slots: 2, duties: 2, jobs: 2, times: 2}
