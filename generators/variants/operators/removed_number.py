"""Underspecified variants that lose a number alone; the text still mentions what it counts or compares."""

from collections.abc import Iterable
from random import Random

from generators.variants.near_twins import NearTwins
from generators.variants.removal.number_removal import unsaid_number
from generators.variants.variant_operator import VariantExample, VariantResult, first_variants, variant_operator
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

NAME = "removed_number"
MOST = 2
EXAMPLES = (
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # 6 mugs in each box\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra packs 4 boxes. Each box holds 6 mugs of tea. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Petra packs 4 boxes (exactly 4). Each box holds mugs of tea, and on the way, 5 mugs break. How many mugs are whole?",
            "Petra packs boxes (exactly 4). Each box holds 6 mugs of tea, and on the way, 5 mugs break. How many mugs are whole?",
        ),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def removed_number(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a number, `Petra packs boxes`; the near-twin says one after all that goes so, the variant says another one twice."""
    places = [place for place in subject.question.places if place.value != 1]
    random.shuffle(places)
    removals = ((place, unsaid_number(subject, place)) for place in places)
    twins = NearTwins(subject, NAME, random)
    attempts = (twins.single_loss(place, [removal] if removal else []) for place, removal in removals)
    yield from first_variants(attempts, MOST)
