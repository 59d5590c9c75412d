"""Tests of number mentions: the numbers of a text, their positions and their possible values."""

from fractions import Fraction

from hypothesis import example, given, settings, strategies as st

from harness.text.numbers import LONGEST_TEXT, mentions, write_cardinal
from tests.cases import cases, rows, texts

READINGS = dict(
    rows("""25% → 1/4, 25 | 25 percent → 1/4, 25 | ten percent → 1/10, 10 | 3/4 → 3/4, 3, 4 | 3/4.5 → 3; 9/2
1 / 2 → 1/2, 1, 2 | 5/0 → 5, 0 | 6 / 3 / 2 → 6; 3; 2 | 2 1/2 → 5/2, 2, 1/2 | ½ → 1/2, 2 | 2½ → 5/2, 2, 1/2
half a dozen → 6, 1/2, 12 | two dozen → 24, 2, 12 | 5 dozen → 60, 5 | 1,250.50 → 2501/2 | 1,250,5 → 1; 250; 5
1,2503 → 1; 2503 | .5 → 1/2 | 5. → 5 | 1.2.3 → 6/5 | 5 million → 5000000, 5 | 2 and a half → 5/2, 2
two and a half → 5/2 | twice → 2 | a third → 1/3, 3, 1 | four halves → 2 | two half-gallon jugs → 2; 1/2, 2, 1
her twenty-fifth → nothing | a thousand → 1000 | a; half → 1/2, 2, 1 | five six → 5; 6
someone often weighs a tent → nothing | an éone → nothing | 5 mıllion → 5 | 5 thouſand → 5 | twenty-ſix → 20
İ one → 1""")
) | {"1" * 41: "nothing"}


@cases("text", READINGS)
def test_numbers_are_read(text: str) -> None:
    """Each with all that it can mean, the plainest first."""
    found = [", ".join(map(str, mention.readings)) for mention in mentions(text)]
    assert ("; ".join(found) or "nothing") == READINGS[text]


PIECES = st.sampled_from(
    [*READINGS, "a ", " ", "-", ",", ".", "/", "%", "$", "İ", "ſ", "e\u0301", "\ud800", "٣", "²", "Ⅷ", "one", "hundred"]
)
TEXTS = st.text(max_size=60) | st.lists(PIECES | st.characters(), max_size=12).map("".join)


@given(TEXTS)
@example("5 mıllion İİİ one 7")
@settings(max_examples=300)
def test_mentions_stand_where_they_say(text: str) -> None:
    """Each is cut from the text at its place, in order, none within another, and means something."""
    found = mentions(text)
    ends = [0, *(mention.end for mention in found)]
    assert all(
        text[mention.start : mention.end] == mention.text and end <= mention.start < mention.end and mention.readings
        for end, mention in zip(ends, found, strict=False)
    )


@given(st.lists(st.integers(0, 10**12 - 1), max_size=6), st.booleans())
def test_every_number_of_a_text_is_found(numbers: list[int], separators: bool) -> None:
    """Digits with and without separators, and words, between other words."""
    written = [f"{number:,}" if separators else str(number) for number in numbers]
    text = "; ".join([*written, *(write_cardinal(number) for number in numbers)])
    assert [mention.readings[0] for mention in mentions(text)] == numbers * 2


@given(st.integers(0, 999), st.integers(0, 999), st.integers(1, 999))
def test_fractions_are_read(whole: int, top: int, bottom: int) -> None:
    """A fraction is its quotient, a mixed number the sum."""
    found = [mention.readings[0] for mention in mentions(f"{top}/{bottom}, {whole} {top}/{bottom}.")]
    assert found == [Fraction(top, bottom), whole + Fraction(top, bottom)]


HOSTILE = [
    "a ",
    "one hundred ",
    *texts("""1,1,1, | 1/1/1/ | 1 1/ | 1 | 1. | ,111"""),
    "one thousand and ",
    "half a ",
    "twenty-",
]
HOSTILE += ["½", "9 ", "one million, ", "a half dozen ", " per cent", "1/1   ", "1 and a "]


def test_the_first_hundred_thousand_characters_are_read() -> None:
    """Numbers after the first hundred thousand characters are not read."""
    assert [mention.text for mention in mentions(" " * (LONGEST_TEXT - 1) + "57")] == ["5"]
