"""Derivations in one unknown, and their false steps: `2x + 16 = 40` followed by `2x = 26`.

An equation with an unknown is read by the reader of equations: numbers stand in the place of the letter, and an equation whose sides
differ linearly has one root.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from harness.equations.equation import Number
from harness.equations.line_reader import read_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact

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


@dataclass(frozen=True, slots=True)
class LinearEquation:
    """An equation in one unknown: `place` is its line from zero, `written` its text, `root` the value that it gives.

    `assigns` tells that it only names the value, as `x = 5` does, `plain` that its right side is one number, and `unit` the unit of a side
    that is one. `length` is that of the equation as it was read, `before` and `after` are the
    texts on either side in its line. `astray` are the roots of wrong rearrangements: a term moved without its sign, a factor not divided out.
    """

    place: int
    letter: str
    written: str
    root: Fraction
    assigns: bool
    plain: bool
    unit: str
    length: int
    before: str
    after: str
    astray: frozenset[Fraction]


@dataclass(frozen=True, slots=True)
class FalseStep:
    """Two successive equations of a derivation with different roots."""

    first: LinearEquation
    second: LinearEquation

    @property
    def rearranged(self) -> bool:
        """Tell whether a wrong rearrangement of the first equation gives the second."""
        return self.second.root in self.first.astray


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
        if first.letter != second.letter or first.assigns or not second.plain or not first.root:
            continue
        if first.root == second.root or NEAR * abs(first.root - second.root) < abs(first.root):
            continue
        if second.place == first.place:
            between = second.before[len(second.before) - len(first.after) + len(second.after) + second.length :]
        elif second.place == first.place + 1:
            between = f"{first.after}\n{second.before}"
        else:
            continue
        other_units = "%" in f"{lines[first.place]}{lines[second.place]}" or first.unit != second.unit
        ends = _OPENING.search(first.before) and _JOINT.fullmatch(between) and _CLOSING.match(second.after)
        if ends and not other_units:
            yield FalseStep(first, second)


def _of_line(place: int, line: str, letter: str) -> Iterator[LinearEquation]:
    texts = [_probed(line, probe) for probe in _PROBES]
    readings = [read_line(text).equations for text in texts]
    if len({tuple((equation.start, equation.end) for equation in reading) for reading in readings}) > 1:
        return
    for equations in zip(*readings, strict=True):
        sides = [
            _coefficients([equation.left.value for equation in equations]),
            _coefficients([equation.right.value for equation in equations]),
        ]
        if sides[0] is None or sides[1] is None or sides[0].factor == sides[1].factor:
            continue
        factor, rest = sides[0].factor - sides[1].factor, sides[1].rest - sides[0].rest
        first = equations[0]
        yield LinearEquation(
            place=place,
            letter=letter,
            written=texts[0][first.start : first.end].replace(f"*{_PROBES[0]}", letter).replace(_PROBES[0], letter),
            root=rest / factor,
            assigns={side.factor for side in sides if side} == {0, 1}
            and 0 in {side.rest for side in sides if side and side.factor},
            plain=isinstance(first.right, Number),
            unit=next((side.unit for side in (first.right, first.left) if isinstance(side, Number)), ""),
            length=first.end - first.start,
            before=texts[0][: first.start],
            after=texts[0][first.end :],
            astray=_astray(sides[0], sides[1]) - {rest / factor},
        )


def _probed(line: str, probe: str) -> str:
    """Return a line with a number in parentheses for the unknown, multiplied by a factor right before it."""
    return _UNKNOWN.sub(
        lambda match: f"*{probe}" if line[: match.start()].rstrip()[-1:].isdigit() else probe,
        line,
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """A side of an equation: `factor` times the unknown, plus `rest`."""

    factor: Fraction
    rest: Fraction


def _coefficients(values: Sequence[Exact | None]) -> _Side | None:
    """Return the side with these values at 2, 3 and 5, `None` where it has none or is not linear."""
    if None in values:
        return None
    at_two, at_three, at_five = (Fraction(value or 0) for value in values)
    factor = at_three - at_two
    return _Side(factor, at_two - 2 * factor) if at_five - at_three == 2 * factor else None


def _astray(left: _Side, right: _Side) -> frozenset[Fraction]:
    """Return the roots after a term was moved without its sign, or a factor was not divided out."""
    factor, rest = left.factor - right.factor, right.rest - left.rest
    values = {rest * factor, rest, rest - factor}
    for size in {factor, left.factor + right.factor} - {0}:
        for moved in (rest, right.rest + left.rest):
            values |= {moved / size, -moved / size}
    return frozenset(values)
