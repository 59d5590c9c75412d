"""Contradictory variants that state a limit, such as `at most 40`, which a quantity of the problem does not keep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.insertion.placement import PlacedStatement, placed_statements
from generators.variants.insertion.stated_facts import LIMIT_PREFIX, limited_variants, near_values
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantResult, first_variants
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from harness.text.nouns import phrase_at
from harness.text.numbers import LimitSide

NAME = "stated_limit"
MOST = 2
_LIMITS = english("variants").mapping("limiting")
"""The words of a limit by its side and what it limits, things that are counted or what is measured."""
_COMPARING = english("variants").words("comparing")
_TOLD = "Ann fills 4 boxes with 12 pens each. The number of pens is {}. A pen costs $3. What do the pens cost?"


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nboxes = 4 # 4 boxes\npens_per_box = 12 # 12 pens\nThe_number_of_pens = boxes * pens_per_box\n"
            "# L2\nprice = 3 # 3 dollars\ncost = The_number_of_pens * price",
            "Ann fills 4 boxes with 12 pens each. A pen costs $3. What do the pens cost?",
            (
                _TOLD.format("at most 46"),
                _TOLD.format("at most 50"),
                _TOLD.format("more than 51"),
                _TOLD.format("more than 45"),
            ),
        ),
    ),
)
def stated_limit(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """State limits of intermediate results, each once with a number that the result breaks and once with one that it keeps."""
    placed = [statement for statement in placed_statements(subject) if isinstance(statement, PlacedStatement)]
    random.shuffle(placed)
    yield from first_variants((_variants(subject, statement, random) for statement in placed), MOST)
    if not placed:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _variants(subject: VariantSubject, placed: PlacedStatement, random: Random) -> tuple[VariantResult, ...]:
    """Return a pair for each side of the value on which a statement can have a limit."""
    sides = (LimitSide.MOST,) if placed.statement.tells_need else tuple(LimitSide)
    return tuple(result for side in sides for result in _on_side(subject, placed, side, random))


def _on_side(
    subject: VariantSubject, placed: PlacedStatement, side: LimitSide, random: Random
) -> tuple[VariantResult, ...]:
    statement, near = placed.statement, near_values(subject, placed)
    name, phrase = statement.variable, phrase_at(statement.after, 0)
    # `fewer` wants the things after its number: a camel is less than 296 tall in inches.
    counted = subject.units[name].quantity is Quantity.COUNT and phrase is not None
    words = random.choice(_LIMITS[f"{side}-{'counted' if counted else 'measured'}"])
    before = statement.before.removesuffix("$")
    limited = replace(statement, before=f"{before}{words} {statement.before[len(before) :]}")
    below, above = (
        [value for value in near if value < statement.value],
        [value for value in near if value > statement.value],
    )
    compared = not _COMPARING.isdisjoint(statement.after.split()[:2])
    if compared or not below or not above or f"{LIMIT_PREFIX}{name}" in subject.values:
        return (DiscardedVariant(NAME, name, VariantDiscard.UNWRITABLE, statement.before),)
    lower, upper = (limited.write(random.choice(values)) for values in (below, above))
    if lower is None or upper is None:
        return (DiscardedVariant(NAME, name, VariantDiscard.UNWRITABLE, statement.before),)
    wrong, right = (lower, upper) if side is LimitSide.MOST else (upper, lower)
    return limited_variants(subject, NAME, placed, side, wrong=wrong, right=right)
