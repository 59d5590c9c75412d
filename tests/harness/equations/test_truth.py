"""Tests of equation truth: an equation is false only if no convention of its author can make it true."""

from fractions import Fraction
from pathlib import Path

from hypothesis import given, strategies as st

from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from tests.cases import cases

JUDGED = Path(__file__).with_name("judged_lines.txt")
"""Lines after the truth of their equations: `false` where one is false, `unknown` where none is."""


@cases(("truth", "line"), [line.split("\t") for line in JUDGED.read_text("utf-8").splitlines()])
def test_a_line_has_its_truth(truth: str, line: str) -> None:
    """Conventions on percentages, money, units and scale words, rounding as written or announced; else an equation is false or open."""
    found = {equation.truth for equation in read_line(line).equations if not equation.annotation}
    if truth in {Truth.FALSE, Truth.UNKNOWN}:
        assert (Truth.FALSE in found) == (truth == Truth.FALSE)
    else:
        assert found == {truth}


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
        f"{first} pens plus {second}*{third}={second * third} books are {first + second * third}",
        f"{first + second * third} pens minus {second}*{third}={second * third} are {first}",
        f"{bottom * first} + {part.numerator}/{part.denominator} = {bottom * first + part * bottom * first}",
    ):
        assert not read_line(line).false, line


@given(st.integers(1, 10**6), st.integers(1, 999), st.integers(1, 4))
def test_every_quotient_is_rounded_at_its_places(top: int, bottom: int, places: int) -> None:
    """Half up, half even and cut off all count; the next number at those places does not."""
    exact, step = Fraction(top, bottom), Fraction(1, 10**places)
    cut = exact // step * step
    truths = {
        stated: read_line(f"{top} / {bottom} = {float(stated):.{places}f}").equations[-1].truth
        for stated in (cut, round(exact, places), cut + 2 * step)
    }
    assert truths.pop(cut + 2 * step) is Truth.FALSE
    assert {truth for stated, truth in truths.items() if stated} <= {Truth.TRUE, Truth.ROUNDED}
