"""Tests of extraneous operations: a mutant computes the correct expression and one plausible operation more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings

from generators.flaws.operators.extraneous_operation import extraneous_operation
from generators.flaws.solution.example_solutions import example_source
from harness.program import ir
from harness.program.syntax.unparser import unparse
from tests.cases import cases
from tests.generators.flaws.solution_strategies import solutions

if TYPE_CHECKING:
    from generators.flaws.solution.source_solution import FlawSource


@settings(max_examples=60)
@given(solutions())
def test_the_right_expression_stays_whole(source: FlawSource) -> None:
    """A mutant works out what it should, and then does one thing more to it, unless the method is made up."""
    for mutant in extraneous_operation.mutants(source):
        if mutant.reasons[0][0] in {"average them", "average the sides"} and not isinstance(
            mutant.expression.right, ir.Name
        ):
            assert mutant.expression.right.value == len(list(ir.names_in_order(mutant.expression)))
            continue
        assert isinstance(mutant.expression, ir.Binary)
        assert mutant.expression.left == source.expression(mutant.variable)
        assert isinstance(mutant.expression.right, ir.Name | ir.Const)


@cases(
    ("root", "made"),
    [
        ("area ** 0.5", ["(long + wide) / 2"]),
        ("int(area ** 0.5)", ["(long + wide) / 2"]),
        ("area / long", []),
    ],
)
def test_the_side_of_a_square_is_averaged(root: str, made: list[str]) -> None:
    """Without the root, the average of the two sides is taken."""
    source = example_source(f"# L1\nlong = 16  # 16 feet\nwide = 4  # 4 feet\narea = long * wide\n# L2\nside = {root}")
    mutants = [mutant for mutant in extraneous_operation.mutants(source) if mutant.variable == "side"]
    averages = [mutant for mutant in mutants if mutant.reasons[0][0] == "average the sides"]
    assert [unparse(mutant.expression) for mutant in averages if mutant.expression] == made


def again(before: str, later: str, question: str = "") -> list[str]:
    """Return the mutants of the latter of two steps, `pile` and `rest`."""
    source = example_source(
        f"# L1\nred = 30  # 30 pens\nblue = 12  # 12 pens\npile = {before}\n"
        f"# L2\ngreen = 100  # 100 pens\nrest = {later}",
        question,
    )
    mutants = extraneous_operation.mutants(source)
    return [unparse(mutant.expression) for mutant in mutants if mutant.variable == "rest" and mutant.expression]


@cases(
    ("before", "later", "found"),
    [
        ("red + blue", "green + pile", {"green + pile + blue", "green + pile + red"}),
        ("red + blue", "green - pile", {"green - pile - blue", "green - pile - red"}),
        ("red - blue", "pile + green", {"pile + green - blue"}),
        ("red - blue", "green - pile", set()),
        ("red * blue", "green - pile", {"(green - pile) * blue", "(green - pile) * red"}),
        ("red + blue", "pile * green", set()),
        ("red + blue", "pile - blue", {"pile - blue + red"}),
    ],
)
def test_a_step_before_is_repeated_with_the_sign_it_has(before: str, later: str, found: set[str]) -> None:
    """What a subtracted sum added is subtracted again; nothing is repeated that the step undoes or that does not fit."""
    assert set(again(before, later)) == found


def test_two_people_tempt_to_double() -> None:
    """A question about both doubles the answer; one about a single person does not."""
    assert "(green - red) * 2" in again("red - blue", "green - red", "How many do both have?")
    assert "(green - red) * 2" not in again("red - blue", "green - red", "How many are there?")


def test_a_total_tempts_to_average() -> None:
    """A total of three is divided by three; an average is not averaged again."""
    code = "# L1\na = 3\nb = 4\nc = 6\n{name} = a + b + c\n# L2\nd = {name} - a"
    averaged = [
        [
            unparse(mutant.expression)
            for mutant in extraneous_operation.mutants(example_source(code.format(name=name)))
            if mutant.expression
        ]
        for name in ("total_pens", "average_sum")
    ]
    assert "(a + b + c) / 3" in averaged[0]
    assert "(a + b + c) / 3" not in averaged[1]
