"""Tests of linear systems: the solver of the evaluator gives the same solutions as sympy."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, strategies as st

from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from harness.program.refusal import Refusal, RefusalReason
from tests.cases import cases

COEFFICIENTS = st.one_of(st.integers(-6, 6), st.fractions(-5, 5, max_denominator=4))
NAMES = ("x", "y", "z")
Row = tuple[list[Fraction | int], Fraction | int]


def rows(size: int) -> st.SearchStrategy[list[Row]]:
    """Draw as many equations as unknowns."""
    return st.lists(
        st.tuples(st.lists(COEFFICIENTS, min_size=size, max_size=size), COEFFICIENTS), min_size=size, max_size=size
    )


def written(value: Fraction | int) -> str:
    """Write a coefficient as code."""
    return f"({value})" if isinstance(value, int) else f"Fraction({value.numerator}, {value.denominator})"


def program(system: list[Row], wanted: str, solver: str) -> str:
    """Write a system as a formalization that gives one unknown."""
    names = NAMES[: len(system)]
    lines = [f"{name} = Symbol('{name}')" for name in names]
    for number, (coefficients, constant) in enumerate(system):
        left = " + ".join(f"{written(value)} * {name}" for value, name in zip(coefficients, names, strict=True))
        lines.append(f"e{number} = Eq({left}, {written(constant)})")
    equations, unknowns = (", ".join(group) for group in ([f"e{number}" for number in range(len(system))], names))
    lines += [f"found = {solver}([{equations}], [{unknowns}])", f"ans = found[{wanted}]"]
    return "\n".join(lines)


def sympy_solves(system: list[Row]) -> dict[str, Fraction]:
    """Return the unknowns that have one value, by sympy."""
    symbols = sympy.symbols(NAMES[: len(system)])
    matrix = sympy.Matrix(
        [[*map(sympy.Rational, coefficients), sympy.Rational(constant)] for coefficients, constant in system]
    )
    solutions = list(sympy.linsolve(matrix, *symbols))
    values = zip(symbols, solutions[0], strict=True) if solutions else ()
    return {str(symbol): Fraction(int(value.p), int(value.q)) for symbol, value in values if not value.free_symbols}


def value_of(text: str) -> Fraction | int | None:
    """Return the value of a formalization, `None` where it has none that is a number."""
    try:
        return evaluate(lift(Response("p", "m", text))).value
    except Refusal as refusal:
        if refusal.reason in {RefusalReason.NON_NUMERIC, RefusalReason.UNSUPPORTED}:
            return None
        raise


@pytest.mark.parametrize("solver", ["solve", "solve_it"])
@given(data=st.data())
def test_systems_are_solved_as_by_sympy(solver: str, data: st.DataObject) -> None:
    """Every unknown that has one value has sympy's; any other gives no number."""
    system = data.draw(st.integers(1, 3).flatmap(rows))
    expected = sympy_solves(system)
    for name in NAMES[: len(system)]:
        assert value_of(program(system, name, solver)) == expected.get(name)


SOLVED = {
    "x = Symbol('x')\nans = solve(Eq(2 * x + 3, 11), x)[0]": 4,
    "x = symbols('x')\nans = solve(2 * x - 8, x)[0]": 4,
    "x, y = symbols('x y')\nfound = solve((Eq(x + y, 10), Eq(x - y, 2)), (x, y))\nans = found[x]": 6,
    "x, y = symbols('x, y')\nfound = solve([x + y - 10, x - y - 2])\nans = found[y]": 4,
    "x = Symbol('x', positive=True)\nans = solve(Eq(x / 3, 5), x)[0]": 15,
    "x = Symbol('x')\ny = 2 * x + 1\nans = y.subs(x, 5)": 11,
    "x = Symbol('x')\ny = Symbol('y')\nz = x + y\nans = z.subs(x, 5).subs(y, 2)": 7,
    "x = Symbol('x')\ny = Symbol('y')\nans = (x + y).subs(x, 2 * y).subs(y, 3)": 9,
    "x = Symbol('x')\nans = x - x + 5": 5,
    "from sympy import Symbol as S, Eq, solve\nx = S('x')\nans = solve(Eq(x, 5), x)[0]": 5,
    "import sympy\nx = sympy.Symbol('x')\nans = sympy.solve(sympy.Eq(x, 5), x)[0]": 5,
}


@cases("number", range(len(SOLVED)))
def test_forms_of_solving(number: int) -> None:
    """Equations, bare expressions, substitution and imports as LLMs write them."""
    text, value = list(SOLVED.items())[number]
    assert evaluate(lift(Response("p", "m", text))).value == value


@cases(
    "text",
    [
        "x = Symbol('x')\nans = solve(Eq(x * x, 4), x)[0]",
        "x = Symbol('x')\nans = solve(Eq(1 / x, 4), x)[0]",
        "x = Symbol('x')\nans = 1 if x > 3 else 2",
        "x = Symbol('x')\nans = x + 1",
        "x = Symbol('x')\nans = solve(Eq(x, 5), x, dict=True)[0][x]",
    ],
)
def test_what_is_not_linear_or_not_solved_is_refused(text: str) -> None:
    """Neither a wrong root nor a symbol passes for an answer."""
    with pytest.raises(Refusal):
        evaluate(lift(Response("p", "m", text)))


def test_a_contradiction_has_no_solution_to_look_up() -> None:
    """`solve` gives an empty list, whose first item does not exist."""
    text = "x = Symbol('x')\nans = solve([Eq(x, 1), Eq(x, 2)], [x])[0]"
    assert evaluate(lift(Response("p", "m", text))).error == "IndexError"
