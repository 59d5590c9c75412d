"""Texts as a reader sees them: digits of every script, full-width forms, what has no width."""

import unicodedata

from hypothesis import given, strategies as st

from harness.text.characters import foreign_script, one_line, printable, seen
from tests.cases import cases, texts

DIGITS = [character for character in map(chr, range(0x20000)) if unicodedata.category(character) == "Nd"]
WITHOUT_WIDTH = [character for character in map(chr, range(0x20000)) if unicodedata.category(character) == "Cf"]
MEANT = {"\u2062", "\u2064"}
"""Invisible operators, which stand for a sign."""


@given(st.lists(st.sampled_from(DIGITS), min_size=1, max_size=30))
def test_digits_of_every_script_are_ascii_digits(digits: list[str]) -> None:
    """A numeral in the digits of any script is the same numeral in ASCII."""
    assert seen("".join(digits)) == "".join(str(unicodedata.decimal(digit)) for digit in digits)


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=40))
def test_full_width_forms_are_ascii(text: str) -> None:
    """A text in full-width forms reads as it does in ASCII."""
    assert seen("".join(chr(ord(character) + 0xFEE0) for character in text)) == text


@given(st.text(st.characters(max_codepoint=126), max_size=40), st.data())
def test_what_has_no_width_is_left_out(text: str, data: st.DataObject) -> None:
    """Format characters and selectors, wherever they stand, change nothing."""
    hidden = st.sampled_from([*(set(WITHOUT_WIDTH) - MEANT), "\ufe0f", "\u20e3"])
    places = data.draw(st.lists(st.tuples(st.integers(0, len(text)), hidden), max_size=8))
    written = text
    for place, character in places:
        written = written[:place] + character + written[place:]
    assert seen(written) == text


@given(st.text(max_size=200))
def test_seen_text_is_stable(text: str) -> None:
    """Converting a text to its visible characters twice changes nothing more."""
    assert seen(seen(text)) == seen(text)


@cases(
    ("text", "foreign"),
    [
        ("", False),
        *(
            (text, False)
            for text in texts("""She has 6*12 = 72 rolls. | Café à Zürich: 5 × 3 = 15 für Łukasz | θ = 30°, π ≈ 3.14, Δx = 2
x² + 5² = 25, ½ of ⅔ | 李明 has 6 pears and 3 apples | 14 * 3 = 42""")
        ),
        *(
            (text, True)
            for text in texts("""李明 has 六 pears and 3 apples | Она собрала 14 * 3 = 42 груши. | 三加四等于七""")
        ),
    ],
)
def test_foreign_scripts(text: str, foreign: bool) -> None:
    """A text is foreign where most letters are of a script that is not read, or a numeral is a letter."""
    assert foreign_script(text) is foreign


def test_text_that_acts_is_made_visible() -> None:
    """Escapes, NUL, overrides, isolates, invisible characters and lone surrogates show; tab and newline stay."""
    assert (
        printable("\x1b[31m\x00\u202e\u2066\u200b\x85\ud800\t\r\né日")
        == "␛[31m␀<U+202E><U+2066><U+200B><U+0085><U+D800>\t\né日"
    )


def test_one_line_is_one_line() -> None:
    """No text breaks a line, not by a Unicode separator either; a long line is cut."""
    assert one_line("a\nb\u2028c  d", limit=9) == "a b<U+20…"
