"""Tests of the values that numbers can have: of the kind, the size and the simplicity of the old ones; what is drawn gives plausible results."""

from fractions import Fraction
from random import Random

from hypothesis import given, strategies as st

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.values.nearby_values import neighbors_of
from generators.variants.values.value_draw import LARGEST_RATIO, ValueSampler
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.text.number_forms import PLAIN
from tests.generators.flaws.example_solutions import example_source

COUNT, MONEY = Unit(Quantity.COUNT, "pen"), Unit(Quantity.MONEY, "dollar")

PENS = VariantSubject(
    example_source(
        """
# L1
boxes = 5 # 5 boxes
pens_per_box = 12 # 12 pens in each box
pens = boxes * pens_per_box
# L2
broken = 18 # 18 pens are broken
whole = pens - broken
# L3
children = 7 # 7 children
each = whole / children
# L4
price = 0.5 # $0.50 each
worth = each * price
""",
        "A school gets 5 boxes with 12 pens in each box. 18 pens are broken, and 7 children share the others. A pen costs $0.50. "
        "What are the pens of a child worth?",
    )
)


def drawn(subject: VariantSubject, *variables: str, seeds: int = 100) -> list[dict[str, Exact]]:
    """Return what is drawn for some inputs of a problem with many seeds."""
    draw = ValueSampler(subject, variables)
    made = [draw.values(Random(seed)) for seed in range(seeds)]
    return [values for values in made if values is not None]


PEN_INPUTS = ("boxes", "pens_per_box", "broken", "children", "price")


def test_draws_stay_plausible() -> None:
    """All follows by exact evaluation; what is whole, positive or one stays so; sizes stay, and inputs stay apart by value."""
    pen_draws = drawn(PENS, *PEN_INPUTS)
    assert len(pen_draws) > 90
    for values in pen_draws:
        assert values["pens"] == values["boxes"] * values["pens_per_box"]
        assert values["whole"] == values["pens"] - values["broken"]
        assert values["each"] * values["children"] == values["whole"]
        assert values["worth"] == values["each"] * values["price"]
        for name, value in values.items():
            old = PENS.values[name]
            assert value.denominator == 1 or old.denominator != 1, name
            assert value > 0
            assert (value == 1) == (old == 1)
            assert max(value / old, old / value) <= LARGEST_RATIO, name
            assert name not in PEN_INPUTS or [other for other in values if values[other] == value] == [name]
    changes = [sum(values[name] != PENS.values[name] for name in PEN_INPUTS) for values in pen_draws]
    assert min(changes) >= 1
    assert sum(changes) > 3 * len(changes)


@given(st.integers(1, 10**6), st.frozensets(st.integers(1, 60)))
def test_neighbors_are_close_and_as_long(value: int, avoided: frozenset[int]) -> None:
    """They are whole, positive, at most half as much away, none of those avoided, and have as many digits."""
    found = neighbors_of(value, PLAIN, COUNT, avoided)
    assert found == sorted(set(found))
    for other in found:
        assert other != value
        assert other not in avoided
        assert other > 0
        assert other.denominator == 1
        assert len(str(other)) == len(str(value))
        assert abs(Fraction(other - value)) <= max(Fraction(value, 2), Fraction(2))
