"""The other forms in which a solution can be written and states the same: lines joined, terms turned, equals signs in words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from harness.equations.equation import Operation, StatedEquation, numbers
from harness.equations.line_reader import read_line
from sft.samples.items import Item

Edits = Iterator[tuple[int, int, str]]
EQUALS = " equals "
COMMUTES = ("+", "*")
STOPS = ".?!:;,"


def with_lines(item: Item, lines: Iterable[str]) -> Item:
    """Return an item with other lines, all before the final answer and without annotations."""
    text = tuple(lines)
    return replace(item, lines=text, annotated=text, before=len(text))


def joined(lines: Sequence[str], first: int) -> list[str]:
    """Return lines with two in one, from line `first` on, as two sentences: line `n` is then part of line `first + (n - first) // 2`."""
    pairs = [lines[place : place + 2] for place in range(first, len(lines), 2)]
    ended = ([*(line if line[-1:] in STOPS else f"{line}." for line in pair[:-1]), pair[-1]] for pair in pairs)
    return [*lines[:first], *map(" ".join, ended)]


def turned(line: str) -> str:
    """Return a line whose left sides have the two terms of their last sum or product exchanged, where both are numbers without units and signs."""

    def edits(equation: StatedEquation) -> Edits:
        side = equation.left
        if isinstance(side, Operation) and side.operator in COMMUTES and _is_bare(side):
            left, right = side.left, side.right
            between = line[left.end : right.start]
            yield side.start, side.end, f"{line[right.start : right.end]}{between}{line[left.start : left.end]}"

    return _edited(line, edits)


def in_words(line: str) -> str:
    """Return a line whose equations have `equals` for each `=` between their sides."""

    def edits(equation: StatedEquation) -> Edits:
        start, end = equation.left.end, equation.right.start
        if line[start:end].strip() == "=":
            yield start, end, EQUALS

    return _edited(line, edits)


def _is_bare(side: Operation) -> bool:
    """Tell whether the numbers of an operation have no unit, no sign and no percent, so that their order alone can change."""
    return all(
        (number.outer_start, number.outer_end) == (number.start, number.end) and not number.unit and not number.percent
        for number in numbers(side)
    )


def _edited(line: str, edits: Callable[[StatedEquation], Edits]) -> str:
    """Return a line with the edits of its equations, or as it is where they overlap or the equations are then read in another way."""
    equations = read_line(line).equations
    written, end = "", 0
    for start, stop, text in sorted(edit for equation in equations for edit in edits(equation)):
        if start < end:
            return line
        written += line[end:start] + text
        end = stop
    written += line[end:]
    return written if _equation_values(read_line(written).equations) == _equation_values(equations) else line


def _equation_values(equations: Iterable[StatedEquation]) -> list[Any]:
    return [(equation.left.value, equation.right.value, equation.truth) for equation in equations]
