"""Loops whose length depends on an input, proved equal by linear recurrences or refuted: never CONFIRMED where CPython parts them."""

from collections.abc import Callable
from random import Random

import pytest

from harness.domain import Response, Status
from harness.program.lifter import read_candidate
from oracles.equivalence.provers.recurrences import recurrence_order
from tests.cases import cases
from tests.oracles.equivalence.test_attacks import judged

HEAD = "import math\ndef solve(n: int = 6, a: int = 3):\n"
RANGES = (
    "range(n)", "range(1, n + 1)", "range(n, 0, -1)", "range(0, 2 * n, 3)", "range(n, 3 * n)", "range(n, 0, -3)", "range(5)",
)  # fmt: skip
CHANGES = (
    "s = s + i", "t = t + 2", "s = 2 * s + 1", "s = s + t", "t = t - s + i", "s = i", "t = a * t", "s = s + n", "t = t + a * i",
)  # fmt: skip
TESTS = ("i % 2 == 0", "i % 3 < 2", "i % 2 == 1 or i % 3 == 0", "a > 2")
PROVED = {
    "odd numbers": ("s = 0\nt = 1\nfor i in range(n):\n    s += t\n    t += 2\nreturn s", "return n * n"),
    "doubling": ("s = a\nfor i in range(n):\n    s *= 2\nreturn s", "return a * 2 ** n"),
    "every third": (
        "s = 0\nfor i in range(1, n + 1):\n    if i % 3 == 0:\n        s += 4\n    else:\n        s += a\nreturn s",
        "return (n - n // 3) * a + n // 3 * 4",
    ),
    "multiples of two numbers": (
        "return sum(1 for i in range(1, n + 1) if i % 4 == 0 or i % 6 == 0)",
        "return n // 4 + n // 6 - n // 12",
    ),
    "down by threes": ("s = 0\nfor i in range(n, 0, -3):\n    s += 1\nreturn s", "return (n + 2) // 3"),
    "a square modulo four": ("return n * n % 4", "return n % 2"),
    "rounded halves": ("return round(n / 2)", "return n // 2 + (1 if n % 4 == 3 else 0)"),
    "a loop to a limit": ("s = 0\nwhile s < n:\n    s += a\nreturn s", "return a * math.ceil(n / a)"),
    "a loop down": ("while n > 7:\n    n -= 7\nreturn n", "return n if n <= 7 else (n - 1) % 7 + 1"),
    "a triangle": (
        "s = 0\nfor i in range(n):\n    for j in range(i + 1):\n        s += a\nreturn s",
        "return n * (n + 1) * a / 2",
    ),
    "squares": (
        "return sum(i * (i + a) for i in range(n))",
        "return n * (n - 1) * (2 * n - 1) / 6 + a * n * (n - 1) / 2",
    ),
    "pairs": (
        "s = 0\nfor i in range(n):\n    for j in range(i):\n        s += 1\nreturn s + i",
        "return sum(range(n)) + n - 1",
    ),
    "a loop that never runs": ("s = n\nwhile s < n:\n    s += 1\nreturn s + a", "return n + a"),
}
PARTING = {
    "one more after a hundred": (PROVED["odd numbers"][0], "return n * n + n // 101"),
    "a third of three periods": (PROVED["every third"][0], "return (n - n // 3) * a + n // 3 * 4 + n // 27"),
    "a rectangle of eight hundred": (
        "s = 0\nfor i in range(n):\n    for j in range(a):\n        s += 3\nreturn s",
        "return n * a * 3 + (1 if a > 800 else 0)",
    ),
    "another base": (PROVED["doubling"][0], "return a * 2 ** n + n // 40"),
}  # fmt: skip


def program(body: str) -> str:
    """Return a formalization with a body."""
    return HEAD + "".join(f"    {line}\n" for line in body.split("\n"))


def python(code: str) -> Callable[[int, int], object]:
    """Return the function that Python makes of a formalization that this module wrote."""
    scope: dict[str, Callable[[int, int], object]] = {}
    exec(code, scope)  # code of this module
    return scope["solve"]


@cases("name", PROVED)
def test_a_loop_is_proved_equal_to_its_closed_form(name: str) -> None:
    """What is equal for every length is CONFIRMED."""
    assert judged(*map(program, PROVED[name])).status is Status.CONFIRMED


@cases("name", PARTING)
def test_a_late_difference_is_never_confirmed(name: str) -> None:
    """A difference beyond the points of the search is not taken for equality."""
    assert judged(*map(program, PARTING[name])).status is not Status.CONFIRMED


def loop(random: Random) -> str:
    """Write a loop whose body is linear but for tests that repeat."""
    lines = [f"s = {random.randint(0, 2)}", f"t = {random.choice(('0', '1', 'n', 'a'))}"]
    lines.append(f"for i in {random.choice(RANGES)}:")
    for _ in range(random.randint(1, 3)):
        change = f"    {random.choice(CHANGES)}"
        lines += [f"    if {random.choice(TESTS)}:", f"    {change}"] if random.random() < 0.4 else [change]
    return program("\n".join([*lines, f"return {random.choice(('s', 't', 's + t', 's * t'))}"]))


@pytest.mark.parametrize("count", [60, pytest.param(2_000, marks=pytest.mark.slow)])
def test_the_order_bounds_the_recurrence(count: int) -> None:
    """The answers of generated loops, run by Python, keep to a recurrence of the order that is claimed, for each value of the other input.

    By a theorem of Kronecker they do if and only if the Hankel matrix of that size is singular.
    """
    random, checked = Random(1), 0
    for _ in range(count):
        code = loop(random)
        read = read_candidate(Response("p", "m", code)).program
        assert read is not None
        order = recurrence_order(read, 0, 1, frozenset((0, 1)))
        if order is None or order > 24:
            continue
        checked += 1
        solve, other = python(code), random.randint(1, 4)
        answers = [solve(n, other) for n in range(1, 2 * order + 2)]
        hankel = [[int(str(answers[row + column])) % PRIME for column in range(order + 1)] for row in range(order + 1)]
        assert is_singular(hankel), code
    assert checked > count / 10


PRIME = 2**61 - 1


def is_singular(matrix: list[list[int]]) -> bool:
    """Tell whether a matrix modulo a prime is singular."""
    size = len(matrix)
    for place in range(size):
        pivot = next((row for row in range(place, size) if matrix[row][place]), None)
        if pivot is None:
            return True
        matrix[place], matrix[pivot] = matrix[pivot], matrix[place]
        inverse = pow(matrix[place][place], -1, PRIME)
        for row in range(place + 1, size):
            factor = matrix[row][place] * inverse % PRIME
            for column in range(place, size):
                matrix[row][column] = (matrix[row][column] - factor * matrix[place][column]) % PRIME
    return False
