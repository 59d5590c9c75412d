"""Programs in the encodings of addresses, of mail and of terminals, and lines that a backslash carries on."""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from collections.abc import Iterator
from urllib.parse import unquote, unquote_plus

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import COMMENTS, code_matches
from harness.smtlib.commands import ALLOWED

_KEYWORDS = frozenset(part for name in ALLOWED for part in name.split("-")) | {"distinct"}
_COMMAND = re.compile(r"\(\s*(?:assert|declare|define|check|set-logic)")
_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]|\[[0-9;]{1,8}m")
_RESET = re.compile(r"\[0?m")
_CARRIED = re.compile(r"(?:\\|(?<=\s)_)(?=\r?\n)")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_QUOTED_SIGN = re.compile(r"=(?:[0-9A-F]{2}|\r?\n)")
_MISREAD = re.compile(
    r"[\u0080-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]{2,4}"
)
"""The letters of a sign of two to four bytes whose bytes are read as Windows-1252."""
_FEWEST = 20
"""The characters of a text that may have two bytes a letter, half of them zero."""
_PARTED = re.compile(r"\b(?P<begun>[A-Za-z]\w+)-\r?\n(?P<ended>[a-z]\w*)")
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{40,}={0,2}\s*")


@edit_kind(
    "encoded_text",
    order=5,
    examples=(
        RepairExample(
            "%28declare-const x Int%29%0A%28assert %28%3E x 3%29%29%0A%28check-sat%29",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)",
        ),
        RepairExample(
            "(declare-const total Int)\n(assert (>=3D tot=\nal 3))\n(check-sat)\n",
            "(declare-const total Int)\n(assert (>= total 3))\n(check-sat)\n",
        ),
        RepairExample(
            "KGRlY2xhcmUtY29uc3QgeCBJbnQpCihhc3NlcnQgKD4geCAzKSkKKGNoZWNrLXNhdCkK",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (â‰¥ x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (>= x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(\x1b[34mdeclare-const\x1b[0m x Int)\n(\x1b[34massert\x1b[0m (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(dec-\nlare-const total Int)\n(assert (> to-\ntal 3))\n(check-sat)\n",
            "(declare-const total Int)\n(assert (> total 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x \\\n  3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x \n  3))\n(check-sat)\n",
        ),
    ),
)
def encoded_text(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the program as it is without the encoding."""
    if draft.script.valid and draft.script.commands:
        return
    text = draft.text
    if len(text) > _FEWEST and text.count("\0") > len(text) // 3:
        yield RepairChange(0, len(text), text.replace("\0", ""))
        return
    decoded = _decoded(text)
    if decoded is not None and _COMMAND.search(decoded):
        yield RepairChange(0, len(text), decoded)
        return
    for match in _COLOUR.finditer(text) if _RESET.search(text) else ():
        yield RepairChange(match.start(), match.end(), "")
    for match in _MISREAD.finditer(text):
        if (sign := _misread(match[0])) is not None:
            yield RepairChange(match.start(), match.end(), sign)
    for match in code_matches(_PARTED, text, COMMENTS):
        whole = match["begun"] + match["ended"]
        if whole in _KEYWORDS or re.search(rf"\b{whole}\b", text):
            yield RepairChange(match.start(), match.end(), whole)
    for match in code_matches(_CARRIED, text, COMMENTS):
        yield RepairChange(match.start(), match.end(), "")


def _misread(letters: str) -> str | None:
    """Return the one sign whose bytes were read as these letters; `None` where they are no such bytes."""
    try:
        # Five bytes are no letter of Windows-1252, and stay as they are.
        read = b"".join(
            letter.encode("latin-1") if "\x80" <= letter <= "\x9f" else letter.encode("cp1252") for letter in letters
        )
        sign = read.decode()
    except UnicodeError:
        return None
    return sign if len(sign) == 1 else None


def _decoded(text: str) -> str | None:
    """Return the text that an encoding stands for; `None` where it is none, or holds what its encoding does not write."""
    if ("%28" in text or "%20" in text) and len(_PERCENT.findall(text)) == text.count("%"):
        return unquote(text) if "%20" in text or " " in text else unquote_plus(text)
    try:
        if "=3D" in text and len(_QUOTED_SIGN.findall(text)) == text.count("="):
            return quopri.decodestring(text.encode()).decode()
        if _BASE64.fullmatch(text):
            return base64.b64decode("".join(text.split()), validate=True).decode()
    except (binascii.Error, ValueError):  # not that encoding after all, or not of a text
        return None
    return None
