"""Pairs of lines of two solutions: what differs in numbers and equations, and what a label says against it."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from harness.answers.gold_answer import read_gold
from harness.domain import Evidence, Exact
from harness.equations.equation import Expression, Negative, Operation, ParenthesizedExpression, StatedEquation
from harness.solution.labels import FINAL_ANSWER
from harness.text.number_forms import format_value
from harness.text.numbers import NumberMention, mentions
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.solution_lines import AuditedSolution, LineStatement, read_statement

# Numbers that stand in solutions without being a result: counts of hands, months, minutes, percent.
_CONSTANTS = frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25, 28, 30, 31, 32, 36, 40, 45, 48, 50, 52, 60, 75, 80, 90, 100, 120, 180, 360, 365, 500, 1000})  # fmt: skip
_SIGN = re.compile(r"[-+*/×÷x−–]")
LONGEST_SHOWN = 120


@dataclass(frozen=True)
class LinePair:
    """A line and the line of another solution that it was, each at its place from zero."""

    place: int
    text: str
    own: int
    was: str

    @cached_property
    def line(self) -> LineStatement:
        """Return what the line states."""
        return read_statement(self.text)

    @cached_property
    def other(self) -> LineStatement:
        """Return what the other line states."""
        return read_statement(self.was)

    @property
    def changed(self) -> bool:
        """Tell whether the lines differ."""
        return self.text != self.was

    @property
    def changed_result(self) -> tuple[Exact, Exact] | None:
        """Return the results of the other line and of this one, where they differ."""
        line, other = self.line, self.other
        if not line.results or len(line.results) != len(other.results) or line.unread or other.unread:
            return None
        old, new = other.results[-1], line.results[-1]
        return None if old is None or new is None or old == new or old in line.numbers else (old, new)

    @property
    def is_edit(self) -> bool:
        """Tell whether the lines differ in nothing but numbers and signs, and in their results."""
        line, other = self.line, self.other
        read = not (line.unread or other.unread or other.false)
        same = _SIGN.sub("~", line.skeleton) == _SIGN.sub("~", other.skeleton)
        return read and same and bool(other.results) and line.results != other.results

    @cached_property
    def unmatched_numbers(self) -> tuple[list[NumberMention], list[NumberMention]]:
        """Return the numbers that only the other line has, and those that only this one has, however they are written."""
        numbers, others = _numbers(self.line), _numbers(self.other)
        return _unmatched_numbers(others, numbers), _unmatched_numbers(numbers, others)

    @cached_property
    def lost_equations(self) -> list[StatedEquation]:
        """Return the calculations of the other line that this one does not state."""
        kept = {side for equation in self.line.equations for side in _sides(equation)}
        computed = [
            equation
            for equation in self.other.equations
            if not kept.issuperset(side for side in _sides(equation) if side[1])
        ]
        return list({_sides(equation): equation for equation in reversed(computed)}.values())

    @cached_property
    def added_equations(self) -> list[StatedEquation]:
        """Return the equations that the other line does not state."""
        known = set(map(_sides, self.other.equations))
        return [equation for equation in self.line.equations if _sides(equation) not in known]


def _numbers(line: LineStatement) -> list[NumberMention]:
    """Return the numbers of a line; in an equation, `48/2` is two."""
    equations = [(equation.start, equation.end) for equation in line.equations]
    numbers: list[NumberMention] = []
    for number in mentions(line.text):
        top, bar, bottom = number.text.partition("/")
        inside = any(start <= number.start and number.end <= end for start, end in equations)
        if inside and bar and top.strip().isdigit() and bottom.strip().isdigit():
            middle = number.start + len(top)
            numbers.append(NumberMention(number.start, middle, top.strip(), (int(top),)))
            numbers.append(NumberMention(middle + 1, number.end, bottom.strip(), (int(bottom),)))
        # `one of them` counts nothing.
        elif number.readings[0] != 1 or number.text[0].isdigit():
            numbers.append(number)
    return numbers


def _unmatched_numbers(numbers: list[NumberMention], others: list[NumberMention]) -> list[NumberMention]:
    """Return the numbers whose value the others have less often; those that are written as one of the others are matched first."""
    left, texts, unmatched = Counter(other.readings[0] for other in others), {other.text for other in others}, []
    for number in sorted(numbers, key=lambda number: number.text not in texts):
        if left[number.readings[0]]:
            left[number.readings[0]] -= 1
        else:
            unmatched.append(number)
    return unmatched


_Side = tuple["Exact | None", str]


def _sides(equation: StatedEquation) -> tuple[_Side, _Side]:
    """Return the values of an equation's sides and the operators that they work with, in any order."""
    left, right = ((side.value, "".join(sorted(_operators(side)))) for side in (equation.left, equation.right))
    return left, right


