"""Other ways to read the numbers of a line: grouped by points, with a decimal comma, mixed, in words of other countries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_POINTS = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.])")
_MIXED = re.compile(r"(?<![\d.,/-])(\d{1,3})-(\d{1,2}/\d{1,2})(?![\d/])")
_BRACKETS = re.compile(r"\[\d{1,9}\](?: ?\[\d{1,9}\])+")
_SHARE_OF_ALL = re.compile(r"^(\$?\d[\d,]*(?:\.\d+)?)\s*([-+−])\s*(\d{1,3}/\d{1,3}|[½⅓¼¾⅔])(?=\s*=)")
_CENTS = re.compile(r"(?<=[-+−])(\s*)(\d{1,2})(?![\d.,%/¢$])")
_SCORE = re.compile(r"^(\d{1,3})[-–](\d{1,3})(?=\s*=)")
_SCALES = {"lakh": 10**5, "lac": 10**5, "crore": 10**7, "trillion": 10**12, "gross": 144, "score": 20, "k": 10**3, "m": 10**6, "b": 10**9}  # fmt: skip
_SCALE = re.compile(rf"(?<![\d.,])(\d{{1,9}}(?:\.\d{{1,6}})?)\s?({'|'.join(_SCALES)})s?(?!\w)", re.IGNORECASE)


def other_notations(text: str) -> Iterator[str]:
    """Yield the line with its numbers in each other notation that they may be meant in, ours if none is."""
    if _POINTS.search(text):
        # `1.250 + 1 = 1.251` in most of Europe and in South America.
        yield _POINTS.sub(lambda match: match.group().replace(".", ""), text)
    if _MIXED.search(text):
        yield _MIXED.sub(r"(\1 + \2)", text)
    if _SCALE.search(text):
        yield _SCALE.sub(lambda match: f"({match[1]} * {_SCALES[match[2].lower()]})", text)
    if _BRACKETS.search(text):
        # The parts of a bar beside each other: `[30][30][30] = 90`.
        yield _BRACKETS.sub(lambda match: f"({' + '.join(re.findall(r'[0-9]+', match.group()))})", text)
    if _SHARE_OF_ALL.match(text):
        # `60 + 1/2 = 90`: half of what stands before is added.
        yield _SHARE_OF_ALL.sub(r"\1 * (1 \2 \3)", text)
    if text.startswith("$") and _CENTS.search(text):
        # `$3 + 50 = $3.50`
        yield _CENTS.sub(r"\1(\2 / 100)", text)


def as_score(text: str) -> str:
    """Return a line that begins with two numbers of a score, `3-2 = 5`, as their sum; the text itself if it does not."""
    return _SCORE.sub(r"\1 + \2", text)
