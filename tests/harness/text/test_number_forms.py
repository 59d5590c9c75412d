"""Tests of number forms: a value takes the notation of another, and every notation is recognised."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, example, given, strategies as st

from harness.domain import Exact
from harness.text.number_forms import (
    LARGEST,
    PLAIN,
    NumberForm,
    NumberKind,
    WrittenNumber,
    format_value,
    numbers_at,
)
from harness.text.numbers import mentions
from tests.cases import cases, rows

DECIMALS = st.builds(
    lambda digits, places: Fraction(digits, 10**places), st.integers(-(10**9), 10**9), st.integers(0, 6)
)
VALUES = st.one_of(
    st.integers(-2000, 2000), st.integers(-(10**12), 10**12), DECIMALS, st.fractions(-50, 50, max_denominator=60)
)
NUMERALS = st.builds(
    NumberForm,
    st.just(NumberKind.NUMERAL),
    before=st.sampled_from(["", "$"]),
    separators=st.booleans(),
    leading_zero=st.booleans(),
    places=st.integers(0, 4),
    padded=st.booleans(),
    rounded=st.booleans(),
    money=st.booleans(),
)
PERCENTS = st.builds(
    replace, NUMERALS, before=st.just(""), scale=st.just(100), after=st.sampled_from(["%", " %", " percent"])
)
FRACTIONS = st.builds(
    NumberForm,
    st.just(NumberKind.FRACTION),
    before=st.sampled_from(["", "$"]),
    denominator=st.integers(1, 60),
    bar=st.sampled_from(["/", " / ", " /", "/ "]),
    joint=st.sampled_from(["", " ", "-"]),
)
WORDS = st.builds(NumberForm, st.just(NumberKind.WORDS), capital=st.booleans())
NAMES = ["twice", "Thrice", "half", "Half", "a third", "one third", "An eighth", "two-thirds", "a dozen", "double"]
NAMED = st.builds(NumberForm, st.just(NumberKind.NAMED), named=st.sampled_from(NAMES))
FORMS = st.one_of(NUMERALS, PERCENTS, FRACTIONS, WORDS, NAMED)


def at(text: str, value: Exact, start: int = 0) -> list[WrittenNumber]:
    """Return the ways in which a value stands at a place."""
    return list(numbers_at(text, start, value))


def parsed(text: str) -> Fraction:
    """Read a numeral, fraction or mixed number, independently of our readers."""
    sign = -1 if text.startswith("-") else 1
    scale = 100 if text.endswith(("%", "percent")) else 1
    bare = text.lstrip("-$").removesuffix("%").removesuffix("percent").replace(",", "").strip()
    bare = bare.replace(" /", "/").replace("/ ", "/").replace("-", " ")
    return sign * sum((Fraction(part) for part in bare.split(" ")), Fraction(0)) / scale


@given(NUMERALS | PERCENTS | FRACTIONS, VALUES)
def test_digits_mean_the_value(form: NumberForm, value: Exact) -> None:
    """What is written without rounding is the value, with rounding at most half a unit from it."""
    text = form.write(value)
    assume(text is not None)
    assert text is not None
    error = abs(parsed(text) - value) * form.scale * 10**form.places
    assert error <= Fraction(1, 2) if form.rounded and form.kind is NumberKind.NUMERAL else error == 0


@given(FORMS, VALUES, st.sampled_from(["", " apples", ", and", ". He", ")"]), st.sampled_from(["", "It is ", "(", "$"]))
@example(NumberForm(NumberKind.FRACTION, denominator=8, bar=" / ", joint="-"), Fraction(-7, 4), "", "")
def test_what_is_written_is_recognised(form: NumberForm, value: Exact, after: str, before: str) -> None:
    """At its place in a text, some form ends where it ends, and each form gives back what stands there."""
    text = form.write(value)
    assume(text is not None)
    assume(not (before == "$" and form.before == "$"))
    # A whole number stands for itself only.
    assume(form.kind is not NumberKind.NUMERAL or not form.rounded or "." in str(text) or parsed(str(text)) == value)
    assert text is not None
    whole = f"{before}{text}{after}"
    found = at(whole, value, len(before))
    writes = [written.form.write(value) == whole[len(before) : written.end] for written in found]
    assert (all(writes), len(before) + len(text) in [written.end for written in found]) == (True, True)


@given(FORMS, VALUES.filter(lambda value: value >= 0))
def test_what_is_written_is_a_mention_of_the_value(form: NumberForm, value: Exact) -> None:
    """Unless it was rounded, or says a quotient that is reduced otherwise, its text as a whole can mean the value."""
    text = form.write(value)
    assume(text is not None and not form.rounded and not text.startswith("."))
    assume(not (form.kind is NumberKind.NAMED and "times" in str(text)))
    assert text is not None
    found = mentions(text)
    assert ([written.text for written in found], value in found[0].readings) == ([text.removeprefix("$")], True)


@given(st.integers(-5000, 5000), st.integers(-5000, 5000))
def test_an_integer_stands_for_itself_only(written: int, value: int) -> None:
    """An integer form never stands for a rounded value."""
    assert bool(at(f"{written} apples", value)) == (written == value)


RECOGNISED: dict[str, tuple[Exact, list[str]]] = {
    text: (Fraction(value), [] if forms == "nothing" else forms.split("; "))
    for text, value, forms in rows("""5.00 → 5 → 5.00; 5 | 5.00 or so → 5001/1000 → 5.00 | 0/0 → 1/2 → nothing | 25% of → 1/4 → 25; 25%
