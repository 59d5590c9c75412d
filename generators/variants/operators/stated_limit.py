"""Contradictory variants that state a limit, such as `at most 40`, which a quantity of the problem does not keep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.insertion.placement import PlacedStatement, placed_statements
from generators.variants.insertion.quantity_statements import QuantityStatement
from generators.variants.insertion.stated_facts import LIMIT_PREFIX, StatedNumber, limited_variants
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantResult, first_variants
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.domain import Exact
from harness.text.nouns import phrase_at
from harness.text.numbers import LimitSide

NAME = "stated_limit"
MOST = 2
_COUNTED = {
    LimitSide.MOST: ("at most", "no more than", "fewer than"),
    LimitSide.LEAST: ("at least", "more than"),
}
_MEASURED = {LimitSide.MOST: ("at most", "no more than", "less than"), LimitSide.LEAST: ("at least", "more than")}
_COMPARED = re.compile(r" (?:[a-z]+ ){0,2}?(?:more|less|fewer|older|younger|longer|shorter)\b")
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
    name, value = placed.statement.variable, placed.statement.value
    others = neighbors_of(value, placed.statement.form, subject.units[name], mentioned_values(subject))
    below, above = [other for other in others if other < value], [other for other in others if other > value]
    # `fewer` wants the things after its number: a camel is less than 296 tall in inches.
    counted = subject.units[name].quantity is Quantity.COUNT and phrase_at(placed.statement.after, 0) is not None
    statement = _limited(placed.statement, random.choice((_COUNTED if counted else _MEASURED)[side]))
    compared = _COMPARED.match(statement.after) is not None
    if compared or not below or not above or f"{LIMIT_PREFIX}{name}" in subject.values:
        return (DiscardedVariant(NAME, name, VariantDiscard.UNWRITABLE, statement.before),)
    lower, upper = (_stated(subject, statement, random.choice(values)) for values in (below, above))
    if lower is None or upper is None:
        return (DiscardedVariant(NAME, name, VariantDiscard.UNWRITABLE, statement.before),)
    wrong, right = (lower, upper) if side is LimitSide.MOST else (upper, lower)
    return limited_variants(subject, NAME, name, placed.sentence, side, wrong=wrong, right=right)


def _limited(statement: QuantityStatement, words: str) -> QuantityStatement:
    """Return a statement with words in front of its number, and of the dollar sign before that."""
    before = statement.before.removesuffix("$")
    return replace(statement, before=f"{before}{words} {statement.before[len(before) :]}")


def _stated(subject: VariantSubject, statement: QuantityStatement, value: Exact) -> StatedNumber | None:
    sentence = statement.write(value, subject.source.text.vocabulary)
    return None if sentence is None else StatedNumber(value, sentence)
