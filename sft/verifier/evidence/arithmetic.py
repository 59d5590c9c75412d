"""Evidence from equations that are false in every plausible reading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.equations.equation import Number, Operation, ParenthesizedExpression, Truth
from harness.solution.labels import ErrorType
from harness.text.lexicon import word_lists
from harness.text.number_forms import format_value
from oracles.labels.audit.solution_lines import CONTINUED, read_statement
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import HintKind
from sft.verifier.case import evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.equations.equation import Expression, StatedEquation
    from oracles.labels.audit.solution_lines import LineStatement
    from sft.samples.solution_judgement import Hint
    from sft.verifier.case import Case

_LISTS = word_lists(__file__)

FALSE_EQUATION = HintKind("false equation", ErrorType.COMPUTATIONAL, certainty=0.99, proof=True, equation=True)
LONGEST_SHOWN = 160
LARGEST_RATIO = 1_000
_ROUNDING = re.compile(
    rf"\b(?:{_LISTS.either('rounding')})|[≈≃≅~]",
    re.IGNORECASE,
)
# `10 blocks of type B`: a capital letter after a word is a name, not an unknown.
_NAME = re.compile(r"(?<=[a-z]{3} )[B-HJ-WYZ](?= *(?:[.,;]|$| [a-z]| and\b))")


@dataclass(frozen=True, slots=True)
class FalseEquation:
    """A false equation: `place` of its line from zero, the equation as written, its left side as written, and both values."""

    place: int
    written: str
    left: str
    due: Fraction
    stated: Fraction

    @property
    def expected(self) -> str:
        """Return the equation as it should read."""
        return f"{self.left} = {format_value(self.due)}"


def slips(case: Case) -> Iterator[FalseEquation]:
    """Yield the false equations, line by line."""
    for place, line in enumerate(case.solution.statements):
        named = read_statement(_NAME.sub("", line.text)) if line.unread and line.unread != CONTINUED else line
        false = (
            line.false
            or named.false
            or tuple(equation for equation in line.equations if _misrounded(equation, line.text))
        )
        source = line if false != named.false else named
        yield from (_slip(place, equation, source) for equation in false if equation.left.value is not None)


def _slip(place: int, equation: StatedEquation, line: LineStatement) -> FalseEquation:
    left = line.text[equation.left.start : equation.left.end]
    due, stated = equation.left.value or 0, equation.right.value or 0
    return FalseEquation(place, line.written(equation), left, Fraction(due), Fraction(stated))


def _misrounded(equation: StatedEquation, text: str) -> bool:
    """Tell whether an operation on whole numbers has a wrong whole result, and the line has no word of rounding.

    `at most` and `full` announce rounding too, but a whole number needs none: none of 7,473 correct solutions does so.
    """
    if equation.truth is not Truth.ROUNDED or not isinstance(equation.right, Number | ParenthesizedExpression):
        return False
    values = equation.left.value, equation.right.value
    return all(value is not None and value.denominator == 1 for value in values) and _ROUNDING.search(text) is None


@evidence("arithmetic")
def arithmetic(case: Case) -> Signal[Hint]:
    """False equations, and the numbers of equations that can and cannot be checked."""
    false = list(slips(case))
    lines = case.solution.statements
    computing = sum(any(_computes(equation.left) for equation in line.equations) for line in lines)
    unread = sum(bool(line.unread) for line in lines)
    rounded = sum(equation.truth is Truth.ROUNDED for line in lines for equation in line.equations)
    off = [abs(equation.stated - equation.due) / max(abs(equation.due), Fraction(1)) for equation in false]
    features = {
        "false": len(false),
        "any_false": bool(false),
        "first_false": 0.0 if not false else (false[0].place + 1) / max(1, len(lines)),
        "off": min(float(LARGEST_RATIO), float(min(max(off, default=Fraction(0)), Fraction(LARGEST_RATIO)))),
        "computing_lines": computing,
        "share_computing": computing / max(1, len(lines)),
        "unread": unread,
        "rounded": rounded,
    }
    hints = tuple(
        FALSE_EQUATION.at(
            case.solution.label(equation.place), equation.written[:LONGEST_SHOWN], equation.expected[:LONGEST_SHOWN]
        )
        for equation in false
    )
    return Signal(features, hints)


def _computes(expression: Expression) -> bool:
    return isinstance(expression, Operation) or (not isinstance(expression, Number) and _computes(expression.inner))
