"""The reader that finds all equations and comparisons of a solution line, in its annotations and in its prose."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from harness.domain import Exact
from harness.equations.equation import (
    Expression,
    LineReading,
    Negative,
    Number,
    Operation,
    ParenthesizedExpression,
    StatedEquation,
    Truth,
    UnreadEquation,
    numbers,
)
from harness.equations.grammar import parse_expression
from harness.equations.sides import LETTER, RATIO, WORDS, TokenRun, runs
from harness.equations.truth import compared, judge
from harness.text.lexicon import english
from harness.text.markup import ANNOTATION, MALFORMED_ANNOTATION
from harness.text.numbers import FRACTION_GLYPHS
from harness.text.tokens import COMPARISONS, Token, TokenKind, tokenise
from harness.text.units import sizes

LONGEST_LINE = 4_000
MOST_EQUATIONS = 64
MOST_PARTS = 20
MALFORMED = "a malformed annotation"
NAME = "a name"
SHARE = "a share and what it is of"
_IN_PARTS_BEFORE = re.compile(r"(?<!\d)\d{1,3}, (?=\d{3}(?!\d))|[-+*/=(] ?\. (?=\d)", re.ASCII)
_BETWEEN = re.compile(r"[ $,]")
_LINKS = frozenset({TokenKind.LINK, TokenKind.VERB})
_ABOUT = frozenset({"≈", "≃", "≅", "~=", "=~"})
_HOLDS = frozenset({Truth.TRUE, Truth.ROUNDED})
_SIGNS = "|".join(map(re.escape, COMPARISONS))
_MAY_LINK = english("equations").pattern("links", rf"[=＝≈≃≅]|\\approx|{_SIGNS}|\b", r"\b")
_DIGIT = re.compile(f"[0-9{''.join(FRACTION_GLYPHS)}]")
_OTHER_READINGS = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        # `1.250 + 1 = 1.251`, `20% * 3 = 60`, `3-1/2 * 2 = 7`, `10 / 1/2 = 20`
        (r"(?<=\d)\.(?=\d{3}(?!\d))", ""),
        (r"\s?\\?%", ""),
        (r"(?<![\d/.])(\d{1,9})-(\d{1,9})/(\d{1,9})", r"(\1+\2/\3)"),
        (r"(?<=[/÷^])\s*(\d{1,9})/(\d{1,9})", r" (\1/\2)"),
        (r"(?<=[/÷^]) (\d{1,9}) / (\d{1,9})", r" (\1/\2)"),
        # `pages 3-9 = 6`, `pages 3-9 = 7`; a label, `1 - 3 + 4 = 7`, `1/ 3 + 4 = 7`, `**1** 3 + 4 = 7`
        (r"^(\D*)(\d{1,9})[-−–](\d{1,9})(\D*)$", r"\1(\3-\2)\4"),
        (r"^(\D*)(\d{1,9})[-−–](\d{1,9})(\D*)$", r"\1(\3-\2+1)\4"),
        (r"^\W*\d{1,9}(?: [-−–] |/ |\*\* )(?=[^\d]*\d[\d.,]*[^\d.,]+\d)", ""),
        # `60 + 1/2 = 90`
        (rf"^(.*[^/*])([-+])\s?(\d{{1,9}}/\d{{1,9}}|[{''.join(FRACTION_GLYPHS)}])\W*$", r"(\1)*(1\2\3)"),
    )
]
"""Other texts that a side may stand for."""
_SHARE_OF_ALL = english("equations").pattern("share_of", r"", r"(.*)$")


class Annotation(NamedTuple):
    """The span of an annotation, and its value if it holds."""

    start: int
    end: int
    value: Exact | None


class Side(NamedTuple):
    """A reading of one side, whole or up to one of its signs."""

    expression: Expression
    run: TokenRun


class EquationLink(NamedTuple):
    """A link and what surrounds it.

    `chained`: its left side is the right side of the equation before; `goes_on`: its right side may be the left side of the
    next. `shown` is the value of a true annotation right after it, as in `48/2 = <<48/2=24>>24`.
    """

    sign: Token
    line: str
    annotation: bool
    chained: bool
    goes_on: bool
    shown: Exact | None


@lru_cache(maxsize=65_536)
def read_line(text: str) -> LineReading:
    """Return the equations of a line in order, annotations and prose together, and the comparisons of its prose.

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
            inside = list(_equations(tokenise(" " * match.start(1) + match[1]), text, None))
            last = inside[-1] if inside else None
            value = last.right.value if isinstance(last, StatedEquation) and last.truth in _HOLDS else None
            annotations.append(Annotation(*match.span(), value))
            readings += [reading for reading in inside if isinstance(reading, StatedEquation)]
            if not inside or any(isinstance(reading, UnreadEquation) for reading in inside):
                readings.append(UnreadEquation(*match.span(), MALFORMED))
        prose = _blanked(ANNOTATION, text)
        readings += [UnreadEquation(*match.span(), MALFORMED) for match in MALFORMED_ANNOTATION.finditer(prose)]
        prose = _blanked(MALFORMED_ANNOTATION, prose)
    tokens = tokenise(prose)
    readings += _equations(tokens, text, annotations)
    readings.sort(key=lambda reading: (reading.start, reading.end))
    equations = [reading for reading in readings if isinstance(reading, StatedEquation)]
    unread = [reading for reading in readings if isinstance(reading, UnreadEquation)]
    equations = [
        replace(equation, truth=Truth.UNKNOWN)
        if equation.truth is Truth.FALSE and _is_read_in_part(equation, equations, text)
        else equation
        for equation in equations
    ]
    if len(equations) > MOST_EQUATIONS:
        unread = [*unread[: MOST_EQUATIONS - 1], UnreadEquation(equations[MOST_EQUATIONS].start, len(text), "too many")]
    comparisons = tuple(_comparisons(tokens))[:MOST_EQUATIONS]
    return LineReading(tuple(equations[:MOST_EQUATIONS]), tuple(unread[:MOST_EQUATIONS]), comparisons)


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """Return a text with spaces for what a pattern finds, so that later offsets stay the same."""
    return pattern.sub(lambda match: " " * len(match[0]), text)


