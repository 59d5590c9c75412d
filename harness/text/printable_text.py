"""Safe display of text from models: control, format and other invisible characters are made visible."""

import re
import unicodedata
from collections.abc import Mapping
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
    return text if text.isprintable() else "".join(map(_shown, text))


def one_line(text: str, *, limit: int | None = None) -> str:
    """Return `text` printable, on one line, cut with an ellipsis at `limit` characters."""
    return _cut(" ".join(printable(text).split()), limit)


def quoted(text: str, *, limit: int = LONGEST_QUOTED) -> str:
    """Return `text` printable, on one line and in single quotes, cut with an ellipsis at `limit` characters."""
    return f"'{_cut(printable(text[: 2 * limit]).replace(chr(10), ' ⏎ '), limit)}'"


def spaced_line(text: str, *, limit: int | None = None) -> str:
    """Return `text` printable, on one line, its spaces kept, cut with an ellipsis at `limit` characters."""
    return _cut(printable(text).replace("\n", " ⏎ ").replace("\t", "␉"), limit)


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


def replace_surrogates(value: Any) -> Any:
    """Return a JSON value with lone surrogates replaced in all texts and names: UTF-8 cannot hold them."""
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATES.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {replace_surrogates(key): replace_surrogates(item) for key, item in value.items()}
    return [replace_surrogates(item) for item in value] if isinstance(value, list) else value


def _cut(line: str, limit: int | None) -> str:
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _shown(character: str) -> str:
    if character in "\t\n" or unicodedata.category(character) not in _UNSEEN:
        return character
    point = ord(character)
    return chr(_C0_PICTURES + point) if point <= _C0_LAST else f"<U+{point:04X}>"
