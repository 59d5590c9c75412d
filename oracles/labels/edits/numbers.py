"""Checks that an edited line has the same numbers as the candidate's line, in digits, words or fractions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.equations.line_reader import read_line
from harness.text.number_forms import format_value
from harness.text.numbers import NumberMention, mentions
from oracles.labels.edits.findings import EditFinding, EditFindingKind, finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.domain import Exact
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
    erroneous = pair.own == subject.place
    leaving = [number for number in lost if erroneous and number.text.casefold() in _folded(subject.words)]
    lost = [number for number in lost if number not in leaving]
    for number in added[:MOST_SHOWN]:
        value = number.readings[0]
        if leaving and value in subject.computed_from:
            leaving.pop()
            continue
        instead = lost.pop(0) if lost else None
        kind, message = _kind_and_message(subject, value, number, instead, erroneous=erroneous)
        yield finding(kind, pair.label, number.text, message, span=(number.start, number.end))
    for number in lost[:MOST_SHOWN]:
        message = f"The candidate's line says {number.text!r} here; numbers come from the computation and stay."
        yield finding(EditFindingKind.LOST_NUMBER, pair.label, number.text, message)


def _kind_and_message(
    subject: ReviewCandidate, value: Exact, number: NumberMention, instead: NumberMention | None, *, erroneous: bool
) -> tuple[EditFindingKind, str]:
    was = "" if instead is None else f" The candidate has {instead.text!r} here."
    if value in subject.stale:
        now = subject.stale[value]
        here = "it is no longer calculated" if now is None else f"in this one it is {format_value(now)}"
        return EditFindingKind.STALE_NUMBER, f"{number.text!r} is what the correct solution has; {here}.{was}"
    if erroneous and value in subject.replaced:
        return (
            EditFindingKind.STALE_NUMBER,
            f"{number.text!r} is what the correct solution works with on this line.{was}",
        )
    if value not in subject.known:
        return EditFindingKind.FOREIGN_NUMBER, f"{number.text!r} is no number of this solution.{was}"
    if instead is not None:
        return EditFindingKind.CHANGED_NUMBER, f"{number.text!r} stands where the candidate has {instead.text!r}."
    return EditFindingKind.ADDED_NUMBER, f"{number.text!r} is one number more than the candidate's line has."


def _unmatched(pair: LinePair) -> tuple[list[NumberMention], list[NumberMention]]:
    """Return the numbers that only one of two lines has, each standing for one of the other's, however it is written.

    What stands above and below a bar are two numbers in an equation, and where the other line has both: `48/2` may
    become `48 divided by 2`.
    """
    own, new = _without_pairs(_numbers(pair.was), _numbers(pair.text), _same_text)
    own, new = _divided(own, new), _divided(new, own)
    for same in (_same_value, _same_reading):
        own, new = _without_pairs(own, new, same)
    return own, new


def _divided(numbers: list[NumberMention], others: list[NumberMention]) -> list[NumberMention]:
    values = [number.readings[0] for number in others]
    parts = ((number, _parts(number)) for number in numbers)
    return [
        part
        for number, halves in parts
        for part in (halves if all(half.readings[0] in values for half in halves) else [number])
    ]


def _numbers(text: str) -> list[NumberMention]:
    equations = [(equation.start, equation.end) for equation in read_line(text).equations]
    numbers: list[NumberMention] = []
    for number in mentions(text):
        inside = any(start <= number.start and number.end <= end for start, end in equations)
        numbers += _parts(number) if inside else [number]
    return [number for number in numbers if number.text.lower() not in _FREE]


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


def _same_value(number: NumberMention, other: NumberMention) -> bool:
    return number.readings[0] == other.readings[0]


def _same_reading(number: NumberMention, other: NumberMention) -> bool:
    """Tell whether two numbers in digits can mean the same: `25%` is 25 percent and 0.25."""
    digits = number.text[0].isdigit() and other.text[0].isdigit()
    return digits and (number.readings[0] in other.readings or other.readings[0] in number.readings)


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


def _folded(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.casefold() for word in words)
