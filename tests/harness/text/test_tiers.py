"""Tests of tiers: a solution has the tier that the definition gives to its arithmetic, computed in linear time."""

from harness.corpora.problems import load_corpus
from harness.text.tiers import TIERS, tier_of
from tests.cases import cases, rows

EXAMPLES = {
    **{
        solution: int(tier)
        for solution, tier in rows("""5 + 3 - 2 = 6 → 1 | He drives 50 miles/hour for 2 hours, 50*2 = <<50*2=100>>100 miles. → 1 | 2 x 3 = 6 → 1
It costs 2*$1.50 = $<<2*1.5=3>>3. → 2 | 2.5+3.5 = <<2.5+3.5=6>>6 → 2 | .5*4 = 2 → 2 | 48/2 = <<48/2=24>>24 → 3
48 ÷ 2 = 24 → 3 | 48 clips / 2 = 24 → 3 | 3/4 of 8 is 6 → 3 | (4+2)/3 = 2 → 3
7/2 = <<7/2=3.5>>3.5 and 3.5*2 = 7 → 3 | 20%/2 = 10% → 3 | 1.5/3 = <<1.5/3=.5>>.5 → 4 | 3/4*$1.20 = 0.90 → 4
2x + 3 = 11 → 5 | x + y = 5 → 5 | 10 = 2y → 5 | Let b represent the boys. → 5 | We write an equation. → 5
She saw a cat. A = 5 → 5""")
    },
    "": 1,
    "She has 6*9 = <<6*9=54>>54 seedlings.\n#### 54": 1,
    "Let x be the number of cats.\n2x = 10\nx = <<10/2=5>>5": 5,
}


@cases("solution", EXAMPLES)
def test_a_tier_follows_from_the_arithmetic(solution: str) -> None:
    """Integers; decimals; division; both; algebra. What a calculation gives is no decimal of the solution."""
    assert set(EXAMPLES.values()) == set(TIERS)
    assert tier_of(solution) == EXAMPLES[solution]


@cases("problem", load_corpus("mini"))
def test_tiers_of_mini_are_as_the_corpus_says(problem: object) -> None:
    """The computed tiers of all fifty bundled problems are those of the corpus."""
    assert tier_of(problem.solution) == problem.tier  # type: ignore[attr-defined]  # a problem
