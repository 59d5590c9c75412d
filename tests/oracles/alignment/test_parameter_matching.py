"""Tests of parameter matching: the matching of inputs is optimal and independent of their order."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from harness.domain import Parameter, Provenance, Status
from oracles.alignment.parameter_matching import SAME_PROVENANCE, SAME_TYPE, align, alignment_verdict
from tests.cases import cases

# Names of the two sides with no letter in common at the beginning: their words never overlap.
NAMES = {
    "l": ("apple", "bread", "cheese", "dumpling", "eggplant", "fennel", "garlic", "honey", "ivory"),
    "r": ("quartz", "river", "stone", "timber", "umbrella", "velvet", "walnut", "xylophone", "yellow"),
}
Table = dict[tuple[str, str], float]


def parameter(
    name: str, value: int | Fraction = 5, kind: str = "int", provenance: Provenance = Provenance.QUESTION
) -> Parameter:
    """Return a parameter without a comment."""
    return Parameter(name, value, kind, provenance, "", 1)


class Similarity(Table):
    """A symmetric table of similarities."""

    def __call__(self, left: str, right: str) -> float:
        """Look a pair up, in either order."""
        return self.get((left, right), self.get((right, left), 0.0))


@st.composite
def problems(draw: st.DrawFn, most: int = 5) -> tuple[list[Parameter], list[Parameter], Similarity]:
    """Draw two sides with few values, so that buckets are ambiguous, and similarities without ties."""
    random = Random(draw(st.integers(0, 2**32)))
    kinds = (5, Fraction(5), 7), ("int", "float"), tuple(Provenance)
    names = (NAMES[side][: random.randint(0, most)] for side in "lr")
    sides = [[parameter(name, *map(random.choice, kinds)) for name in own] for own in names]
    table = {(own.text, other.text): random.uniform(-0.2, 1) for own in sides[0] for other in sides[1]}
    return sides[0], sides[1], Similarity(table)


@given(problems())
@settings(max_examples=300)
def test_a_matching_is_one_to_one_among_equal_values(
    problem: tuple[list[Parameter], list[Parameter], Similarity],
) -> None:
    """5 and 5.0 are one value, what is not matched is listed, the runners-up follow by weight, and which side is left makes no difference."""
    left, right, similarity = problem
    found, back = align(left, right, similarity), align(right, left, similarity).best
    firsts, seconds = [pair.left for pair in found.best.pairs], [pair.right for pair in found.best.pairs]
    assert all(left[first].value == right[other].value for first, other in zip(firsts, seconds, strict=True))
    assert sorted([*firsts, *found.unaligned_left]) == list(range(len(left)))
    assert sorted([*seconds, *found.unaligned_right]) == list(range(len(right)))
    weights = [found.best.weight, *(alignment.weight for alignment in found.runners_up)]
    assert weights == sorted(weights, reverse=True)
    assert ({pair[::-1] for pair in back.places}, back.weight) == (found.best.places, found.best.weight)


def weight(left: Parameter, right: Parameter, similarity: Similarity) -> float:
    """Return what a pair adds to a matching."""
    alike = left.provenance is right.provenance or Provenance.UNKNOWN in (left.provenance, right.provenance)
    return similarity(left.text, right.text) + SAME_TYPE * (left.type == right.type) + SAME_PROVENANCE * alike


def best_by_force(left: Sequence[Parameter], right: Sequence[Parameter], similarity: Similarity) -> float:
    """Return the greatest weight of any matching that pairs equal values and leaves nothing unmatched on a bucket's smaller side."""
    total = 0.0
    for value in {Fraction(parameter.value) for parameter in left}:
        first = [parameter for parameter in left if parameter.value == value]
        second = [parameter for parameter in right if parameter.value == value]
        short, long = sorted((first, second), key=len)
        total += max(
            sum(weight(own, other, similarity) for own, other in zip(short, chosen, strict=True))
            for chosen in itertools.permutations(long, len(short))
        )
    return total


@given(problems(most=6))
def test_the_matching_is_optimal(problem: tuple[list[Parameter], list[Parameter], Similarity]) -> None:
    """No matching has a greater sum, by brute force."""
    left, right, similarity = problem
    assert align(left, right, similarity).best.weight == pytest.approx(best_by_force(left, right, similarity), abs=1e-6)


@given(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)))
def test_combinations_are_what_alternatives_leave_out(sizes: tuple[int, int, int]) -> None:
    """The best, what differs in one bucket and what differs in several are all plausible matchings, each once."""
    every_side = (
        [(name, value) for value, size in zip((3, 4, 5), sizes, strict=True) for name in NAMES[side][:size]]
        for side in "lr"
    )
    sides = [[parameter(f"{name}{value}", value) for name, value in own] for own in every_side]
    found = align(sides[0], sides[1], lambda *_: 0.5)
    every = [found.best.places, *(alternative.places for alternative in (*found.alternatives(), *found.combinations()))]
    assert (len(every), len(set(every))) == (math.prod(map(math.factorial, sizes)),) * 2


def test_what_a_large_bucket_leaves_open_is_said_to_be_incomplete() -> None:
    """Of more matchings than can be listed, those that exchange two inputs are, and the list says that it is not whole; of eight inputs of one value nothing is matched."""
    for count, matched, exchanges, listed in ((3, 3, 5, True), (5, 5, 10, False), (8, 0, 0, True)):
        left, right = ([parameter(name) for name in NAMES[side][:count]] for side in "lr")
        found = align(left, right, lambda *_: 0.5)
        assert (len(found.best.pairs), len(list(found.alternatives())), found.listed) == (matched, exchanges, listed)


VERDICTS = {
    "all aligned": ([5, 7], [7, 5], Status.CONFIRMED, 2),
    "some aligned": ([5, 7], [5], Status.UNKNOWN, 1),
    "one more on the right": ([5], [5, 9], Status.UNKNOWN, 1),
    "none aligned": ([5], [7], Status.REFUTED, 0),
    "no inputs on one side": ([5], [], Status.UNKNOWN, 0),
    "no inputs at all": ([], [], Status.UNKNOWN, 0),
}


@cases("case", VERDICTS)
def test_the_verdict_says_how_much_is_aligned(case: str) -> None:
    """CONFIRMED only where every input has its counterpart; nothing aligned never reads as agreement."""
    first, second, status, checked = VERDICTS[case]
    left, right = (
        [parameter(f"{side}{value}", value) for value in values] for side, values in (("l", first), ("r", second))
    )
    verdict = alignment_verdict("p", ("a", "b"), left, right, align(left, right, Similarity({})))
    assert (verdict.status, verdict.checked) == (status, checked)
