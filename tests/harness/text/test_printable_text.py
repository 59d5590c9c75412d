"""Text from models is shown without characters that act on a terminal."""

from harness.text.characters import one_line, printable


def test_text_that_acts_is_made_visible() -> None:
    """Escapes, NUL, overrides, isolates, invisible characters and lone surrogates show; tab and newline stay."""
    assert (
        printable("\x1b[31m\x00\u202e\u2066\u200b\x85\ud800\t\r\né日")
        == "␛[31m␀<U+202E><U+2066><U+200B><U+0085><U+D800>\t\né日"
    )


def test_one_line_is_one_line() -> None:
    """No text breaks a line, not by a Unicode separator either; a long line is cut."""
    assert one_line("a\nb\u2028c  d", limit=9) == "a b<U+20…"
