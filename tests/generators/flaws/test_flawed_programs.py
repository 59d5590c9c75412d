"""Tests of the programs of flawed solutions: they compute what the text states, and the text is what their lines say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings

from generators.flaws.solution.example_solutions import example_source
from generators.flaws.solution.source_solution import FlawSource, UnfitError
from harness.solution.solution_program import corpus_index
from harness.text.number_forms import format_value
from properties.stages.certified_flaws import make_from
from tests.cases import cases
from tests.generators.flaws.solution_strategies import solutions

EGGS = example_source(
    "# L1\ndozens = 3  # 3 dozen eggs\neggs_per_dozen = 12  # WK\neggs = dozens * eggs_per_dozen\n"
    "# L2\nbroken = 4  # 4 broken eggs\nwhole = eggs - broken\n# L3\nguests = 16  # 16 guests\neach = whole / guests",
    "Ann has 3 dozen eggs, of which 4 are broken. She shares them among 16 guests.",
)


def returned(code: str) -> Any:
    """Run a program that this project wrote, and return its answer."""
    scope: dict[str, Any] = {}
    exec(code, scope)  # written by our own generator
    return scope["solve"]()


@settings(max_examples=25, deadline=None)
@given(solutions())
def test_a_flawed_program_returns_the_flawed_answer(source: FlawSource) -> None:
    """In CPython, of slips as of mutants, up to the rounding of floats."""
    try:
        records = make_from(source, seed=0).records
    except UnfitError:
        return
    for record in records:
        certificate = record["certificate"]
        told = certificate["mutant"] or certificate["oracle"]
        expected = Fraction({**dict(told["inputs"]), **certificate["stated"]}[told["answer"]])
        assert abs(Fraction(returned(record["function_code"])) - expected) <= abs(expected) / 10**9


def test_lines_with_their_values_are_the_flawed_solution() -> None:
    """Each line of a flawed solution is its template with the stated values."""
    records = make_from(EGGS, seed=0).records
    assert len(records) > 15
    for record in records:
        certificate = record["certificate"]
        told = certificate["mutant"] or certificate["oracle"]
        stated = {**dict(told["inputs"]), **certificate["stated"]}
        values = {name: format_value(Fraction(value)) for name, value in stated.items()}
        lines = [step["solution_line_template"].format_map(values) for step in record["logical_steps"]]
        assert lines == record["flawed_solution"].split("\n")[:-1]


def test_a_program_says_where_its_inputs_come_from() -> None:
    """Inputs of the question have its words, others are world knowledge, each on the line that reads it first."""
    record = next(flaw for flaw in make_from(EGGS, seed=0).records if flaw["operator"] == "wrong_final_answer")
    assert record["function_code"].splitlines()[:4] == [
        "def solve():",
        "    # L1",
        "    dozens = 3  # 3 dozen eggs",
        "    eggs_per_dozen = 12  # WK",
    ]
    steps = [(step["question_inputs"], step["WK_inputs"], step["output_variable"]) for step in record["logical_steps"]]
    assert steps == [(["dozens"], ["eggs_per_dozen"], "eggs"), (["broken"], [], "whole"), (["guests"], [], "each")]


@cases(("problem_id", "index"), [("gsm8k-train-16", 16), ("svamp-0", 0), ("chal-007", 7), ("eggs", None), ("", None)])
def test_the_index_is_the_number_of_the_id(problem_id: str, index: int | None) -> None:
    """Ids end in the number of their line, or in none."""
    assert corpus_index(problem_id) == index
