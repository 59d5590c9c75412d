"""The domain of scheduling: hours and days, jobs in sequence, project steps with dependencies, and durations.

Satisfiability and uniqueness are known by construction: a small world is listed whole, an amount is a function of earlier ones.
"""

from __future__ import annotations

from generators.constraints.kinds.assignments import duties
from generators.constraints.kinds.orders import jobs, slots
from generators.constraints.kinds.projects import project
from generators.constraints.kinds.relations import times
from generators.constraints.problem.domain import DomainExample, Drafting, ProblemSize, domain

EXAMPLES = (
    DomainExample(
        0,
        ProblemSize.SMALL,
        "Wanda has set aside time for tidying, reading and sewing. Sewing takes 5 minutes less than tidying. The time for reading is 13 minutes longer than that for tidying. Sewing takes 15 minutes. How many minutes does reading take?",
        "33",
    ),
    DomainExample(
        1,
        ProblemSize.MEDIUM,
        "Anita is in charge of restoring a boat. The steps are inspecting (two hours), painting (four hours), refuelling (three hours) and draining (four hours). Steps can go on at the same time, and each begins as early as it can, the first ones at 7 o'clock. Refuelling can begin at 7 o'clock at once. Inspecting can begin at 7 o'clock at once. Draining has to wait for painting and refuelling. Painting can begin when inspecting is done. How many hours are there from the start until draining is done?",
        "10",
    ),
)


@domain("scheduling", examples=EXAMPLES)
def scheduling() -> dict[Drafting, int]:
    """Return the kinds of scheduling problems and how often each is drawn."""
    return {slots: 2, duties: 2, jobs: 2, times: 2, project: 2}
