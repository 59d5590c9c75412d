"""Tests of wrong formulas: the pairs of the table differ, and a formula is recognised where a solution uses it."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from generators.flaws.knowledge.formula_patterns import Formula, read_formula
from generators.flaws.knowledge.formula_table import FORMULAS
from generators.flaws.operators.wrong_formula import wrong_formula
from generators.flaws.solution.example_solutions import example_source
from generators.flaws.solution.expression_value import value_of
from harness.program import ir
from harness.program.syntax.unparser import unparse
from tests.cases import cases

NAMES = [formula.name for formula in FORMULAS]
POINTS = [
    {letter: 3 + 7 * number + 11 * place for number, letter in enumerate("abcdefhklmnoprstvwx")} for place in range(5)
]


def formula_of(name: str) -> Formula:
    """Return the formula of that name."""
    return next(formula for formula in FORMULAS if formula.name == name)


def test_names_are_unique() -> None:
    """A name in a record leads to one entry."""
    assert len(set(NAMES)) == len(NAMES)


@cases("name", NAMES)
def test_a_wrong_formula_reads_what_the_right_one_reads(name: str) -> None:
    """Every letter has a meaning, in all forms, and where a role or kind speaks of it."""
    formula = formula_of(name)
    common = frozenset.intersection(*map(ir.names_of, formula.forms))
    known = frozenset[str]().union(*map(ir.names_of, formula.forms))
    for wrong in formula.mistaken:
        assert ir.names_of(wrong) <= common
    assert {*formula.roles, *formula.kinds} <= known


@cases("name", NAMES)
def test_a_wrong_formula_is_another_one(name: str) -> None:
    """The forms of the right one agree in value where they need the same letters; a wrong one differs from them."""
    formula = formula_of(name)
    for wrong in formula.mistaken:
        for form in formula.forms:
            assert any(value_of(form, point) != value_of(wrong, point) for point in POINTS)


@cases("name", NAMES)
def test_explanations_vary(name: str) -> None:
    """At least five sentences, each with the right equation or value."""
    phrases = formula_of(name).phrases
    assert len(set(phrases)) >= 5
    assert all("{right" in phrase for phrase in phrases)


@cases("text", ["a ** b", "a.b", "f(a)", "-a", "1.5 * a", "'a' * b", "a if b else c", "[a]"])
def test_other_python_is_no_formula(text: str) -> None:
    """An entry of the table that holds anything else is refused with its text."""
    with pytest.raises(ValueError, match="is no formula"):
        read_formula(text)


def mutants_of(code: str) -> dict[str, set[str]]:
    """Return the wrong formulas by step."""
    found: dict[str, set[str]] = {}
    for mutant in wrong_formula.mutants(example_source(code)):
        assert mutant.expression is not None
        found.setdefault(mutant.variable, set()).add(unparse(mutant.expression))
    return found


@given(st.integers(3, 90), st.integers(3, 90))
def test_an_area_is_taken_for_a_perimeter(length: int, width: int) -> None:
    """An area is taken for a perimeter for any sides, unless both formulas agree."""
    found = mutants_of(f"# L1\nlength = {length}\nwidth = {width}\narea = width * length\n# L2\nrest = 9999 - area")
    agree = length * width == 2 * (length + width)
    assert ("2 * (width + length)" in found["area"]) is not agree


@cases(
    ("steps", "variable", "wrong"),
    [
        ("change = price * 20 / 100\n# L2\nafter = price - change", "change", None),
        ("more = price * percent / 100\n# L2\nafter = price + more", "after", "price + percent"),
        ("less = price * percent / 100\n# L2\nafter = price - less", "after", "price - percent"),
        ("less = percent / 100 * price\n# L2\nafter = price - less", "less", "price - price * percent / 100"),
        (
            "growth = after_raise - price\n# L2\nincrease = growth / price",
            "increase",
            "(after_raise - price) / after_raise",
        ),
        ("all_kinds = price + after_raise\n# L2\nshare = price / all_kinds", "share", "price / after_raise"),
    ],
)
def test_a_formula_may_span_steps(steps: str, variable: str, wrong: str | None) -> None:
    """The operand of a step may be what the step before works out."""
    found = mutants_of(f"# L1\nprice = 60\npercent = 15  # 15 percent\nafter_raise = 90\n{steps}")
    assert (wrong in found.get(variable, set())) is (wrong is not None)


def test_half_of_it_is_as_much_as_half_less() -> None:
    """A wrong formula that gives the right value is none."""
    assert not mutants_of("# L1\npens = 8\nhalf = 0.5  # half of them\nhers = pens * half\n# L2\nleft = pens - 3")
