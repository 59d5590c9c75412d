"""The characters of a text: as a reader sees them, and invisible ones made visible."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

# Controls, formats (bidirectional overrides, zero width), lone surrogates, line and paragraph separators:
# the same rule as in assets/report.js.
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_C0_PICTURES = 0x2400
_C0_LAST = 0x1F
LONGEST_QUOTED = 120
_SURROGATES = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return `text` with invisible characters and terminal controls made visible.

    Tab and newline stay.

    >>> printable("\x1b[31mred\u202e")
    '␛[31mred<U+202E>'
    """
    text = text.replace("\r\n", "\n")
    return text if text.isprintable() else "".join(map(_visible, text))


def one_line(text: str, *, limit: int | None = None) -> str:
    """Return `text` printable, on one line, cut with an ellipsis at `limit` characters."""
    return _cut(" ".join(printable(text).split()), limit)


def quoted(text: str) -> str:
    """Return `text` printable, on one line and in single quotes, cut with an ellipsis at 120 characters."""
    return f"'{_cut(printable(text[: 2 * LONGEST_QUOTED]).replace(chr(10), ' ⏎ '), LONGEST_QUOTED)}'"


def spaced(name: str) -> str:
    """Return the name of an operator, a type or a class as words."""
    return name.replace("_", " ")


def kind_of(value: object) -> str:
    """Return the kind of a JSON value in words, such as `a number`."""
    kinds = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "a truth value",
        int: "a number",
        float: "a number",
    }
    return "null" if value is None else kinds.get(type(value), f"a {type(value).__name__}")


def storable(text: str) -> str:
    """Return a text without lone surrogates, which JSON can hold; UTF-8, SQLite and providers cannot."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def replace_surrogates(value: Any) -> Any:
    """Return a JSON value with lone surrogates replaced in all texts and names: UTF-8 cannot hold them."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {replace_surrogates(key): replace_surrogates(item) for key, item in value.items()}
    return [replace_surrogates(item) for item in value] if isinstance(value, list) else value


def _cut(line: str, limit: int | None) -> str:
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _visible(character: str) -> str:
    if character in "\t\n" or unicodedata.category(character) not in _UNSEEN:
        return character
    point = ord(character)
    return chr(_C0_PICTURES + point) if point <= _C0_LAST else f"<U+{point:04X}>"


_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_WIDE = range(0xFF01, 0xFF5F)
"""The full-width forms of the printable ASCII characters, in their order."""
_NARROWED = 0xFF01 - 0x21
_KEYCAP = "\u20e3"
_SELECTORS = range(0xFE00, 0xFE10)
_LIKE = {
    "\u3000": " ",
    "\u2062": "×",  # invisible times: `2⁢(3)` is a product
    "\u2064": "+",  # invisible plus: `2⁤½` is a sum
    **dict.fromkeys("∗﹡", "*"),
    **dict.fromkeys("∕⁄", "/"),
    "➗": "÷",
    **dict.fromkeys("✕✖⨯", "×"),
    **dict.fromkeys("➖﹣‐‑‒", "-"),
    **dict.fromkeys("➕﹢", "+"),
    **dict.fromkeys("﹦⁼₌꞊═⩵", "="),
    "٪": "%",
}
"""Signs that are drawn like one that the readers know."""
_LAST_LATIN, _GREEK = 0x24F, range(0x370, 0x400)


def seen(text: str) -> str:
    """Return a text with ASCII digits for all decimal digits and without invisible characters.

    Decimal digits of any script (Unicode category Nd), full-width forms and look-alike operators become those of ASCII; format
    characters (category Cf: spaces without width, marks of direction) and variation selectors are removed, since `7\u200b2` is
    shown as 72. Superscripts and circled numbers stay: they are no digits of a numeral.
    """
    return text if text.isascii() else _BEYOND_ASCII.sub(lambda match: _seen(match.group()), text)


@lru_cache(maxsize=4096)
def _seen(character: str) -> str:
    like = _LIKE.get(character)
    if like is not None:
        return like
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    if ord(character) in _WIDE:
        return chr(ord(character) - _NARROWED)
    if character == _KEYCAP or ord(character) in _SELECTORS or unicodedata.category(character) == "Cf":
        return ""
    return character


def foreign_script(text: str) -> bool:
    """Tell whether a text is in a script of which no word is read: numerals of letters (`六`), or most of its letters.

    Latin letters are read; Greek ones are names of quantities.
    """
    if text.isascii():
        return False
    letters = [character for character in text if character.isalpha()]
    foreign = [letter for letter in letters if ord(letter) > _LAST_LATIN and ord(letter) not in _GREEK]
    return 2 * len(foreign) > len(letters) or any(letter.isnumeric() for letter in foreign)
