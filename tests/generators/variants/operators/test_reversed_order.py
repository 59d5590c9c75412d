"""Tests of variants that reverse a stated order: certificate, words, and what is not told."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from generators.flaws.solution.example_solutions import example_source
from generators.variants.operators.reversed_order import reversed_order
from generators.variants.variant_proposal import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

COMPARED = (
    ("Ulf has 5 more pens than Ida", "+", "pens", "more pens"),
    ("Ulf has 5 fewer pens than Ida", "-", "pens", "fewer pens"),
    ("Ulf has 5 times as many pens as Ida", "*", "pens", "more pens"),
    ("Ulf is 5 years older than Ida", "+", "years", "older"),
    ("Ulf weighs 5 pounds less than Ida", "-", "pounds", "less"),
)


def proposals(told: str, operator: str, unit: str, *, rest: str = "Each day has 3 rounds.") -> list[VariantProposal]:
    """Return what is made of a problem in which Ida has 12 and Ulf is compared with her."""
    said = "times as many" if operator == "*" else f"{unit} of Ulf"
    code = (
        f"# L1\nida = 12  # Ida: 12 {unit}\nnumber = 5  # 5 {said}\nulf = ida {operator} number  # Ulf: {unit}\n"
        "# L2\nrounds = 3  # 3 rounds\nresult = ulf * rounds"
    )
    question = f"The number of {unit} of Ida is 12. {told}. {rest} What is the product?"
    subject = VariantSubject(example_source(code, question))
    return [result for result in reversed_order.variants(subject, Random(1)) if isinstance(result, VariantProposal)]


@pytest.mark.parametrize(("told", "operator", "unit", "said"), COMPARED)
def test_the_order_is_said_once_wrong_and_once_right(told: str, operator: str, unit: str, said: str) -> None:
    """Variant and twin have the same words; the values of the problem break the variant's bound and keep the twin's."""
    variant, twin = proposals(told, operator, unit)
    assert Counter(variant.text) == Counter(twin.text)
    assert f"So Ida {told.split()[1]} {said} than Ulf." in variant.text
    assert f"So Ulf {told.split()[1]} {said} than Ida." in twin.text
    assert twin.problem_class is ProblemClass.SOLVABLE
    assert twin.system.violated(twin.system.complete()) is None
    broken = variant.system.violated(variant.system.complete())
    assert broken is not None
    assert (broken.name,) == variant.clash


def test_nothing_is_said_where_a_pronoun_would_lose_its_noun() -> None:
    """A sentence between a name and its pronoun would change whom the pronoun means."""
    assert proposals(*COMPARED[0][:3], rest="He plays 3 rounds.") == []


def test_a_number_that_relates_other_quantities_is_no_order() -> None:
    """What is left of a total differs from it by the number too, but is nobody's compared quantity."""
    code = (
        "# L1\ntotal = 12  # 12 pens in all\nnumber = 5  # 5 more\ntwice = total - number\n"
        "# L2\nrounds = 3  # 3 rounds\nresult = twice * rounds"
    )
    question = "There are 12 pens in all. Ulf has 5 more pens than Ida. Each day has 3 rounds. What is the product?"
    subject = VariantSubject(example_source(code, question))
    assert not any(isinstance(result, VariantProposal) for result in reversed_order.variants(subject, Random(1)))