def _operators(side: Expression) -> str:
    match side:
        case Operation():
            return f"{side.operator}{_operators(side.left)}{_operators(side.right)}"
        case ParenthesizedExpression(inner=inner) | Negative(inner=inner):
            return _operators(inner)
    return ""


def comparison_findings(
    flawed: AuditedSolution, correct: AuditedSolution, labelled: int | None, question: frozenset[Exact]
) -> Iterator[Evidence]:
    """Yield the contradictions of the correct solution to a label.

    Solutions of different length are not compared: which line of the one is which of the other would be a guess.
    `question` are the numbers of the question.
    """
    if len(flawed.statements) != len(correct.statements) or not flawed.statements:
        return
    lines = enumerate(zip(flawed.statements, correct.statements, strict=True))
    pairs = [LinePair(place, line.text, place, other.text) for place, (line, other) in lines]
    changed = [pair for pair in pairs if pair.changed]
    if not changed and _final_answer_value(flawed) == _final_answer_value(correct):
        yield Evidence(flawed.label(labelled or 0), AuditCause.NOTHING_CHANGED, "the correct solution", "a flaw")
        return
    if labelled is not None:
        yield from _first_change_findings(flawed, labelled, changed)
    yield from _stale_numbers(flawed, correct, pairs, labelled or 0, {*question, *_CONSTANTS})


def _final_answer_value(solution: AuditedSolution) -> object:
    """Return the final answer's value, its text where it has none."""
    gold = None if solution.answer is None else read_gold(solution.answer)
    return solution.answer if gold is None else gold.value


def _first_change_findings(flawed: AuditedSolution, labelled: int, changed: list[LinePair]) -> Iterator[Evidence]:
    """Yield the first changed line if the label names a later line, or an earlier unchanged one."""
    first = changed[0].place if changed else len(flawed.statements)
    if labelled < first:
        if not flawed.statements[labelled].false:
            words = f"{flawed.label(labelled)} is as it should be: {flawed.statements[labelled].text[:LONGEST_SHOWN]}"
            yield Evidence(flawed.label(first), AuditCause.ANOTHER_LINE, words, "the first line that was changed")
    elif first < labelled and changed[0].is_edit:
        expected = f"{_shown_equations(changed[0].other)}; labelled is {flawed.label(labelled)}"
        yield Evidence(flawed.label(first), AuditCause.ANOTHER_LINE, _shown_equations(changed[0].line), expected)


def _shown_equations(line: LineStatement) -> str:
    return ", ".join(line.written(equation) for equation in line.equations)[:LONGEST_SHOWN]


def _stale_numbers(
    flawed: AuditedSolution, correct: AuditedSolution, pairs: list[LinePair], labelled: int, seen: set[Exact | None]
) -> Iterator[Evidence]:
    """Yield the first number of each line that should have changed with a result before it and did not.

    A number counts only where nothing else can have put it there: no number of the question, of an earlier line or
    of common knowledge, which are `seen`, is equal to it, and no other line results in it.
    """
    results = Counter(result for line in correct.statements for result in frozenset(line.results))
    live: dict[Exact, tuple[Exact, int]] = {}
    for pair in pairs:
        line, other = pair.line, pair.other
        if line.skeleton == other.skeleton:
            same = {number for number, was in zip(line.numbers, other.numbers, strict=False) if number == was}
            kept = next((old for old in live if old in same), None)
            if kept is not None:
                yield _stale_number(flawed, flawed.label(pair.place), kept, *live[kept])
        change = pair.changed_result if pair.place >= labelled else None
        if change is not None and change[0] not in seen and results[change[0]] == 1:
            live[change[0]] = change[1], pair.place
        seen.update(other.numbers)
        seen.update(line.numbers)
    answer = _final_answer_value(flawed)
    last = next((old for old in live if old == answer == _final_answer_value(correct)), None)
    if last is not None:
        yield _stale_number(flawed, FINAL_ANSWER, last, *live[last])


def _stale_number(flawed: AuditedSolution, line: str, old: Exact, new: Exact, place: int) -> Evidence:
    expected = f"{format_value(new)}, which {flawed.label(place)} states instead"
    return Evidence(line, AuditCause.STALE_NUMBER, format_value(old), expected)
