"""Statements of arithmetic that the reader of equations passes over: relations other than equality, rows of tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.equations.relation_signs import RELATION_COMMANDS, is_arrow, is_operator, is_relation
from harness.text.numbers import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.text.numbers import NumberMention

RELATION_REASON = "a relation between numbers here is not read, or does not hold as it is read"
ROW_REASON = "a calculation in a table here is not read, or does not hold as it is read"
LONGEST_READ = 4_000
MOST_EVALUATED, MOST_CELLS = 16, 32
"""Relations of a line, and cells of a row, that are evaluated; a line with more of them is not read."""
_ANNOTATED = re.compile(r"<<[^<>]*>>")
_COMMAND = re.compile(rf"\\(?:{'|'.join(sorted(RELATION_COMMANDS, key=len, reverse=True))})(?![A-Za-z])")
_NAMED = re.compile(r"[^\W\d_][\s\"'’*_$)}\]]*$")
_ORDER = {
    "<": (-1,), ">": (1,), "≤": (-1, 0), "≥": (1, 0), "<=": (-1, 0), ">=": (1, 0), "⩽": (-1, 0), "⩾": (1, 0), "≠": (-1, 1), "!=": (-1, 1),
    "\\lt": (-1,), "\\gt": (1,), "\\le": (-1, 0), "\\leq": (-1, 0), "\\ge": (1, 0), "\\geq": (1, 0), "\\ne": (-1, 1), "\\neq": (-1, 1),
}  # fmt: skip
"""The signs of the difference between two sides that an order allows; every other relation is taken for equality."""
_PLAIN = re.compile(r"[\s$€£]*(?:[a-z]+\s*)?")
_SIGN_BEFORE = re.compile(r"[-+*/×÷−·^!|=.,\d]\s*[$€£]?$")
_SIGN_AFTER = re.compile(r"\s*[-+*/×÷−·^!|=%(\d]")
_CELL = re.compile(r"\d\s*[-+*/×÷−·^x]\s*[$(]?\d")


def unread_statement(text: str) -> str:
    """Return why a statement of arithmetic in a line was not read; empty if each was, or holds as it can be read.

    A relation is any character that Unicode names so, or a command of LaTeX, with a number on either side. A true
    statement counts as read, so that no correct line is doubted for a form that can be evaluated. At most 4,000
    characters are read.
    """
    if len(text) > LONGEST_READ:
        return ""
    equations = read_line(text).equations
    blanked = _ANNOTATED.sub(lambda match: " " * len(match.group()), text)
    found = mentions(blanked)
    if len(found) < 2 and not any(map(is_operator, text)):
        return ""
    open_ones = [
        (start, end)
        for start, end in _relations(blanked)
        if not any(equation.start <= start < equation.end for equation in equations)
    ]
    if len(open_ones) > MOST_EVALUATED or any(_unread_relation(blanked, *span, found) for span in open_ones):
        return RELATION_REASON
    if "|" in text and _unread_row(text):
        return ROW_REASON
    return ""


def _relations(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the relations of a line; signs beside each other, `!=` or `=>`, are one."""
    start = None
    for place, character in enumerate(text):
        if is_relation(character):
            start = place if start is None else start
        elif start is not None:
            yield start - (text[start - 1 : start] in {"!", ":", "/"}), place
            start = None
    if start is not None:
        yield start, len(text)
    yield from (match.span() for match in _COMMAND.finditer(text))


def _unread_relation(text: str, start: int, end: int, found: Sequence[NumberMention]) -> bool:
    """Tell whether a relation stands between numbers and is neither read, nor names a value, nor holds."""
    sign = text[start:end]
    numbers = [place for place, character in enumerate(text) if is_operator(character)]
    before = any(mention.end <= start for mention in found) or any(place < start for place in numbers)
    after = any(mention.start >= end for mention in found) or any(place >= end for place in numbers)
    approximates = sign == "~" and text[end : end + 1].isdigit() and not text[:start].rstrip()[-1:].isdigit()
    if not before or not after or approximates:
        return False
    counted = any(mention.end <= start and not text[mention.end : start].strip() for mention in found)
    if sign == "=" and not counted and _NAMED.search(text, max(0, start - 80), start):
        # `3 pens at a price = 5`: the reader of equations lists words that are no name.
        return False
    if is_arrow(sign) and "=" in text[:start] and "=" in text[end:]:
        # `3 + 4 = 7 => 7 * 2 = 14`: one equation follows from another.
        return False
    tight = sign == "!=" and text[start - 1 : start].isdigit() and text[end : end + 1] != " "
    allowed = _ORDER.get(sign, (0,))
    return tight or not (_holds(text, start, end, allowed) or _plainly_holds(text, start, end, allowed, found))


def _holds(text: str, start: int, end: int, allowed: tuple[int, ...]) -> bool:
    """Tell whether a relation holds, its sides read as those of an equation in its place."""
    equated = f"{text[:start]}={text[end:]}"
    for equation in read_line(equated).equations:
        if equation.start <= start < equation.end:
            left, right = equation.left.value, equation.right.value
            if allowed == (0,):
                return equation.truth in {Truth.TRUE, Truth.ROUNDED}
            return left is not None and right is not None and (left > right) - (left < right) in allowed
    return False


def _plainly_holds(text: str, start: int, end: int, allowed: tuple[int, ...], found: Sequence[NumberMention]) -> bool:
    """Tell whether a relation of two single numbers holds, as `$125 > $96`."""
    left = next((mention for mention in reversed(found) if mention.end <= start), None)
    right = next((mention for mention in found if mention.start >= end), None)
    if left is None or right is None:
        return False
    alone = _PLAIN.fullmatch(text, left.end, start) and _PLAIN.fullmatch(text, end, right.start)
    if not alone or _SIGN_BEFORE.search(text, 0, left.start) or _SIGN_AFTER.match(text, right.end):
        return False
    first, second = left.readings[0], right.readings[0]
    return (first > second) - (first < second) in allowed


def _unread_row(text: str) -> bool:
    """Tell whether a row has a calculation in a cell that equals no other cell."""
    cells = [cell.strip() for cell in text.split("|")]
    if len(cells) > MOST_CELLS:
        return any(map(_CELL.search, cells))
    calculated = [cell for cell in cells if _CELL.search(cell) and not any(map(is_relation, cell))]
    others = [
        cell
        for cell in cells
        if cell not in calculated and any(map(str.isdigit, cell)) and not read_line(cell).equations
    ]
    return bool(others) and any(
        not any(
            equation.truth in {Truth.TRUE, Truth.ROUNDED}
            for other in others
            for equation in read_line(f"{cell} = {other}").equations
        )
        for cell in calculated
    )
