"""The classes of a problem with many answers: exact where classes are few, by few comparisons always."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings, strategies as st

from oracles.consensus.equivalence_classes import MOST_REPRESENTATIVES, Answered, divide


def _divided(kinds: list[int], values: int) -> tuple[list[Answered], dict[str, str], int]:
    """Return formalizations of some kinds, the representative of each, and how many comparisons were made."""
    random = Random(len(kinds))
    answers = [
        Answered(f"m{place:04}", value=kind % values, inputs=(random.randrange(2),)) for place, kind in enumerate(kinds)
    ]
    kind_of = {answer.model: kind for answer, kind in zip(answers, kinds, strict=True)}
    division = divide(answers, lambda left, right: kind_of[left] == kind_of[right])
    assert len(set(division.pairs)) == len(division.pairs)
    assert all(left < right for left, right in division.pairs)
    return answers, division.representative, len(division.pairs)


@given(st.lists(st.integers(0, MOST_REPRESENTATIVES - 1), max_size=80), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_classes_are_the_kinds(kinds: list[int], values: int) -> None:
    """Formalizations are in one class exactly if they are equal, and classes are compared with the largest one."""
    answers, representative, _ = _divided(kinds, values)
    for left, kind in zip(answers, kinds, strict=True):
        for right, other in zip(answers, kinds, strict=True):
            assert (representative[left.model] == representative[right.model]) == (kind == other)


@given(st.lists(st.integers(0, 400), max_size=300))
@settings(max_examples=30, deadline=None)
def test_comparisons_grow_with_the_answers(kinds: list[int]) -> None:
    """Whatever the number of classes, few comparisons are made, and what is in one class is equal."""
    answers, representative, compared = _divided(kinds, values=1)
    assert compared <= len(kinds) * (MOST_REPRESENTATIVES + 1)
    kind_of = {answer.model: kind for answer, kind in zip(answers, kinds, strict=True)}
    assert all(kind_of[model] == kind_of[other] for model, other in representative.items())


def test_equal_formalizations_take_one_comparison_each() -> None:
    """A thousand equal formalizations are one class by 999 comparisons."""
    _, representative, compared = _divided([1] * 1_000, values=1)
    assert (len(set(representative.values())), compared) == (1, 999)
