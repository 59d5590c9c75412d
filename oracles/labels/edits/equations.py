"""Checks that the equations of an edited line match those of the candidate and hold where they must."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.equations.equation import Negative, Number, Operation, ParenthesizedExpression, StatedEquation, Truth
from harness.equations.line_reader import read_line
from harness.text.number_forms import format_value
from harness.text.numbers import NUMERAL
from oracles.labels.edits.findings import EditFinding, EditFindingKind, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.equations.equation import Expression, LineReading
    from oracles.labels.edits.candidate import ReviewCandidate
    from oracles.labels.edits.line_pairs import LinePair

MOST_SHOWN = 4
# Overlapping, since a number between two signs belongs to both.
_SIGNED = re.compile(
    rf"(?<![\d.,])(?=(?P<left>{NUMERAL}) ?(?P<sign>[-+*/×÷x–−]) ?\$?(?P<right>{NUMERAL})(?![\d.,]*\d))", re.ASCII
)
_SIGNS = str.maketrans("×x÷–−", "**/--")


def equation_findings(subject: ReviewCandidate, pair: LinePair, *, same_numbers: bool) -> Iterator[EditFinding]:
    """Yield equations that are false where none may be, that changed, that are gone, or that can no longer be read.

    A change of a number is reported for the number alone: `same_numbers` says that none changed.
    """
    own, new = read_line(pair.was), read_line(pair.text)
    known = {_shape(equation) for equation in own.equations}
    changed = [equation for equation in new.equations if _shape(equation) not in known]
    slip = subject.computational and pair.own == subject.place
    yield from _unread(pair, own, new)
    false = [equation for equation in changed if equation.truth is Truth.FALSE]
    if slip and own.false and not new.false:
        written = _written(pair.was, own.false[0])
        message = f"The error is gone: the line has to state the false equation {written}."
        yield finding(EditFindingKind.NO_FALSE_EQUATION, pair.label, written, message)
        return
    for equation in false[:MOST_SHOWN]:
        written = _written(pair.text, equation)
        yield finding(
            EditFindingKind.FALSE_EQUATION,
            pair.label,
            written,
            _why_false(pair.text, equation),
            span=(equation.start, equation.end),
        )
    if not same_numbers:
        return
    rest = [equation for equation in changed if equation not in false]
    gone = _gone(own, new)
    for equation, was in zip(rest[:MOST_SHOWN], [*gone, *[None] * len(rest)], strict=False):
        written = _written(pair.text, equation)
        message = "The candidate's line states no such equation; what is computed stays."
        if was is not None:
            message = f"The candidate's line states {_written(pair.was, was)} instead."
        yield finding(
            EditFindingKind.CHANGED_EQUATION, pair.label, written, message, span=(equation.start, equation.end)
        )
    for was in gone[len(changed) : len(changed) + MOST_SHOWN]:
        written = _written(pair.was, was)
        message = f"The line does not state {written} any more, which it has to be judged by."
        yield finding(EditFindingKind.LOST_EQUATION, pair.label, written, message)


def sign_findings(pair: LinePair) -> Iterator[EditFinding]:
    """Yield signs between two numbers, in no equation, that were others: `217+18 rounded up` for `217/18 rounded up`."""
    own = {(match["left"], match["right"]): match["sign"] for match in _SIGNED.finditer(pair.was)}
    same = {_signed(match) for match in _SIGNED.finditer(pair.was)}
    equations = [(equation.start, equation.end) for equation in read_line(pair.text).equations]
    for match in _SIGNED.finditer(pair.text):
        was = own.get((match["left"], match["right"]))
        span = match.start("left"), match.end("right")
        if was is None or _signed(match) in same or any(start <= span[0] < end for start, end in equations):
            continue
        written = pair.text[span[0] : span[1]]
        message = f"The candidate's line says {match['left']} {was} {match['right']}; what is computed stays."
        yield finding(EditFindingKind.CHANGED_EQUATION, pair.label, written, message, span=span)


def _signed(match: re.Match[str]) -> tuple[str, str, str]:
    return match["left"], match["sign"].translate(_SIGNS), match["right"]


def _gone(own: LineReading, new: LineReading) -> list[StatedEquation]:
    """Return the candidate's equations whose operations the edited line works out nowhere, each once."""
    kept = {tree for equation in new.equations for tree in _operations(equation)}
    gone = [equation for equation in own.equations if any(tree not in kept for tree in _operations(equation))]
    return list({_shape(equation): equation for equation in reversed(gone)}.values())[::-1]


def _unread(pair: LinePair, own: LineReading, new: LineReading) -> Iterator[EditFinding]:
    before = [passage for passage in own.unread if passage.claims]
    after = [passage for passage in new.unread if passage.claims]
    undecided = [equation for equation in new.equations if equation.truth is Truth.UNKNOWN]
    if len(after) > len(before):
        passage = after[-1] if before else after[0]
        span = passage.start, passage.end
        message = f"This equation cannot be read ({passage.reason}), so it is not known whether it holds."
        yield finding(
            EditFindingKind.UNREAD_EQUATION, pair.label, pair.text[slice(*span)], message, span=span, unknown=True
        )
    if len(undecided) > sum(equation.truth is Truth.UNKNOWN for equation in own.equations):
        equation = undecided[0]
        text = _written(pair.text, equation)
        message = "Whether this equation holds cannot be told."
        span = equation.start, equation.end
        yield finding(EditFindingKind.UNREAD_EQUATION, pair.label, text, message, span=span, unknown=True)


def _why_false(text: str, equation: StatedEquation) -> str:
    value = equation.left.value
    right = (
        "" if value is None else f": {text[equation.left.start : equation.left.end].strip()} is {format_value(value)}"
    )
    return f"This equation is false{right}."


def _written(text: str, equation: StatedEquation) -> str:
    return text[equation.start : equation.end].strip()


def _shape(equation: StatedEquation) -> object:
    """Return the meaning of an equation, independent of its writing; terms and factors may change places."""
    return _tree(equation.left), _tree(equation.right)


def _operations(equation: StatedEquation) -> list[object]:
    """Return the sides of an equation that work something out."""
    return [tree for tree in (_tree(equation.left), _tree(equation.right)) if isinstance(tree, tuple)]


def _tree(node: Expression) -> object:
    match node:
        case Number():
            return node.value
        case ParenthesizedExpression(inner=inner):
            return _tree(inner)
        case Negative(inner=inner):
            return "-", _tree(inner)
        case Operation():
            sides = _tree(node.left), _tree(node.right)
            return node.operator, *(sorted(sides, key=repr) if node.operator in "+*" else sides)
