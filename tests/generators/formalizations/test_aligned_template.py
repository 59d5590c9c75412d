"""Tests of aligned templates: a solution in the variables of a program is exact, computes what the program computes, or is refused."""

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason, open_source
from generators.formalizations.program_alignment import AlignmentFailure
from harness.domain import Problem, Response
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import Trace
from harness.text.number_forms import format_value
from tests.cases import cases
from tests.generators.flaws.solution_strategies import solutions

ANNOTATION = re.compile(r"<<([^<>=]*)=([^<>=]*)>>[\d.,]*")
CLIPS = "Natalia sold clips to 48 of her friends in April, and then she sold half as many clips in May. How many clips did Natalia sell altogether in April and May?"


def parametric(trace: Trace) -> Response:
    """Write a trace as a model would, with its inputs as parameters."""
    given = ", ".join(
        f"{entry.variable}: float = {format_value(entry.value)}" for entry in trace.entries if entry.role.is_input
    )
    steps = "\n".join(f"    {entry.variable} = {entry.code}" for entry in trace.entries if entry.expression is not None)
    return Response("example-0", "oak", f"def solve({given}):\n{steps}\n    return {trace.result}", "parametric")


def values_at(trace: Trace, inputs: dict[str, int]) -> dict[str, object]:
    """Evaluate a trace with some of its inputs changed."""
    values = dict(trace.values)
    values |= {name: value for name, value in inputs.items() if name in values}
    for entry in trace.entries:
        if entry.expression is not None:
            values[entry.variable] = evaluate_expression(entry.expression, values)
    return values


def answers_alike(program: Trace, source: FlawSource) -> bool:
    """Tell whether the source gives the program's answer at other inputs, those it shares with the program changed."""
    shared = [entry.variable for entry in source.inputs if entry.variable in program.by_name]
    draw = random.Random(0)
    for _ in range(5):
        inputs = {name: draw.randint(200, 900) for name in shared}
        try:
            expected = values_at(program, inputs)[program.result]
            found = values_at(source.trace, inputs)[source.trace.result]
        except (Refusal, ProgramError):
            continue
        if expected != found:
            return False
    return True


@settings(max_examples=150)
@given(solutions())
def test_what_is_aligned_computes_what_the_program_computes(drawn: FlawSource) -> None:
    """With annotations and with equations in prose; the text is given back to the letter."""
    prose = replace(drawn.problem, solution=ANNOTATION.sub(r"\1 = \2", drawn.problem.solution))
    for problem in (drawn.problem, prose):
        try:
            source = open_source(problem, parametric(drawn.trace))
        except UnfitError:
            continue
        assert source.text.render() == problem.solution
        assert answers_alike(drawn.trace, source)


@settings(max_examples=60)
@given(solutions())
def test_each_value_of_its_own_is_enough(drawn: FlawSource) -> None:
    """Where no two quantities have one value and each line is one plain operation, nothing is refused."""
    values = [entry.value for entry in drawn.trace.entries]
    plain = all(
        isinstance(step.expression, ir.Binary)
        and all(isinstance(side, ir.Name) for side in (step.expression.left, step.expression.right))
        for step in drawn.steps
    )
    finite = all("/" not in format_value(value) and value >= 0 for value in values)
    if plain and finite and len(set(values)) == len(values):
        assert open_source(drawn.problem, parametric(drawn.trace)).text.faithful


@cases(
    ("function", "solution", "gold", "failure"),
    [
        # 2 + 2 is 2 * 2, and 4 is 2 * 2 only where the inputs are 2.
        ("solve(red: int = 2, green: int = 2):\n    total = red + green\n    return total * 3", "2*2=4\n4*3=12", "12", AlignmentFailure.OTHER_FUNCTION),
        ("solve(red: int = 2, green: int = 2):\n    total = red * green\n    return total * 3", "2+2=4\n4*3=12", "12", AlignmentFailure.OTHER_FUNCTION),
        # Which 5 is doubled makes no difference to the answer.
        ("solve(a: int = 5, b: int = 5, e: int = 7):\n    c = a * 2\n    d = b * 2\n    return e * 2", "5*2=10\n7*2=14", "14", AlignmentFailure.AMBIGUOUS),
        ("solve(a: int = 5, b: int = 6):\n    c = a + b\n    return c * 2", "It is eleven.\nTwice that is 22.", "22", AlignmentFailure.NO_EQUATION),
        ("solve(a: int = 5, b: int = 6):\n    c = a + b\n    return c * 2", "5 + 6 = 11\n11 * 2 = 22", "22", None),
    ],
)  # fmt: skip
def test_nothing_is_guessed(function: str, solution: str, gold: str, failure: AlignmentFailure | None) -> None:
    """A program that agrees with the solution by chance is refused, and so is a number that may be either of two."""
    problem = Problem("p", "How many?", solution, gold)
    response = Response("p", "oak", f"def {function}", "parametric")
    if failure is None:
        assert open_source(problem, response).program is not None
        return
    with pytest.raises(UnfitError) as error:
        open_source(problem, response)
    assert error.value.unfit is UnfitReason.ALIGNMENT
    assert str(failure) in str(error.value)


def test_the_words_are_the_program_s() -> None:
    """Names and comments come from the program, a bare number's from the question."""
    code = "def solve(\n    sold_in_april: int = 48  # sold clips to 48 of her friends\n):\n    #: L1\n    sold_in_may = sold_in_april / 2\n    answer = sold_in_april + sold_in_may\n    return answer"
    solution = "Natalia sold 48/2 = <<48/2=24>>24 clips in May.\nShe sold 48+24 = <<48+24=72>>72 clips altogether."
    source = open_source(Problem("p", CLIPS, solution, "72"), Response("p", "oak", code, "parametric"))
    assert [entry.variable for entry in source.trace.entries] == [
        "sold_in_april", "half", "sold_in_may", "clips",
    ]  # fmt: skip
    assert source.trace.by_name["sold_in_april"].comment == "sold clips to 48 of her friends"
    assert source.text.render({**source.values, "sold_in_may": 25, "clips": 73}) == (
        "Natalia sold 48/2 = <<48/2=25>>25 clips in May.\nShe sold 48+25 = <<48+25=73>>73 clips altogether."
    )


def test_a_line_may_state_several_equations() -> None:
    """And a value that no line gives is worked out where it is first used."""
    code = "def solve(boxes: int = 4, pens: int = 6, lost: int = 3, price: int = 2):\n    total = boxes * pens\n    left = total - lost\n    return left * price"
    solution = "He has 4*6=<<4*6=24>>24 pens, so 24-3=<<24-3=21>>21 are left.\nThey cost 21*2=<<21*2=42>>42 dollars."
    source = open_source(Problem("p", "How much?", solution, "42"), Response("p", "oak", code, "parametric"))
    assert [(step.variable, step.line, step.code) for step in source.steps[:2]] == [
        ("total", "L1", "boxes * pens"), ("left", "L1", "total - lost"),
    ]  # fmt: skip
    skipping = "Of all pens 24-3=<<24-3=21>>21 are left.\nThey cost 21*2=<<21*2=42>>42 dollars."
    source = open_source(Problem("p", "How much?", skipping, "42"), Response("p", "oak", code, "parametric"))
    assert [(step.variable, step.line) for step in source.steps[:2]] == [("total", "L1"), ("left", "L1")]
    assert source.text.render({**source.values, "total": 25, "left": 22}).startswith("Of all pens 25-3=<<25-3=22>>22")
