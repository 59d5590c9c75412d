"""Tests of the registered slips: each keeps the contract of a slip and makes the mistake that it is named for."""

from fractions import Fraction

from hypothesis import given, strategies as st

from generators.flaws.slip import MOST_VALUES, SLIPS, ComputedResult, Slip, wrong_values
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
        return ComputedResult(value, form, operator, (left, right))
    return ComputedResult(value, form)


def require(name: str) -> Slip:
    """Return a registered slip."""
    return SLIPS.require(name)


@cases("name", NAMES)
def test_examples_hold(name: str) -> None:
    """Each example gives exactly its values, in order; one example gives some, one none. No two slips have the same rank."""
    examples = require(name).examples
    for example in examples:
        assert tuple(require(name).propose(example.computed)) == example.wrong
    assert {bool(example.wrong) for example in examples} == {True, False}
    assert len({slip.rank for slip in SLIPS}) == len(NAMES) == 8


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
        computed = ComputedResult(value, form, operator, operands if operator else ())
        assert computed.value not in require(name).propose(computed)


def column_by_column(operator: str, left: int, right: int, forgotten: int) -> int:
    """Add or subtract digit by digit from the right, without what one column would hand on to the next."""
    result, handed = 0, 0
    length = len(str(max(left, right)))
    for place in range(length):
        top, below = left // 10**place % 10, right // 10**place % 10
        total = top + below + handed if operator == "+" else top - below - handed
        result += (total if place == length - 1 else total % 10) * 10**place
        handed = int(not 0 <= total < 10 and place != forgotten)
    return result


@given(st.sampled_from("+-"), st.integers(20, 99999), st.integers(0, 99999), st.integers(0, 4))
def test_each_forgotten_carry_and_borrow_is_found(operator: str, left: int, right: int, place: int) -> None:
    """What digit-by-digit work gives without the carry or borrow of one column is a wrong value, if less is left than there was."""
    left, right = max(left, right), min(left, right)
    value = left + right if operator == "+" else left - right
    wrong = column_by_column(operator, left, right, place)
    computed = ComputedResult(value, PLAIN, operator, (left, right))
    found = wrong in list(require("carry_or_borrow_forgotten").propose(computed))
    assert found >= (wrong != value and (operator == "+" or wrong < left))
    assert operator == "-" or found == (wrong != value)


@given(results())
def test_errors_have_the_size_of_their_slip(computed: ComputedResult) -> None:
    """A power of ten, the square of an operand, one to three; a sign slip needs a minus."""
    value, operands = computed.value, computed.operands
    wrong = {name: list(require(name).propose(computed)) for name in NAMES}
    squares = {operand**2 for operand in operands}
    inverses = squares | {1 / Fraction(square) for square in squares if square}
    assert all(Fraction(other) / value in inverses for other in wrong["reciprocal_multiplication"])
    assert all(abs(other - value) * 3 <= abs(value) for other in wrong["stem_off_by_n"])
    assert all((other > 0) == (value > 0) for other in wrong["float_off_by_n"])
    if not computed.form.rounded:
        assert all(Fraction(other) / value in {10, Fraction(1, 10)} for other in wrong["off_by_factor_of_ten"])
        assert all(abs(other - value) * computed.form.scale in {1, 2, 3} for other in wrong["off_by_n"])
    if computed.operator != "-" and min(value, *operands, 0) >= 0:
        assert not wrong["sign_slip"]
