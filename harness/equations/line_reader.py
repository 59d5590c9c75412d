"""The reader that finds all equations of a solution line, in its annotations and in its prose."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from harness.equations.equation import LineReading, StatedEquation, Truth, UnreadEquation
from harness.equations.links import NAME, EquationLink, read_link
from harness.equations.runs import runs
from harness.equations.tokens import TokenKind, tokenise
from harness.text.markup import ANNOTATION, MALFORMED_ANNOTATION
from harness.text.numbers import FRACTION_GLYPHS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact
    from harness.equations.tokens import Token

LONGEST_LINE = 4_000
MOST_EQUATIONS = 64
MALFORMED = "a malformed annotation"
_IN_PARTS_BEFORE = re.compile(r"(?<!\d)\d{1,3}, (?=\d{3}(?!\d))|[-+*/=(] ?\. (?=\d)", re.ASCII)
_IN_PARTS_AFTER = re.compile(r" and \$?\d+/\d", re.ASCII)
_LINKS = frozenset({TokenKind.LINK, TokenKind.VERB})
_MAY_LINK = re.compile(r"[=＝≈≃≅<>]|\\approx|\b(?:is|are|was|were|equals?|gives|makes|leaves|totals)\b", re.IGNORECASE)
_DIGIT = re.compile(f"[0-9{''.join(FRACTION_GLYPHS)}]")


class Annotation(NamedTuple):
    """The span of an annotation, and its value if it holds."""

    start: int
    end: int
    value: Exact | None


@lru_cache(maxsize=65_536)
def read_line(text: str) -> LineReading:
    """Return the equations of a line in order, annotations and prose together.

    A line of more than 4,000 characters is not read, and of a line with more than 64 equations only the first 64.
    """
    if _DIGIT.search(text) is None or _MAY_LINK.search(text) is None:
        return LineReading()
    if len(text) > LONGEST_LINE:
        return LineReading(unread=(UnreadEquation(0, len(text), "too long"),))
    readings: list[StatedEquation | UnreadEquation] = []
    annotations: list[Annotation] = []
    prose = text
    if "<<" in text or ">>" in text:
        for match in ANNOTATION.finditer(text):
            inside = list(_equations(" " * match.start(1) + match[1], text, None))
            readings += [reading for reading in inside if isinstance(reading, StatedEquation)]
            if not inside or any(isinstance(reading, UnreadEquation) for reading in inside):
                readings.append(UnreadEquation(match.start(), match.end(), MALFORMED))
            annotations.append(Annotation(*match.span(), _given(inside)))
        prose = ANNOTATION.sub(_blank, text)
        readings += [
            UnreadEquation(match.start(), match.end(), MALFORMED) for match in MALFORMED_ANNOTATION.finditer(prose)
        ]
        prose = MALFORMED_ANNOTATION.sub(_blank, prose)
    readings += _equations(prose, text, annotations)
    equations = sorted((reading for reading in readings if isinstance(reading, StatedEquation)), key=_place)
    equations = [
        replace(equation, truth=Truth.UNKNOWN)
        if equation.truth is Truth.FALSE and _is_read_in_part(equation, equations, text)
        else equation
        for equation in equations
    ]
    unread = sorted((reading for reading in readings if isinstance(reading, UnreadEquation)), key=_place)
    if len(equations) > MOST_EQUATIONS:
        unread = [*unread[: MOST_EQUATIONS - 1], UnreadEquation(equations[MOST_EQUATIONS].start, len(text), "too many")]
    return LineReading(tuple(equations[:MOST_EQUATIONS]), tuple(unread[:MOST_EQUATIONS]))


def _is_read_in_part(prose: StatedEquation, equations: Sequence[StatedEquation], text: str) -> bool:
    """Tell whether an equation in prose may be read too far to the left, or with a part of a number.

    `-3 boxes hold 4 each, so -3*4 = <<-3*4=-12>>-12` is not a difference: its annotation, which holds, is the end of it. `14, 400 / 80`
    begins with a number in two parts, so does `.8 + . 84`, and `$10/3=$3 and $1/3` ends with one.
    """
    if prose.annotation:
        return False
    before = any(part.end() == prose.start for part in _IN_PARTS_BEFORE.finditer(text))
    if before or _IN_PARTS_AFTER.match(text, prose.end):
        return True
    left = _squeezed(text[prose.left.start : prose.left.end])
    return any(
        other.annotation
        and other.truth is not Truth.FALSE
        and prose.left.end <= other.start <= prose.end
        and other.right.value == prose.right.value
        and left != (short := _squeezed(text[other.left.start : other.left.end]))
        and left.endswith(short)
        for other in equations
    )


def _squeezed(text: str) -> str:
    return "".join(character for character in text if character not in " $,")


def _place(reading: StatedEquation | UnreadEquation) -> tuple[int, int]:
    return reading.start, reading.end


def _blank(match: re.Match[str]) -> str:
    """Return spaces of the same length, so that later offsets stay the same."""
    return " " * len(match[0])


def _given(inside: Sequence[StatedEquation | UnreadEquation]) -> Exact | None:
    """Return the value of an annotation, `None` where it is malformed or does not hold."""
    last = inside[-1] if inside else None
    return last.right.value if isinstance(last, StatedEquation) and last.truth in {Truth.TRUE, Truth.ROUNDED} else None


def _equations(
    prose: str, text: str, annotations: Sequence[Annotation] | None
) -> Iterator[StatedEquation | UnreadEquation]:
    """Yield the equations of a text in order; `annotations` is `None` for the text within an annotation."""
    tokens = tokenise(prose)
    places = [place for place, token in enumerate(tokens) if token.kind in _LINKS]
    if not places:
        return
    regions = [runs(tokens[start + 1 : end]) for start, end in pairwise([-1, *places, len(tokens)])]
    name: UnreadEquation | None = None
    chained = False
    for number, place in enumerate(places):
        sign = tokens[place]
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        after = _annotation_after(sign, following, annotations or ())
        goes_on = number + 1 < len(places) and len(regions[number + 1]) == 1
        link = EquationLink(sign, text, annotations is None, chained, goes_on, None if after is None else after.value)
        reading = read_link(regions[number], regions[number + 1], link)
        chained = isinstance(reading, StatedEquation) and goes_on
        if isinstance(reading, UnreadEquation):
            if after is not None and (
                following is None or following.kind in {*_LINKS, TokenKind.WORD, TokenKind.BREAK}
            ):
                # `5*4 = <<5*4=20>> apples` states no more than its annotation.
                reading = None
            elif reading.reason == NAME and goes_on:
                # `x = 15/3 = 5` states no more than `15/3 = 5`.
                name = reading
                continue
        if name is not None and not isinstance(reading, StatedEquation):
            yield name
        name = None
        if reading is not None:
            yield reading


def _annotation_after(sign: Token, following: Token | None, annotations: Sequence[Annotation]) -> Annotation | None:
    """Return the annotation between a link and the next token."""
    for annotation in annotations:
        if annotation.start >= sign.end:
            return annotation if following is None or annotation.end <= following.start else None
    return None
