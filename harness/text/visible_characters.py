"""The characters of a text as a reader sees them: digits of every script, full-width signs and invisible characters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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
