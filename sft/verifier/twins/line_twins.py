"""Construction of the twins of a solution's lines: each has one change, and its equations are true."""

from __future__ import annotations

import re
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING

from harness.equations.equation import Number, StatedEquation, Truth
from harness.equations.line_reader import read_line
from harness.equations.truth import numbers
from harness.solution.labels import FINAL_ANSWER
from harness.text.number_forms import numbers_at
from harness.text.numbers import NUMERAL, read_numeral
from sft.verifier.model_scores import Twin
from sft.verifier.twins.equation_edits import EquationChange, TextReplacement, changes
from sft.verifier.twins.known_numbers import KnownNumbers, known_by_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.domain import Exact
    from sft.samples.items import Item

MOST_OF_LINE = 8
MOST_OF_ITEM = 80
MOST_EQUATIONS = 4
MOST_ROUNDS = 3
MOST_OF_KIND = {"operand": 4, "added": 3, "unit": 2}
"""The maximum of the kinds that could use up all twins of a line; the repairs of people's errors are mostly of other kinds."""
_NUMERAL = re.compile(NUMERAL, re.ASCII)


def twins_of(item: Item) -> tuple[Twin, ...]:
    """Return the twins of an item, line by line, the most likely repairs first; no model is used.

    A line has at most 8, an item 80. Every equation of a twin is true, except those that are false in the line too and were
    not changed.
    """
    twins: list[Twin] = []
    known = known_by_line(item)
    for number, (line, at_hand) in enumerate(zip(item.lines, known, strict=False), 1):
        if len(twins) >= MOST_OF_ITEM:
            return tuple(twins[:MOST_OF_ITEM])
        twins += _of_line(f"L{number}", line, at_hand)
    if item.answer:
        twins += _of_answer(item.answer, known[-1])
    return tuple(twins[:MOST_OF_ITEM])


def _of_line(place: str, line: str, known: KnownNumbers) -> Iterator[Twin]:
    """Yield the twins of a line, those of the lowest weight first."""
    stated = read_line(line).equations
    if not stated:
        yield from _of_statement(place, line, known)
    equations = [equation for equation in stated if isinstance(equation.right, Number)][:MOST_EQUATIONS]
    edits = [(change, equation) for equation in equations for change in changes(line, equation, known)]
    texts = {line}
    kinds: Counter[str] = Counter()
    for change, equation in _ordered(line, edits):
        if kinds.total() == MOST_OF_LINE:
            return
        if kinds[change.kind] == MOST_OF_KIND.get(change.kind, MOST_OF_LINE):
            continue
        text = _text(line, equation, change)
        if text is not None and text not in texts:
            texts.add(text)
            kinds[change.kind] += 1
            yield Twin(place, text, change.kind, change.words)


def _ordered(
    line: str, edits: list[tuple[EquationChange, StatedEquation]]
) -> list[tuple[EquationChange, StatedEquation]]:
    """Return the changes by weight; each further change of a kind at the same place weighs more than the one before.

    A change of a whole number to a fraction weighs three more.
    """
    before: Counter[tuple[str, int]] = Counter()
    weighed: list[tuple[int, int, EquationChange, StatedEquation]] = []
    for change, equation in sorted(edits, key=lambda edit: edit[0].weight):
        place = change.kind, change.pieces[0].start if change.pieces else equation.right.start
        whole = equation.right.value is not None and equation.right.value.denominator == 1 and "." not in line
        broken = 3 * (whole and change.value.denominator > 1)
        weighed.append((change.weight + before[place] + broken, len(weighed), change, equation))
        before[place] += 1
    return [(change, equation) for _, _, change, equation in sorted(weighed, key=lambda entry: entry[:2])]


def _text(line: str, equation: StatedEquation, change: EquationChange) -> str | None:
    """Return the line with a change, its new result at every place, and the values that follow; `None` if it is not true."""
    old = equation.right.value
    if old is None:
        return None
    result = _rewritten(line, equation.right.start, old, change.value)
    if result is None:
        return None
    pieces = [*change.pieces, result]
    operands = {number.value for number in numbers(equation.left)}
    for match in _NUMERAL.finditer(line):
        after = match.start() >= max(equation.right.end, result.end)
        before = match.end() <= equation.start and old not in operands
        if (after or before) and read_numeral(match.group()) == old:
            piece = _rewritten(line, match.start(), old, change.value)
            pieces += () if piece is None else (piece,)
    text = _changed(line, pieces)
    false = len(read_line(line).false) - (equation.truth is Truth.FALSE)
    for _ in range(MOST_ROUNDS):
        now = read_line(text).false
        if len(now) <= false:
            return text
        last = now[-1] if false == 0 else None
        if last is None or last.left.value is None or last.right.value is None or not isinstance(last.right, Number):
            return None
        piece = _rewritten(text, last.right.start, last.right.value, last.left.value)
        if piece is None or last.left.value <= 0:
            return None
        text = _changed(text, [piece])
    return None


def _rewritten(line: str, start: int, old: Exact, new: Exact) -> TextReplacement | None:
    """Return the replacement of an old value by a new one in the same form."""
    digits = _NUMERAL.search(line, start)
    for place in (start, digits.start() if digits is not None else start):
        for number in numbers_at(line, place, old):
            text = number.form.write(new)
            if text is not None:
                return TextReplacement(place, number.end, text)
    return None


def _changed(line: str, pieces: Iterable[TextReplacement]) -> str:
    parts: list[str] = []
    at = 0
    for piece in sorted(pieces, key=attrgetter("start", "end")):
        parts += [line[at : piece.start], piece.text]
        at = piece.end
    return "".join(parts) + line[at:]


def _of_statement(place: str, line: str, known: KnownNumbers) -> Iterator[Twin]:
    """Yield twins of a line without an equation: its numbers replaced by unused ones."""
    texts = {line}
    for match in list(_NUMERAL.finditer(line))[:MOST_EQUATIONS]:
        old = read_numeral(match.group())
        for new in sorted(known.unused):
            piece = None if old is None or new == old else _rewritten(line, match.start(), old, new)
            text = None if piece is None else _changed(line, [piece])
            if text is None or piece is None or text in texts or len(texts) > MOST_EQUATIONS:
                continue
            texts.add(text)
            if not read_line(text).false:
                yield Twin(place, text, "statement", f"{match.group()} -> {piece.text}")


def _of_answer(answer: str, known: KnownNumbers) -> Iterator[Twin]:
    """Yield twins of the final answer: other results."""
    match = _NUMERAL.search(answer)
    old = None if match is None else read_numeral(match.group())
    if match is None or old is None:
        return
    for new in known.results[:MOST_OF_LINE]:
        piece = None if new == old else _rewritten(answer, match.start(), old, new)
        if piece is not None:
            yield Twin(FINAL_ANSWER, _changed(answer, [piece]), "answer", f"{match.group()} -> {piece.text}")
