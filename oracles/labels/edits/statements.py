"""Checks that an edited line has the numbers of the candidate's line, and states its equations."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from harness.equations.equation import Negative, Number, Operation, ParenthesizedExpression, Truth
from harness.equations.line_reader import read_line
from harness.text.number_forms import format_value
from harness.text.numbers import NumberMention, mentions
from oracles.labels.edits.findings import EditFinding, EditFindingKind, finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.equations.equation import Expression, LineReading, StatedEquation
    from oracles.labels.edits.candidate import ReviewCandidate
    from oracles.labels.edits.line_pairs import LinePair

MOST_SHOWN = 8
# `one of them`, `once she has paid`: words before they are numbers.
_FREE = frozenset({"one", "once"})


def number_findings(subject: ReviewCandidate, pair: LinePair) -> Iterator[EditFinding]:
    """Yield the numbers that the person changed, lost or added, in digits, in words or as fractions; the words are theirs.

    Where the candidate itself says that a number word of its line is out of date, that one may go, or become a number
    that the line works with.
    """
    lost, added = _unmatched(pair)
    leaving = [number for number in lost if pair.own == subject.place and number.text.casefold() in subject.stale_words]
    lost = [number for number in lost if number not in leaving]
    for number in added[:MOST_SHOWN]:
        if leaving and number.readings[0] in subject.computed_from:
            leaving.pop()
            continue
        span = number.start, number.end
        if lost:
            message = f"{number.text!r} stands where the candidate has {lost.pop(0).text!r}; numbers come from the computation and stay."
            yield finding(EditFindingKind.CHANGED_NUMBER, pair.label, number.text, message, span=span)
        else:
            message = f"{number.text!r} is one number more than the candidate's line has."
            yield finding(EditFindingKind.ADDED_NUMBER, pair.label, number.text, message, span=span)
    for number in lost[:MOST_SHOWN]:
        message = f"The candidate's line says {number.text!r} here; numbers come from the computation and stay."
        yield finding(EditFindingKind.LOST_NUMBER, pair.label, number.text, message)


def _unmatched(pair: LinePair) -> tuple[list[NumberMention], list[NumberMention]]:
    """Return the numbers that only one of two lines has, each standing for one of the other's, however it is written.

    What stands above and below a bar are two numbers in an equation, and where the other line has both: `48/2` may
    become `48 divided by 2`.
    """
    own, new = _without_pairs(_numbers(pair.was), _numbers(pair.text), _same_text)
    own, new = _divided(own, new), _divided(new, own)
    return _without_pairs(own, new, _same_reading)


def _numbers(text: str) -> list[NumberMention]:
    equations = [(equation.start, equation.end) for equation in read_line(text).equations]
    numbers: list[NumberMention] = []
    for number in mentions(text):
        inside = any(start <= number.start and number.end <= end for start, end in equations)
        numbers += _parts(number) if inside else [number]
    return [number for number in numbers if number.text.lower() not in _FREE]


def _divided(numbers: list[NumberMention], others: list[NumberMention]) -> list[NumberMention]:
    values = [number.readings[0] for number in others]
    parts = ((number, _parts(number)) for number in numbers)
    return [
        part
        for number, halves in parts
        for part in (halves if all(half.readings[0] in values for half in halves) else [number])
    ]


def _parts(number: NumberMention) -> list[NumberMention]:
    """Return what is above and below the bar of a fraction: `48/2` may be 48 divided by 2."""
    top, bar, bottom = number.text.partition("/")
    if not bar or not top.strip().isdigit() or not bottom.strip().isdigit():
        return [number]
    below = number.start + len(top) + 1 + len(bottom) - len(bottom.lstrip())
    return [
        NumberMention(number.start, number.start + len(top.rstrip()), top.strip(), (int(top),)),
        NumberMention(below, number.end, bottom.strip(), (int(bottom),)),
    ]


def _without_pairs(
    own: list[NumberMention], new: list[NumberMention], same: Callable[[NumberMention, NumberMention], bool]
) -> tuple[list[NumberMention], list[NumberMention]]:
    left: list[NumberMention] = []
    rest = list(new)
    for number in own:
        partner = next((place for place, other in enumerate(rest) if same(number, other)), None)
        if partner is None:
            left.append(number)
        else:
            del rest[partner]
    return left, rest


def _same_text(number: NumberMention, other: NumberMention) -> bool:
    return number.text.casefold() == other.text.casefold()


def _same_reading(number: NumberMention, other: NumberMention) -> bool:
    """Tell whether two numbers are one value, or in digits can mean the same: `25%` is 25 percent and 0.25."""
    if number.readings[0] == other.readings[0]:
        return True
    digits = number.text[0].isdigit() and other.text[0].isdigit()
    return digits and (number.readings[0] in other.readings or other.readings[0] in number.readings)


def equation_findings(subject: ReviewCandidate, pair: LinePair, *, same_numbers: bool) -> Iterator[EditFinding]:
    """Yield equations that are false where none may be, that changed, that are gone, or that can no longer be read.

    A change of a number is reported for the number alone: `same_numbers` says that none changed.
    """
    own, new = read_line(pair.was), read_line(pair.text)
    yield from _unread(pair, own, new)
    if subject.computational and pair.own == subject.place and own.false and not new.false:
        stated = _text(pair.was, own.false[0])
        message = f"The error is gone: the line has to state the false equation {stated}."
        yield finding(EditFindingKind.NO_FALSE_EQUATION, pair.label, stated, message)
        return
    known = Counter(map(_shape, own.equations))
    for equation in new.equations:
        shape = _shape(equation)
        if known[shape]:
            known[shape] -= 1
            continue
        span = equation.start, equation.end
        if equation.truth is Truth.FALSE:
            message = f"This equation is false{_value(pair.text, equation)}."
            yield finding(EditFindingKind.FALSE_EQUATION, pair.label, _text(pair.text, equation), message, span=span)
        elif same_numbers and shape not in known:
            message = "The candidate's line states no such equation; what is computed stays."
            yield finding(EditFindingKind.CHANGED_EQUATION, pair.label, _text(pair.text, equation), message, span=span)
    kept = {tree for equation in new.equations for tree in _shape(equation)}
    lost = [equation for equation in own.equations if not kept.issuperset(filter(_computes, _shape(equation)))]
    for equation in {_shape(equation): equation for equation in reversed(lost)}.values() if same_numbers else ():
        stated = _text(pair.was, equation)
        message = f"The line does not state {stated} any more, which it has to be judged by."
        yield finding(EditFindingKind.LOST_EQUATION, pair.label, stated, message)


def _unread(pair: LinePair, own: LineReading, new: LineReading) -> Iterator[EditFinding]:
    """Yield the last equation that cannot be read or judged, where the candidate's line has fewer."""
    passages = [(passage.start, passage.end) for passage in new.unread if passage.claims]
    undecided = [(other.start, other.end) for other in new.equations if other.truth is Truth.UNKNOWN]
    before = sum(passage.claims for passage in own.unread)
    for spans, most, message in (
        (passages, before, "This equation cannot be read, so it is not known whether it holds."),
        (
            undecided,
            sum(other.truth is Truth.UNKNOWN for other in own.equations),
            "Whether this equation holds cannot be told.",
        ),
    ):
        if len(spans) > most:
            text = pair.text[slice(*spans[-1])].strip()
            yield finding(EditFindingKind.UNREAD_EQUATION, pair.label, text, message, span=spans[-1], unknown=True)


def _value(text: str, equation: StatedEquation) -> str:
    value = equation.left.value
    calculation = text[equation.left.start : equation.left.end].strip()
    return "" if value is None else f": {calculation} is {format_value(value)}"


def _text(text: str, equation: StatedEquation) -> str:
    return text[equation.start : equation.end].strip()


def _shape(equation: StatedEquation) -> tuple[object, object]:
    """Return the meaning of an equation, independent of its writing; terms and factors may change places."""
    return _tree(equation.left), _tree(equation.right)


def _computes(tree: object) -> bool:
    return isinstance(tree, tuple)


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
