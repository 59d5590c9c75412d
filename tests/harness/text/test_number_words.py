"""Tests of number words: numbers in English words are read and written as people say them."""

import re

import pytest
from hypothesis import example, given, settings, strategies as st

from harness.text.nouns import inflection
from harness.text.numbers import CARDINAL, SCALES, TEENS, TENS, UNITS, read_cardinal, read_words, write_cardinal

NUMBERS = st.one_of(
    st.integers(0, 10**12 - 1), st.integers(0, 120), st.integers(0, 12).map(lambda zeros: 10**zeros % 10**12)
)
PATTERN = re.compile(CARDINAL, re.IGNORECASE | re.ASCII)


@given(NUMBERS, st.sampled_from(["and", ""]), st.sampled_from([",", ""]), st.sampled_from("- "), st.booleans())
def test_a_written_cardinal_is_read_back(number: int, conjunction: str, comma: str, joint: str, upper: bool) -> None:
    """Up to 999,999,999,999, as we write it, and with `and`, commas, without hyphens and in capital letters."""
    assert read_cardinal(write_cardinal(number)) == number
    text = " ".join(str(inflection().number_to_words(number, andword=conjunction, comma=comma)).split())
    text = text.replace("-", joint)
    assert read_cardinal(text.upper() if upper else text) == number


@pytest.mark.parametrize("number", [-1, 10**12])
def test_what_cannot_be_written_in_words_is_an_error(number: int) -> None:
    """Below zero and above twelve digits; the message names the number."""
    with pytest.raises(ValueError, match=f"^{number}: only integers from 0"):
        write_cardinal(number)


WORDS = [*UNITS, *TEENS, *TENS, *SCALES, "a", "and", "ten", "someone"]


@given(
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", "-", ", ", ""])), min_size=1, max_size=7).map(
        lambda parts: "".join(word + joint for word, joint in parts).rstrip(" -,")
    )
)
@example("one thousand and two thousand")
@example("five hundred and two hundred")
@example("a thousand a hundred")
@settings(max_examples=300)
def test_the_pattern_matches_what_is_read(text: str) -> None:
    """The pattern takes a text as a whole exactly where it is read as a number."""
    assert (PATTERN.fullmatch(text) is not None) == (read_cardinal(text) is not None)


def test_long_words_are_read_in_a_moment() -> None:
    """A hundred thousand words are no number, and nothing overflows."""
    assert [read_words(word * 100_000) for word in ("dozen ", "one hundred ", "one thousand and ", "a ")] == [None] * 4
