"""Statements of arithmetic that the reader of equations passes over: other relations than equality, sums in words, rows of tables."""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING

from harness.equations.equation import Truth
from harness.equations.grammar import apply
from harness.equations.line_reader import read_line
from harness.equations.relation_signs import RELATION_COMMANDS, is_arrow, is_operator, is_relation
from harness.text.lexicon import word_lists
from harness.text.numbers import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.equations.equation import StatedEquation
    from harness.text.numbers import NumberMention

_LISTS = word_lists(__file__)
RELATION_REASON = "a relation between numbers here is not read, or does not hold as it is read"
WORDS_REASON = "arithmetic in words here is not read, or does not hold as it is read"
ROW_REASON = "a calculation in a table here is not read, or does not hold as it is read"
LONGEST_READ = 4_000
MOST_EVALUATED, MOST_CELLS = 16, 32
"""Relations of a line, and cells of a row, that are evaluated; a line with more of them is not read."""
MOST_READINGS = 64
"""Combinations of the meanings of three numbers that are tried."""
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
_NUMBER = "\ue000"
"""Stands for a number in the patterns of words; a text that has it is not read."""
_SPACE = r"(?:[\s,$]+[\w’'%-]+){0,3}?[\s,$]+"
_RESULT = rf"(?:{_SPACE}(?:{_LISTS.either('relations')})\b{_SPACE}|\s*:\s+)(?P<result>{_NUMBER})"
_INFIX = re.compile(
    rf"(?P<left>{_NUMBER})(?:{_SPACE}(?P<word>{_LISTS.either('operators')})\b{_SPACE}|[\s$%]*(?P<sign>[-+*/×÷−·^])[\s$]*|\s+(?=(?P<times>{_NUMBER})))"
    rf"(?P<right>{_NUMBER}){_RESULT}",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    rf"\b(?P<word>{_LISTS.either('prefixes')})\b{_SPACE}(?P<left>{_NUMBER}){_SPACE}(?P<joint>and|to|from|by|with|into)\b"
    rf"{_SPACE}(?P<right>{_NUMBER}){_RESULT}",
    re.IGNORECASE,
)
_AND = re.compile(rf"(?P<left>{_NUMBER})\s+(?P<word>and)\s+(?P<right>{_NUMBER})\s+(?:makes?|gives?|equals?|totals?)\s+(?P<result>{_NUMBER})", re.IGNORECASE)  # fmt: skip
_REVERSED = re.compile(
    rf"(?P<result>{_NUMBER})(?:\s+[\w’'-]+)?\s+(?:is|was|equals|makes)\s+[$]?(?P<left>{_NUMBER})"
    rf"(?:[\s$%]*(?P<sign>[-+*/×÷−·^])[\s$]*|\s+(?P<word>times|(?:more|less|fewer)\s+than)\s+[$]?)(?P<right>{_NUMBER})",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(
    rf"(?P<result>{_NUMBER})(?:\s+[\w’'-]+)?\s+(?:is|was|equals)\s+(?P<left>{_NUMBER})(?:\s+of|\s+times\s+as\s+(?:much|many|long|old|big)\s+as)?\s+[$]?(?P<right>{_NUMBER})",
    re.IGNORECASE,
)
_EACH = re.compile(
    rf"(?P<left>{_NUMBER})(?:\s+[\w’'-]+)?\s+(?:with|of|at|holding)\s+[$]?(?P<right>{_NUMBER})\s+(?:[\w’'-]+\s+)?each\s*(?:=|is|are|makes?|gives?)\s*[$]?(?P<result>{_NUMBER})",
    re.IGNORECASE,
)
_RESULT_FIRST = (_REVERSED, _MULTIPLE)
_POWER = re.compile(rf"(?P<left>{_NUMBER})\s+(?P<word>squared|cubed){_RESULT}", re.IGNORECASE)
_SIGNS: dict[str, str] = {**_LISTS.by_word("signs"), **_LISTS.mapping("phrases")}
_CELL = re.compile(r"\d\s*[-+*/×÷−·^x]\s*[$(]?\d")


def unread_statement(text: str) -> str:
    """Return why a statement of arithmetic in a line was not read; empty if each was, or holds as it can be read.

    A relation is any character that Unicode names so, or a command of LaTeX, with a number on either side. A true
    statement counts as read, so that no correct line is doubted for a form that can be evaluated. At most 4,000
    characters are read.
    """
    if len(text) > LONGEST_READ or _NUMBER in text:
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
    return WORDS_REASON if len(found) > 1 and _unread_words(blanked, equations, found) else ""


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


def _unread_words(text: str, equations: Sequence[StatedEquation], found: Sequence[NumberMention]) -> bool:
    """Tell whether words state a calculation and its result that no equation holds, and that does not hold."""
    masked, places, at = "", [], 0
    for mention in found:
        masked += text[at : mention.start]
        places.append(len(masked))
        masked += _NUMBER
        at = mention.end
    masked += text[at:]
    known = dict(zip(places, found, strict=True))
    for pattern in (_INFIX, _PREFIX, _AND, _POWER, _EACH, *_RESULT_FIRST):
        for match in pattern.finditer(masked):
            # `his 6 hens makes 3 * 4 = 12` states no other result than the equation.
            result = known[match.start("right" if pattern in _RESULT_FIRST else "result")]
            read = any(equation.start < result.end and result.start < equation.end for equation in equations)
            if not read and not _worded_holds(match, known):
                return True
    return False


def _worded_holds(match: re.Match[str], known: dict[int, NumberMention]) -> bool:
    """Tell whether a calculation in words holds for some meanings of its numbers."""
    groups = match.groupdict()
    word = " ".join((groups.get("sign") or groups.get("word") or "times").lower().split())
    left = known[match.start("left")].readings
    right: Sequence[object] = (
        (2,) if word == "squared" else (3,) if word == "cubed" else known[match.start("right")].readings
    )
    sign = _SIGNS.get(word, word)
    backwards = word in {"subtracted from", "taken from", "less than", "fewer than"} or groups.get("joint") in {
        "from",
        "into",
    }
    results = known[match.start("result")].readings
    for first, second, result in islice(product(left, right, results), MOST_READINGS):
        values = (second, first) if backwards else (first, second)
        value = apply(sign, *values)
        if value == result or (sign == "-" and value is not None and -value == result):
            return True
    return False
