"""Derivations in one unknown, and their false steps: `2x + 16 = 40` followed by `2x = 26`.

An equation with an unknown is read by the reader of equations: numbers stand in the place of the letter, and an equation whose sides
differ linearly has one root.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from harness.equations.equation import Number
from harness.equations.line_reader import read_line
from harness.text.number_forms import format_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact
    from harness.equations.equation import StatedEquation

LONGEST_LINE = 600
MOST_LETTERS = 12
"""A line in which its unknown stands more often is not read."""
NEAR = 50
"""Roots that differ by less than one part in so many may differ because a factor was rounded: `0.33x = 100`, `x = 300`."""
_UNKNOWN = re.compile(r"(?<![^\W\d_'’.])[b-hj-zB-HJ-Z](?![^\W_'’²³^!(])")
_PROBES = tuple(f"(0+{value})" for value in (2, 3, 5))
_ARROW = r"=>|→|⇒"
_OPENING = re.compile(rf"(?:^|[.,;:]\s|{_ARROW})[\s$]*$")
_JOINT = re.compile(rf"[\s.,;$]*(?:{_ARROW})?[\s$]*")
_CLOSING = re.compile(rf"[\s.,;$]*(?:$|{_ARROW})")


class LinearSide(NamedTuple):
    """A side of an equation: `factor` times the unknown, plus `rest`."""

    factor: Fraction
    rest: Fraction


@dataclass(frozen=True, slots=True)
class LinearEquation:
    """An equation in one unknown on a line, `place` from zero: `equation` is its reading in `text`, the line with a number for the unknown."""

    place: int
    letter: str
    text: str
    equation: StatedEquation
    left: LinearSide
    right: LinearSide

    @property
    def written(self) -> str:
        """Return the equation as it stands in its line."""
        text = self.text[self.equation.start : self.equation.end]
        return text.replace(f"*{_PROBES[0]}", self.letter).replace(_PROBES[0], self.letter)

    @property
    def root(self) -> Fraction:
        """Return the value of the unknown."""
        return (self.right.rest - self.left.rest) / (self.left.factor - self.right.factor)

    @property
    def assigns(self) -> bool:
        """Tell whether it only names the value, as `x = 5` does."""
        unknown, left, right = LinearSide(Fraction(1), Fraction(0)), self.left, self.right
        return (left == unknown and not right.factor) or (right == unknown and not left.factor)

    @property
    def unit(self) -> str:
        """Return the unit of a side that is a number, the right one first."""
        sides = (self.equation.right, self.equation.left)
        return next((side.unit for side in sides if isinstance(side, Number)), "")


@dataclass(frozen=True, slots=True)
class FalseStep:
    """Two successive equations of a derivation with different roots."""

    first: LinearEquation
    second: LinearEquation

    @property
    def rearranged(self) -> bool:
        """Tell whether the second is the first with a term moved without its sign, or a factor not divided out."""
        left, right = self.first.left, self.first.right
        factor, rest = left.factor - right.factor, right.rest - left.rest
        sizes, moved = {factor, left.factor + right.factor} - {0}, {rest, right.rest + left.rest}
        quotients = {sign * part / size for sign in (1, -1) for part in moved for size in sizes}
        return self.second.root in {rest * factor, rest, rest - factor} | quotients

    @property
    def due(self) -> str:
        """Return the second equation with the number that it has at the root of the first."""
        right, (factor, rest) = self.second.equation.right, self.second.left
        written = self.second.written.removesuffix(self.second.text[right.start : right.end])
        return written + format_value(factor * self.first.root + rest)


def linear_equations(lines: Sequence[str]) -> Iterator[LinearEquation]:
    """Yield the linear equations of each line that has one unknown, in order."""
    for place, line in enumerate(lines):
        letters = _UNKNOWN.findall(line) if "=" in line and len(line) <= LONGEST_LINE else []
        if len(set(letters)) == 1 and len(letters) <= MOST_LETTERS:
            yield from _of_line(place, line, letters[0])


def false_steps(lines: Sequence[str]) -> Iterator[FalseStep]:
    """Yield the steps of derivations that are proved to be false.

    The second equation gives a number. It stands right after the first, in its line or the next one, with no word between them, and ends its statement.
    Percentages, a currency on one side, and words beside an equation could make both right, so nothing is proved of them.
    """
    for first, second in pairwise(linear_equations(lines)):
        if first.letter != second.letter or first.assigns or not first.root or second.place > first.place + 1:
            continue
        if NEAR * abs(first.root - second.root) < abs(first.root) or not isinstance(second.equation.right, Number):
            continue
        start, end = first.equation.end, second.equation.start
        between = (
            second.text[start:end] if second.place == first.place else f"{first.text[start:]}\n{second.text[:end]}"
        )
        ends = (
            _OPENING.search(first.text[: first.equation.start])
            and _JOINT.fullmatch(between)
            and _CLOSING.match(second.text[second.equation.end :])
        )
        if ends and first.unit == second.unit and "%" not in f"{lines[first.place]}{lines[second.place]}":
            yield FalseStep(first, second)


def _of_line(place: int, line: str, letter: str) -> Iterator[LinearEquation]:
    """Yield the linear equations of a line, a number in parentheses for the unknown, multiplied by a factor right before it."""
    marked = _UNKNOWN.sub(lambda match: "*\0" if line[: match.start()].rstrip()[-1:].isdigit() else "\0", line)
    texts = [marked.replace("\0", probe) for probe in _PROBES]
    readings = [read_line(text).equations for text in texts]
    if len({tuple((equation.start, equation.end) for equation in reading) for reading in readings}) > 1:
        return
    for equations in zip(*readings, strict=True):
        left = _linear([equation.left.value for equation in equations])
        right = _linear([equation.right.value for equation in equations])
        if left is not None and right is not None and left.factor != right.factor:
            yield LinearEquation(place, letter, texts[0], equations[0], left, right)


def _linear(values: Sequence[Exact | None]) -> LinearSide | None:
    """Return the side with these values at 2, 3 and 5, `None` where it has none or is not linear."""
    if None in values:
        return None
    at_two, at_three, at_five = (Fraction(value or 0) for value in values)
    factor = at_three - at_two
    return LinearSide(factor, at_two - 2 * factor) if at_five - at_three == 2 * factor else None
