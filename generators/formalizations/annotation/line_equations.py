"""The equations of a line: that of its annotation, and the true ones of its prose, `4 boxes * 6 pens = 24 pens`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from generators.formalizations.annotation.arithmetic import Arithmetic, MalformedArithmeticError, read_arithmetic
from harness.program.refusal import Refusal, RefusalReason
from harness.text.markup import ANNOTATED_EQUATION
from harness.text.numbers import NUMERAL, read_numeral, whole_as_int

MOST_EQUATIONS = 8
MOST_PIECES = 24
_DOLLAR = re.compile(r"\s*+\$?+\s*+")
_RESULT = re.compile(
    rf"=\s*+\$?+\s?+(?P<number>(?a:(?P<top>\d{{1,6}}) ?/ ?(?P<bottom>[1-9]\d{{0,5}})(?![\d.,])|{NUMERAL}))(?P<percent>\s?%)?(?!\s*+[-+*/×÷(]?+\s*+\d)(?!\d|[.,]\d)"
)
_PIECE = re.compile(
    rf"(?P<number>(?a:{NUMERAL})(?:\s?%)?)|(?P<times>(?<=[\s\d)%])[xX](?=[\s\d($]))"
    r"|(?P<rate>/(?=\s?[A-Za-z]))|(?P<sign>[-+*/()×÷–−])|(?P<word>[A-Za-z'’]+)"
)
_SIGNS = {"×": "*", "÷": "/", "–": "-", "−": "-"}
_STOP = re.compile(r"[=;?!]|[.,:](?=\s)")


class Equation(NamedTuple):
    """An equation: its arithmetic, where its operands and its result stand in the line, and the result as written."""

    arithmetic: Arithmetic
    operands: tuple[tuple[int, int], ...]
    result: tuple[int, int]
    stated: str

    def joined(self, line: str) -> set[int]:
        """Return the operands between which and the next nothing stands but a division sign."""
        spans = self.operands
        return {
            number for number in range(len(spans) - 1) if line[spans[number][1] : spans[number + 1][0]].strip() == "/"
        }


def annotation_equation(line: str) -> Equation | None:
    """Return the equation of a line's only annotation, `None` where the line has none.

    Raises:
        Refusal: several annotations, or none that is well formed.
    """
    opened = line.count("<<")
    if not opened and ">>" not in line:
        return None
    if opened > 1 and opened == line.count(">>"):
        raise Refusal(RefusalReason.SEVERAL_ANNOTATIONS, f"{opened} annotations on one line; a line has one output")
    match = ANNOTATED_EQUATION.search(line)
    if match is None or opened != 1 or line.count(">>") != 1:
        raise Refusal(RefusalReason.MALFORMED_ANNOTATION, f"expected one <<48/2=24>> in {line[:60]!r}")
    try:
        arithmetic = read_arithmetic(match[1])
    except MalformedArithmeticError as error:
        raise Refusal(RefusalReason.MALFORMED_ANNOTATION, str(error)) from None
    offset = match.start(1)
    operands = tuple((offset + start, offset + end) for start, end in arithmetic.spans)
    start, end = match.span(2)
    dollar = _DOLLAR.match(line, start, end)
    start = start if dollar is None else dollar.end()
    stated = line[start:end].rstrip()
    return Equation(arithmetic, operands, (start, start + len(stated)), stated)


def prose_equations(line: str) -> list[Equation]:
    """Return the true equations of a line in order; words and units between the numbers are passed over.

    Of the numbers before an equals sign, as many as make the equation true are its left side.
    """
    return list(_equations(ANNOTATED_EQUATION.sub(_blank, line))) if "=" in line else []


def _blank(match: re.Match[str]) -> str:
    """Return spaces in the place of an annotation, so that what follows stays where it is."""
    return " " * len(match[0])


def _equations(line: str) -> Iterator[Equation]:
    for number, match in enumerate(_RESULT.finditer(line)):
        if number >= MOST_EQUATIONS:
            return
        top, bottom = match["top"], match["bottom"]
        result = read_numeral(match["number"]) if bottom is None else Fraction(int(top), int(bottom))
        if result is None:
            continue
        result = whole_as_int(Fraction(result) / 100 if match["percent"] else result)
        pieces = _pieces_before(line, match.start())
        for start in range(len(pieces) - 2):
            left = _read(pieces[start:])
            if left is not None and left[0].value == result and left[1]:
                span = match.start("number"), match.end("percent" if match["percent"] else "number")
                yield Equation(*left, span, line[slice(*span)])
                break


def _pieces_before(line: str, end: int) -> list[tuple[str, int, int]]:
    """Return the numbers and signs of the clause before a place, each with where it stands."""
    start = max((stop.end() for stop in _STOP.finditer(line, 0, end)), default=0)
    pieces: list[tuple[str, int, int]] = []
    for match in _PIECE.finditer(line, start, end):
        if match["number"] is not None:
            pieces.append((match[0], *match.span()))
        elif match["times"] is not None:
            pieces.append(("*", *match.span()))
        elif match["sign"] is not None and not _joins_words(line, match):
            if match[0] == "(" and pieces and (pieces[-1][0][-1].isdigit() or pieces[-1][0] in {")", "%"}):
                pieces.append(("*", *match.span()))
            pieces.append((_SIGNS.get(match[0], match[0]), *match.span()))
    return pieces[-MOST_PIECES:]


def _joins_words(line: str, match: re.Match[str]) -> bool:
    """Tell whether a hyphen stands within a word."""
    return (
        match[0] == "-"
        and line[match.start() - 1 : match.start()].isalpha()
        and line[match.end() : match.end() + 1].isalpha()
    )


def _read(pieces: list[tuple[str, int, int]]) -> tuple[Arithmetic, tuple[tuple[int, int], ...]] | None:
    """Read pieces as arithmetic with at least two operands; `None` where they are none."""
    if pieces[0][0] in {"+", "-", "*", "/", ")"} or not any(piece[0] in {"+", "-", "*", "/"} for piece in pieces):
        return None
    try:
        arithmetic = read_arithmetic(" ".join(piece[0] for piece in pieces))
    except MalformedArithmeticError:
        return None
    numbers = tuple((start, end) for text, start, end in pieces if text[0].isdigit() or text[0] == ".")
    return (arithmetic, numbers) if len(arithmetic.operands) > 1 else None
