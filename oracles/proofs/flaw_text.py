"""Checks that the text of a flawed solution agrees with its certificate and its label."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.corpora.gold_answer import match_gold, read_gold
from harness.domain import Status
from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.program.evaluation.evaluator import format_exact
from harness.program.ir import names_of
from harness.solution.labels import FINAL_ANSWER
from harness.text.numbers import mentions
from oracles.proofs.program_edit import EditKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from harness.domain import Exact
    from harness.equations.equation import LineReading
    from oracles.proofs.flaw_certificate import FlawCertificate
    from oracles.proofs.program_edit import ProgramEdit
    from oracles.proofs.straight_program import ProgramStep

ANSWER_MARK = "####"
# Numbers of more decimals than these may be rounded in a text.
EXACT_PLACES = 2
_EXACT_UNIT = 10**EXACT_PLACES
# A step that is left out or added need not be a whole line.
_MORE_LINES = {
    None: {0},
    EditKind.CHANGED: {0},
    EditKind.ANSWER: {0},
    EditKind.DELETED: {0, -1},
    EditKind.ADDED: {0, 1},
}


@dataclass(frozen=True, slots=True)
class TextFinding:
    """An objection to a text: REFUTED for a contradiction, UNKNOWN for text that cannot be read."""

    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class FlawText:
    """The texts of one flawed solution; `line` is the labelled one, `edit` the mutant's one place, `None` for a slip.

    `values` are those of the oracle's variables.
    """

    solution: str
    flawed: str
    line: str
    certificate: FlawCertificate
    edit: ProgramEdit | None
    values: Mapping[str, Exact]


def text_finding(text: FlawText) -> TextFinding | None:
    """Return the objection to the text, contradictions first; `None` if there is none."""
    found = list(_findings(text))
    return min(found, key=lambda finding: finding.status, default=None)


def unread_equations(flawed: str) -> int:
    """Count the equals signs of a solution that are no readable equation."""
    return sum(len(read_line(line).unread) for line in _lines(flawed))


def _lines(solution: str) -> list[str]:
    """Return the lines of a solution as they stand; line breaks after the last one make none."""
    return solution.rstrip("\n").split("\n")


def solution_line(solution: str, label: str) -> str:
    """Return the line of a solution that a label means; empty where there is none."""
    lines = _lines(solution)
    place = len(lines) if label == FINAL_ANSWER else _number(label)
    return lines[place - 1] if place is not None and 0 < place <= len(lines) else ""


def _number(line: str) -> int | None:
    return int(line[1:]) if line[:1] == "L" and line[1:].isascii() and line[1:].isdecimal() and len(line) < 7 else None


def _findings(text: FlawText) -> Iterator[TextFinding]:
    original, flawed = _lines(text.solution), _lines(text.flawed)
    for name, lines, value in (
        ("solution", original, text.values[text.certificate.oracle.answer]),
        ("flawed solution", flawed, text.certificate.answer),
    ):
        reason = _answer_problem(lines[-1], "\n".join(lines), value)
        if reason is not None:
            yield _refuted(f"the {name} {reason}")
            return
    place = len(flawed) if text.line == FINAL_ANSWER else _number(text.line)
    if place is None or not 0 < place <= len(flawed) - (text.line != FINAL_ANSWER):
        yield _refuted(f"the flawed solution has no line {text.line[:20]!r}")
        return
    yield from _changed_before(text, original[:-1], flawed[:-1], place)
    yield from _equation_findings(text, flawed[:-1], place)
    yield from _missing_values(text, original, flawed)


def _refuted(reason: str) -> TextFinding:
    return TextFinding(Status.REFUTED, reason)


# The solution is that of other flaws, too.
@lru_cache(maxsize=128)
def _answer_problem(line: str, solution: str, value: Exact) -> str | None:
    if not line.startswith(ANSWER_MARK):
        return f"does not end in {ANSWER_MARK!r}"
    gold = read_gold(line.removeprefix(ANSWER_MARK), solution)
    if gold is None:
        return f"has no number after {ANSWER_MARK!r}"
    reached = match_gold(value, gold)
    return None if reached.reached else f"answers otherwise than its certificate: it {reached.reason}"


def _changed_before(
    text: FlawText, original: Sequence[str], flawed: Sequence[str], place: int
) -> Iterator[TextFinding]:
    """Yield the first line before the error that is not the solution's; a step left out moves what follows it."""
    before = place - 1
    if text.edit is not None and text.edit.kind is EditKind.DELETED:
        before = min(before, (_number(text.edit.line) or place) - 1)
    for number in range(before):
        if number >= len(original) or flawed[number] != original[number]:
            yield _refuted(f"L{number + 1}, before the error, is not the solution's line")
            return
    more = len(flawed) - len(original)
    if more not in _MORE_LINES[None if text.edit is None else text.edit.kind]:
        yield _refuted(f"the flawed solution has {len(flawed)} lines before the answer, the solution {len(original)}")


