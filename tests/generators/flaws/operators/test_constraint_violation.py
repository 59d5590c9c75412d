"""Tests of constraint violation: the limit that a mutant breaks is one that the correct solution respects."""

from __future__ import annotations

from hypothesis import given, strategies as st

from generators.flaws.operators.constraint_violation import constraint_violation
from generators.flaws.solution.example_solutions import example_source
from generators.flaws.solution.expression_value import value_of
from harness.program.syntax.unparser import unparse
from tests.cases import cases


@given(st.integers(1, 400), st.integers(2, 50))
def test_rounding_the_other_way_takes_one_less(guests: int, seats: int) -> None:
    """Tables for all guests are one more than those that are full, unless all are."""
    source = example_source(
        f"# L1\nguests = {guests}\nseats = {seats}\ntables = ceil(guests / seats)\n# L2\ncost = tables + seats"
    )
    floor, plain = constraint_violation.mutants(source)
    assert floor.expression is not None
    assert plain.expression is not None
    assert value_of(floor.expression, source.values) == guests // seats
    assert unparse(plain.expression) == "guests / seats"
    assert ("up", "down") in floor.words


@cases(
    ("taken", "broken"),
    [
        ("limit = 40  # no overtime up to 40 hours", True),
        ("free_hours = 40  # 40 hours are free", True),
        ("broken_eggs = 40  # 40 eggs are broken", True),
        ("eaten = 40  # she ate 40", False),
        ("percent = 40  # a maximum of 40 percent", False),
    ],
)
def test_what_is_taken_off_is_a_limit_by_its_name_or_comment(taken: str, broken: bool) -> None:
    """Only a limit or what does not count is overlooked; any other difference is another operator's."""
    name = taken.split(" ", maxsplit=1)[0]
    source = example_source(f"# L1\ntotal = 45\n{taken}\nover = total - {name}\n# L2\nboth = over * 3")
    assert [unparse(mutant.expression) for mutant in constraint_violation.mutants(source) if mutant.expression] == (
        ["total"] if broken else []
    )


def test_the_smallest_is_not_the_largest() -> None:
    """The other extreme is chosen, and the words of the line follow."""
    source = example_source("# L1\na = 4\nb = 6\nc = 5\nbest = min(a, b, c)\n# L2\ntwice = best + best")
    (mutant,) = constraint_violation.mutants(source)
    assert mutant.expression is not None
    assert value_of(mutant.expression, source.values) == 6
    assert ("cheapest", "most expensive") in mutant.words
