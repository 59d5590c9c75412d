"""The problem with other numbers, chosen so that everything worked out from them stays sensible."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generators.problems.drawing import Draw
from generators.problems.editing import Edit, Edited
from generators.problems.variant import Discard, Discarded, Example, Proposal, variant_operator
from generators.problems.worked import StaleError, work_anew
from harness.constraints import ProblemClass, System
from harness.solution.rendering import UnwritableError
from harness.solution.trace import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from generators.problems.question import Place
    from generators.problems.subject import Subject
    from harness.constraints import Fact
    from harness.domain import Exact

MOST_VARIANTS = 4
MOST_DRAWS = 6
EXAMPLES = (
    Example(
        """
# L1
crates = 4 # 4 crates
melons = 6 # 6 melons
stocked = crates * melons
# L2
sold = 9 # 9 are sold
left = stocked - sold
""",
        "A stall has 4 crates of 6 melons each. By noon 9 melons are sold. How many melons are left?",
        (),
    ),
)


@variant_operator("renumbered", problem_class=ProblemClass.SOLVABLE, examples=EXAMPLES)
def renumbered(subject: Subject, random: Random) -> Iterator[Proposal | Discarded]:
    """Yield the problem with other values, up to four times, each with its solution and answer."""
    variables = renumberable(subject)
    if not variables:
        yield Discarded("renumbered", "all", Discard.NO_PLACE)
        return
    draw = Draw(subject, variables)
    seen = {subject.question.text}
    for _ in range(MOST_DRAWS):
        values = draw.values(random)
        if values is None:
            yield Discarded("renumbered", ", ".join(variables), Discard.ABSURD, "no other values are sensible")
            return
        made = renumber(subject, values)
        if isinstance(made, Discarded):
            yield made
        elif made.text not in seen:
            seen.add(made.text)
            yield made
        if len(seen) > MOST_VARIANTS:
            return


def renumberable(subject: Subject) -> tuple[str, ...]:
    """Return the inputs whose value can be another."""
    world = [entry.variable for entry in subject.source.inputs if entry.role is Role.WORLD_KNOWLEDGE_INPUT]
    places = subject.question.places
    return tuple(
        place.variables[0]
        for place in places
        if len(place.variables) == 1
        and place.variables[0] not in world
        and place.value not in {0, 1}
        and not any(one is not place and one.start < place.end and place.start < one.end for one in places)
    )


def renumber(subject: Subject, values: Mapping[str, Exact]) -> Proposal | Discarded:
    """Return the problem with values, one for each variable, or why it cannot be told with them."""
    places = [place for place in subject.question.places if values[place.variables[0]] != place.value]
    what = ", ".join(place.variables[0] for place in places)
    edits: list[Edit] = []
    for place in places:
        text = place.write(values[place.variables[0]])
        if text is None:
            return Discarded("renumbered", what, Discard.UNWRITABLE)
        edits.append(Edit(place.start, place.end, subject.question.text[place.start : place.end], text))
    try:
        worked = work_anew(subject.source, values)
    except UnwritableError as error:
        return Discarded("renumbered", what, Discard.UNWRITABLE, str(error))
    except StaleError as error:
        return Discarded("renumbered", what, Discard.STALE, str(error))
    edited = Edited(subject.question.text, tuple(sorted(edits)))
    system = restated(subject, edited, values)
    broken = system.violated(system.complete())
    if broken is not None:
        return Discarded("renumbered", what, Discard.ABSURD, broken.name)
    return Proposal(
        subject,
        "renumbered",
        ProblemClass.SOLVABLE,
        edited.edits,
        system,
        solution=worked.solution,
        answer=worked.answer,
    )


def restated(subject: Subject, edited: Edited, values: Mapping[str, Exact]) -> System:
    """Return the constraints of a problem whose facts have other values, as the edited text states them."""
    places = subject.question.place_of
    facts = tuple(_fact(fact, places.get(fact.variable), edited, values) for fact in subject.system.facts)
    return replace(subject.system, facts=facts)


def _fact(fact: Fact, place: Place | None, edited: Edited, values: Mapping[str, Exact]) -> Fact:
    if place is None:
        return fact
    value = values[fact.variable]
    span = edited.moved(place.start, place.end)
    if span is None:
        text = place.write(value) or ""
        edit = next(one for one in edited.edits if one.start <= place.start and place.end <= one.end)
        start = edit.after.index(text)
        span = edited.inserted(edit, start, start + len(text))
    return replace(fact, value=value, span=span)
