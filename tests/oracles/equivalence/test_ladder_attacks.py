"""Pairs written by hand to make the ladder err: equal ones are not REFUTED, those that part are not CONFIRMED."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from harness.domain import Response, Status, Verdict
from harness.program.candidate import Candidate, read_candidate
from oracles.alignment.parameter_matching import align
from oracles.equivalence.counterexamples.counterexample_search import outcome_of
from oracles.equivalence.ladder import EquivalenceJudge
from tests.cases import cases

INPUTS = "a: int = 7, b: int = 3, c: float = 2.5"

# Each entry: the two bodies, and for those that part the values of a, b, c that show it.
EQUAL = {
    "quotients of quotients": ("a // b // 4", "a // (4 * b)"),
    "quotients of quotients in another order": ("a // 4 // b // 5", "a // b // 20"),
    "quotient of a fraction, twice": ("c // 2 // 3", "c // 6"),
    "rounding up by the divisor less one": ("(a + b - 1) // b", "math.ceil(a / b)"),
    "rounding up by negation": ("-(-a // b)", "(a - 1) // b + 1"),
    "half rounded up": ("(a + 1) // 2", "a - a // 2"),
    "a third rounded up of a ceiling": ("math.ceil(math.ceil(a / 2) / 3)", "(a + 5) // 6"),
    "a remainder of multiples": ("(a * 6) % (b * 6)", "6 * (a % b)"),
    "a remainder of a shifted number": ("(a + 5 * b) % b", "a % b"),
    "a product of neighbours halved": ("a * (a - 1) // 2", "a * (a - 1) / 2"),
    "a product of three neighbours": ("a * (a + 1) * (a + 2) // 6", "(a ** 3 + 3 * a ** 2 + 2 * a) / 6"),
    "a floor of a whole sum": ("math.floor(a / 2 + b)", "a // 2 + b"),
    "the sum of the first numbers": ("sum(range(a + 1))", "a * (a + 1) // 2"),
    "the sum of squares": ("sum(i * i for i in range(a))", "(a - 1) * a * (2 * a - 1) // 6"),
    "the sum of cubes": ("sum(i ** 3 for i in range(a))", "(a * (a - 1) // 2) ** 2"),
    "every second number": ("    for i in range(0, 2 * a, 2):\n        t += i", "    t = a * (a - 1)"),
    "a countdown": ("    for i in range(a, 0, -1):\n        t += i * b", "    t = b * a * (a + 1) / 2"),
    "nested loops over inputs": (
        "    for i in range(a):\n        for j in range(b):\n            t += i + j",
        "    t = b * a * (a - 1) / 2 + a * b * (b - 1) / 2",
    ),
    "a loop with a local value": (
        "    for day in range(a):\n        earned = b * 2\n        kept = earned - 1\n        t += kept",
        "    t = a * (2 * b - 1)",
    ),
    "a growing wage": (
        "    wage = b\n    for day in range(a):\n        t += wage\n        wage += 2",
        "    t = a * b + a * (a - 1)",
    ),
    "a loop to pay off": (
        "    left = c\n    while left > 0:\n        left -= 3\n        t += b",
        "    t = math.ceil(c / 3) * b",
    ),
    "a loop up to a bound": ("    n = 0\n    while n * 4 < a:\n        n += 1\n    t = n", "    t = -(-a // 4)"),
    "no rounds": ("    for i in range(1 - a):\n        t += c", "    t = 0 * a"),
    "a choice of a choice": ("(1 if a > b else 0) + (1 if b > a else 0)", "int(a != b)"),
    "truth times truth": ("(a > 3) * (b > 3) * c", "(c if a > 3 and b > 3 else 0)"),
    "a sum of truths": ("sum([a > 5, b > 5, c > 5]) * 10", "10 * ((a > 5) + (b > 5) + (c > 5))"),
    "bounds of whole numbers": ("(1 if a >= 10 else 2)", "(1 if a > 9 else 2)"),
    "clamping": ("max(0, min(a - b, 10))", "min(10, max(a - b, 0))"),
    "excess by half sum": ("max(a, b)", "(a + b + abs(a - b)) / 2"),
    "least and greatest": ("min(a, b) * max(a, b)", "a * b"),
    "truncation of a difference": ("int((a - b) / 2)", "(1 if a > b else -1) * (abs(a - b) // 2)"),
    "rounding is odd": ("round(a / 2) + round(-a / 2)", "0 * a"),
    "a quotient that cancels": ("a * c / a", "c"),
    "a float that is whole": ("int(c * 2) // 2", "math.floor(c)"),
    "keyword arguments": (
        "def net(price, cost):\n    return price - cost\ndef solve(a: int = 7, b: int = 3, c: float = 2.5):\n    return net(cost=b, price=a)",
        "a - b",
    ),
    "an early return in a helper": (
        "def fee(n):\n    if n > 5:\n        return n * 2\n    return n\ndef solve(a: int = 7, b: int = 3, c: float = 2.5):\n    return fee(a) + fee(b)",
        "a + b + a * (a > 5) + b * (b > 5)",
    ),
    "a text where no input leads": ("(a * b if a > 0 else 'none')", "b * a"),
    "nothing where no input leads": ("    if c <= 0:\n        return None\n    t = c", "c"),
    "nothing and an exception": ("(a if b < 800 else None)", "(a if b < 800 else a / 0)"),
    "an equation without a solution": (
        "from sympy import symbols, Eq, solve\ndef found(a, b):\n    x = symbols('x')\n    answers = solve(Eq(a * x, b * x + 8), x)\n    return answers[0] if answers else None\ndef solution(a: int = 7, b: int = 3, c: float = 2.5):\n    return found(a, b)",
        "8 / (a - b)",
    ),
}
# Where a result is something else than a number or nothing, nobody compares it.
NO_NUMBERS = {
    "two texts far away": ("(a if a < 900 else 'many')", "(a if a < 900 else 'few')"),
    "a text and nothing": ("(a if c < 9000 else None)", "(a if c < 9000 else 'x')"),
    "a text at one point": ("(a if c != 5 else 'five')", "(a if c != 5 else 'cinq')"),
    "a text and an exception": ("(a if b < 800 else a / 0)", "(a if b < 800 else 'none')"),
    "two lists": ("(a if b < 800 else [a])", "(a if b < 800 else [b])"),
    "a truth and a text": ("(a if b < 800 else a > b)", "(a if b < 800 else 'True')"),
    "texts by two conditions": (
        "    if a > 700:\n        return 'many' if b > 2 else 'few'\n    t = a",
        "    if a > 700:\n        return 'few' if b > 2 else 'many'\n    t = a",
    ),
}
PARTING: dict[str, tuple[str, str, tuple[int, int, str]]] = {
    "quotient by a fraction, then a number": ("a // 0.5 // 3", "a // 1.5 + (a == 4000)", (4000, 1, "1")),
    "quotients exchanged": ("a // b * b", "a * b // b", (7, 2, "1")),
    "half away from zero": ("round(a / 2)", "(a + 1) // 2", (1, 1, "1")),
    "rounding at two places first": ("round(round(c, 2), 1)", "round(c, 1)", (1, 1, "0.3451")),
    "a negative remainder": ("(b - a) % 5", "-((a - b) % 5)", (7, 3, "1")),
    "truncation for floor": ("int(b - c)", "math.floor(b - c)", (1, 1, "3/2")),
    "a difference of squares halved": ("(a * a - b * b) // 2", "(a - b) * ((a + b) // 2)", (4, 1, "1")),
    "a sum that stops one early": ("sum(range(a))", "a * (a - 1) // 2 + (a // 9999) * 3", (9999, 1, "1")),
    "a loop of a negative number of rounds": (
        "    for i in range(a - 7):\n        t += b",
        "    t = (a - 7) * b",
        (1, 3, "1"),
    ),
    "a loop that counts down too far": (
        "    n = a\n    while n > 0:\n        n -= 2\n    t = n",
        "    t = 0 - a % 2 + (a > 700)",
        (701, 1, "1"),
    ),
    "a name of an earlier loop": (
        "    for i in range(a):\n        t += b\n    t = t + (0 if a < 900 else i)",
        "    t = a * b",
        (900, 1, "1"),
    ),
    "a loop that changes its bound": (
        "    n = a\n    for i in range(n):\n        n += 1\n        t += n",
        "    t = a * a + a",
        (2, 1, "1"),
    ),
    "a loop that changes its index": (
        "    for i in range(a):\n        i += 5\n        t += i",
        "    t = a * (a - 1) // 2 + 5",
        (2, 1, "1"),
    ),
    "a loop that doubles": ("    t = 1\n    for i in range(b):\n        t = t + t", "    t = 2 * b + 2", (1, 2, "1")),
    "a list that a loop reads and changes": (
        "    k = [1]\n    for i in range(a):\n        t += k[0]\n        k[0] = k[0] + (1 if i == 800 else 0)",
        "    t = a",
        (802, 1, "1"),
    ),
    "a counter in a list": (
        "count = [0]\ndef tick():\n    count[0] = count[0] + 1\n    return count[0]\ndef solve(a: int = 1, b: int = 3, c: float = 2.5):\n    t = 0\n    for i in range(a):\n        t += tick()\n    return t * b",
        "def solve(a: int = 1, b: int = 3, c: float = 2.5):\n    return a * b",
        (2, 1, "1"),
    ),
    "keyword arguments exchanged": (
        "def net(x, y):\n    return x - y\ndef solve(a: int = 3, b: int = 3, c: float = 2.5):\n    return net(x=a, y=b)",
        "def net(y, x):\n    return y - x\ndef solve(a: int = 3, b: int = 3, c: float = 2.5):\n    return net(x=a, y=b)",
        (4, 3, "1"),
    ),
    "a local that a far branch reads first": (
        "rate = 7\ndef solve(a: int = 7, b: int = 3, c: float = 2.5):\n    t = a\n    for i in range(2):\n        if b > 5000 and i == 0:\n            t += rate\n        x = b\n    return t + x",
        "def solve(a: int = 7, b: int = 3, c: float = 2.5):\n    t = a\n    for i in range(2):\n        if b > 5000 and i == 0:\n            t += 8\n        x = b\n    return t + x",
        (7, 5001, "1"),
    ),
    "a far zero divisor": ("a + b - b / (a - 4321) * (a - 4321)", "a", (4321, 3, "1")),
    "a zero to a negative power": ("(a - b) ** -2 * (a - b) ** 2 * c", "c", (3, 3, "1")),
    "a zero to the power of zero": ("(a - b) ** 0", "(a - b) / (a - b)", (3, 3, "1")),
    "a factor that vanishes": ("(a - b) * (1 / (a - b)) * c", "c", (3, 3, "1")),
    "a quotient of a product that vanishes": ("(a * (b - 4000)) // (b - 4000)", "a", (7, 4000, "1")),
    "an exception on one side of a choice": ("(a if c < 9000 else a / 0)", "a", (7, 3, "9000")),
    "an index far out of range": ("[a, a][int(c > 9000) * 2]", "a", (7, 3, "9001")),
    "bounds of fractions": ("(1 if c >= 10 else 2)", "(1 if c > 9 else 2)", (7, 3, "19/2")),
    "truth of a sum": ("(a > 3 or b > 3) * c", "((a > 3) + (b > 3)) * c", (4, 4, "1")),
    "truth of a number": ("(a - b and c)", "c", (3, 3, "1")),
    "equality far away": ("a * (a != 76543)", "a", (76543, 3, "1")),
    "one remainder of many": ("a + (a % 9973 == 9972)", "a", (9972, 3, "1")),
    "a power that grows": ("a ** 3", "a * a * a + (a - 7) * (a - 5) * (a - 11) * (b > 3000)", (1, 3001, "1")),
    "two halves": ("a // 2 + a // 2", "a", (1, 3, "1")),
    "halves of a sum": ("a // 2 + b // 2", "(a + b) // 2", (1, 1, "1")),
    "the order of floors": ("math.floor(c * b)", "math.floor(c) * b", (7, 3, "1/2")),
    "a ceiling of a ceiling by a fraction": ("math.ceil(math.ceil(c) / 1.5)", "math.ceil(c / 1.5)", (7, 3, "3/2")),
    "a shadowed input": (
        "def solve(a: int = 7, b: int = 3, c: float = 2.5):\n    b = a\n    t = [b for b in range(a)]\n    return b * a",
        "a * b * 7 // 3 + (b - 3) * 7",
        (7, 6, "1"),
    ),
    "two lists that are one": (
        "    x = y = [a]\n    x.append(b)\n    t = sum(y)",
        "    t = a + (b if b < 2500 else 0)",
        (7, 2500, "1"),
    ),
    "a copy that is none": (
        "    x = [a, b]\n    y = x\n    y[0] = c\n    t = x[0]",
        "    t = a - 4.5 + 0 * c",
        (8, 3, "1"),
    ),
    "greatest of truth and number": ("max(a > 3, b) + c", "max(1, b) + c + (b > 65000)", (7, 65001, "1")),
}

# What Python computes of a sequence repeated as often as an input says, until its memory is at its end; and the same without one.
REPEATED = {
    f"{measure} of {sequence} * {times}": (f"{measure}({sequence} * {times})", f"{value} * ({times})")
    for measure, sequence, value in (
        ("len", "'xy'", "2"),
        ("len", "[a]", "1"),
        ("len", "(a, b, c)", "3"),
        ("sum", "[b]", "b"),
        ("sum", "(a, b)", "(a + b)"),
    )
    for times in ("a", "a**40")
}


@cache
def _candidate(code: str, model: str) -> Candidate:
    body = f"\n    t = 0\n{code}\n    return t\n" if code.startswith(" ") else f"\n    return {code}\n"
    return read_candidate(Response("p", model, code if "def " in code else f"def solve({INPUTS}):{body}"))


def _similarity(left: str, right: str) -> float:
    return 1.0 if left == right else 0.0


@cache
def _judged(left: str, right: str, turned: bool = False) -> Verdict:
    if turned:
        left, right = right, left
    sides = _candidate(left, "left"), _candidate(right, "right")
    first, second = (() if side.program is None else side.program.parameters for side in sides)
    return EquivalenceJudge("p").judge(*sides, align(first, second, _similarity))


either_side = pytest.mark.parametrize(
    "turned", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["as-written", "turned"]
)
"""`make test` asks for one order of a pair: that the order changes no status is a law of its own (`test_ladder.py`)."""


@either_side
@cases("case", EQUAL)
def test_equal_pairs_are_confirmed(case: str, turned: bool) -> None:
    """Two ways to write one function are proved equal, on either side."""
    left, right = EQUAL[case]
    assert _judged(left, right, turned).status is Status.CONFIRMED


@either_side
@cases("case", PARTING)
def test_pairs_that_part_are_not_confirmed(case: str, turned: bool) -> None:
    """Two functions that part at a known point are not CONFIRMED, on either side."""
    left, right, _ = PARTING[case]
    assert _judged(left, right, turned).status is not Status.CONFIRMED


@pytest.mark.slow
@cases("case", REPEATED)
def test_the_end_of_memory_is_no_difference(case: str) -> None:
    """Two programs that part only where Python's memory is at its end are not REFUTED."""
    assert _judged(*REPEATED[case]).status is not Status.REFUTED


@either_side
@cases("case", NO_NUMBERS)
def test_results_that_are_no_numbers_are_not_compared(case: str, turned: bool) -> None:
    """Two programs that both give a text, a list, a truth value or nothing somewhere stay UNKNOWN."""
    left, right = NO_NUMBERS[case]
    assert _judged(left, right, turned).status is Status.UNKNOWN


@cases("case", PARTING)
def test_pairs_that_part_do_so_in_evaluation(case: str) -> None:
    """The evaluator gives two answers at the known point."""
    *codes, point = PARTING[case]
    values = {"a": point[0], "b": point[1], "c": Fraction(point[2])}
    outcomes = []
    for code in codes:
        program = _candidate(code, "left").program
        assert program is not None
        outcomes.append(
            outcome_of(
                program, [values.get(parameter.name, parameter.value) for parameter in program.parameters], 200_000
            )
        )
    assert not outcomes[0].agrees(outcomes[1])
