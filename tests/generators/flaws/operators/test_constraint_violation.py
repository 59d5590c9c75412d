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
        ("eaten = 40  # she ate 40", True),
        ("baked = 40  # 40 are baked already", True),
        ("younger = 40  # 40 years younger", False),
        ("percent = 40  # a maximum of 40 percent", False),
    ],
)
def test_what_is_taken_off_is_a_limit_by_its_name_or_comment(taken: str, broken: bool) -> None:
    """Only a limit, or what does not count, is gone or is there already, is overlooked; any other difference is another operator's."""
    name = taken.split(" ", maxsplit=1)[0]
    source = example_source(f"# L1\ntotal = 45\n{taken}\nover = total - {name}\n# L2\nboth = over * 3")
    assert [unparse(mutant.expression) for mutant in constraint_violation.mutants(source) if mutant.expression] == (
        [] if not broken else ["total"] if "limit" in taken or "free" in taken else ["total", name]
    )


@cases(
    ("often", "made"),
    [
        ("times = 2  # feeds them twice a day", ["cups"]),
        ("times = 2  # twice as many cups as Ann", []),
        ("times = 2  # 2 cats", []),
        ("times = 3  # 3 days a week", ["7 * cups", "cups"]),
    ],
)
def test_what_happens_often_happens_once(often: str, made: list[str]) -> None:
    """How often something happens is a condition; how many times as large something is, is none."""
    source = example_source(
        f"# L1\n{often}\ncups = 4  # 4 cups\nfood = times * cups\n# L2\nbags = 6\nall_food = food + bags"
    )
    assert [unparse(mutant.expression) for mutant in constraint_violation.mutants(source) if mutant.expression] == made


@given(st.integers(2, 20), st.integers(1, 20), st.integers(1, 20))
def test_packs_that_are_not_enough_are_no_cover(packs: int, size: int, singles: int) -> None:
    """The singles are left out only where the packs and they together are what is needed, and the packs alone are fewer."""
    source = example_source(
        f"# L1\npacks = {packs}\npack_price = 3  # $3\nsingles = {singles}\nprice = 100  # $100\nsize = {size}\n"
        f"pupils = {packs * size + singles}\ncost = packs * pack_price + singles * price\n# L2\ntwice = cost + cost"
    )
    made = [unparse(mutant.expression) for mutant in constraint_violation.mutants(source) if mutant.expression]
    assert made == (["packs * pack_price"] if size > 1 and singles < size else [])


def test_the_smallest_is_not_the_largest() -> None:
    """The other extreme is chosen, and the words of the line follow."""
    source = example_source("# L1\na = 4\nb = 6\nc = 5\nbest = min(a, b, c)\n# L2\ntwice = best + best")
    (mutant,) = constraint_violation.mutants(source)
    assert mutant.expression is not None
    assert value_of(mutant.expression, source.values) == 6
    assert ("cheapest", "most expensive") in mutant.words


@cases(
    ("result", "made"),
    [("left", ["new", "old"]), ("change", ["new", "old"]), ("price_change", []), ("more_needed", ["new", "old"])],
)
def test_what_is_left_or_needed_has_something_taken_off(result: str, made: list[str]) -> None:
    """A name of a difference that says what is gone or there already is a limit; the change of a price is not."""
    source = example_source(f"# L1\nnew = 9  # $9\nold = 4  # $4\n{result} = new - old\n# L2\nboth = {result} * 3")
    assert [unparse(mutant.expression) for mutant in constraint_violation.mutants(source) if mutant.expression] == made