def _is_read_in_part(prose: StatedEquation, equations: Sequence[StatedEquation], text: str) -> bool:
    """Tell whether an equation in prose may be read too far to the left, or with a part of a number.

    `-3 boxes hold 4 each, so -3*4 = <<-3*4=-12>>-12` is not a difference: its annotation, which holds, is the end of it. `14, 400 / 80`
    begins with a number in two parts, and so does `.8 + . 84`.
    """
    if prose.annotation:
        return False
    if any(part.end() == prose.start for part in _IN_PARTS_BEFORE.finditer(text)):
        return True
    left = _BETWEEN.sub("", text[prose.left.start : prose.left.end])
    return any(
        other.annotation
        and other.truth is not Truth.FALSE
        and prose.left.end <= other.start <= prose.end
        and other.right.value == prose.right.value
        and left != (short := _BETWEEN.sub("", text[other.left.start : other.left.end]))
        and left.endswith(short)
        for other in equations
    )


def _equations(
    tokens: Sequence[Token], text: str, annotations: Sequence[Annotation] | None
) -> Iterator[StatedEquation | UnreadEquation]:
    """Yield the equations of a text in order; `annotations` is `None` for the text within an annotation."""
    places = [place for place, token in enumerate(tokens) if token.kind in _LINKS]
    if not places:
        return
    regions = [runs(tokens[start + 1 : end]) for start, end in pairwise([-1, *places, len(tokens)])]
    name: UnreadEquation | None = None
    chained = False
    for number, place in enumerate(places):
        sign, following = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else None
        after = next((each for each in annotations or () if each.start >= sign.end), None)
        if after is not None and following is not None and after.end > following.start:
            after = None
        goes_on = number + 1 < len(places) and len(regions[number + 1]) == 1
        shown = None if after is None else after.value
        link = EquationLink(sign, text, annotations is None, chained, goes_on, shown)
        reading = _read_link(regions[number][-1], regions[number + 1][0], link)
        chained = isinstance(reading, StatedEquation) and goes_on
        if isinstance(reading, UnreadEquation):
            alone = following is None or following.kind in {*_LINKS, TokenKind.WORD, TokenKind.BREAK}
            if after is not None and alone:
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


def _comparisons(tokens: Sequence[Token]) -> Iterator[StatedEquation]:
    """Yield the comparisons of two numbers or calculations, each with what stands up to the next link or comparison."""
    places = [place for place, token in enumerate(tokens) if token.kind in _LINKS or token.text in COMPARISONS]
    for start, place, end in zip([-1, *places], places, [*places[1:], len(tokens)], strict=False):
        sign = tokens[place]
        if sign.text not in COMPARISONS:
            continue
        before, after = runs(tokens[start + 1 : place])[-1], runs(tokens[place + 1 : end])[0]
        left, right = (
            None if run is None or run.doubt else parse_expression(run.tokens, run.outer)
            for run in (before.before_link(), after.after_link())
        )
        if left is not None and right is not None and not after.lead:
            truth = compared(left, right, COMPARISONS[sign.text])
            yield StatedEquation(left, right, left.start, right.end, annotation=False, truth=truth)


