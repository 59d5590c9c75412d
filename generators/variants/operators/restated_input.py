"""Contradictory variants that state one of their numbers again, in other words and with another value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.variants.text.insertion import insertion, with_fact
from generators.variants.text.restatements import restatements
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantProposal,
    variant_operator,
)
from harness.constraint_system import Fact, FactSource, ProblemClass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from generators.variants.question.input_places import NumberPlace
    from generators.variants.variant_source import VariantSubject
    from harness.domain import Exact

NAME = "restated_input"
MOST = 2
_TOLD = "Ann bought 4 boxes of pens. Each box holds 12 pens. {} Ann sold 9 pens at the fair. How many pens are left?"


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nboxes = 4 # 4 boxes\npens_per_box = 12 # 12 pens\npens = boxes * pens_per_box\n"
            "# L2\nsold = 9 # 9 pens are sold\nleft = pens - sold",
            "Ann bought 4 boxes of pens. Each box holds 12 pens. Ann sold 9 pens at the fair. How many pens are left?",
            (
                _TOLD.format("In other words, each box holds eleven pens."),
                _TOLD.format("In other words, each box holds twelve pens."),
            ),
        ),
    ),
)
def restated_input(subject: VariantSubject, random: Random) -> Iterator[VariantProposal | DiscardedVariant]:
    """Say inputs again as sentences of their own, each once with a wrong and once with the right value."""
    places = list(subject.question.places)
    random.shuffle(places)
    made = 0
    for place in places:
        found = _variants(subject, place, random)
        yield from found
        made += isinstance(found[0], VariantProposal)
        if made == MOST:
            return
    if not places:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _variants(
    subject: VariantSubject, place: NumberPlace, random: Random
) -> tuple[VariantProposal | DiscardedVariant, ...]:
    name, value = place.variables[0], place.value
    said = next(restatements(subject.question, place, name, random), None)
    if said is None:
        return (DiscardedVariant(NAME, name, VariantDiscard.NO_PLACE),)
    statement = said.statement
    right = statement.write(value)
    others = [
        one for one in neighbors_of(value, statement.form, subject.units[name], mentioned_values(subject)) if one != 1
    ]
    if right is None or not others:
        return (DiscardedVariant(NAME, name, VariantDiscard.UNWRITABLE),)
    written = [(other, one) for other in others if (one := statement.write(other)) is not None]
    same = [(other, one) for other, one in written if len(one.text) == len(right.text)]
    wrong, stated = random.choice(same or written)

    def proposal(problem_class: ProblemClass, other: Exact, twin: str | None = None) -> VariantProposal:
        words = stated if problem_class is ProblemClass.CONTRADICTORY else right
        edit = insertion(said.sentence, words)
        fact = Fact(f"restated:{name}", name, other, FactSource.TEXT, words.text)
        system = with_fact(subject, edit, words, fact)
        clash = (fact.name,) if problem_class is ProblemClass.CONTRADICTORY else ()
        return VariantProposal(subject, NAME, problem_class, (edit,), system, clash=clash, twin=twin)

    variant = proposal(ProblemClass.CONTRADICTORY, wrong)
    return variant, proposal(ProblemClass.SOLVABLE, value, variant.text)
