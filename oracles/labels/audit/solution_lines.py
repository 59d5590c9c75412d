"""The lines of a solution as the audit reads them: equations, numbers, and the words without the numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from harness.equations.columns import NOT_READ, column_equations
from harness.equations.equation import Truth
from harness.equations.grammar import apply
from harness.equations.line_reader import read_line
from harness.reply import answer_part
from harness.solution.labels import FINAL_ANSWER
from harness.text.lexicon import english
from harness.text.numbers import NUMERAL, read_numeral

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.corpora.labelled_solutions import WorkedSolution
    from harness.domain import Exact
    from harness.equations.equation import StatedEquation

_NUMBER = re.compile(NUMERAL, re.ASCII)
REJECTED = "the text may reject it"
_REJECTING = english("equations").pattern("rejecting")
_SIGNS = {"-": "-", "−": "-", "–": "-", "*": "*", "·": "*"}
_ASKED = re.compile(r"[^.!?;=\n]{0,30}\?")
CONTINUED = "an equation here begins on an earlier line"
_OPEN = english("equations").pattern("signs", r"[\d)%]\s{0,4}", r"\Z")
_GOES_ON = re.compile(r"\s*[\d$(.½¼¾]")


@dataclass(frozen=True, slots=True)
class LineStatement:
    """A line as it was read.

    `results` are the right sides of the equations, `numbers` the numerals in order, `skeleton` is the line with every
    numeral masked; `unread` says why an equation of the line could not be read or judged, and is empty where all were.
    A line that only names a value states nothing.
    """

    text: str
    equations: tuple[StatedEquation, ...]
    false: tuple[StatedEquation, ...]
    unread: str
    results: tuple[Exact | None, ...]
    numbers: tuple[Exact | None, ...]
    skeleton: str

    def written(self, equation: StatedEquation) -> str:
        """Return an equation as it stands in the line."""
        return self.text[equation.start : equation.end]

    def calculation(self, equation: StatedEquation) -> str:
        """Return the left side of an equation without spaces."""
        return "".join(self.text[equation.left.start : equation.left.end].split())


@lru_cache(maxsize=65_536)
def read_statement(text: str) -> LineStatement:
    """Read a line."""
    reading = read_line(text)
    reasons = [part.reason for part in reading.unread if part.claims]
    rejected = [equation for equation in reading.false if _rejected(equation, text)]
    reasons += [REJECTED for _ in rejected]
    reasons += [
        "it divides by zero or is too large"
        if None in {equation.left.value, equation.right.value}
        else "it may leave out a percent sign, a minus sign or the rest of a chain"
        for equation in reading.equations
        if equation.truth is Truth.UNKNOWN
    ]
    return LineStatement(
        text,
        reading.equations,
        tuple(equation for equation in reading.false if equation not in rejected),
        reasons[0] if reasons else "",
        tuple(equation.right.value for equation in reading.equations),
        numerals_of(text),
        _NUMBER.sub("#", text),
    )


def _answer_span(text: str) -> range:
    """Return the offsets of a text without the thoughts in tags."""
    answer = answer_part(text)
    start = text.find(answer) if answer else len(text)
    return range(start, start + len(answer))


def numerals_of(text: str) -> tuple[Exact | None, ...]:
    """Return the values of the numerals of a text, in order."""
    return tuple(map(read_numeral, _NUMBER.findall(text)))


def _rejected(false: StatedEquation, text: str) -> bool:
    """Tell whether a line asks whether an equation holds, or says that it does not, as in `Is 3 + 4 = 8? No, 7.`."""
    return not false.annotation and (_REJECTING.search(text) is not None or _ASKED.match(text, false.end) is not None)


def _works_on(total: Exact, false: StatedEquation, text: str) -> bool:
    """Tell whether an equation holds where the bullet before it is a sign that goes on from an earlier result: `- 5 * 2 = 39` after 49."""
    before = text[: false.left.start].strip()
    # In `-5 * 2 = 39`, the sign is that of the first number.
    sign = "+" if not before and text.lstrip()[:1] in _SIGNS else _SIGNS.get(before, "")
    return bool(sign) and apply(sign, total, false.left.value) == false.right.value


def _corrected(statement: LineStatement, after: Sequence[LineStatement]) -> bool:
    """Tell whether the lines after a line reject something, and then state each of its false equations with the true value."""
    rejecting = next((place for place, later in enumerate(after) if _REJECTING.search(later.text)), len(after))
    right = {
        later.calculation(equation)
        for later in after[rejecting:]
        for equation in later.equations
        if equation.truth is Truth.TRUE
    }
    return all(statement.calculation(equation) in right for equation in statement.false)


def _restated(place: int, false: StatedEquation, statements: Sequence[LineStatement]) -> bool:
    """Tell whether the next equation in prose after a false one states its left side again, rightly: the text takes it back.

    A later one may be another calculation with the same numbers.
    """
    following = next(
        (
            (later.calculation(equation), equation.truth)
            for number, later in enumerate(statements[place:])
            for equation in later.equations
            if not equation.annotation and (number or equation.start >= false.end)
        ),
        None,
    )
    annotated = any(equation.annotation for equation in statements[place].false)
    return not annotated and following == (statements[place].calculation(false), Truth.TRUE)


@dataclass(frozen=True, slots=True)
class AuditedSolution:
    """The lines of a solution by label, as they were read, and the final answer's text."""

    statements: tuple[LineStatement, ...]
    answer: str | None
    before: int

    @property
    def false_lines(self) -> list[int]:
        """Return the places, from zero, of the lines that state a false equation."""
        return [place for place, statement in enumerate(self.statements) if statement.false]

    def place(self, line: str) -> int | None:
        """Return the place of `L3` or `FA`, which follows the lines; `None` where there is no such line."""
        if line == FINAL_ANSWER:
            return None if self.answer is None else len(self.statements)
        place = int(line[1:]) - 1 if line else -1
        return place if 0 <= place < len(self.statements) else None

    def label(self, place: int) -> str:
        """Return the label of a place."""
        return FINAL_ANSWER if place == len(self.statements) else f"L{place + 1}"


def read_worked(worked: WorkedSolution) -> AuditedSolution:
    """Read all lines of a solution; a continuation of an expression of the line before never counts as false by itself."""
    columns = column_equations(worked.lines)
    statements = [read_statement(columns.get(place) or line) for place, line in enumerate(worked.lines)]
    for place in (place for place, equation in columns.items() if not equation):
        statements[place] = replace(statements[place], unread=NOT_READ)
    for place, (line, following) in enumerate(pairwise(worked.lines), start=1):
        if statements[place].false and _OPEN.search(line.rstrip(" \t$")) and _GOES_ON.match(following):
            statements[place] = replace(statements[place], false=(), unread=CONTINUED)
    total: Exact | None = None
    for place, statement in enumerate(statements):
        if total is not None and any(_works_on(total, equation, statement.text) for equation in statement.false):
            statements[place] = replace(statement, false=(), unread=CONTINUED)
        total = next((result for result in reversed(statement.results) if result is not None), total)
    answer, offset = _answer_span("\n".join(worked.lines)), 0
    for place, statement in enumerate(statements):
        corrected = bool(statement.false) and _corrected(statement, statements[place + 1 :])
        kept = tuple(
            equation
            for equation in statement.false
            if not corrected and offset + equation.start in answer and not _restated(place, equation, statements)
        )
        if kept != statement.false:
            statements[place] = replace(statement, false=kept, unread=statement.unread or REJECTED)
        offset += len(worked.lines[place]) + 1
    return AuditedSolution(tuple(statements), worked.answer, worked.before)
