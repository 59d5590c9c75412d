"""Tests of underspecified variants and their near-twins on generated problems: what one lacks the other gives elsewhere."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from generators.flaws.solution.example_solutions import example_source
from generators.variants.operators.removed_number import removed_number
from generators.variants.operators.removed_sentence import removed_sentence
from generators.variants.operators.vague_quantity import vague_quantity
from generators.variants.variant_proposal import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.text.numbers import mentions

if TYPE_CHECKING:
    from harness.domain import Exact

PROBLEMS = 40
OPERATORS = (removed_number, removed_sentence, vague_quantity)
PEOPLE = (("Ida", "She"), ("Ulf", "He"), ("Petra", "She"), ("Tomas", "He"))
PACKED = (("box", "boxes", "mug"), ("crate", "crates", "melon"), ("tray", "trays", "egg"), ("bag", "bags", "bean"))
OTHERS = (("candle", "candles"), ("book", "books"), ("lamp", "lamps"), ("chair", "chairs"))
NUMBERS = range(13, 98)


def problem(seed: int) -> tuple[str, str]:
    """Return the code and the question of a problem whose sentences are put together by chance; all its numbers differ."""
    random = Random(seed)
    name, pronoun = random.choice(PEOPLE)
    (box, boxes, thing), (other, others) = random.choice(PACKED), random.choice(OTHERS)
    count, each, extra, price, paid = random.sample(NUMBERS, 5)
    packs = random.choice(
        [
            f"{name} has {count} {boxes}. Each {box} holds {each} {thing}s.",
            f"{name} has {count} {boxes} with {each} {thing}s in each {box}.",
            f"There are {count} {boxes} in the cellar, and each {box} holds {each} {thing}s.",
            f"{name} carries {count} {boxes} home. Every {box} contains {each} {thing}s.",
        ]
    )
    buys = random.choice(
        [
            f"{pronoun if name in packs else name} buys {extra} {others} for ${price} each.",
            f"{name} buys {extra} {others}. A {other} costs ${price}.",
        ]
    )
    pays = random.choice([f"{name} pays ${paid} for glue.", f"{name} also spends ${paid} on glue."])
    asked = random.choice([f"If {name} adds up everything, what is the sum?", "What is the sum of all this?"])
    code = (
        f"# L1\ncount = {count}  # {count} {boxes}\neach = {each}  # each {box} holds {each} {thing}s\nall = count * each\n"
        f"# L2\nextra = {extra}  # {extra} {others}\nprice = {price}  # ${price} each\ncost = extra * price\n"
        f"# L3\npaid = {paid}  # ${paid} for glue\nspent = cost + paid\n# L4\nresult = all + spent"
    )
    return code, f"{packs} {buys} {pays} {asked}"


@cache
def families() -> tuple[tuple[VariantProposal, VariantProposal | None], ...]:
    """Return the variants of all problems, each with its near-twin, if it has one."""
    found: list[tuple[VariantProposal, VariantProposal | None]] = []
    for seed in range(PROBLEMS):
        subject = VariantSubject(example_source(*problem(seed)))
        for operator in OPERATORS:
            made = [
                result for result in operator.variants(subject, Random(seed)) if isinstance(result, VariantProposal)
            ]
            twins = {proposal.twin: proposal for proposal in made if proposal.twin is not None}
            found += [(variant, twins.get(variant.text)) for variant in made if variant.twin is None]
    return tuple(found)


def pairs() -> list[tuple[VariantProposal, VariantProposal]]:
    """Return the variants that have near-twins, and those."""
    return [(variant, twin) for variant, twin in families() if twin is not None]


def values(text: str) -> Counter[Exact]:
    """Return the numbers of a text."""
    return Counter(mention.readings[0] for mention in mentions(text))


def test_every_operator_makes_variants_and_near_twins_of_the_generated_problems() -> None:
    """The laws below hold of something."""
    made = Counter(variant.operator for variant, _ in families())
    twins = Counter(variant.operator for variant, _ in pairs())
    assert min(made[operator.name] for operator in OPERATORS) >= 20
    assert min(twins[operator.name] for operator in OPERATORS) >= 5


def test_no_number_that_went_is_left_in_any_form() -> None:
    """What a variant lacks stands nowhere in it, in digits or words, and nothing else is lacking."""
    for variant, _ in families():
        lost = {variant.subject.values[name] for name in variant.system.free}
        original = values(variant.subject.question.text)
        assert lost, variant.text
        assert lost.isdisjoint(values(variant.text)), variant.text
        assert set(values(variant.text)) >= set(original) - lost, variant.text


def test_a_near_twin_has_all_numbers_of_the_problem() -> None:
    """The number that went is said after all."""
    for _, twin in pairs():
        assert set(values(twin.text)) >= set(values(twin.subject.question.text)), twin.text
        assert twin.problem_class is ProblemClass.SOLVABLE
        assert not twin.system.free
