"""Tests of stated parts: those of a contradiction do not fit their whole, those of a near-twin do."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

from generators.flaws.solution.example_solutions import example_source
from generators.variants.operators.stated_part import stated_part
from generators.variants.variant_proposal import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from tests.cases import cases

COUNTS = (8, 25, 40, 72, 200, 960)
THINGS = (("has", "pens"), ("bought", "apples"), ("invites", "guests"))
_PARTS = re.compile(r"(\d+)(%?) of the \w+ \w+ \w+(?:, and the other (\d+)%? (?:are|were|do|did)\b)?")


def subject_of(told: str, count: int) -> VariantSubject:
    """Return a problem in which things are counted and 3 boxes of 7 lamps are bought."""
    code = (
        f"# L1\nthings = {count}  # {told}\nboxes = 3  # 3 boxes\neach = 7  # 7 lamps\nlamps = boxes * each\n"
        "# L2\nall = things + lamps"
    )
    return VariantSubject(
        example_source(code, f"{told}. Then Ida buys 3 boxes of 7 lamps for her desk. How much is there of all this?")
    )


def made(told: str, count: int) -> list[VariantProposal]:
    """Return the variants and twins of a problem over some seeds."""
    subject = subject_of(told, count)
    results = [result for seed in range(30) for result in stated_part.variants(subject, Random(seed))]
    return [result for result in results if isinstance(result, VariantProposal)]


@cases(("count", "verb", "things"), [(count, verb, things) for count in COUNTS for verb, things in THINGS])
def test_parts_fit_their_whole_in_near_twins_alone(count: int, verb: str, things: str) -> None:
    """Some are at most all, two parts are all, two percentages are a hundred, and each of these is made wrong, too."""
    ways = set()
    for proposal in made(f"Ida {verb} {count} {things}", count):
        match = _PARTS.search(proposal.text)
        assert match is not None, proposal.text
        whole = 100 if match[2] else count
        fits = int(match[1]) <= whole if match[3] is None else int(match[1]) + int(match[3]) == whole
        assert fits is (proposal.problem_class is ProblemClass.SOLVABLE), proposal.text
        ways.add((match[2], match[3] is None))
        if match[2] and fits:
            assert Fraction(count * int(match[1]), 100).denominator == 1, proposal.text
    assert {("", True), ("", False)} <= ways


@cases(
    "told",
    [
        "Ida pays 40 dollars",
        "Ida has 40 more pens than Ulf",
        "Ida teaches 40 students a year",
        "Each box has 40 pens",
        "Ida has 40 pens and gives 9 pens to Ulf",
        "Ida buys some pens. Ulf has 40 pens",
        "Ida has 40 large pens",
        "Ida needs 40 pens",
    ],
)
def test_nothing_is_said_of_parts_where_the_whole_is_not_clear(told: str) -> None:
    """Money, comparisons, rates, things that are counted or spoken of twice, and kinds of the problem's own."""
    assert made(told, 40) == []
