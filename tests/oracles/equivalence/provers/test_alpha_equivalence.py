"""Tests of alpha-equivalence: only programs that compute the same are called equal up to names."""

from harness.domain import Response
from harness.program.candidate import read_program
from harness.program.ir import Program
from oracles.equivalence.provers.alpha_equivalence import canonical_key
from tests.cases import cases

LOOP = """cost = 5
count = 16
total = 0
for i in range(count):
    if i % 2 == 0:
        total += cost
    else:
        total += cost * 0.6
answer = total
"""
RENAMED = """n_glasses = 16
price = 5
paid = 0
for k in range(n_glasses):
    if k % 2 == 0:
        paid += price
    else:
        paid += price * 0.6
answer = paid
"""


def _program(code: str) -> Program:
    program = read_program(Response("p", "m", code))
    assert program is not None
    return program


def _same(left: str, right: str, *pairs: tuple[str, str]) -> bool:
    first, second = _program(left), _program(right)
    names = [[parameter.name for parameter in program.parameters] for program in (first, second)]
    numbers = [{names[side].index(pair[side]): number for number, pair in enumerate(pairs)} for side in (0, 1)]
    return canonical_key(first, numbers[0]) == canonical_key(second, numbers[1])


def test_names_and_order_of_inputs_do_not_matter() -> None:
    """A program with other names that states its inputs in another order has the same shape."""
    assert _same(LOOP, RENAMED, ("cost", "price"), ("count", "n_glasses"))


def test_an_alignment_that_crosses_inputs_is_seen() -> None:
    """Aligned the wrong way round, the same text is another function."""
    left = "a = 5\nb = 5\nanswer = a - 2 * b\n"
    assert _same(left, left, ("a", "a"), ("b", "b"))
    assert not _same(left, left, ("a", "b"), ("b", "a"))


def test_a_function_reads_the_variables_around_it() -> None:
    """What a function reads from the top level is told by the input it is, not by its name."""
    left = "rate = 5\ntax = 5\ndef f(x):\n    return x * rate\nanswer = f(2) + tax\n"
    right = "tax = 5\nrate = 5\ndef f(x):\n    return x * rate\nanswer = f(2) + tax\n"
    assert _same(left, right, ("rate", "rate"), ("tax", "tax"))
    assert not _same(left, right, ("rate", "tax"), ("tax", "rate"))


@cases(
    ("left", "right"),
    [
        ("a = 3\nanswer = a + 1\n", "a = 3\nanswer = a - 1\n"),
        ("a = 3\nanswer = a + 1\n", "a = 3\nanswer = a + 2\n"),
        ("a = 3\nanswer = a + 1\n", "a = 3\nanswer = a + 1.0\n"),
        ("a = 3\nanswer = a * 1\n", "a = 3.0\nanswer = a * 1\n"),
        ("a = 3\nx = a + 1\ny = a\nanswer = x\n", "a = 3\nx = a + 1\ny = a\nanswer = y\n"),
        ("a = 3\nanswer = [x * a for x in (1, 2)][0]\n", "a = 3\nanswer = [a * a for x in (1, 2)][0]\n"),
        ("a = 3\nanswer = min(a, 2)\n", "a = 3\nanswer = max(a, 2)\n"),
        (
            "a = 3\nif a > 2:\n    a2 = 1\nelse:\n    a2 = 2\nanswer = a2\n",
            "a = 3\nif a < 2:\n    a2 = 1\nelse:\n    a2 = 2\nanswer = a2\n",
        ),
    ],
)
def test_every_difference_is_seen(left: str, right: str) -> None:
    """Another operator, constant, type, variable, function or comparison is another shape."""
    assert _same(left, left, ("a", "a"))
    assert not _same(left, right, ("a", "a"))


def test_frozen_inputs_stand_as_their_values() -> None:
    """An input that is not aligned is the constant it holds, and differs from one of another type."""
    left, right = "a = 3\nb = 4\nanswer = a * b\n", "x = 3\nanswer = x * 4\n"
    assert _same(left, right, ("a", "x"))
    assert not _same("a = 3\nb = 4.0\nanswer = a * b\n", right, ("a", "x"))
