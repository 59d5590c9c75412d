"""Why may no number of a problem change, whatever each of them allows?"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.conceptual.conversions import is_factor
from generators.problems.question import Unlocated
from harness.program import ir
from harness.solution.trace import Role
from harness.text.mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generators.problems.subject import Subject
    from harness.domain import Exact
    from harness.solution.trace import Entry

_CONSTANTS = frozenset([0, 1, 2, 100, Fraction(1, 2), Fraction(1, 100)])
"""Numbers that a step may have without anything of the problem behind them: wholes, halves, hundredths."""
_LARGEST_COUNTED = 7
_KNOWN = re.compile(
    r"(?:^|_)(?:legs?|wheels?|sides?|fingers?|toes?|hands?|heads?|arms?|eyes?|weekdays?|days?|months?|weeks?|hours?|years?|"
    r"minutes?|penn(?:y|ies)|dimes?|nickels?|quarters?|cents?|dollars?|bills?|denomination|percent\w*|dozens?|pairs?|couples?|"
    r"trips?|half|halves|double|doubling|twice|triple|self|century|tons?|points)(?:_|$)"
)
_WORKED_OUT = re.compile(
    r"\b(?:coefficient|constant|inverse|reciprocal|simplified|result|remaining|rest|left|other|derived|implied|combined|"
    r"difference|same|equal)\b"
)


def hindrance(subject: Subject) -> str:
    """Return why no number of a problem may change, an empty text where each can be judged by itself.

    An input that stands nowhere in the question may have been worked out in the head from others, as 6/5 from 20%, or 2
    pear trees from 4 trees with 2 apple trees; if those changed, it would have to change with them. Conversions, what everybody knows and
    what is counted in words, as the two of `Ann and Ben`, do not depend on the numbers.
    """
    for entry in subject.source.inputs:
        name = entry.variable
        if subject.question.unlocated.get(name) in _NOWHERE and not _stands_alone(entry):
            return f"{name} may have been worked out from other numbers"
    for value in _constants_of(subject):
        if value not in _CONSTANTS:
            return f"a step has the number {value} that no input gives"
    return ""


_NOWHERE = frozenset([Unlocated.MISSING, Unlocated.UNTOLD])


def _stands_alone(entry: Entry) -> bool:
    """Tell whether an input that the question does not show is the same whatever its numbers are."""
    if is_factor(entry) or entry.value in {0, 1, 100, Fraction(1, 100)}:
        return True
    if _WORKED_OUT.search(entry.variable.lower().replace("_", " ")):
        return False
    if entry.role is Role.WORLD_KNOWLEDGE_INPUT and _KNOWN.search(entry.variable.lower()):
        return True
    counted = entry.value.denominator == 1 and 2 <= entry.value <= _LARGEST_COUNTED
    return counted and bool(entry.comment) and not mentions(entry.comment) and not _WORKED_OUT.search(entry.comment)


def _constants_of(subject: Subject) -> Iterator[Exact]:
    for entry in subject.source.steps:
        yield from _constants(entry.expression)


def _constants(node: object) -> Iterator[Exact]:
    match node:
        case ir.Const(bool()):
            return
        case ir.Const(int() | Fraction() as value):
            yield value
        case ir.Binary(_, left, right):
            yield from _constants(left)
            yield from _constants(right)
        case ir.Unary(_, operand):
            yield from _constants(operand)
        case ir.Call(_, arguments, _):
            for argument in arguments:
                yield from _constants(argument)
