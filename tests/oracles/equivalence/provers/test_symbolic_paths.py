"""Tests of symbolic paths: all paths of a program are enumerated, or the program is refused."""

import pytest

from harness.domain import Response
from harness.program.evaluation.terms import Term, depth, open_input, subterms
from harness.program.lifter import lift
from harness.program.refusal import Refusal
from oracles.equivalence.provers.symbolic_paths import SymbolicPath, paths_of, stays_int
from tests.cases import cases


def paths(body: str, frozen: frozenset[int] = frozenset()) -> tuple[SymbolicPath, ...]:
    """Return the paths of a program of `a` and `b`."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return paths_of(lift(Response("p", "m", f"def solve(a: int = 7, b: int = 3):\n{lines}\n")), frozen)


@cases(
    ("body", "count"),
    [
        ("return a + b", 1),
        ("return a if a > b else b", 2),
        ("return 1 if a > 1 and b > 1 else 2", 3),
        ("return 1 if 1 < a < b else 2", 3),
        ("return a if 1 > 2 else b", 1),
        ("x = 0\nif a > 1:\n    x = 1\nif b > 1:\n    x += 2\nreturn x", 4),
    ],
)
def test_each_decision_parts_the_paths(body: str, count: int) -> None:
    """Conditions on inputs part paths, short circuits and constants do not."""
    assert len(paths(body)) == count


def test_a_frozen_input_decides() -> None:
    """A frozen input has its value, which decides conditions on it."""
    assert len(paths("return a if a > 5 else b", frozenset({0}))) == 1


def test_divisors_are_those_of_the_path() -> None:
    """A division on one branch is none of the other."""
    assert sorted(len(path.divisors) for path in paths("return a / b if a > 5 else a")) == [0, 1]


@cases(
    "expression",
    ["a / b", "a // b", "a % b", "Fraction(a, b)", "divmod(a, b)[0]", "a * b ** -1", "a * pow(b, -2)", "1 / b"],
)
def test_every_division_is_noted(expression: str) -> None:
    """However a division is written, its divisor is on record."""
    (path,) = paths(f"return {expression}")
    assert path.divisors


def test_a_singular_equation_is_a_divisor() -> None:
    """Where the pivot vanishes there is no solution, which to the outside is dividing by zero."""
    (path,) = paths("x = Symbol('x')\nreturn solve_it(Eq((a - b) * x, 6), x)[x] * 1")
    assert (path.error, path.conditions, len(path.divisors) >= 1) == (None, (), True)


def test_an_exception_at_one_value_is_a_divisor() -> None:
    """Raising where a term vanishes is the same to the outside as dividing by it; no path is lost."""
    (path,) = paths("return nothing if a == 4321 else b")
    assert (path.error, path.conditions, len(path.divisors)) == (None, (), 1)


def test_an_exception_on_an_inequality_keeps_its_path() -> None:
    """What is no zero set stays a path of its own."""
    assert sorted(str(path.error) for path in paths("return nothing if a > 4321 else b")) == ["NameError", "None"]


def test_a_loop_of_open_length_names_its_bounds() -> None:
    """The path holds where the bounds are ints."""
    found = paths("t = 0\nfor i in range(a, b):\n    t += 5\nreturn t")
    assert [len(path.bounds) for path in found] == [2, 2]


@cases(
    "body",
    [
        "t = 0\nfor i in range(a):\n    t += 2 ** i\nreturn t",
        "t = 1\nfor i in range(a):\n    t *= 2\nreturn t",
        "return len(range(0, a, b))",
        "return sum({(i - 5000) ** 2 for i in range(a)})",
        "t = 0\nfor i in range(a):\n    t += i % 5001\nreturn t",
        "t = 0\nfor i in range(a):\n    t += abs(i % 2 * i - 5000)\nreturn t",
        "return [1, 2, 3][a]",
        "return sum([1] * a)",
        "return int(str(a))",
        "return 1 if a in [b, 3] else 2",
        "return 2 ** a",
        "x = {a: 1}\nreturn x[a]",
        "t = a\nwhile t > 1:\n    t = t / 2\nreturn t",
    ],
)
def test_what_cannot_be_followed_is_refused(body: str) -> None:
    """A refusal leaves the pair to the search; a wrong path would prove nonsense."""
    with pytest.raises(Refusal):
        paths(body)


X, Y = open_input(0), open_input(1)


@cases(
    ("term", "whole"),
    [
        (Term("+", (X, 2)), True),
        (Term("//", (Term("*", (X, X)), 2)), True),
        (Term("/", (X, 1)), False),
        (Term("floor", (Term("/", (X, 2)),)), True),
        (Term("+", (X, Y)), False),
        (Term("//", (Y, 1)), False),
        (Term("max", (X, 0)), True),
        (Term("round", (Term("/", (X, 2)), 0)), False),
        (5, True),
    ],
)
def test_only_what_python_holds_in_an_int_is_a_loop_bound(term: Term | int, *, whole: bool) -> None:
    """A quotient is a float even where it is whole; `x` is an int here, `y` is not."""
    assert stays_int(term, frozenset({0})) is whole


def test_terms_are_walked_however_deep() -> None:
    """Arguments come before what uses them, each once."""
    deep = X
    for _ in range(20_000):
        deep = Term("+", (deep, deep))
    walked = list(subterms(deep))
    assert (len(walked), walked[0], walked[-1], depth(deep)) == (20_001, X, deep, 20_001)
