"""Differential tests: what generated programs mean here is what they mean in Python, or they are refused."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from harness.program.floating_point import DoubleEvaluator
from harness.program.refusal import RefusalReason
from tests.harness.program.differential.comparison import (
    AGREED,
    DIFFERENT,
    REFUSED,
    ROUNDING,
    Comparison,
    agree,
    compared,
    our_answer,
)
from tests.harness.program.differential.generated_equations import generated_equations
from tests.harness.program.differential.generated_programs import generated_program
from tests.harness.program.differential.python_process import PythonProcess

FEW_PROGRAMS, PROGRAMS = 500, 2_000
EQUATIONS = 100
SEED = 1
REFUSALS = {RefusalReason[name] for name in ("UNSUPPORTED", "BUDGET", "FORBIDDEN", "NO_ANSWER", "NO_CODE")}


@pytest.fixture(scope="module")
def python() -> Iterator[PythonProcess]:
    """Return a Python process for generated programs."""
    with PythonProcess() as process:
        yield process


@pytest.fixture(scope="module", params=[FEW_PROGRAMS, pytest.param(PROGRAMS, marks=pytest.mark.slow)])
def comparisons(request: pytest.FixtureRequest, python: PythonProcess) -> list[Comparison]:
    """Return the comparisons of so many programs."""
    programs = (generated_program(SEED * 10**9 + place) for place in range(request.param))
    return list(compared(programs, python, Random(SEED)))


def test_generated_programs_mean_what_python_means(comparisons: list[Comparison]) -> None:
    """Every value, with its type, and every exception is Python's."""
    assert next((comparison for comparison in comparisons if comparison.status == DIFFERENT), None) is None


def test_evaluation_with_doubles_gives_the_bits_that_python_gives(comparisons: list[Comparison]) -> None:
    """Where a program makes floats, each value with doubles is Python's own, not only near it, and so is each exception."""
    checked = 0
    for comparison in comparisons:
        if comparison.status not in {AGREED, ROUNDING} or comparison.python[0] not in {"float", "int", "error"}:
            continue
        ours = our_answer(comparison.code, evaluator=DoubleEvaluator)
        if ours[0] == REFUSED:
            continue
        checked += ours[0] == "float"
        if ours[0] == "float":
            assert Fraction(ours[1]) == Fraction(comparison.python[1]), comparison.code
        else:
            assert agree(ours, comparison.python), comparison.code
    assert checked > len(comparisons) / 20


@pytest.mark.parametrize("count", [EQUATIONS, pytest.param(3_000, marks=pytest.mark.slow)])
def test_generated_equations_have_the_solutions_of_sympy(count: int, python: PythonProcess) -> None:
    """Every value and exception is that of sympy in Python, and more than half of the programs are evaluated."""
    programs = (generated_equations(SEED * 10**9 + place) for place in range(count))
    comparisons = list(compared(programs, python, Random(SEED)))
    assert next((comparison for comparison in comparisons if comparison.status == DIFFERENT), None) is None
    assert sum(comparison.status == AGREED for comparison in comparisons) > count / 2


def test_most_generated_programs_are_evaluated(comparisons: list[Comparison]) -> None:
    """More than half are not refused, and of those more than a third give a value."""
    counts = Counter(comparison.status for comparison in comparisons)
    values = sum(comparison.status == AGREED and comparison.python[0] != "error" for comparison in comparisons)
    assert counts[AGREED] > len(comparisons) / 2
    assert values > counts[AGREED] / 3


def test_refusals_name_what_is_not_supported(comparisons: list[Comparison]) -> None:
    """A program that Python parses and we refuse is unsupported, forbidden, too large, or without an answer or an assignment."""
    refused = [comparison for comparison in comparisons if comparison.status == REFUSED]
    syntax = [difference for difference in refused if difference.ours[1] == RefusalReason.SYNTAX]
    assert {difference.ours[1] for difference in refused} - {RefusalReason.SYNTAX} <= REFUSALS
    assert all(difference.python[:2] == ["error", "SyntaxError"] for difference in syntax)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["int", "0x7"], ["float", "7"]),
        (["float", "7/1"], ["int", "0x7"]),
        (["float", "1/3"], ["float", "33333/100000"]),
        (["error", "TypeError"], ["error", "ValueError", ""]),
        (["list", ["int", "0x1"]], ["list", ["int", "0x1"], ["int", "0x2"]]),
        (["Fraction", "1/2"], ["float", "1/2"]),
    ],
)
def test_a_difference_of_value_type_or_exception_is_seen(ours: list[object], theirs: list[object]) -> None:
    """The comparison notices a difference of value, type or exception."""
    assert not agree(ours, theirs)


HANGS = {
    "while True:\n    pass\n": ["stopped"],
    "x = [0] * 10**10\n": ["stopped"],
    "open('written', 'w')\n": ["error"],
    "import os\n": ["error"],
}


@pytest.mark.slow
@pytest.mark.parametrize("code", HANGS)
def test_the_python_process_is_limited(code: str, python: PythonProcess) -> None:
    """A program has one second, two gigabytes, no file and no module of the system."""
    assert python.results([(code, "1")])[0][:1] == HANGS[code]
