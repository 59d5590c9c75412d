"""Contradictory variants that state a number which the others contradict: an input again, the limit of a result, or a result."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from generators.variants.insertion.placement import placed_statements
from generators.variants.insertion.quantity_statements import QuantityStatement
from generators.variants.insertion.stated_facts import STATED, clashing_inputs, limits
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

MOST_INPUTS, MOST_LIMITS, MOST_RESULTS = 1, 2, 4
_AGAIN = "Ann bought 4 boxes of pens, and each box holds {} pens. To be clear, each box holds 12 pens. Ann sold pens (exactly 9) at the fair. How many pens are left?"
_WITH_TOTAL = "Ann fills {} boxes with 12 pens each. The number of pens is {}. A pen costs $3. What do the pens cost?"
_BOXES = (
    "# L1\nboxes = 4 # 4 boxes\npens_per_box = 12 # 12 pens\nThe_number_of_pens = boxes * pens_per_box\n"
    "# L2\nprice = 3 # 3 dollars\ncost = The_number_of_pens * price"
)
_QUESTION = "Ann fills 4 boxes with 12 pens each. A pen costs $3. What do the pens cost?"


@variant_operator(
    "restated_input",
    VariantExample(
        "# L1\nboxes = 4 # 4 boxes\npens_per_box = 12 # 12 pens\npens = boxes * pens_per_box\n"
        "# L2\nsold = 9 # 9 pens are sold\nleft = pens - sold",
        "Ann bought 4 boxes of pens, and each box holds 12 pens. Ann sold 9 pens at the fair. How many pens are left?",
        (_AGAIN.format(14), _AGAIN.format(12)),
    ),
    problem_class=ProblemClass.CONTRADICTORY,
)
def restated_input(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Say an input again, as a sentence of its own or in parentheses, once with a wrong and once with the right value."""
    places, twins = list(subject.question.places), NearTwins(subject, "restated_input", random)
    random.shuffle(places)
    yield from first_variants(map(twins.said_twice, places), MOST_INPUTS)


@variant_operator(
    "stated_limit",
    VariantExample(_BOXES, _QUESTION, (_WITH_TOTAL.format(6, "at most 50"), _WITH_TOTAL.format(4, "at most 50"))),
    problem_class=ProblemClass.CONTRADICTORY,
)
def stated_limit(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """State limits of intermediate results, each once with a number that the result breaks and once with one that it keeps."""
    placed = [statement for statement in placed_statements(subject) if isinstance(statement, QuantityStatement)]
    random.shuffle(placed)
    twins = NearTwins(subject, "stated_limit", random)
    yield from first_variants((_limits_of(twins, statement) for statement in placed), MOST_LIMITS)


def _limits_of(twins: NearTwins, statement: QuantityStatement) -> list[VariantResult]:
    """Return a pair for each side of the value on which a statement can have a limit."""
    subject, random, results = twins.subject, twins.random, list[VariantResult]()
    for side in LimitSide:
        match limits(subject, statement, side, random):
            case [kept, broken]:
                places = subject.question.places
                wrong = next(clashing_inputs(subject, kept, places, random), broken)
                results += twins.clashing(wrong, kept, states=True)
            case _:
                name, words = statement.variable, statement.before
                results.append(DiscardedVariant(twins.operator, name, VariantDiscard.UNWRITABLE, words))
    return results


@variant_operator(
    "stated_quantity",
    VariantExample(_BOXES, _QUESTION, (_WITH_TOTAL.format(5, 48), _WITH_TOTAL.format(4, 48))),
    problem_class=ProblemClass.CONTRADICTORY,
)
def stated_quantity(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """State intermediate results as sentences, each once with a wrong and once with the right value."""
    placed, twins = placed_statements(subject), NearTwins(subject, "stated_quantity", random)
    yield from first_variants((_result_stated(twins, statement) for statement in placed), MOST_RESULTS)


def _result_stated(twins: NearTwins, statement: QuantityStatement | DiscardedVariant) -> Sequence[VariantResult]:
    if isinstance(statement, DiscardedVariant):
        return (replace(statement, operator=twins.operator),)
    return twins.misstated(statement, STATED, twins.subject.question.places)
