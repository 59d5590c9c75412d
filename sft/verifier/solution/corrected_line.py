"""The line of a solution as it should read, by the hint that shows what is wrong on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.solution.labels import FINAL_ANSWER

if TYPE_CHECKING:
    from sft.samples.items import Item
    from sft.samples.solution_judgement import Hint

_NUMERAL = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+", re.ASCII)


def corrected_line(item: Item, hint: Hint) -> str:
    """Return the line of a hint with the number that it expects for the one that it finds; empty where it names none of both.

    The last number that is found, such as the result of an equation, is replaced from there to the end of the line.
    """
    found, expected = _NUMERAL.findall(hint.found), _NUMERAL.findall(hint.expected.partition(", ")[0])
    if not found or not expected or found[-1] == expected[-1]:
        return ""
    if hint.line == FINAL_ANSWER:
        return f"#### {expected[-1]}"
    place = int(hint.line[1:]) - 1
    line = item.lines[place] if place < len(item.lines) else ""
    # The result of an equation is the text after its sign; annotations are hidden from some readers.
    start = max(line.find(hint.found), 0)
    start = max(line.find("=", start), start)
    wrong = re.compile(rf"(?<![\d.]){re.escape(found[-1])}(?!\d|[.,]\d)", re.ASCII)
    corrected = line[:start] + wrong.sub(expected[-1], line[start:])
    return "" if corrected == line else corrected
