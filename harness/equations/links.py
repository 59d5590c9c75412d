"""Links between two sides (an equals sign, `is`, a colon) and the equation that each of them states."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.equations.equation import (
    Negative,
    Number,
    Operation,
    ParenthesizedExpression,
    StatedEquation,
    Truth,
    UnreadEquation,
)
from harness.equations.grammar import parse_expression
from harness.equations.runs import (
    LETTER,
    RATIO,
    SIGNS,
    WORDS,
    TokenRun,
    after_link,
    before_link,
    other_readings,
    prefixes,
    with_tight_fractions,
)
from harness.equations.tokens import TokenKind
from harness.equations.truth import is_span, judge, numbers
from harness.text.units import sizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact
    from harness.equations.equation import Expression
    from harness.equations.tokens import Token

NAME = "a name"
MOST_PARTS = 20
FARTHEST = len(" times $")
_ABOUT = frozenset({"≈", "≃", "≅", "~=", "=~"})


class SideReading(NamedTuple):
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

    @property
    def worded(self) -> bool:
        """Tell whether it is a word, which need not state an equation."""
        return self.sign.kind is not TokenKind.LINK or self.sign.text[:1].isalpha()


def read_link(
    before: list[TokenRun], after: list[TokenRun], link: EquationLink
) -> StatedEquation | UnreadEquation | None:
    """Return the equation of a link and the runs around it, `None` where a word such as `is` states no equation."""
    left_run, right_run = before_link(before[-1]), after_link(after[0])
    reason = _unreadable(left_run, right_run, before[-1], after[0])
    sides = None
    if left_run is not None and right_run is not None and not reason:
        sides = _best(left_run, right_run, link)
    if sides is None:
        return None if link.worded else UnreadEquation(link.sign.start, link.sign.end, reason or WORDS)
    left, right, truth = sides
    if link.sign.kind is not TokenKind.LINK and not _spoken(left, right, truth, link.line):
        return None
    holds = truth in {Truth.TRUE, Truth.ROUNDED}
    if holds and not left.run.doubt and not right.run.doubt:
        return _equation(left, right, truth, link)
    doubt = _doubt(left, right, link)
    computes = _is_operation(left.expression) or _is_operation(right.expression)
    if doubt and not (holds and computes):
        return None if link.worded else UnreadEquation(link.sign.start, link.sign.end, doubt)
    return _equation(left, right, truth, link)


def _equation(left: SideReading, right: SideReading, truth: Truth, link: EquationLink) -> StatedEquation:
    first, second = left.expression, right.expression
    return StatedEquation(first, second, first.start, second.end, link.annotation, truth, link.sign.text)


def _unreadable(left: TokenRun | None, right: TokenRun | None, before: TokenRun, after: TokenRun) -> str:
    """Return why two runs cannot be the sides of an equation, empty where they may be."""
    if not before.tokens and not before.doubt:
        return NAME
    for doubt in (before.doubt, after.doubt):
        if doubt in {LETTER, RATIO}:
            return doubt
    if left is None or right is None:
        return before.doubt or after.doubt or WORDS
    return WORDS if right.lead else ""


def _best(left_run: TokenRun, right_run: TokenRun, link: EquationLink) -> tuple[SideReading, SideReading, Truth] | None:
    """Return the longest sides that make the equation true; else the longest sides."""
    rounds = link.sign.text in _ABOUT or (link.shown is not None and link.shown.denominator > 1)
    lefts = list(_sides([left_run]))
    rights = list(_sides([right_run, *prefixes(right_run)]))
    best: tuple[SideReading, SideReading, Truth] | None = None
    for left in lefts:
        for right in rights:
            truth = judge(left.expression, right.expression, link.line, announced=rounds)
            if truth in {Truth.TRUE, Truth.ROUNDED} and not (link.goes_on or _stops(right.run, right_run)):
                # `4 * 6 = 24 * 60` alone is an unfinished chain or an error.
                truth = Truth.UNKNOWN
                if best is not None and best[2] is Truth.FALSE:
                    best = best[0], best[1], truth
            if truth is Truth.TRUE:
                return left, right, truth
            if best is None or (truth is Truth.ROUNDED and best[2] is not Truth.ROUNDED):
                best = left, right, truth
    if best is not None and best[2] is Truth.FALSE:
        # `75 - 160 = <<75-160=-85>>85 fewer` leaves the sign to a word.
        signless = link.shown is not None and best[1].expression.value == -link.shown
        if signless or (not link.annotation and _holds_otherwise(left_run, right_run)):
            return best[0], best[1], Truth.UNKNOWN
    return best


def _holds_otherwise(left: TokenRun, right: TokenRun) -> bool:
    """Tell whether two sides are equal in another reading of their tokens."""
    lefts, rights = ({side.expression.value for side in _sides([run, *other_readings(run)])} for run in (left, right))
    return not (lefts & rights).isdisjoint({value for value in lefts if value is not None})


def _stops(part: TokenRun, whole: TokenRun) -> bool:
    """Tell whether a part ends its side: it is the whole side, or `of` or `times` follows, as in `15% of the $300`."""
    if len(part.tokens) >= len(whole.tokens):
        return True
    return whole.tokens[len(part.tokens)].text in {"of", "times"}


def _sides(candidates: Sequence[TokenRun]) -> Iterator[SideReading]:
    for run in candidates:
        for candidate in (run, with_tight_fractions(run)):
            expression = parse_expression(candidate.tokens, candidate.outer) if candidate is not None else None
            if candidate is not None and expression is not None:
                yield SideReading(expression, candidate)


def _is_operation(expression: Expression) -> bool:
    while isinstance(expression, ParenthesizedExpression | Negative):
        expression = expression.inner
    return isinstance(expression, Operation)


def _spoken(left: SideReading, right: SideReading, truth: Truth, line: str) -> bool:
    """Tell whether `is` states an equation: an operation on its left that nothing is said of, one number on its right."""
    if not _is_operation(left.expression) or left.run.doubt or right.run.doubt:
        return False
    if truth in {Truth.TRUE, Truth.ROUNDED}:
        return True
    plain = len(right.run.tokens) == 1 and not right.run.pending[1:] and not left.run.pending[2:]
    if left.run.lead and left.run.lead[-1].text == "of":
        # `The units digit of 7^3 is 3.`
        return False
    return plain and not _is_share(left.expression) and not is_span(left.expression, line)


def _doubt(left: SideReading, right: SideReading, link: EquationLink) -> str:
    """Return why an equation that does not hold may be no equation, empty where it certainly is one."""
    if left.run.doubt or right.run.doubt:
        return left.run.doubt or right.run.doubt
    if any(
        _is_loose(token, place, side.run.tokens)
        for side in (left, right)
        for place, token in enumerate(side.run.tokens)
    ):
        return "a number in words"
    if link.annotation:
        return ""
    first, second = left.expression, right.expression
    if _is_share(first) != _is_share(second) and (_is_share(first) or isinstance(first, Number)):
        share, whole = (first, second) if _is_share(first) else (second, first)
        if share.value is not None and whole.value is not None and not -1 < whole.value < 1:
            return "a share and what it is of"
    if isinstance(first, Number) and not first.percent and all(number.percent for number in numbers(second)):
        # `48 = 100% + 20%`
        return "a share and what it is of"
    if isinstance(first, Negative) and isinstance(first.inner, Number) and not link.chained:
        return SIGNS
    if isinstance(first, Number):
        if isinstance(second, Number) and first.unit != second.unit:
            return "a conversion" if sizes(first.unit).keys() & sizes(second.unit).keys() else "a definition"
        if not link.chained and (left.run.lead or left.run.pending):
            return WORDS
    alone = not (link.chained or _is_operation(first) or _is_operation(second))
    return "a number for another" if alone and first.value is not None else ""


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


def _is_loose(token: Token, place: int, tokens: Sequence[Token]) -> bool:
    """Tell whether a number in words lacks the sign and the number that follow it in `half of 40`."""
    if not token.soft:
        return False
    following = tokens[place + 1 : place + 3]
    return len(following) < 2 or following[1].start - token.end > FARTHEST
