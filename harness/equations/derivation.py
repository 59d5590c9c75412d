"""Derivations in one unknown, and their false steps: `2x + 16 = 40` followed by `2x = 26`.

An equation with an unknown is read by the reader of equations: numbers stand in the place of the letter, and an equation whose sides
differ linearly has one root.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from harness.domain import Exact
from harness.equations.equation import Expression, Number, Operation, StatedEquation
from harness.equations.line_reader import read_line
from harness.text.number_forms import format_value
from harness.text.tokens import TokenKind, tokenise

LONGEST_LINE = 600
MOST_LETTERS = 12
"""A line in which its unknown stands more often is not read."""
NEAR = 50
"""Roots that differ by less than one part in so many may differ because a factor was rounded: `0.33x = 100`, `x = 300`."""
_UNKNOWN = re.compile(r"(?<![^\W\d_])(?<!['’])[b-hj-zB-HJ-Z](?![^\W_'’²³^!(])")
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

    def is_unknown(self, node: Expression) -> bool:
        """Tell whether a node of its reading stands for the unknown."""
        return self.text[node.start : node.end] == _PROBES[0]

    def numbers(self, node: Expression) -> Iterator[Number]:
        """Yield the numbers of a node of its reading, without the one that stands for the unknown."""
        if not self.is_unknown(node):
            match node:
                case Number():
                    yield node
                case Operation(left=left, right=right):
                    yield from (*self.numbers(left), *self.numbers(right))
                case _:
                    yield from self.numbers(node.inner)

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
    """Yield the linear equations of each line in each of its unknowns, in order; one with two unknowns is none."""
    for place, line in enumerate(lines):
        for letter in _unknowns(line):
            yield from (replace(equation, place=place) for equation in _of_line(line, letter))


def solved_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines with the root of the last equation in each unknown in its place; lines without an equation stay as they are.

    What they state can then be read as any other equation: `4w = 60` is true in a text that ends with `w = 15`. What is read without
    that stays: a letter beside a number of `9 * 9 = 80 m` is a unit, and a line that is false as it stands is not made true.
    """
    unread = [equation for equation in linear_equations(lines) if not read_line(equation.written).equations]
    equations = [equation for equation in unread if not read_line(lines[equation.place]).false]
    roots = {equation.letter: equation.root for equation in equations}
    solved = list(lines)
    for place in {equation.place for equation in equations}:
        for letter, root in roots.items():
            solved[place] = _with_value(solved[place], letter, f"(0{'-' if root < 0 else '+'}{abs(root)})")
    return solved


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
        apart = f"{first.text[start:]}\n{second.text[:end]}"
        between = second.text[start:end] if second.place == first.place else apart
        before, after = first.text[: first.equation.start], second.text[second.equation.end :]
        joined = _OPENING.search(before) and _JOINT.fullmatch(between) and _CLOSING.match(after)
        if joined and first.unit == second.unit and "%" not in f"{lines[first.place]}{lines[second.place]}":
            yield FalseStep(first, second)


# Most lines of a flawed solution are those of other flawed solutions of its problem.
@lru_cache(maxsize=8_192)
def _unknowns(line: str) -> tuple[str, ...]:
    letters = _UNKNOWN.findall(line) if "=" in line and len(line) <= LONGEST_LINE else []
    return tuple(dict.fromkeys(letters)) if len(letters) <= MOST_LETTERS else ()


@lru_cache(maxsize=4_096)
def _of_line(line: str, letter: str) -> tuple[LinearEquation, ...]:
    """Return the linear equations of a line as if it were the first, a number in parentheses for the unknown, multiplied by a factor right before it."""
    signs = _times_signs(line) if letter in "xX" else frozenset[int]()
    if signs and all(match.start() in signs for match in _UNKNOWN.finditer(line) if match.group() == letter):
        return ()
    texts = [_with_value(line, letter, probe) for probe in _PROBES]
    if not read_line(texts[0]).equations:
        return ()
    readings = [read_line(text).equations for text in texts]
    found: list[LinearEquation] = []
    if len({tuple((equation.start, equation.end) for equation in reading) for reading in readings}) > 1:
        return ()
    for equations in zip(*readings, strict=True):
        left = _linear([equation.left.value for equation in equations])
        right = _linear([equation.right.value for equation in equations])
        if left is not None and right is not None and left.factor != right.factor:
            found.append(LinearEquation(0, letter, texts[0], equations[0], left, right))
    return tuple(found)


def _times_signs(line: str) -> frozenset[int]:
    """Return where an `x` stands between two numbers, as the times sign that the reader of equations takes it for."""
    times = pairwise(tokenise(line))
    return frozenset(sign.start for sign, after in times if sign.kind is TokenKind.TIMES and after.value is not None)


def _with_value(line: str, letter: str, value: str) -> str:
    """Return a line with a value in the place of a letter, multiplied by a number right before it."""

    def written(match: re.Match[str]) -> str:
        if match.group() != letter:
            return match.group()
        return f"*{value}" if line[: match.start()].rstrip()[-1:].isdigit() else value

    return _UNKNOWN.sub(written, line)


def _linear(values: Sequence[Exact | None]) -> LinearSide | None:
    """Return the side with these values at 2, 3 and 5, `None` where it has none or is not linear."""
    if None in values:
        return None
    at_two, at_three, at_five = (Fraction(value or 0) for value in values)
    factor = at_three - at_two
    return LinearSide(factor, at_two - 2 * factor) if at_five - at_three == 2 * factor else None
