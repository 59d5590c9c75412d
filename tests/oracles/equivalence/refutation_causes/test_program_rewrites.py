"""Tests of rewritten programs: what counts as rounding, what stays, and which inputs reach an answer."""

import itertools

import pytest

from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.ir import Program
from harness.program.lifter import lift
from oracles.equivalence.refutation_causes.program_rewrites import tied, unrounded
from oracles.equivalence.used_inputs import used_constants, used_inputs
from tests.cases import cases


def program(body: str) -> Program:
    """Return the program of a body in a = 7, b = 2 and c = 2, with two helpers."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    helpers = "def packs(x, y):\n    return math.ceil(x / y)\ndef scaled(x, y):\n    return x * y\n"
    return lift(Response("p", "m", f"import math\n{helpers}def solve(a: int = 7, b: int = 2, c: int = 2):\n{lines}\n"))


ROUNDED = [
    "return a // b",
    "return math.ceil(a / b)",
    "return math.floor(a / b)",
    "return math.trunc(a / b)",
    "return int(a / b)",
    "return round(a / b)",
    "return round(a / b, 1)",
    "return (a + b - 1) // b",
    "return (b + a - 1) // b",
    "return (a + (b - 1)) // b",
    "return (a + 1) // 2",
    "return -(-a // b)",
    "return a // b + (a % b > 0)",
    "return a // b + (1 if a % b else 0)",
    "return a // b + (0 if a % b == 0 else 1)",
    "return a // b if a % b == 0 else a // b + 1",
    "q = a // b\nif a % b != 0:\n    q += 1\nreturn q",
    "if a % b == 0:\n    q = a // b\nelse:\n    q = a // b + 1\nreturn q",
    "x = a / b\nreturn int(x) + 1 if x > int(x) else int(x)",
    "return packs(a, b)",
]
KEPT = [
    "return a % b",
    "return a / b",
    "return sum(range(int(a / b)))",
    "return [1, 2, 3, 4][a // b]",
    "return a + 1 if a > b else a",
]


@cases("body", ROUNDED)
def test_every_way_to_round_is_removed(body: str) -> None:
    """Seven by two is three and a half without rounding, however the rounding is written."""
    assert str(evaluate(unrounded(program(body)))) == "7/2"


@cases("body", KEPT)
def test_what_is_no_rounding_stays(body: str) -> None:
    """A remainder is a quantity, and the length of a range and an index must be whole."""
    source = program(body)
    assert unrounded(source) is source


def test_tied_inputs_move_together() -> None:
    """A tied input has the value of its representative wherever it is read."""
    assert str(evaluate(tied(program("return a * 100 + b * 10 + c"), {2: 1}), [7, 3, 2])) == "733"


USED = [
    ("return a + b", {0, 1}),
    ("x = a * c\nreturn a + b", {0, 1}),
    ("x = a\ny = x + b\nreturn y", {0, 1}),
    ("x = 1\nif a > 3:\n    x = b\nreturn x", {0, 1}),
    ("x = 0\nfor i in range(a):\n    x += b\nreturn x", {0, 1}),
    ("x = 0\nwhile x < a:\n    x += 1\n    if x > b:\n        break\nreturn x", {0, 1}),
    ("xs = []\nxs.append(a)\nreturn sum(xs)", {0}),
    ("xs = [b]\nys = xs\nys.append(a)\nreturn sum(xs)", {0, 1}),
    ("xs = {}\nxs['k'] = b\nreturn xs['k']", {1}),
    ("return scaled(a, b)", {0, 1}),
    ("if a > 6:\n    return b\nreturn 4", {0, 1}),
    ("return sum([x * b for x in [a]])", {0, 1}),
    ("return 1 + 0 * 2 + a * b", {0, 1}),  # constants that equal the index of an input are others than it
    ("return 1 + 0 * 2 + c", {2}),
]


@cases("body, expected", USED)
def test_inputs_that_cannot_reach_the_answer_are_unused(body: str, expected: set[int]) -> None:
    """An input is used where its value, or a condition on it, reaches the answer, through variables, loops and functions."""
    assert used_inputs(program(body)) == expected


@pytest.mark.parametrize("constants", list(itertools.permutations(range(3))), ids=str)
def test_a_constant_is_no_input(constants: tuple[int, ...]) -> None:
    """Constants are told from the inputs of their number, in whatever order they are read."""
    read = " + ".join(map(str, constants))
    assert used_inputs(program(f"return a + b + c + {read}")) == {0, 1, 2}
    assert used_inputs(program(f"return {read}")) == set()
    assert used_constants(program(f"return {read} + a + b + c")) == {0, 1, 2}
    assert used_constants(program("return a + b + c")) == set()
