"""Tests of the registered slips: each keeps the contract of a slip and makes the mistake that it is named for."""

from fractions import Fraction

from hypothesis import given, strategies as st

from generators.flaws.slip import MOST_VALUES, SLIPS, ComputedResult, Slip, digits_of, wrong_values
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.program.evaluation.arithmetic import binary
from harness.text.number_forms import PLAIN, NumberForm, NumberKind
from harness.text.numbers import whole_as_int
from tests.cases import cases

FORMS = (
    PLAIN,
    NumberForm(NumberKind.NUMERAL, before="$", places=2, padded=True, money=True),
    NumberForm(NumberKind.NUMERAL, before="$", separators=True),
    NumberForm(NumberKind.NUMERAL, after="%", scale=100),
    NumberForm(NumberKind.NUMERAL, places=2, rounded=True),
    NumberForm(NumberKind.NUMERAL, leading_zero=False),
    NumberForm(NumberKind.FRACTION, denominator=12),
    NumberForm(NumberKind.FRACTION, denominator=8, joint=" "),
    NumberForm(NumberKind.WORDS),
    NumberForm(NumberKind.NAMED, named="twice"),
)
UNITS = st.sampled_from([Unit(quantity, noun) for quantity in Quantity for noun in ("", "dollar", "degree")])
WHOLE = st.integers(0, 30) | st.integers(0, 9999) | st.integers(1, 99).map(lambda stem: stem * 100)
NUMBERS = WHOLE | st.builds(Fraction, st.integers(-50, 2000), st.sampled_from([1, 2, 3, 4, 5, 8, 10, 100]))
NAMES = [slip.name for slip in SLIPS]


@st.composite
def results(draw: st.DrawFn, operators: str = "+-*/", numbers: st.SearchStrategy[Exact] = NUMBERS) -> ComputedResult:
    """Draw an operation on two numbers, or a bare value, in a form that can write its result."""
    left, right = draw(numbers), draw(numbers)
    operator = draw(st.sampled_from(operators))
    if operator == "/" and right == 0:
        right = 1
    value = whole_as_int(binary(operator, left, right))
    form = draw(st.sampled_from([form for form in FORMS if form.write(value) is not None] or [PLAIN]))
    if draw(st.booleans()):
        return ComputedResult(value, form, draw(UNITS), operator, (left, right))
    return ComputedResult(value, form, draw(UNITS))


def require(name: str) -> Slip:
    """Return a registered slip."""
    return SLIPS.require(name)


@cases("name", NAMES)
def test_examples_hold(name: str) -> None:
    """Each example gives exactly its values, in order, none of them absurd; one example gives some, one none."""
    examples = require(name).examples
    for example in examples:
        assert tuple(require(name).propose(example.computed)) == example.wrong
    assert {bool(example.wrong) for example in examples} == {True, False}


def test_eleven_slips_rank_apart() -> None:
    """All eleven subtypes are registered, none shares its rank, and what tells least comes last."""
    assert len(NAMES) == 11
    assert len({slip.rank for slip in SLIPS}) == 11
    assert max(SLIPS, key=lambda slip: slip.rank).name == "off_by_n"


@given(results())
def test_no_value_belongs_to_two_slips(computed: ComputedResult) -> None:
    """Over all slips of a result, no value comes twice or reads as the right one; each is exact and can be written."""
    values = [value for values in wrong_values(computed).values() for value in values]
    written = [computed.form.write(value) for value in (computed.value, *values)]
    assert len(set(written)) == len(values) + 1
    assert None not in written
    assert all(type(value) in {int, Fraction} and value == whole_as_int(value) for value in values)
    assert all(len(values) <= MOST_VALUES for values in wrong_values(computed).values())


@cases("name", NAMES)
@cases("operator", ["", "+", "-", "*", "/", "//", "%", "**"])
@cases(
    ("value", "operands"),
    [
        (10**4000, (10**4000, 10**3999)),
        (Fraction(1, 7**900), (Fraction(1, 7**900), 7**900)),
        (0, (0, 0)),
        (-(10**40), (-(10**40), -1)),
    ],
)
def test_extreme_numbers(name: str, operator: str, value: Exact, operands: tuple[Exact, ...]) -> None:
    """Numbers nobody writes, and operands that do not give the value, raise nothing."""
    for form in FORMS:
        computed = ComputedResult(value, form, Unit(Quantity.NUMBER), operator, operands if operator else ())
        assert computed.value not in require(name).propose(computed)


