"""The classes of a problem with many answers: each two of a class are equal, by few comparisons always."""

import itertools
from collections.abc import Sequence
from functools import cache
from random import Random

from hypothesis import given, settings, strategies as st

from harness.domain import Response, Status, Verdict
from harness.program.lifter import Candidate, read_candidate
from oracles.alignment.parameter_matching import align, alignment_verdict
from oracles.consensus.equivalence_classes import (
    MOST_REPRESENTATIVES,
    MOST_WORDINGS,
    Answered,
    Division,
    aligned_inputs,
    answered,
    divide,
)
from oracles.equivalence.ladder import EquivalenceJudge
from tests.cases import cases, texts


def _divided(kinds: list[int], values: int) -> tuple[list[Answered], dict[str, str], int]:
    """Return formalizations of some kinds, the representative of each, and how many comparisons were made."""
    random = Random(len(kinds))
    answers = [
        Answered(f"m{place:04}", value=kind % values, inputs={"x": random.randrange(2)})
        for place, kind in enumerate(kinds)
    ]
    kind_of = {answer.model: kind for answer, kind in zip(answers, kinds, strict=True)}
    division = divide(answers, lambda left, right: kind_of[left] == kind_of[right], lambda *_: {"x": "x"})
    assert len(set(division.pairs)) == len(division.pairs)
    assert all(left < right for left, right in division.pairs)
    return answers, division.representative, len(division.pairs)


