"""The lines of a solution as the audit reads them: equations, numbers, and the words without the numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from harness.equations.equation import Truth
from harness.equations.grammar import apply
from harness.equations.line_reader import read_line
from harness.solution.labels import FINAL_ANSWER
from harness.text.numbers import NUMERAL, read_numeral

if TYPE_CHECKING:
    from harness.corpora.labelled_solutions import WorkedSolution
    from harness.domain import Exact
    from harness.equations.equation import StatedEquation

_NUMBER = re.compile(NUMERAL, re.ASCII)
_IN_PARTS_BEFORE = re.compile(r"(?<!\d)\d{1,3}, (?=\d{3}(?!\d))|[-+*/=(] ?\. (?=\d)", re.ASCII)
REJECTED = "the text may reject it"
_REJECTING = re.compile(
    r"~~|[✗✘❌]|(?:\b(?:is|are|was|were|be)|['’]s) (?:a )?(?:wrong|incorrect|mistaken|mistake)\b|[(:] ?(?:wrong|incorrect)\b"
    r"|\b(?:incorrectly|mistakenly|by mistake|oops|not (?:correct|right|true)|(?:can|could)(?:not|n?['’]t) be|were true"
    r"|(?:might|may|could) (?:think|say|believe)|no,)|(?:^|[.!?] )\s*(?:wait|hmm|actually|wrong|incorrect)\b|\bwait[,:!.…]",
    re.IGNORECASE,
)
_SIGNS = {"-": "-", "−": "-", "–": "-", "*": "*", "·": "*"}
_ASKED = re.compile(r"[^.!?;=\n]{0,30}\?")
CONTINUED = "an equation here begins on an earlier line"
_OPEN = re.compile(r"[\d)%]\s{0,4}(?:[-+*/×÷−–·^]|\\(?:times|div|cdot)|\b(?:plus|minus|times|by|of))\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*[\d$(.½¼¾]")
_THOUSANDS_BY_POINTS = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.])", re.ASCII)
_MIXED_NUMBER = re.compile(r"(?<![\d.,/-])(\d{1,3})-(\d{1,2}/\d{1,2})(?![\d/])", re.ASCII)
_IN_PARTS_AFTER = re.compile(r" and \$?\d+/\d", re.ASCII)


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


@lru_cache(maxsize=65_536)
def read_statement(text: str) -> LineStatement:
    """Read a line."""
    reading = read_line(text)
    doubted = [
        equation
        for equation in reading.false
        if _doubted(equation, reading.equations, text) or _holds_otherwise(equation, text)
    ]
    reasons = [part.reason for part in reading.unread if part.claims]
    reasons += ["its numbers may be written otherwise, or an annotation that holds ends it" for _ in doubted]
    rejected = [equation for equation in reading.false if _rejected(equation, text)]
    reasons += [REJECTED for _ in rejected]
    doubted += rejected
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
        tuple(equation for equation in reading.false if equation not in doubted),
        reasons[0] if reasons else "",
        tuple(equation.right.value for equation in reading.equations),
        numerals_of(text),
        _NUMBER.sub("#", text),
    )


def numerals_of(text: str) -> tuple[Exact | None, ...]:
    """Return the values of the numerals of a text, in order."""
    return tuple(map(read_numeral, _NUMBER.findall(text)))


def _doubted(prose: StatedEquation, equations: tuple[StatedEquation, ...], text: str) -> bool:
    """Tell whether a false prose equation may be read too far to the left, or with a part of a number.

    `-3 boxes hold 4 each, so -3*4 = <<-3*4=-12>>-12` is no difference: its annotation, which holds, is the end of it. `14, 400 / 80`
    begins with a number in two parts, so does `.8 + . 84`, and `$10/3=$3 and $1/3` ends with one.
    """
    if prose.annotation:
        return False
    if any(part.end() == prose.start for part in _IN_PARTS_BEFORE.finditer(text)) or _IN_PARTS_AFTER.match(
        text, prose.end
    ):
        return True
    left = _squeezed(text[prose.left.start : prose.left.end])
    return any(
        equation.annotation
        and equation.truth is not Truth.FALSE
        and prose.left.end <= equation.start <= prose.end
        and equation.right.value == prose.right.value
        and left != (short := _squeezed(text[equation.left.start : equation.left.end]))
        and left.endswith(short)
        for equation in equations
    )


def _holds_otherwise(false: StatedEquation, text: str) -> bool:
    """Tell whether an equation holds where points group thousands, `1.250 + 1 = 1251`, or `3-1/2` is a mixed number."""
    written = text[false.start : false.end]
    others = {
        _THOUSANDS_BY_POINTS.sub(lambda number: number.group().replace(".", ""), written),
        _MIXED_NUMBER.sub(r"(\1 + \2)", written),
    }
    readings = [read_line(other) for other in others - {written}]
    return any(reading.equations and not reading.false and not reading.unread for reading in readings)


def _rejected(false: StatedEquation, text: str) -> bool:
    """Tell whether a line asks whether an equation holds, or says that it does not, as in `Is 3 + 4 = 8? No, 7.`."""
    return not false.annotation and (_REJECTING.search(text) is not None or _ASKED.match(text, false.end) is not None)


def _works_on(total: Exact, false: StatedEquation, text: str) -> bool:
    """Tell whether an equation holds where the bullet before it is a sign that goes on from an earlier result: `- 5 * 2 = 39` after 49."""
    before = text[: false.left.start].strip()
    # In `-5 * 2 = 39`, the sign is that of the first number.
    sign = "+" if not before and text.lstrip()[:1] in _SIGNS else _SIGNS.get(before, "")
    return bool(sign) and apply(sign, total, false.left.value) == false.right.value


def _corrected(statement: LineStatement, later: LineStatement) -> bool:
    """Tell whether a later line rejects what was said, and states each false equation of this one with its true value."""
    if _REJECTING.search(later.text) is None:
        return False
    right = {equation.left.value for equation in later.equations if equation.truth is Truth.TRUE}
    return all(equation.left.value in right for equation in statement.false)


def _squeezed(text: str) -> str:
    return "".join(character for character in text if character not in " $,")


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
    statements = [read_statement(line) for line in worked.lines]
    for place, (line, following) in enumerate(pairwise(worked.lines), start=1):
        if statements[place].false and _OPEN.search(line.rstrip(" \t$")) and _GOES_ON.match(following):
            statements[place] = replace(statements[place], false=(), unread=CONTINUED)
    total: Exact | None = None
    for place, statement in enumerate(statements):
        if total is not None and any(_works_on(total, equation, statement.text) for equation in statement.false):
            statements[place] = replace(statement, false=(), unread=CONTINUED)
        total = next((result for result in reversed(statement.results) if result is not None), total)
    for place, statement in enumerate(statements):
        if statement.false and any(_corrected(statement, later) for later in statements[place + 1 :]):
            statements[place] = replace(statement, false=(), unread=REJECTED)
    return AuditedSolution(tuple(statements), worked.answer, worked.before)
