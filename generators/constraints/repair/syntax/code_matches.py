"""The places of a program at which a pattern matches outside of comments, strings and quoted names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import SKIPPED

COMMENTS = re.compile(r";[^\n]*")


def code_matches(pattern: re.Pattern[str], text: str, skipped: re.Pattern[str] = SKIPPED) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin in no comment, string or quoted name, in order."""
    spans = [match.span() for match in skipped.finditer(text)]
    number = 0
    for match in pattern.finditer(text):
        start = match.start()
        while number < len(spans) and spans[number][1] <= start:
            number += 1
        if number == len(spans) or start < spans[number][0]:
            yield match