25 cents → 1/4 → 25 | 25¢ → 1/4 → 25 | 25 apples → 1/4 → nothing | 33.3% → 1/3 → 33.3; 33.3%
33 → 100/3 → nothing | 1,250 → 1250 → 1,250 | 1,25 → 125 → nothing | -5 → -5 → -5 | -$5 → -5 → -$5
$-5 → -5 → nothing | 5 → -5 → nothing | 2/8 → 1/4 → 2/8 | 2/8.5 → 1/4 → nothing | 2 1/2 cups → 5/2 → 2 1/2
5/0 → 5 → 5 | 1/0 → 1/2 → nothing | a third → 1/3 → a third | half a dozen → 6 → half a dozen
half a pie → 1/2 → half | two and a half → 5/2 → two and a half | halfway → 1/2 → nothing
Forty-eight → 48 → Forty-eight | Twice → 2 → Twice
three times as → 3 → three; three times | ½ → 1/2 → nothing""")
}


@cases("text", RECOGNISED)
def test_ways_of_writing_are_recognised(text: str) -> None:
    """At the start of a text, from the sparest to the fullest."""
    value, expected = RECOGNISED[text]
    assert [text[: written.end] for written in at(text, value)] == expected


REWRITTEN = rows("""1,250 → 1250 → 7 as 7; 1000000 as 1,000,000; 2501/2 as 1,250.5; -1250 as -1,250; 7/3 as nothing
1250 → 1250 → 1000000 as 1000000 | $3 → 3 → 7/2 as $3.50; 4 as $4; 13/4 as $3.25; 25/8 as $3.125; -3 as -$3
$2.50 → 5/2 → 3 as $3.00; 1/8 as $0.125 | $2.5 → 5/2 → 7/2 as $3.5
.5 → 1/2 → 1/4 as .25; 5/4 as 1.25; 0 as 0; 3 as 3 | 0.50 → 1/2 → 3/4 as 0.75; 1 as 1.00; 1/8 as 0.125
25% → 1/4 → 1/8 as 12.5%; 2 as 200%; 1/3 as nothing; 0 as 0% | 25 percent → 1/4 → 1/2 as 50 percent
33.33 → 100/3 → 200/3 as 66.67; 33 as 33; 67/2 as 33.5; 1/9999 as 0 | $33.33 → 100/3 → 67/2 as $33.50; 33 as $33
33.30 → 9989/300 → 67/2 as 33.50; 33 as 33.00 | 2/8 → 1/4 → 1/2 as 4/8; 1/3 as 1/3; 2 as 2; -1/4 as -2/8
2 1/2 → 5/2 → 7/4 as 1 3/4; 1/2 as 1/2; 3 as 3; -5/2 as -2 1/2; 0 as 0 | 5/2 → 5/2 → 7/4 as 7/4
Forty-eight → 48 → 21 as Twenty-one; 7 as Seven; -2 as nothing; 1/2 as nothing; 1000000000000 as nothing; 0 as Zero
one hundred one → 101 → 1001 as one thousand one; 100 as one hundred
twice → 2 → 3 as three times; 1 as nothing; 99 as ninety-nine times; 100 as nothing; 5/2 as nothing; -2 as nothing
Twice → 2 → 3 as Three times | three times → 3 → 2 as twice; 4 as four times; 1 as nothing
double → 2 → 3 as nothing | a third → 1/3 → 1/2 as half; 1/4 as a quarter; 1/8 as an eighth
A third → 1/3 → 1/8 as An eighth; 2/3 as nothing; 1/11 as nothing | third → 1/3 → 1/4 as quarter; 1/2 as half
one third → 1/3 → 1/4 as one quarter; 1/2 as one half | half → 1/2 → 1/3 as third
two-thirds → 2/3 → 1/3 as nothing""")


@cases("text, value, others", REWRITTEN)
def test_other_values_are_written_alike(text: str, value: str, others: str) -> None:
    """In the habit of what stood there, not at all where that cannot say them."""
    form = next(written.form for written in at(text, Fraction(value)) if written.end == len(text))
    for other, expected in (pair.split(" as ") for pair in others.split("; ")):
        assert (form.write(Fraction(other)) or "nothing") == expected


def test_numbers_are_bounded() -> None:
    """Neither 10^30 and a half nor thirteen decimals nor a denominator of thirty-one digits are written."""
    fraction = NumberForm(NumberKind.FRACTION, denominator=2)
    smallest = Fraction(1, 10**12)
    found = [PLAIN.write(LARGEST), PLAIN.write(LARGEST + Fraction(1, 2)), PLAIN.write(-LARGEST - 1)]
    found += [PLAIN.write(smallest), PLAIN.write(smallest / 10), fraction.write(Fraction(1, 10**5000))]
    assert found == ["1" + "0" * 30, None, None, "0.000000000001", None, None]


@pytest.mark.parametrize(
    ("value", "text"), [(5, "5"), (Fraction(5, 2), "2.5"), (Fraction(-1, 8), "-0.125"), (Fraction(7, 3), "7/3")]
)
def test_values_are_shown(value: Exact, text: str) -> None:
    """A value is shown in decimals where they end, else as a fraction."""
    assert format_value(value) == text
