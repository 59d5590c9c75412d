"""Contradictory variants that state a quantity with a value other than the one that their numbers give."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from generators.variants.insertion.placement import PlacedStatement, placed_statements
from generators.variants.insertion.stated_facts import STATED
from generators.variants.near_twins import NearTwins
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

NAME = "stated_quantity"
MOST = 4


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nboxes = 4 # 4 boxes\npens_per_box = 12 # 12 pens\nThe_number_of_pens = boxes * pens_per_box\n"
            "# L2\nprice = 3 # 3 dollars\ncost = The_number_of_pens * price",
            "Ann fills 4 boxes with 12 pens each. A pen costs $3. What do the pens cost?",
            (
                "Ann fills 5 boxes with 12 pens each. The number of pens is 48. A pen costs $3. What do the pens cost?",
                "Ann fills 4 boxes with 12 pens each. The number of pens is 48. A pen costs $3. What do the pens cost?",
            ),
        ),
    ),
)
def stated_quantity(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """State intermediate results as sentences, each once with a wrong and once with the right value."""
    placed, twins = placed_statements(subject), NearTwins(subject, NAME, random)
    yield from first_variants((_variants(twins, statement) for statement in placed), MOST)
    if not placed:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _variants(twins: NearTwins, placed: PlacedStatement | DiscardedVariant) -> Sequence[VariantResult]:
    if isinstance(placed, DiscardedVariant):
        return (replace(placed, operator=NAME),)
    return twins.misstated(placed, STATED, twins.subject.question.places)
