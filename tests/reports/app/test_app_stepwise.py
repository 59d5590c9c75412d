"""Tests of the stepwise comparison: which lines of two formalizations differ, and that hostile code is harmless."""

from __future__ import annotations

import time

import pytest

from harness.domain import AlignedParameters, ParameterAlignment
from reports.app.oracles_page.formalization_comparison import (
    FormalizationComparison,
    MatchKind,
    TracedFormalization,
    compare,
    read_traced,
)
from tests.reports.programs import program


def _traced(code: str) -> TracedFormalization:
    traced = read_traced(program(code))
    if isinstance(traced, str):
        raise TypeError(f"{code!r}: {traced}")
    return traced


def _only(comparison: FormalizationComparison | str) -> tuple[list[int], list[int]]:
    if isinstance(comparison, str):
        raise TypeError(comparison)
    return (
        [mark.line for mark in comparison.left if mark.kind is MatchKind.ONLY_HERE],
        [mark.line for mark in comparison.right if mark.kind is MatchKind.ONLY_HERE],
    )


def _aligned(*pairs: tuple[str, str]) -> ParameterAlignment:
    return ParameterAlignment(tuple(AlignedParameters(left, right, "1", 1.0) for left, right in pairs))


LEFT = "def solve(rows: int = 4, each: int = 7, lost: int = 3):\n    made = rows * each\n    left = made - lost\n    return left"


def test_other_names_and_another_order_are_no_difference() -> None:
    """Renamed variables and swapped factors mark no line."""
    right = "def solve(n: int = 4, m: int = 7, k: int = 3):\n    total = m * n\n    rest = total - k\n    return rest"
    alignment = _aligned(("rows", "n"), ("each", "m"), ("lost", "k"))
    assert _only(compare(_traced(LEFT), _traced(right), alignment)) == ([], [])


def test_planted_fault_is_marked_on_its_line_and_below() -> None:
    """A number written where a parameter belongs gives the same answer here, and is marked all the same."""
    right = "def solve(n: int = 4, m: int = 7, k: int = 3):\n    total = 28\n    rest = total - k\n    return rest"
    alignment = _aligned(("rows", "n"), ("each", "m"), ("lost", "k"))
    assert _only(compare(_traced(LEFT), _traced(right), alignment)) == ([2, 3], [2, 3])


def test_step_that_the_other_does_at_once_is_only_here() -> None:
    """A middle result without a counterpart is marked, the answer that agrees is not."""
    right = "def solve(n: int = 4, m: int = 7, k: int = 3):\n    rest = m * n - k\n    return rest"
    alignment = _aligned(("rows", "n"), ("each", "m"), ("lost", "k"))
    assert _only(compare(_traced(LEFT), _traced(right), alignment)) == ([2], [])


def test_unaligned_parameter_is_marked() -> None:
    """A parameter that UT-2 gave no partner is shown as such."""
    right = "def solve(n: int = 4, m: int = 7, k: int = 3):\n    rest = m * n - k\n    return rest"
    compared = compare(_traced(LEFT), _traced(right), _aligned(("rows", "n"), ("each", "m")))
    assert isinstance(compared, FormalizationComparison)
    assert [mark.variable for mark in compared.left if mark.kind is MatchKind.UNALIGNED] == ["lost"]


@pytest.mark.parametrize(
    "code", ["", "def solve(a: int = 1):\n    while a < 9:\n        a = a + a\n    return a", "solve(("]
)
def test_program_without_single_values_says_why(code: str) -> None:
    """A loop, an empty text and broken Python give a reason, not an error."""
    assert isinstance(read_traced(program(code)), str)


def test_programs_that_give_no_values_together_say_why() -> None:
    """A division by zero at every point is a reason."""
    right = "def solve(n: int = 4):\n    zero = n - n\n    answer = 1 if zero == 0 else n\n    return answer"
    divided = "def solve(n: int = 4, m: int = 4):\n    rest = 8 / (n - m + 0)\n    return rest"
    fine = _traced("def solve(n: int = 4):\n    rest = n\n    return rest")
    assert isinstance(read_traced(program(divided)), str)
    assert read_traced(program(right)) is not None
    unequal = _traced("def solve(n: int = 4, m: int = 5):\n    rest = 8 / (n - m)\n    return rest")
    compared = compare(fine, unequal, _aligned(("n", "n"), ("n", "m")))
    assert isinstance(compared, str)
    assert "ZeroDivisionError" in compared


@pytest.mark.parametrize(
    "body",
    [
        "b = a**9**9",
        "b = " + "+".join(["a"] * 1_500),
        "b = " + "-" * 3_000 + "a",
        "b = " + "(" * 5_000 + "a" + ")" * 5_000,
        "\n    ".join(["c = a", *(f"b{number} = a" for number in range(1_000)), "b = a"]),
    ],
    ids=["power", "sum", "signs", "parentheses", "lines"],
)
def test_hostile_code_is_a_reason_or_is_compared_at_once(body: str) -> None:
    """Code that is deep, long or computes giants is refused or compared within two seconds, and raises nothing."""
    hostile = program(f"def solve(a: int = 9):\n    {body}\n    return b")
    started = time.perf_counter()
    traced = read_traced(hostile)
    if isinstance(traced, TracedFormalization):
        compare(traced, traced, _aligned(("a", "a")))
    assert time.perf_counter() - started < 2
