"""Underspecified variants in which a needed value becomes a vague quantity: `some`, `several`, `a certain amount of money`."""

from collections.abc import Iterable
from random import Random

from generators.variants.near_twins import NearTwins
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import QuestionChange
from generators.variants.removal.number_removal import limited_numbers, unsaid_number, vague_numbers
from generators.variants.variant_operator import VariantExample, VariantResult, first_variants, variant_operator
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

NAME = "vague_quantity"
MOST = 2
LIMITED = 0.6
"""How often a number becomes a limit where it could be a vague word: limits stand in contradictory variants, too."""
EXAMPLES = (
    VariantExample(
        "# L1\njugs = 4  # 4 jugs\nprice = 6  # $6 each\nearned = jugs * price\n"
        "# L2\nspent = 5  # $5 spent on tea\nleft = earned - spent",
        "Petra sells 4 jugs at $6 each. She spends $5 on tea. How much money is left?",
        (
            "Petra sells 4 jugs (exactly 4) at $6 (exactly $6) each. She spends some money on tea. How much money is left?",
            "Petra sells 4 jugs (exactly 4) at $6 each. She spends some money (exactly $5) on tea. How much money is left?",
        ),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def vague_quantity(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Replace a needed value by vague words where its number cannot be removed by itself; the near-twin says one after all that goes so, the variant says another one twice."""
    places, twins = list(subject.question.places), NearTwins(subject, NAME, random)
    random.shuffle(places)
    yield from first_variants((twins.single_loss(place, _removals(subject, place, random)) for place in places), MOST)


def _removals(subject: VariantSubject, place: NumberPlace, random: Random) -> list[QuestionChange]:
    limited = limited_numbers(subject, place, random)
    vague = vague_numbers(subject, place) if unsaid_number(subject, place) is None else []
    return limited if not vague or (limited and random.random() < LIMITED) else vague