@given(st.lists(st.integers(0, MOST_REPRESENTATIVES // 2 - 1), max_size=80), st.integers(1, 4))
def test_classes_are_the_kinds(kinds: list[int], values: int) -> None:
    """Formalizations are in one class exactly if they are equal, whatever inputs they take, and classes are compared with the largest one."""
    answers, representative, _ = _divided(kinds, values)
    for left, kind in zip(answers, kinds, strict=True):
        for right, other in zip(answers, kinds, strict=True):
            assert (representative[left.model] == representative[right.model]) == (kind == other)


@given(st.lists(st.integers(0, 400), max_size=300))
@settings(max_examples=30, deadline=None)
def test_comparisons_grow_with_the_answers(kinds: list[int]) -> None:
    """Whatever the number of classes, few comparisons are made, and what is in one class is equal."""
    answers, representative, compared = _divided(kinds, values=1)
    assert compared <= len(kinds) * (MOST_REPRESENTATIVES + 1) + MOST_REPRESENTATIVES**2
    kind_of = {answer.model: kind for answer, kind in zip(answers, kinds, strict=True)}
    assert all(kind_of[model] == kind_of[other] for model, other in representative.items())


class Programs:
    """Programs compared as the formalization stage compares them, with any similarity of words."""

    def __init__(self, texts: Sequence[str], words: Random) -> None:
        """Read them."""
        self.candidates = {
            f"m{place:03}": read_candidate(Response("p", f"m{place:03}", text)) for place, text in enumerate(texts)
        }
        self.words = words
        self.similar: dict[frozenset[str], float] = {}
        self.judge = EquivalenceJudge("p", 0)
        self.equality = cache(self._equality)
        self.alignment = cache(self._alignment)

    def similarity(self, left: str, right: str) -> float:
        """Return how similar two texts are, which is anything, but the same in both directions."""
        pair = frozenset((left, right))
        return 1.0 if left == right else self.similar.setdefault(pair, round(self.words.uniform(0, 0.95), 4))

    def _pair(self, left: str, right: str) -> tuple[Candidate, Candidate]:
        return self.candidates[left], self.candidates[right]

    def _alignment(self, left: str, right: str) -> Verdict:
        sides = [candidate.program.parameters for candidate in self._pair(left, right) if candidate.program is not None]
        return alignment_verdict("p", (left, right), *sides, align(*sides, self.similarity))

    def _equality(self, left: str, right: str) -> Verdict:
        first, second = self._pair(left, right)
        assert first.program is not None
        assert second.program is not None
        return self.judge.judge(
            first, second, align(first.program.parameters, second.program.parameters, self.similarity)
        )

    def divided(self) -> Division:
        """Return their classes."""
        answers = [
            answered(name, candidate.outcome.value, candidate.program.parameters)
            for name, candidate in self.candidates.items()
            if candidate.program is not None and candidate.outcome is not None and candidate.outcome.value is not None
        ]
        return divide(
            answers,
            lambda left, right: self.equality(left, right).status is Status.CONFIRMED,
            lambda left, right: aligned_inputs(self.alignment(left, right)),
        )

    def differing(self, division: Division) -> list[tuple[str, str, str]]:
        """Return the pairs of one class that UT-3 refutes when it is asked."""
        standing = division.representative
        return [
            (self.candidates[left].response.text, self.candidates[right].response.text, verdict.reason or "")
            for left, right in itertools.combinations(standing, 2)
            if standing[left] == standing[right] and (verdict := self.equality(left, right)).status is Status.REFUTED
        ]


FROZEN = [
    "def solve(x: int = 5):\n    return 3 * x",
    "def solve(x: int = 5, y: int = 3):\n    return x * y",
    "def solve(x: int = 5, y: int = 3):\n    return 3 * x + 7 * (y - 3)",
]
WHOLE = [
    "def solve(x: int = 5):\n    return 2 * x",
    "def solve(x: float = 5.0):\n    return 2 * x",
    "def solve(x: float = 5.0):\n    return x // 1 + x // 1",
]

MEASURED = [
    "def solve(price: int = 5):\n    return 3 * price",
    "def solve(price: int = 5):\n    return price * 3 // 1",
    "def solve(price: float = 5.0, y: int = 3):\n    return price * y",
]


@cases("texts", [FROZEN, WHOLE, MEASURED])
def test_what_is_equal_to_both_hands_no_equality_on(texts: list[str]) -> None:
    """Two programs that are equal to a third one while an input is frozen, or on whole numbers, and differ, are not of one class."""
    programs = Programs(texts, Random(0))
    assert {programs.equality("m000", other).status for other in ("m001", "m002")} == {Status.CONFIRMED}
    division = programs.divided()
    assert (division.sizes, programs.differing(division)) == ([2, 1], [])


_NAMES = ("apples", "pears", "left", "of_tom", "red_ones", "price")
_BODIES = (
    *texts("""{0} * {1} | {1} * {0} | {0} + {1} + {0} * {1} - {1} - {0} | 3 * {0} | 3 * {0} + 7 * ({1} - 3)
{0} + {0} + {0} | {0} * 3 // 1 | ({0} + {2}) * {1} - {2} * {1} | {0} * {1} + {2} - 5 | {0} * {1} + {2} - {0}
{2} * {1} + {0} - {2} | {2} * {1}"""),
)


@st.composite
def _program(draw: st.DrawFn) -> str:
    """Return a program that gives 15 from inputs 5, 3 and 5 or some of them, under any names, types and order."""
    body = draw(st.sampled_from(_BODIES))
    values = ("5", "3", "5")
    names = draw(st.permutations(_NAMES))
    used = [place for place in range(3) if f"{{{place}}}" in body or draw(st.booleans())]
    inputs = [
        f"{names[place]}: {draw(st.sampled_from(('int', 'int', 'float')))} = {values[place]}"
        for place in draw(st.permutations(used))
    ]
    return f"def solve({', '.join(inputs)}):\n    return {body.format(*names)}"


@given(st.lists(_program(), min_size=3, max_size=14), st.integers(0, 10**6))
def test_each_two_of_a_class_are_equal(texts: list[str], seed: int) -> None:
    """Whatever programs take and however words align them, UT-3 refutes no two of one class when it is asked about them."""
    programs = Programs(texts, Random(seed))
    assert programs.differing(programs.divided()) == []


def test_many_wordings_are_divided() -> None:
    """Where inputs of equal value have ever other names, a class takes so many wordings, each checked with the others, and no more."""
    texts = [
        f"def solve(apples_{place}: int = 5, pears_{place}: int = 5):\n    return apples_{place} + pears_{place}"
        for place in range(3 * MOST_WORDINGS)
    ]

    class InOrder(Programs):
        def similarity(self, left: str, right: str) -> float:
            return 0.9 if left.split(maxsplit=1)[0] == right.split(maxsplit=1)[0] else 0.1

    programs = InOrder(texts, Random(0))
    division = programs.divided()
    assert len(division.pairs) < len(texts) * 4
    assert sum(division.sizes) == len(texts)
    assert division.sizes[0] >= MOST_WORDINGS
