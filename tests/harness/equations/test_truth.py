"""Tests of equation truth: an equation is false only if no convention of its author can make it true."""

from fractions import Fraction

from hypothesis import given, strategies as st

from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from tests.cases import cases


def truth(line: str) -> Truth:
    """Return the truth of the last equation in the prose of a line."""
    return [equation.truth for equation in read_line(line).equations if not equation.annotation][-1]


@cases(
    "line",
    [
        "100% - 20% = 80%",
        "100 - 20 = 80%",
        "5/20 = 25%",
        "5/20 * 100 = 25%",
        "5/20 * 100% = 25%",
        "5/20 = 25, so it is 25 percent",
        "25 cents * 4 = $1",
        "$0.75 * 4 = 300 cents",
        "90 minutes = 1.5 hours",
        "5 hours * 60 = 300 minutes",
        "1 hour + 30 minutes = 90 minutes",
        "30 minutes * 2 = 1 hour",
        "$12/hour * 30 minutes = $6",
        "2 dozen eggs + 3 = 27",
        "3 dozen * 12 = 36",
        "2 years * 12 = 24 months",
        "16 + 12 = $28 million",
        "5 million / 2 = 2,500,000",
        "24 feet = 8 yards",
    ],
)
def test_a_convention_makes_it_true(line: str) -> None:
    """Conventions on percentages, money, units and the scope of `million` can make an equation true."""
    assert truth(line) is Truth.TRUE


@cases(
    "line",
    [
        "7/3 = 2.33",
        "7/3 = 2.3",
        "2/3 = 0.67",
        "2/3 = 0.66",
        "2/3 = 67%",
        "7/3 is about 2, 7/3 = 2",
        "7/3 ≈ 2",
        "7/3 = 3 full boxes",
        "17 / 5 = 3 with 2 left",
        "25/8 = <<25/8=3.125>>3",
        "1/3*5 = 1.6666666666666665",
        "4.20+9.45+1.35 = 14.999999999999998",
        "1234 * 9 = 11000, to the nearest thousand",
        "80 / 26.666666666666668 = 3",
    ],
)
def test_what_is_rounded_is_called_so(line: str) -> None:
    """An equation is true if it is right to the decimals written, as the line announces, or as floats are printed."""
    assert truth(line) is Truth.ROUNDED


@cases(
    "line",
    [
        "7/3 = 2",
        "7/3 = 2.35",
        "7 * 3 = 21.5",
        "3*0.05 = 0.01",
        "2.5+0.3+0.15+0.01 = 2.95",
        "40 - 1.57 = 38.42",
        "1.25 * 40 = 50.1",
        "12.25 * 10 = 123",
        "5 - 8 = 3",
        "5 + 3 * 2 = 17",
        "20% of 50 = 11",
        "3 dimes * $0.10 = $3",
        "60 minutes * 2 = 3 hours",
        "48/2 = 25",
        "1/2 + 1/4 = 2/6",
        "about 7 * 3 = 25",
    ],
)
def test_what_no_convention_makes_true_is_false(line: str) -> None:
    """An equation that no convention makes true is false, even if it is off by little."""
    assert truth(line) is Truth.FALSE


@cases(
    "line",
    ["1/0 = 5", "4 * 6 = 24 * 60", "sqrt(2) = 1.41", "20% * 3 = 60", "9^99999 = 1", "10^60^60 = 5", "50 - 10% = 45"],
)
def test_what_cannot_be_decided_is_unknown(line: str) -> None:
    """Division by zero, a run-on that ends in the middle, a root that is not rational, a percent sign too many, numbers beyond measure."""
    assert truth(line) is Truth.UNKNOWN


WHOLE = st.integers(2, 99)


@given(WHOLE, WHOLE, WHOLE, st.integers(2, 9), st.integers(1, 8))
def test_another_reading_of_its_tokens_leaves_an_equation_open(
    first: int, second: int, third: int, bottom: int, top: int
) -> None:
    """A label before it, a span, a mixed number with a hyphen, points that group, a smaller unit, a share of the amount."""
    part = Fraction(top % bottom or 1, bottom)
    total = first + second
    for line in (
        f"{third} - {first} + {second} = {total}",
        f"{third}/ {first} * {second} = {first * second}",
        f"pages {first}-{total} = {second + 1} pages",
        f"{first}-{part.numerator}/{part.denominator} * {part.denominator} = {first * part.denominator + part.numerator}",
        f"{first}.{100 + second} + 1 = {first}.{101 + second}",
        f"{first} + {60 * third - first} = {third} hours",
        f"${first} + {second} = ${first}.{second:02}",
        f"{bottom * first} + {part.numerator}/{part.denominator} = {bottom * first + part * bottom * first}",
    ):
        assert not read_line(line).false, line


@given(st.integers(1, 10**6), st.integers(1, 999), st.integers(1, 4))
def test_every_quotient_is_rounded_at_its_places(top: int, bottom: int, places: int) -> None:
    """Half up, half even and cut off all count; the next number at those places does not."""
    exact, step = Fraction(top, bottom), Fraction(1, 10**places)
    cut = exact // step * step
    for stated in (cut, round(exact, places)):
        if stated:
            written = f"{float(stated):.{places}f}"
            assert truth(f"{top} / {bottom} = {written}") in {Truth.TRUE, Truth.ROUNDED}
    assert truth(f"{top} / {bottom} = {float(cut + 2 * step):.{places}f}") is Truth.FALSE
