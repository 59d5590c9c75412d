"""The domain of scheduling: hours and days, jobs in sequence, project steps with dependencies, and durations.

Satisfiability and uniqueness are known by construction. `slots`, `duties` and `jobs` list all
possible plans (every order, every assignment of days) and keep those in which all clues hold, according to the meaning of the clues
in Python. At least the hidden plan remains, and all that remain give one answer.
The programs of `times` and `project` are triangular: each amount is a function of earlier ones.

A tenth of the problems ask instead whether a solution exists, and have no `answer`. Half of these have no world left.
"""

from __future__ import annotations

from generators.constraints.kinds.groups import duties
from generators.constraints.kinds.jobs import jobs
from generators.constraints.kinds.projects import project
from generators.constraints.kinds.relations import times
from generators.constraints.kinds.rows import slots
from generators.constraints.problem.domain import DomainExample, Drafting, ProblemSize, domain

EXAMPLES = (
    DomainExample(
        0,
        ProblemSize.SMALL,
        "Wanda has set aside time for tidying, reading and sewing. Sewing takes 5 minutes less than tidying. The time for reading is 13 minutes longer than that for tidying. Sewing takes 15 minutes. How many minutes does reading take?",
        "33",
    ),
    DomainExample(
        3,
        ProblemSize.SMALL,
        "Zara has timed what was done today: ironing and singing. Ironing takes 5 minutes longer than singing, and Zara needs 43 minutes for all of it. How long does singing take, in minutes?",
        "19",
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
