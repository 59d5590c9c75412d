"""Underspecified variants that lose a number: it goes without a trace, or becomes a vague quantity or a limit; the text still mentions what it counts."""

from collections.abc import Iterable
from random import Random

from generators.variants.input_places import NumberPlace
from generators.variants.near_twins import NearTwins
from generators.variants.question_edit import QuestionChange
from generators.variants.removal.number_removal import limited_numbers, unsaid_number, vague_numbers
from generators.variants.variant_operator import VariantExample, VariantResult, first_variants, variant_operator
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

MOST = 2
LIMITED = 0.6
"""How often a number becomes a limit where it could be a vague word: limits stand in contradictory variants, too."""


@variant_operator(
    "removed_number",
    problem_class=ProblemClass.UNDERSPECIFIED,
    examples=(
        VariantExample(
            "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # 6 mugs in each box\nmugs = boxes * per_box\n"
            "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
            "Petra packs 4 boxes. Each box holds 6 mugs of tea. On the way, 5 mugs break. How many mugs are whole?",
            (
                "Petra packs 4 boxes (exactly 4). Each box holds mugs of tea, and on the way, 5 mugs break. How many mugs are whole?",
                "Petra packs boxes (exactly 4). Each box holds 6 mugs of tea, and on the way, 5 mugs break. How many mugs are whole?",
            ),
        ),
    ),
)
def removed_number(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a number, `Petra packs boxes`; the near-twin says one after all that goes so, the variant says another one twice."""
    places = [place for place in subject.question.places if place.value != 1]
    random.shuffle(places)
    removals = ((place, unsaid_number(subject, place)) for place in places)
    twins = NearTwins(subject, "removed_number", random)
    attempts = (twins.single_loss(place, [removal] if removal else []) for place, removal in removals)
    yield from first_variants(attempts, MOST)


@variant_operator(
    "vague_quantity",
    problem_class=ProblemClass.UNDERSPECIFIED,
    examples=(
        VariantExample(
            "# L1\njugs = 4  # 4 jugs\nprice = 6  # $6 each\nearned = jugs * price\n"
            "# L2\nspent = 5  # $5 spent on tea\nleft = earned - spent",
            "Petra sells 4 jugs at $6 each. She spends $5 on tea. How much money is left?",
            (
                "Petra sells 4 jugs (exactly 4) at $6 (exactly $6) each. She spends some money on tea. How much money is left?",
                "Petra sells 4 jugs (exactly 4) at $6 each. She spends some money (exactly $5) on tea. How much money is left?",
            ),
        ),
    ),
)
def vague_quantity(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Replace a needed value by vague words where its number cannot be removed by itself; the near-twin says one after all that goes so, the variant says another one twice."""
    places, twins = list(subject.question.places), NearTwins(subject, "vague_quantity", random)
    random.shuffle(places)
    yield from first_variants((twins.single_loss(place, _vague(subject, place, random)) for place in places), MOST)


def _vague(subject: VariantSubject, place: NumberPlace, random: Random) -> list[QuestionChange]:
    limited = limited_numbers(subject, place, random)
    vague = vague_numbers(subject, place) if unsaid_number(subject, place) is None else []
    return limited if not vague or (limited and random.random() < LIMITED) else vague
