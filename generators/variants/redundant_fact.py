"""Which problems contradict themselves since one of two places that say the same quantity says another one?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generators.flaws.units import Quantity, Unit
from generators.problems.editing import Edit, Edited
from generators.problems.nearby import nearby, taken
from generators.problems.redundancy import other_form, redundancies_of
from generators.problems.variant import Discard, Discarded, Example, Proposal, variant_operator
from harness.constraints import Fact, ProblemClass, Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from generators.problems.question import Place
    from generators.problems.redundancy import Redundancy
    from generators.problems.subject import Subject
    from harness.domain import Exact
    from harness.text.forms import Form
    from harness.text.mentions import Mention

NAME = "redundant_fact"
MOST = 4
MOST_VALUES = 3
SMALL = 10


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        Example(
            "# L1\nsongs = 3 # 3 songs\nhours_per_song = 8 # 8 hours\nhours = songs * hours_per_song\n"
            "# L2\npay = 20 # 20 dollars\nearned = hours * pay",
            "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the 3 songs?",
            (
                "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the four songs?",
                "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the three songs?",
                "Mia writes four songs. Each takes her 8 hours, at $20 an hour. What does she earn with the 3 songs?",
            ),
        ),
    ),
)
def redundant_fact(subject: Subject, random: Random) -> Iterator[Proposal | Discarded]:
    """Change one of two places that say the same quantity; the twin writes the right value as the variant writes the wrong one."""
    made = 0
    found = redundancies_of(subject.question)
    for redundancy in found:
        for place in (redundancy.again, redundancy.first):
            if place is None or made >= MOST:
                continue
            variants = _variants(subject, redundancy, place, random)[: 2 * (MOST - made)]
            yield from variants
            made += sum(isinstance(one, Proposal) for one in variants) // 2
    if not found:
        yield Discarded(NAME, subject.source.final, Discard.NO_PLACE)


def _variants(subject: Subject, redundancy: Redundancy, place: Mention, random: Random) -> list[Proposal | Discarded]:
    value, form = place.readings[0], other_form(subject.question.text, place)
    variable = _variable(subject, redundancy)
    if variable is None:
        return [Discarded(NAME, redundancy.noun, Discard.UNLOCATED, place.text)]
    others = [] if form is None else nearby(value, form, Unit(Quantity.COUNT, redundancy.noun), _near(subject, value))
    found: list[Proposal | Discarded] = []
    for wrong in random.sample(others, min(MOST_VALUES, len(others))):
        if form is not None and wrong != 1:
            variant = _proposal(subject, variable, redundancy, place, (form, wrong))
            found += [
                variant,
                replace(_proposal(subject, variable, redundancy, place, (form, value)), twin=variant.text),
            ]
    return found or [Discarded(NAME, variable, Discard.UNWRITABLE, place.text)]


def _near(subject: Subject, value: Exact) -> frozenset[Exact]:
    """Return the values that a wrong one must not be; small numbers may be those of other things."""
    return frozenset({value}) if value <= SMALL else taken(subject)


def _place_of(subject: Subject, mention: Mention) -> Place | None:
    return next((one for one in subject.question.places if one.start < mention.end and mention.start < one.end), None)


def _variable(subject: Subject, redundancy: Redundancy) -> str | None:
    """Return the variable that both places give: an input of the solution, or one of its own where the solution needs none.

    There is none where the two places give two inputs, or an input of another value.
    """
    both = [one for one in (redundancy.first, redundancy.again) if one is not None]
    places = [place for one in both if (place := _place_of(subject, one)) is not None]
    if not places:
        name = f"number_of_{redundancy.noun}"
        return None if name in subject.values else name
    usable = len(places) == 1 and places[0].rewritable and len(places[0].variables) == 1
    return places[0].variables[0] if usable and places[0].value == redundancy.first.readings[0] else None


def _proposal(
    subject: Subject, variable: str, redundancy: Redundancy, place: Mention, written: tuple[Form, Exact]
) -> Proposal:
    """Return the problem in which one place says a value in a form."""
    (form, value), right = written, redundancy.first.readings[0]
    edited = Edited(subject.question.text, (Edit(place.start, place.end, place.text, form.write(value) or ""),))
    facts = [_moved(fact, edited) for fact in subject.system.facts if fact.variable != variable]
    stated = []
    for name, mention in (("fact", redundancy.first), ("again", redundancy.again)):
        if mention is not None:
            span = edited.moved(mention.start, mention.end)
            here = edited.inserted(edited.edits[0], 0, len(edited.edits[0].after)) if mention == place else span
            sentence = subject.question.sentence_at(mention.start)
            words = mention.text if sentence is None else sentence.text
            said = value if mention == place else right
            stated.append(Fact(f"{name}:{variable}", variable, said, Source.TEXT, words, here))
    if redundancy.again is None:
        stated.append(Fact(f"again:{variable}", variable, right, Source.TEXT, redundancy.names))
    system = replace(subject.system, facts=(*stated, *facts))
    changed = stated[1].name if place == redundancy.again else stated[0].name
    contradictory = value != right
    return Proposal(
        subject,
        NAME,
        ProblemClass.CONTRADICTORY if contradictory else ProblemClass.SOLVABLE,
        edited.edits,
        system,
        clash=(changed,) if contradictory else (),
        redundant=f"again:{variable}" if variable in subject.values else None,
    )


def _moved(fact: Fact, edited: Edited) -> Fact:
    return fact if fact.span is None else replace(fact, span=edited.moved(*fact.span))
