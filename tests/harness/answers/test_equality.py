"""Laws of equal answers: an equivalence where both are read, and unknown where one is not."""

import itertools
import time
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from harness.answers import symbolic
from harness.answers.equality import equal_answers
from harness.answers.symbolic import SECONDS, symbolic_equality
from tests.cases import cases, rows, texts

EQUAL: dict[tuple[str, ...], bool | None] = {
    **dict.fromkeys(
        rows(r"""\frac{3}{4} → 0.75 | 75% → 0.75 | 2 hours → 120 minutes | 1 km → 1000 m | 5 dozen → 60 | 5 feet 6 inches → 66
5 feet 6 inches → 5.5 feet | EUR 12.00 → 12 | 6:35 p.m. → 6:35 p.m. | \sqrt{49} → 7 | x = 5 → 5
5 red apples → 5 apples | $5 → 500 cents | $72 → 8 \cdot 9 | (B) → B | Yes → yes"""),
        True,
    ),
    **dict.fromkeys(
        rows(r"""75% → 0.75% | 5 dozen → 6 | 5 feet 6 inches → 5 | 5 feet 6 inches → 5 feet 7 inches | \frac{\sqrt{16}}{2} → 3
2\pi → 6.28 | 5 hours → 5 minutes | A → B | -5 → 5"""),
        False,
    ),
    **dict.fromkeys(
        rows(r"""2 hours → 120 | 5 dozen → 5 | 8 500 → 8500 | 5 feet 6 inches → 5.5 | EUR 12.00 → USD 12 | 6:35 p.m. → 6
5 km → 5 hours | 5 km per hour → 5 miles per hour | 75% → 0.75 cups | 5 km → \sqrt{16} | yes → no | 10-15 → -5
1-1/2 → 1/2 | 2020-03-05 → 2012 | 3/5/2020 → 3/10100 | (60) → 60 | 1/0 → 1""")
    ),
}


@cases("pair", EQUAL)
def test_answers_are_compared_both_ways(pair: tuple[str, ...]) -> None:
    """Equal, different or not known, whichever comes first."""
    assert (equal_answers(*pair), equal_answers(pair[1], pair[0])) == (EQUAL[pair], EQUAL[pair])


def forms(value: Fraction) -> list[str]:
    """Return ways to write a fraction."""
    top, bottom = value.numerator, value.denominator
    sign = "-" if top < 0 else ""
    return [
        f"{top}/{bottom}",
        rf"{sign}\frac{{{abs(top)}}}{{{bottom}}}",
        rf"\boxed{{{top}/{bottom}}}",
        f"${top}/{bottom}$",
    ]


@given(st.fractions(-99, 99, max_denominator=12), st.fractions(-99, 99, max_denominator=12), st.data())
def test_two_forms_are_equal_as_their_values_are(left: Fraction, right: Fraction, data: st.DataObject) -> None:
    """The notation of an answer decides nothing."""
    first, second = data.draw(st.sampled_from(forms(left))), data.draw(st.sampled_from(forms(right)))
    assert equal_answers(first, second) is (left == right)


UNITS = ("", "$", "¢", "%", "km", "m", "hours", "minutes", "apples", "km/h")


@given(
    st.lists(
        st.tuples(st.sampled_from([1, 5, 60, 100, 300, 500, 5000]), st.sampled_from(UNITS)), min_size=3, max_size=3
    )
)
def test_three_amounts_with_units_do_not_contradict_each_other(amounts: list[tuple[int, str]]) -> None:
    """Two that are equal to a third are not said to differ, unless one has no unit that another names: a reader may mean either."""
    texts = [f"${number}" if unit == "$" else f"{number} {unit}".replace(" %", "%") for number, unit in amounts]
    if all(unit for _, unit in amounts):
        left, middle, right = texts
        if equal_answers(left, middle) and equal_answers(middle, right):
            assert equal_answers(left, right) is not False


@given(st.integers(1, 40), st.integers(1, 40), st.integers(2, 9))
def test_expressions_are_equal_as_their_values_are(root: int, other: int, factor: int) -> None:
    """Roots, powers and products of numbers, as math-verify reads them."""
    assert symbolic_equality(rf"\sqrt{{{root * root}}} \cdot {factor}", str(other * factor)) is (root == other)


ENDLESS = (
    *texts("""9^{9^{9^{9}}} | 9^{999*999*999} | ((9^999)^999)^999 | 9^99^99 | 9^{9999} | 170!"""),
    "(" * 99,
    r"\sqrt" * 40,
)


@cases("text", ENDLESS)
def test_what_may_not_end_is_not_compared(text: str) -> None:
    """It is not known at once."""
    symbolic_equality("7^2", "49")
    start = time.monotonic()
    assert symbolic_equality(text, "1") is None
    assert time.monotonic() - start < SECONDS + 2


def test_a_comparison_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked is not known, and the next question is answered."""
    with monkeypatch.context() as patch:
        patch.setattr(symbolic, "SECONDS", 0.2)
        patch.setattr(symbolic, "_equality", lambda *_: sum(itertools.repeat(1)))
        assert symbolic_equality("8^2 + 1", "65") is None
    assert symbolic_equality(r"\sqrt{64}", "8") is True


@cases(
    "text", ["5 feet 6 inches", "f(3)", "__import__('os')", "\\input{x}", "x", "3 4", "", "1" * 500, "7; 7", "7 = 7"]
)
def test_what_is_no_expression_is_not_sent(text: str) -> None:
    """Words, unknowns and several numbers are not compared at all."""
    assert symbolic_equality(text, "7") is None
