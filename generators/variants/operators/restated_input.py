"""Contradictory variants that state one of their numbers again with another value."""

from collections.abc import Iterator, Sequence
from random import Random

from generators.variants.insertion.restatements import restatements
from generators.variants.insertion.stated_facts import RESTATED
from generators.variants.near_twins import NearTwins
from generators.variants.question.input_places import NumberPlace
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantResult,
    first_variants,
    variant_operator,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

NAME = "restated_input"
MOST = 1
_EDITED = "Ann bought 4 boxes of pens, and each box holds {} pens. To be clear, each box holds 12 pens. Ann sold pens (exactly 9) at the fair. How many pens are left?"


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nboxes = 4 # 4 boxes\npens_per_box = 12 # 12 pens\npens = boxes * pens_per_box\n"
            "# L2\nsold = 9 # 9 pens are sold\nleft = pens - sold",
            "Ann bought 4 boxes of pens, and each box holds 12 pens. Ann sold 9 pens at the fair. How many pens are left?",
            (_EDITED.format(16), _EDITED.format(12)),
        ),
    ),
)
def restated_input(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Say an input again, as a sentence of its own or in parentheses, once with a wrong and once with the right value."""
    places, twins = list(subject.question.places), NearTwins(subject, NAME, random)
    random.shuffle(places)
    yield from first_variants((_variants(twins, place) for place in places), MOST)
    if not places:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _variants(twins: NearTwins, place: NumberPlace) -> Sequence[VariantResult]:
    restatement = next(restatements(twins.subject.question, place, place.variables[0], twins.random), None)
    if restatement is None:
        return twins.said_twice(place)
    return twins.misstated(restatement, RESTATED, [place])