def column_by_column(operator: str, left: int, right: int, forgotten: frozenset[int]) -> int:
    """Add or subtract digit by digit from the right, without what some columns would hand on to the next."""
    result, handed = 0, 0
    length = len(str(max(left, right)))
    for place in range(length):
        top, below = left // 10**place % 10, right // 10**place % 10
        total = top + below + handed if operator == "+" else top - below - handed
        keep = place == length - 1
        result += (total if keep else total % 10) * 10**place
        handed = int(not 0 <= total < 10 and place not in forgotten)
    return result


@given(st.sampled_from("+-"), st.integers(20, 99999), st.integers(0, 99999), st.integers(0, 4))
def test_each_forgotten_carry_and_borrow_is_found(operator: str, left: int, right: int, place: int) -> None:
    """What digit-by-digit work gives without the carry or borrow of one column is a wrong value, if less is left than there was."""
    left, right = max(left, right), min(left, right)
    value = left + right if operator == "+" else left - right
    wrong = column_by_column(operator, left, right, frozenset({place}))
    computed = ComputedResult(value, PLAIN, Unit(Quantity.NUMBER), operator, (left, right))
    found = wrong in list(require("carry_or_borrow_forgotten").propose(computed))
    assert found >= (wrong != value and (operator == "+" or wrong < left))
    assert operator == "-" or found == (wrong != value)


@given(results())
def test_transposition_keeps_the_digits(computed: ComputedResult) -> None:
    """A transposed number has the same digits, all but two of them in their places."""
    right = digits_of(computed)
    for value in require("digit_transposition").propose(computed):
        wrong = digits_of(ComputedResult(value, computed.form, computed.unit))
        assert right is not None
        assert wrong is not None
        longest = max(right.places, wrong.places)
        texts = [str(decimal.number * 10 ** (longest - decimal.places)) for decimal in (right, wrong)]
        differing = [at for at, (left, other) in enumerate(zip(*texts, strict=True)) if left != other]
        assert sorted(texts[0]) == sorted(texts[1])
        assert len(differing) == 2
        assert differing[1] == differing[0] + 1


@given(results())
def test_shifts_are_powers_of_ten(computed: ComputedResult) -> None:
    """A misplaced point and a lost zero make the written number ten times as much or a tenth, rounding aside."""
    for name in ("decimal_shift", "off_by_factor_of_ten"):
        for value in require(name).propose(computed):
            if not computed.form.rounded:
                assert Fraction(value) / computed.value in {10, Fraction(1, 10)}


@given(results())
def test_reciprocals(computed: ComputedResult) -> None:
    """A reciprocal is one over the value; multiplying by one is off by the square of an operand."""
    for value in require("reciprocal").propose(computed):
        assert value * computed.value == 1
    for value in require("reciprocal_multiplication").propose(computed):
        squares = {operand**2 for operand in computed.operands}
        assert Fraction(value) / computed.value in squares | {1 / Fraction(square) for square in squares if square}


@given(results())
def test_small_slips_are_small(computed: ComputedResult) -> None:
    """A count is off by at most three, a stem by at most a third of the value, a last decimal stays a decimal."""
    value = computed.value
    for wrong in require("off_by_n").propose(computed):
        if not computed.form.rounded:
            assert abs(wrong - value) * computed.form.scale in {1, 2, 3}
    for wrong in require("stem_off_by_n").propose(computed):
        assert abs(wrong - value) * 3 <= abs(value)
        assert wrong * computed.form.scale % 10 == 0
    for wrong in require("float_off_by_n").propose(computed):
        assert wrong.denominator != 1 or computed.form.scale != 1
        assert (wrong > 0) == (value > 0)


@given(results())
def test_a_sign_slip_needs_a_minus(computed: ComputedResult) -> None:
    """Without a difference and a negative number there is no sign to be misread."""
    if computed.operator != "-" and min(computed.value, *computed.operands, 0) >= 0:
        assert not list(require("sign_slip").propose(computed))


@given(results("-/", st.integers(1, 9999)))
def test_no_part_exceeds_its_whole(computed: ComputedResult) -> None:
    """What is left of a number or a whole part of it is less than the number, save where the operation was taken for its inverse."""
    if not computed.operands or computed.value < 0 or computed.operands[1] == 1:
        return
    for slip in SLIPS:
        if slip.name not in {"sign_slip", "reciprocal", "reciprocal_multiplication"}:
            assert all(value < computed.operands[0] for value in slip.propose(computed)), slip.name


@given(results("+", st.integers(0, 9999)))
def test_no_sum_falls_short_of_a_part(computed: ComputedResult) -> None:
    """Only a lost carry or a lost zero makes a sum less than what was added."""
    for slip in SLIPS:
        if slip.name not in {"carry_or_borrow_forgotten", "off_by_factor_of_ten"}:
            assert all(value > max(computed.operands, default=0) for value in slip.propose(computed)), slip.name