def _read_link(before: TokenRun, after: TokenRun, link: EquationLink) -> StatedEquation | UnreadEquation | None:
    """Return the equation of a link and the runs around it, `None` where a word such as `is` states no equation.

    Where nothing makes it true, it has to be plain: a calculation, or the result of one, of numbers in digits, and nothing uncertain beside it.
    """
    left_run, right_run = before.before_link(), after.after_link()
    reason = NAME if not before.tokens and not before.doubt else ""
    reason = reason or next((run.doubt for run in (before, after) if run.doubt in {LETTER, RATIO}), "")
    sides = None
    if left_run is None or right_run is None:
        reason = reason or before.doubt or after.doubt or WORDS
    elif not reason and not right_run.lead:
        sides = _sides(left_run, right_run, link)
    if sides is not None:
        left, right, truth = sides
        doubt = _doubt(left, right, link)
        computes = _is_operation(left.expression) or _is_operation(right.expression)
        spoken = link.sign.kind is TokenKind.LINK or _is_spoken(left, right, truth)
        if spoken and (not doubt or (truth in _HOLDS and (computes or not (left.run.doubt or right.run.doubt)))):
            first, second = left.expression, right.expression
            return StatedEquation(first, second, first.start, second.end, link.annotation, truth)
        reason = doubt
    if link.sign.kind is not TokenKind.LINK or link.sign.text[:1].isalpha():
        return None
    return UnreadEquation(link.sign.start, link.sign.end, reason or WORDS)


def _sides(left_run: TokenRun, right_run: TokenRun, link: EquationLink) -> tuple[Side, Side, Truth] | None:
    """Return the sides of an equation, the right one the longest that makes it true, else the longest that can be read."""
    rounds = link.sign.text in _ABOUT or (link.shown is not None and link.shown.denominator > 1)
    left = parse_expression(left_run.tokens, left_run.outer)
    best: tuple[Side, Side, Truth] | None = None
    for run in right_run.prefixes() if left is not None else ():
        right = parse_expression(run.tokens, run.outer)
        if left is None or right is None:
            continue
        truth = judge(left, right, link.line, announced=rounds)
        rest = right_run.tokens[len(run.tokens) :]
        if truth in _HOLDS and rest and not link.goes_on and rest[0].text not in {"of", "times"}:
            # `4 * 6 = 24 * 60` alone is an unfinished chain or an error.
            truth = Truth.UNKNOWN
            best = (*best[:2], truth) if best is not None and best[2] is Truth.FALSE else best
        if best is None or (truth in _HOLDS and best[2] is not Truth.ROUNDED) or truth is Truth.TRUE:
            best = Side(left, left_run), Side(right, run), truth
        if truth is Truth.TRUE:
            break
    if best is not None and best[2] is Truth.FALSE:
        # `75 - 160 = <<75-160=-85>>85 fewer` leaves the sign to a word.
        first, second = best[0].expression, best[1].expression
        signless = link.shown is not None and second.value == -link.shown
        if signless or (not link.annotation and not _values(first, link).isdisjoint(_values(second, link))):
            return best[0], best[1], Truth.UNKNOWN
    return best


def _values(side: Expression, link: EquationLink) -> set[Exact]:
    """Return the values of a side in all readings of its text."""
    text = link.line[side.start : side.end]
    texts = {pattern.sub(replacement, text) for pattern, replacement in _OTHER_READINGS}
    texts.add(_SHARE_OF_ALL.sub(r"of (\1)", text))
    values = {side.value}
    for other in texts:
        (first, *more) = runs(tokenise(other))
        for tight in (False, True) if not more else ():
            expression = parse_expression(first.tokens, first.outer, tight=tight)
            values.add(None if expression is None else expression.value)
    return {value for value in values if value is not None}


def _is_operation(expression: Expression) -> bool:
    while isinstance(expression, ParenthesizedExpression | Negative):
        expression = expression.inner
    return isinstance(expression, Operation)


