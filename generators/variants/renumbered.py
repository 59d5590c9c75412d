"""The problem with other numbers, chosen so that everything worked out from them stays sensible."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generators.problems.drawing import Draw
from generators.problems.editing import Edit, Edited
from generators.problems.movable import movable
from generators.problems.variant import Discard, Discarded, Example, Proposal, variant_operator
from generators.problems.worked import StaleError, Wording
from generators.problems.writing import RewriteError, rewrite
from harness.constraints import ProblemClass, System
from harness.solution.rendering import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from generators.problems.question import Place
    from generators.problems.subject import Subject
    from harness.constraints import Fact
    from harness.domain import Exact

MOST_VARIANTS = 4
MOST_DRAWS = 6
MOST_FAILURES = 2
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
    wording = Wording(subject.source)
    variables = movable(subject, wording).variables
    if not variables:
        yield Discarded("renumbered", "all", Discard.NO_PLACE)
        return
    draw = Draw(subject, variables)
    seen, failures = {subject.question.text}, 0
    for _ in range(MOST_DRAWS):
        values = draw.values(random)
        if values is None:
            yield Discarded("renumbered", ", ".join(variables), Discard.ABSURD, "no other values are sensible")
            return
        made = renumber(subject, values, wording)
        if isinstance(made, Discarded):
            yield made
            failures += 1
        elif made.text not in seen:
            seen.add(made.text)
            yield made
        if len(seen) > MOST_VARIANTS or failures == MOST_FAILURES:
            return


def renumber(subject: Subject, values: Mapping[str, Exact], wording: Wording | None = None) -> Proposal | Discarded:
    """Return the problem with values, one for each variable, or why it cannot be told with them."""
    changed = [entry.variable for entry in subject.source.inputs if values[entry.variable] != entry.value]
    what = ", ".join(changed)
    edits: list[Edit] = []
    for name in changed:
        place = subject.question.place_of[name]
        try:
            edits += rewrite(subject, place, values[name])
        except RewriteError as error:
            return Discarded("renumbered", what, error.discard, str(error))
    try:
        worked = (wording or Wording(subject.source)).anew(values)
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
        edit = next(one for one in edited.edits if one.start == place.start and place.end == one.end)
        span = edited.inserted(edit, 0, len(edit.after))
    return replace(fact, value=value, span=span)
