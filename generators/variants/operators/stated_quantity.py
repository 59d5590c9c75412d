"""Contradictory variants that state a quantity with a value other than the one that their numbers give."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generators.variants.question.allowed_words import stems, strange_names, unknown_words
from generators.variants.text.insertion import (
    can_follow,
    inputs_below,
    is_already_stated,
    mentions_of,
    names_period,
    prices_many,
    sentence_before,
    spans_time,
    stated_variants,
)
from generators.variants.text.quantity_statements import QuantityStatement, statements_of
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantResult, first_variants
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

NAME = "stated_quantity"
MOST = 3


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nboxes = 4 # 4 boxes\npens_per_box = 12 # 12 pens\nThe_number_of_pens = boxes * pens_per_box\n"
            "# L2\nprice = 3 # 3 dollars\ncost = The_number_of_pens * price",
            "Ann fills 4 boxes with 12 pens each. A pen costs $3. What do the pens cost?",
            (
                "Ann fills 4 boxes with 12 pens each. The number of pens is 46. A pen costs $3. What do the pens cost?",
                "Ann fills 4 boxes with 12 pens each. The number of pens is 48. A pen costs $3. What do the pens cost?",
            ),
        ),
    ),
)
def stated_quantity(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """State intermediate results as sentences, each once with a wrong and once with the right value."""
    known = stems(subject.question.text)
    statements = statements_of(subject.source)
    yield from first_variants((_variants(subject, statement, known, random) for statement in statements), MOST)
    if not statements:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _variants(
    subject: VariantSubject, statement: QuantityStatement, known: frozenset[str], random: Random
) -> tuple[VariantResult, ...]:
    name, value = statement.variable, statement.value
    words = statement.before + statement.after
    unknown = unknown_words(words, known) or strange_names(words, subject.question.text)
    if unknown:
        return (DiscardedVariant(NAME, name, VariantDiscard.GRAMMAR, unknown[0]),)
    given = mentions_of(subject, inputs_below(subject, name))
    sentence = sentence_before(subject.question, given) if given else None
    right = statement.write(value)
    if given is None or sentence is None or right is None:
        return (DiscardedVariant(NAME, name, VariantDiscard.UNLOCATED),)
    if not can_follow(subject.question, sentence, right.text, given):
        return (DiscardedVariant(NAME, name, VariantDiscard.NO_PLACE, right.text),)
    vague = spans_time(subject, name) and not names_period(right.text)
    if vague or is_already_stated(subject.question, right.text) or prices_many(subject, name, right.text):
        return (DiscardedVariant(NAME, name, VariantDiscard.STALE, right.text),)
    others = neighbors_of(value, statement.form, subject.units[name], mentioned_values(subject))
    wrong = random.choice(others) if others else None
    stated = None if wrong is None else statement.write(wrong, subject.source.text.vocabulary)
    if wrong is None or stated is None:
        return (DiscardedVariant(NAME, name, VariantDiscard.UNWRITABLE, right.text),)
    return stated_variants(subject, NAME, f"stated:{name}", sentence, wrong=(wrong, stated), right=(value, right))