def _is_spoken(left: Side, right: Side, truth: Truth) -> bool:
    """Tell whether `is` states an equation: an operation on its left that nothing is said of, one number on its right."""
    if not _is_operation(left.expression) or left.run.doubt or right.run.doubt:
        return False
    # `The units digit of 7^3 is 3.`
    of = bool(left.run.lead) and left.run.lead[-1].text == "of"
    plain = len(right.run.tokens) == 1 and not right.run.pending[1:] and not left.run.pending[2:]
    # `10-12 is 14`, a span of years or pages.
    span = left.expression.value is None or left.expression.value < 0
    return truth in _HOLDS or (plain and not of and not span and not _is_share(left.expression))


def _doubt(left: Side, right: Side, link: EquationLink) -> str:
    """Return why an equation that does not hold may be no equation, empty where it certainly is one."""
    if left.run.doubt or right.run.doubt:
        return left.run.doubt or right.run.doubt
    if any(
        token.soft and [each.text for each in side.run.tokens[place + 1 : place + 2]] != ["of"]
        for side in (left, right)
        for place, token in enumerate(side.run.tokens)
    ):
        return "a number in words"
    if link.annotation:
        return ""
    added = None if left.run.opened else left.run.after_added_word()
    rest = None if added is None else parse_expression(added.tokens, added.outer)
    if rest is not None and _is_operation(rest) and rest.value == right.expression.value:
        # `20 pens from Tom plus 3*4=12` may add a result to what stands before the word.
        return WORDS
    first, second = left.expression, right.expression
    beside = left.run.lead or left.run.pending
    if _is_share(first) != _is_share(second) and (_is_share(first) or isinstance(first, Number)):
        whole = second if _is_share(first) else first
        if whole.value is None or not -1 < whole.value < 1:
            return SHARE
    if isinstance(first, Number) and not first.percent and all(number.percent for number in numbers(second)):
        # `48 = 100% + 20%`
        return SHARE
    if isinstance(first, Number) and isinstance(second, Number) and first.unit != second.unit:
        return "a conversion" if sizes(first.unit).keys() & sizes(second.unit).keys() else "a definition"
    plain = isinstance(first, Number) and not beside and _is_operation(second)
    if plain or link.chained or _is_operation(first) or first.value is None:
        return ""
    return WORDS if beside else "a number for another"


def _is_share(expression: Expression) -> bool:
    """Tell whether a side is a share such as `1/4` or `25%`, which a line may equate with its whole."""
    if isinstance(expression, Number):
        return expression.percent
    if not isinstance(expression, Operation) or expression.operator != "/":
        return False
    top, bottom = expression.left, expression.right
    if not (isinstance(top, Number) and isinstance(bottom, Number)) or top.value is None or bottom.value is None:
        return False
    return top.value < bottom.value <= MOST_PARTS


NOT_READ = "a column of numbers over a rule is not read as one sum"
_NUMBER = re.compile(r"(?P<sign>[-−–+*×x÷/]?)\s*+(?P<number>[$€£]?\d[\d,]*+(?:\.\d+)?)", re.ASCII)
_RULE = re.compile(r"[-=_–—─]{2,}")


def column_equations(lines: Sequence[str]) -> dict[int, str]:
    """Return the equation that each number under a rule states, by the place of its line; empty where the column is not read as one sum.

    Each number below the first has its sign, or the last one has a plus for all. A column is ambiguous with another number above, and a product
    with a number below, since long multiplication has several rules.
    """
    found = [_NUMBER.fullmatch(line.strip()) for line in lines]
    equations: dict[int, str] = {}
    for place in range(2, len(lines) - 1):
        start = place
        while start and found[start - 1] is not None:
            start -= 1
        column, result = [match for match in found[start:place] if match is not None], found[place + 1]
        if _RULE.fullmatch(lines[place].strip()) is None or len(column) < 2 or result is None:
            continue
        signs = [match["sign"] for match in column]
        if signs[-1] == "+" and not any(signs[:-1]):
            signs[1:] = ["+"] * (len(signs) - 1)
        below = found[place + 2] if place + 2 < len(lines) else None
        product = below is not None and not {*signs[1:]} <= {"+", "-", "−", "–"}
        sums = "".join(f" {sign} {match['number']}" for sign, match in zip(signs[1:], column[1:], strict=True))
        read = not signs[0] and all(signs[1:]) and not result["sign"] and not product
        equations[place + 1] = f"{column[0]['number']}{sums} = {result['number']}".replace("x", "×") if read else ""
    return equations
