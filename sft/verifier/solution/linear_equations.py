"""Linear equations in one unknown, such as `6x = 96`, as the lines of a solution state them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from harness.text.numbers import NUMERAL, read_numeral
from harness.text.units import singular_unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST_LINE = 600
LONGEST_SIDE = 40
LARGEST = 10**12
DEEPEST = 8
_TOKEN = re.compile(
    rf"\s*(?P<number>[$€£]?\s?(?:{NUMERAL})(?P<percent>%)?)|\s*(?P<letter>(?<![^\W\d_])[^\W\d_](?![^\W\d_'’]))|\s*(?P<sign>[-+*/()=×·÷−–])"
    r"|\s*(?P<word>[^\W\d_]+)|\s*(?P<other>\S)",
)
_SIGNS = {"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-"}
_NO_UNKNOWN = frozenset("aAI")
_WORD = re.compile(r"[^\W\d_]+")
_OPENING = frozenset(".,;:([{$*\\>→⇒∴•\"'`&")


@dataclass(frozen=True, slots=True)
class LinearExpression:
    """`factor` times the unknown, plus `rest`."""

    factor: Fraction
    rest: Fraction


@dataclass(frozen=True, slots=True)
class EquationRoot:
    """The value that an equation gives to its unknown; `places` are the decimals of a written value, -1 for an exact one.

    `assigns` tells that it only names the value of the unknown, as in `x = 5` and `x = 3 + 4`, `settled` that the value stands as
    a number, as in `x = 5` and `x = 3 + 4 = 7`. `astray` are the values of wrong
    rearrangements: a term moved without its sign, a factor not divided out. `start` and `end` are its place in the line, `unit` is the unit
    of its right side, singular, and `percent` tells that the side without the unknown has a percentage.
    """

    place: int
    letter: str
    written: str
    value: Fraction
    places: int
    assigns: bool = False
    settled: bool = False
    astray: frozenset[Fraction] = frozenset()
    start: int = 0
    end: int = 0
    unit: str = ""
    percent: bool = False

    def may_start_anew(self, before: EquationRoot) -> bool:
        """Tell whether this may be another unknown of the same letter: the one before has its value, and this one gets one.

        `x = 5` is the end of its derivation, so that `x = 7` after it contradicts nothing; `3x = 21` after it does.
        """
        going_on = not before.settled and self.settled and self.place <= before.place + 1
        return self.assigns and before.assigns and not going_on


def roots(lines: Sequence[str]) -> Iterator[EquationRoot]:
    """Yield the root of each linear equation in a single unknown, in the order of the lines."""
    for place, line in enumerate(lines):
        if "=" in line and len(line) <= LONGEST_LINE:
            yield from _of_line(place, line)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int
    value: Fraction = Fraction(0)
    places: int = -1
    percent: bool = False


def _tokens(line: str) -> list[_Token]:
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(line):
        kind = match.lastgroup or "other"
        if match["number"] is not None:
            digits = match["number"].strip("$€£% ")
            value = read_numeral(digits)
            if value is None or value > LARGEST:
                tokens.append(_Token("other", digits, match.start(), match.end()))
                continue
            exact = Fraction(value) / (100 if match["percent"] else 1)
            places = len(digits.partition(".")[2]) + (2 if match["percent"] else 0)
            tokens.append(
                _Token(
                    "number",
                    digits,
                    match.end() - len(match["number"]),
                    match.end(),
                    exact,
                    places,
                    bool(match["percent"]),
                )
            )
        else:
            text = match[kind]
            if kind == "letter" and text in _NO_UNKNOWN:
                kind = "word"
            tokens.append(_Token(kind, _SIGNS.get(text, text), match.end() - len(text), match.end()))
    return _with_times(tokens)


def _with_times(tokens: list[_Token]) -> list[_Token]:
    """Read an `x` between two numbers, and after a word before a parenthesis, `100 balls x (10 / 100)`, as a sign."""
    return [
        _Token("sign", "*", token.start, token.end)
        if token.kind == "letter"
        and token.text in "xX"
        and 0 < place < len(tokens) - 1
        and (
            tokens[place - 1].kind == tokens[place + 1].kind == "number"
            or (tokens[place - 1].kind == "word" and tokens[place + 1].text == "(")
        )
        else token
        for place, token in enumerate(tokens)
    ]


def _of_line(place: int, line: str) -> Iterator[EquationRoot]:
    tokens = _tokens(line)
    links = [number for number, token in enumerate(tokens) if token.text == "=" and token.kind == "sign"]
    for number, link in enumerate(links):
        start = links[number - 1] + 1 if number else 0
        end = links[number + 1] if number + 1 < len(links) else len(tokens)
        left, right = _left(tokens[start:link]), _right(tokens[link + 1 : end])
        letters = {token.text for token in (*left, *right) if token.kind == "letter"}
        if _of_unknown(left) or _of_unknown(right):
            continue
        if len(letters) != 1 or len(left) > LONGEST_SIDE or len(right) > LONGEST_SIDE:
            continue
        before, after = _Side(left).read(), _Side(right).read()
        if before is None or after is None or before.factor == after.factor:
            continue
        value = (after.rest - before.rest) / (before.factor - after.factor)
        if not value and before.factor and after.factor:
            # `P + 3 + P + 6 = 2P + 9` does not determine P.
            continue
        bare = len(left) == len(right) == 1
        places = max(token.places for token in (*left, *right)) if bare else -1
        written = line[left[0].start : right[-1].end]
        sides = (left, right) if before.factor else (right, left)
        assigns = len(sides[0]) == 1 and not any(token.kind == "letter" for token in sides[1])
        settled = assigns and (bare or number + 1 < len(links))
        astray = _astray(before, after, value)
        start, stop = left[0].start, right[-1].end
        percent = any(token.percent for token in sides[1])
        unit = _unit(line, right)
        yield EquationRoot(
            place, letters.pop(), written, value, places, assigns, settled, astray, start, stop, unit, percent
        )


def _unit(line: str, right: Sequence[_Token]) -> str:
    """Return the unit of a right side: the word after it, or its currency sign; empty without one."""
    sign = line[right[0].start : right[0].start + 1]
    if sign in {"$", "€", "£"}:
        return sign
    word = _WORD.match(line, right[-1].end + (line[right[-1].end : right[-1].end + 1] == " "))
    return singular_unit(word.group()) if word else ""


def _of_unknown(side: Sequence[_Token]) -> bool:
    """Tell whether a percentage is added to a letter or taken from it: `x - 25%` is three quarters of `x`."""
    return any(
        sign.text in "+-" and share.kind == "number" and share.percent
        for sign, share in pairwise(side)
        if sign.kind == "sign"
    ) and any(token.kind == "letter" for token in side)


def _astray(left: LinearExpression, right: LinearExpression, value: Fraction) -> frozenset[Fraction]:
    factor, rest = left.factor - right.factor, right.rest - left.rest
    values = {rest * factor, rest, rest - factor}
    for size in {factor, left.factor + right.factor} - {0}:
        for moved in (rest, right.rest + left.rest):
            values |= {moved / size, -moved / size}
    return frozenset(values - {value})


_INSIDE = frozenset({"number", "letter", "sign"})


def _left(tokens: list[_Token]) -> list[_Token]:
    """Return the longest expression that ends before a link."""
    start = len(tokens)
    while start and tokens[start - 1].kind in _INSIDE:
        start -= 1
    before = tokens[start - 1].kind if start else ""
    side = tokens[start:]
    # `Tracy drives 2 x + 5` may be a list of numbers; `bowler 2: 3x` begins after the colon; of `x² + 2x` and `2^x` only an end was read.
    cut = before == "word" and side[:1] != [] and side[0].kind == "sign"
    cut |= before == "other" and not _OPENING.intersection(tokens[start - 1].text)
    return [] if cut else side


def _right(tokens: list[_Token]) -> list[_Token]:
    """Return the longest expression that begins after a link."""
    end = 0
    while end < len(tokens) and tokens[end].kind in _INSIDE:
        end += 1
    side = tokens[:end]
    while side and side[-1].kind == "sign" and side[-1].text != ")":
        side.pop()
    following = tokens[end] if end < len(tokens) else None
    if following is None or not side:
        return side
    # In `15j = 45a` the letter is another unknown, not an article; `72 sours / 0.75` goes on after its unit, `5²` and `6:30` after the number.
    factor = following.kind == "word" and len(following.text) == 1 and following.start == side[-1].end
    factor |= following.kind == "word" and end + 1 < len(tokens) and tokens[end + 1].text in {"*", "/", "+"}
    factor |= following.kind == "other" and following.start == side[-1].end and following.text in "²³^:½¼¾!"
    return [] if factor or following.text.lower() in {"of", "times", "more", "less", "percent"} else side


class _Side:
    """A parser of one side of an equation by precedence; it returns `None` for what is no linear expression."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens, self._place = tokens, 0

    def read(self) -> LinearExpression | None:
        """Return the expression of all tokens."""
        expression = self._sum(0) if self._tokens else None
        return expression if expression is not None and self._place == len(self._tokens) else None

    def _sign(self, among: str) -> str:
        if self._place < len(self._tokens):
            token = self._tokens[self._place]
            if token.kind == "sign" and token.text in among:
                self._place += 1
                return token.text
        return ""

    def _sum(self, depth: int) -> LinearExpression | None:
        total = self._product(depth)
        while total is not None and (sign := self._sign("+-")):
            part = self._product(depth)
            if part is None:
                return None
            by = 1 if sign == "+" else -1
            total = LinearExpression(total.factor + by * part.factor, total.rest + by * part.rest)
        return total

    def _product(self, depth: int) -> LinearExpression | None:
        total = self._atom(depth)
        while total is not None:
            sign = self._sign("*/") or ("" if not self._joins() else "*")
            if not sign:
                return total
            part = self._atom(depth)
            total = None if part is None else _times(total, part) if sign == "*" else _over(total, part)
            if total is not None and max(abs(total.factor), abs(total.rest)) > LARGEST:
                return None
        return None

    def _joins(self) -> bool:
        """Tell whether a letter or a parenthesis follows without a sign: `2x`, `2(x + 3)`."""
        if self._place >= len(self._tokens):
            return False
        token, last = self._tokens[self._place], self._tokens[self._place - 1]
        return (token.kind == "letter" and last.kind == "number") or (token.text == "(" and last.text != "(")

    def _atom(self, depth: int) -> LinearExpression | None:
        if self._place >= len(self._tokens) or depth > DEEPEST:
            return None
        token = self._tokens[self._place]
        self._place += 1
        if token.kind == "number":
            return LinearExpression(Fraction(0), token.value)
        if token.kind == "letter":
            return LinearExpression(Fraction(1), Fraction(0))
        if token.text == "-":
            inner = self._atom(depth + 1)
            return None if inner is None else LinearExpression(-inner.factor, -inner.rest)
        if token.text != "(":
            return None
        inner = self._sum(depth + 1)
        return inner if self._sign(")") else None


def _times(left: LinearExpression, right: LinearExpression) -> LinearExpression | None:
    if left.factor and right.factor:
        return None
    constant, linear = (left, right) if not left.factor else (right, left)
    return LinearExpression(linear.factor * constant.rest, linear.rest * constant.rest)


def _over(left: LinearExpression, right: LinearExpression) -> LinearExpression | None:
    if right.factor or not right.rest:
        return None
    return LinearExpression(left.factor / right.rest, left.rest / right.rest)
