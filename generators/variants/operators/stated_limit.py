"""Contradictory variants that state a limit, such as `at most 40`, which a quantity of the problem does not keep."""

from collections.abc import Iterator
from random import Random

from generators.variants.insertion.placement import PlacedStatement, placed_statements
from generators.variants.insertion.stated_facts import clashing_inputs, limits
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
from harness.text.numbers import LimitSide

NAME = "stated_limit"
MOST = 2
_EDITED = "Ann fills {} boxes with 12 pens each. The number of pens is {}. A pen costs $3. What do the pens cost?"


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nboxes = 4 # 4 boxes\npens_per_box = 12 # 12 pens\nThe_number_of_pens = boxes * pens_per_box\n"
            "# L2\nprice = 3 # 3 dollars\ncost = The_number_of_pens * price",
            "Ann fills 4 boxes with 12 pens each. A pen costs $3. What do the pens cost?",
            (_EDITED.format(6, "at most 50"), _EDITED.format(4, "at most 50")),
        ),
    ),
)
def stated_limit(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """State limits of intermediate results, each once with a number that the result breaks and once with one that it keeps."""
    placed = [statement for statement in placed_statements(subject) if isinstance(statement, PlacedStatement)]
    random.shuffle(placed)
    twins = NearTwins(subject, NAME, random)
    yield from first_variants((_variants(twins, statement) for statement in placed), MOST)
    if not placed:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _variants(twins: NearTwins, placed: PlacedStatement) -> list[VariantResult]:
    """Return a pair for each side of the value on which a statement can have a limit."""
    subject, random, results = twins.subject, twins.random, list[VariantResult]()
    for side in (LimitSide.MOST,) if placed.statement.tells_need else LimitSide:
        match limits(subject, placed, side, random):
            case [kept, broken]:
                places = subject.question.places
                results += twins.clashing(next(clashing_inputs(subject, kept, places, random), broken), kept)
            case _:
                detail = placed.statement.before
                results.append(DiscardedVariant(NAME, placed.statement.variable, VariantDiscard.UNWRITABLE, detail))
    return results
