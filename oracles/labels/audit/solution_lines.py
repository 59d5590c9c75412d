"""The lines of a solution as the audit reads them: equations, numbers, and the words without the numbers."""

import re
from collections.abc import Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from harness.corpora.labelled_solutions import WorkedSolution
from harness.domain import Exact
from harness.equations.equation import Expression, Negative, Number, Operation, StatedEquation, Truth, numbers
from harness.equations.false_equations import CONVENTION, REJECTED, claim_doubt, holds_by_convention
from harness.equations.line_reader import NOT_READ, column_equations, read_line
from harness.reply import answer_part
from harness.solution.labels import FINAL_ANSWER
from harness.text.doubts import takes_back
from harness.text.lexicon import english
from harness.text.numbers import NUMERAL, read_numeral

_NUMBER = re.compile(NUMERAL, re.ASCII)
CONTINUED = "an equation here begins on an earlier line"
TOO_LARGE = "it divides by zero or is too large"
SHORTENED = "it may leave out a percent sign, a minus sign or the rest of a chain"
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
    doubts = {equation: claim_doubt(equation, text) for equation in reading.false}
    reasons += filter(None, doubts.values())
    for equation in reading.equations:
        if equation.truth is Truth.UNKNOWN:
            reasons.append(TOO_LARGE if None in {equation.left.value, equation.right.value} else SHORTENED)
    false = tuple(equation for equation in reading.false if not doubts[equation])
    results = tuple(equation.right.value for equation in reading.equations)
    reason, skeleton = (reasons or [""])[0], _NUMBER.sub("#", text)
    return LineStatement(text, reading.equations, false, reason, results, numerals_of(text), skeleton)


def numerals_of(text: str) -> tuple[Exact | None, ...]:
    """Return the values of the numerals of a text, in order."""
    return tuple(map(read_numeral, _NUMBER.findall(text)))


@dataclass(frozen=True, slots=True)
class AuditedSolution:
    """The lines of a solution by label, as they were read, and the final answer's text; `claimed` are the lines without what the text takes back."""

    statements: tuple[LineStatement, ...]
    claimed: tuple[str, ...]
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


def read_worked(worked: WorkedSolution, question: str = "") -> AuditedSolution:
    """Read all lines of a solution to a question, and withdraw what the text does not claim or takes back.

    A continuation of an expression of the line before never counts as false by itself.
    """
    columns = column_equations(worked.lines)
    statements = [read_statement(columns.get(place) or line) for place, line in enumerate(worked.lines)]
    for place in (place for place, equation in columns.items() if not equation):
        statements[place] = replace(statements[place], unread=NOT_READ)
    for place, (line, following) in enumerate(pairwise(worked.lines), start=1):
        if statements[place].false and _OPEN.search(line.rstrip(" \t$")) and _GOES_ON.match(following):
            statements[place] = replace(statements[place], false=(), unread=CONTINUED)
    lines = [statement.text for statement in statements]
    text = "\n".join([question, *lines])
    void: list[list[tuple[int, int]]] = []
    for line, answer in zip(lines, _answer_spans(lines), strict=True):
        void.append([(0, answer.start), (answer.stop, len(line))] if len(answer) < len(line) else [])
    for place, equation in _withdrawn_equations(statements):
        void[place].append((equation.start, equation.end))
    read = tuple(_claimed_statement(*each, text) for each in zip(statements, void, strict=True))
    shown = tuple(_blanked_line(line, spans) for line, spans in zip(lines, void, strict=True))
    return AuditedSolution(read, shown, worked.answer, worked.before)


def _claimed_statement(statement: LineStatement, void: Sequence[tuple[int, int]], text: str) -> LineStatement:
    """Return a statement without the equations in void spans, and without the false ones that a convention of the text may make true."""
    equations = tuple(each for each in statement.equations if not any(start <= each.start < end for start, end in void))
    false = tuple(each for each in statement.false if each in equations and not holds_by_convention(each, text))
    if false == statement.false and equations == statement.equations:
        return statement
    results = tuple(equation.right.value for equation in equations)
    unread = statement.unread or (REJECTED if equations != statement.equations else CONVENTION)
    return replace(statement, equations=equations, false=false, results=results, unread=unread)


def _withdrawn_equations(statements: Sequence[LineStatement]) -> Iterator[tuple[int, StatedEquation]]:
    """Yield the false equations that the text does not claim or takes back, and the equations that go on from those it takes back, by place.

    It takes one back where it states the same left side with the true value later, or that value after a word such as `Sorry`, and does not use the
    wrong value any more.
    """
    stated = [(place, equation) for place, each in enumerate(statements) for equation in each.equations]
    for number, (place, false) in enumerate(stated):
        statement, after = statements[place], stated[number + 1 :]
        if false.truth is not Truth.FALSE or statement.unread == CONTINUED:
            continue
        if false not in statement.false:
            yield place, false
            continue
        end: int | None = None
        calculation = _calculation(false.left)
        for later, (line, equation) in enumerate(after):
            follows = line > place or (equation.start >= false.end and not equation.annotation)
            if follows and equation.truth is Truth.TRUE and _calculation(equation.left) == calculation:
                end = later
                break
        else:
            texts = [statement.text[false.end :], *(each.text for each in statements[place + 1 :])]
            for line, text in enumerate(texts, start=place):
                if takes_back(text) and false.left.value in numerals_of(text):
                    end = sum(at <= line for at, _ in after)
                    break
        wrong = {false.right.value}
        if end is None or any(_uses(equation, wrong) for _, equation in after[end:]):
            continue
        yield place, false
        for line, equation in after[:end]:
            if _uses(equation, wrong):
                wrong.add(equation.right.value)
                yield line, equation


def _calculation(side: Expression) -> object:
    """Return what a side computes, however it is written."""
    if isinstance(side, Number):
        return side.value
    if isinstance(side, Operation):
        return side.operator, _calculation(side.left), _calculation(side.right)
    return ("-", _calculation(side.inner)) if isinstance(side, Negative) else _calculation(side.inner)


def _uses(equation: StatedEquation, values: AbstractSet[Exact | None]) -> bool:
    return any(number.value in values for number in numbers(equation.left))


def _answer_spans(lines: Sequence[str]) -> Iterator[range]:
    """Yield the offsets in each line that are not thoughts in tags."""
    text = "\n".join(lines)
    answer = answer_part(text)
    start, offset = text.find(answer) if answer else len(text), 0
    for line in lines:
        yield range(max(0, start - offset), max(0, min(len(line), start + len(answer) - offset)))
        offset += len(line) + 1


def _blanked_line(line: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        line = f"{line[:start]}{' ' * (end - start)}{line[end:]}"
    return line
