"""The equations of a line as claims about its variables, checked for new values without reading the line again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from generators.flaws.text.written_expressions import StepLine, outer_span
from harness.domain import Exact
from harness.equations.equation import Expression, Negative, Number, Operation, ParenthesizedExpression, Truth
from harness.solution.solution_text import PlacedVariable
from harness.text.lexicon import word_lists
from harness.text.number_forms import NumberKind

_LISTS = word_lists(__file__)


def claims_of(line: StepLine, values: Mapping[str, Exact]) -> LineClaims | None:
    """Return the claims of a line about its variables, `None` where they depend on more than their values.

    Every equation must be exactly true as it stands, every place a plain number: then other whole numbers give a line of the
    same words and signs, whose equations are read as these are.
    """
    owners: dict[int, str] = {}
    for start, _, part in line.spans:
        if isinstance(part, PlacedVariable):
            form = part.form
            if form.kind is not NumberKind.NUMERAL or form.rounded or form.places or form.scale != 1:
                return None
            owners[start] = part.variable
    if line.reading.unread or any(equation.truth is not Truth.TRUE for equation in line.reading.equations):
        return None
    sides = tuple((equation.left, equation.right) for equation in line.reading.equations)
    claims = LineClaims(sides, owners, strict=_LOOSE.search(line.words) is None)
    return claims if claims.hold(values) else None


# Words that may announce rounding, and signs that a line may mean in another way than it is read.
_LOOSE = re.compile(_LISTS.either("loose"), re.IGNORECASE)


class LineClaims:
    """The equations of a line as pairs of expressions, and which variable's value each number at a place is."""

    __slots__ = ("owners", "sides", "strict")

    def __init__(
        self, sides: tuple[tuple[Expression, Expression], ...], owners: Mapping[int, str], *, strict: bool
    ) -> None:
        self.sides = sides
        self.owners = owners
        self.strict = strict

    def hold(self, values: Mapping[str, Exact]) -> bool:
        """Tell whether all equations are exactly true with whole, non-negative values; `False` says nothing certain."""
        if not self._plain(values):
            return False
        for left, right in self.sides:
            value = self._value(left, values)
            if value is None or value != self._value(right, values):
                return False
        return True

    def fail(self, values: Mapping[str, Exact]) -> bool:
        """Tell whether an equation is certainly false with whole, positive values; `False` says nothing certain.

        Certainly: the line has no word of rounding, and the sides are not as many times apart as any two units are.
        """
        if not self.strict or not self._plain(values):
            return False
        for left, right in self.sides:
            value, stated = self._value(left, values), self._value(right, values)
            if not value or not stated or value == stated:
                continue
            ratio = Fraction(stated) / value
            if _NEAREST < ratio < 1 / _NEAREST and ratio not in _UNITS:
                return True
        return False

    def follow(self, variable: str, written: Mapping[tuple[int, int], str]) -> bool:
        """Tell whether every equation sets an expression equal to the result `variable`, and is rewritten with it.

        `written` are the rewritten expressions by place. One that is plain numbers and signs is read as it was meant, so that
        it equals what it was evaluated to.
        """
        for equation in self.sides:
            for side in equation:
                new = written.get(outer_span(side))
                result = isinstance(side, Number) and self.owners.get(side.start) == variable
                if not result and (new is None or _FLAT.fullmatch(new) is None):
                    return False
        return True

    def _plain(self, values: Mapping[str, Exact]) -> bool:
        owned = (values[variable] for variable in self.owners.values())
        return all(value >= 0 and value.denominator == 1 for value in owned)

    def _value(self, node: Expression, values: Mapping[str, Exact]) -> Exact | None:
        match node:
            case Number():
                variable = self.owners.get(node.start)
                return node.value if variable is None else values[variable]
            case ParenthesizedExpression(inner=inner):
                return self._value(inner, values)
            case Negative(inner=inner):
                value = self._value(inner, values)
                return None if value is None else -value
            case Operation(operator=operator):
                left, right = self._value(node.left, values), self._value(node.right, values)
                return None if left is None or right is None else _apply(operator, left, right)


_FLAT = re.compile(r"\$?\d{1,15}(?:(?: [-+*/×x] |[-+*/×])\$?\d{1,15}){1,12}", re.ASCII)
_NEAREST = Fraction(1, 3)
_UNITS = frozenset({Fraction(2), Fraction(1, 2)})


def _apply(operator: str, left: Exact, right: Exact) -> Exact | None:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if operator == "/" and right:
        return Fraction(left) / right
    return None