def _equation_findings(text: FlawText, flawed: Sequence[str], place: int) -> Iterator[TextFinding]:
    """Yield false equations where none should be, and the lack of one where one should."""
    slip = text.certificate.mutant is None
    for number, line in enumerate(flawed, start=1):
        reading = read_line(line)
        false = next((equation for equation in reading.equations if equation.truth is Truth.FALSE), None)
        if slip and number == place:
            if false is None:
                yield _nothing_false(text.line, reading)
        elif false is not None:
            yield _refuted(f"L{number} holds a false equation: {line[false.start : false.end][:80]}")


def _nothing_false(line: str, reading: LineReading) -> TextFinding:
    if (
        reading.unread
        or not reading.equations
        or any(equation.truth is Truth.UNKNOWN for equation in reading.equations)
    ):
        return TextFinding(Status.UNKNOWN, f"{line} holds no equation that can be read as the false one")
    return _refuted(f"{line} holds no false equation")


def _missing_values(text: FlawText, original: Sequence[str], flawed: Sequence[str]) -> Iterator[TextFinding]:
    """Yield the stated values that their lines do not show.

    A value may be missing where the solution's own line leaves it out, or where no step reads it any longer.
    """
    certificate = text.certificate
    own = {step.variable: step for step in certificate.oracle.steps}
    read = {certificate.told.answer}.union(*(names_of(step.expression) for step in certificate.told.steps))
    strict = text.edit is None or text.edit.kind in {EditKind.CHANGED, EditKind.ADDED}
    for step in certificate.told.steps:
        value = certificate.stated[step.variable]
        if _shown_on(step.line, flawed, value):
            continue
        if not (strict and step.variable == certificate.change.variable) and (
            step.variable not in read or not _stated_by(own.get(step.variable), original, text.values)
        ):
            continue
        yield _refuted(f"{step.line} does not show {step.variable} = {format_exact(value)}")


def _stated_by(step: ProgramStep | None, original: Sequence[str], values: Mapping[str, Exact]) -> bool:
    """Tell whether the solution's own line shows a step's value, and more often than what the step reads has it, too."""
    place = None if step is None else _number(step.line)
    if step is None or place is None or not 0 < place < len(original):
        return True
    value = values[step.variable]
    same = sum(values.get(name) == value for name in names_of(step.expression))
    return sum(means(readings, value) for readings in _readings(original[place - 1])) > same


def _shown_on(line: str, lines: Sequence[str], value: Exact) -> bool:
    """Tell whether a line shows a value; the answer's, and those a solution has not, show any."""
    place = _number(line)
    return place is None or (0 < place < len(lines) and _shows(lines[place - 1], value))


# Most lines and values of a flawed solution are those of other flawed solutions of its problem.
@lru_cache(maxsize=8_192)
def _shows(line: str, value: Exact) -> bool:
    return any(means(readings, value) for readings in _readings(line))


def means(readings: Collection[Exact], value: Exact) -> bool:
    """Tell whether a number can mean a value, or rounds it where it has too many decimals to be written."""
    if value.denominator == 1:
        return abs(value.numerator) in readings
    size = -value if value.numerator < 0 else value
    if size in readings:
        return True
    if _EXACT_UNIT % size.denominator == 0:
        return False
    return any(_rounds(Fraction(reading), Fraction(size)) for reading in readings)


@lru_cache(maxsize=8_192)
def _readings(line: str) -> tuple[tuple[Exact, ...], ...]:
    return tuple(mention.readings for mention in mentions(line))


def _rounds(written: Fraction, value: Fraction) -> bool:
    """Tell whether a decimal is a value rounded to its places, or cut off there."""
    places = next((places for places in range(1, 7) if (written * 10**places).denominator == 1), None)
    if places is None or written.denominator == 1:
        return False
    unit = Fraction(1, 10**places)
    return abs(value - written) <= unit / 2 or 0 <= value - written < unit
