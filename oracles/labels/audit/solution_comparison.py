"""Comparison of a flawed solution with its correct one: the first changed line, and numbers left unchanged by mistake."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.corpora.gold_answer import read_gold
from harness.domain import Evidence
from harness.solution.labels import FINAL_ANSWER
from harness.text.number_forms import format_value
from oracles.labels.audit.causes import AuditCause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.domain import Exact
    from oracles.labels.audit.solution_lines import AuditedSolution, LineStatement

# Numbers that stand in solutions without being a result: counts of hands, months, minutes, percent.
_CONSTANTS = frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25, 28, 30, 31, 32, 36, 40, 45, 48, 50, 52, 60, 75, 80, 90, 100, 120, 180, 360, 365, 500, 1000})  # fmt: skip
_SIGN = re.compile(r"[-+*/×÷x−–]")
LONGEST_SHOWN = 120


@dataclass(frozen=True, slots=True)
class ChangedResult:
    """A result that the flawed solution states differently: `old` is the correct value, `new` the value stated instead."""

    place: int
    old: Exact
    new: Exact


def comparison_findings(
    flawed: AuditedSolution, correct: AuditedSolution, labelled: int | None, question: frozenset[Exact]
) -> Iterator[Evidence]:
    """Yield the contradictions of the correct solution to a label.

    Solutions of different length are not compared: which line of the one is which of the other would be a guess.
    `question` are the numbers of the question.
    """
    if len(flawed.statements) != len(correct.statements) or not flawed.statements:
        return
    changed = [place for place, line in enumerate(flawed.statements) if line.text != correct.statements[place].text]
    if not changed and _value(flawed) == _value(correct):
        yield Evidence(flawed.label(labelled or 0), AuditCause.NOTHING_CHANGED, "the correct solution", "a flaw")
        return
    if labelled is not None:
        yield from _first_change(flawed, correct, labelled, changed)
    yield from _stale(flawed, correct, labelled or 0, question)


def _value(solution: AuditedSolution) -> object:
    """Return the final answer's value, its text where it has none."""
    gold = None if solution.answer is None else read_gold(solution.answer)
    return solution.answer if gold is None else gold.value


def _first_change(
    flawed: AuditedSolution, correct: AuditedSolution, labelled: int, changed: list[int]
) -> Iterator[Evidence]:
    """Yield the first changed line if the label names a later line, or an earlier unchanged one."""
    first = changed[0] if changed else len(flawed.statements)
    if labelled < first:
        if not flawed.statements[labelled].false:
            words = flawed.statements[labelled].text[:LONGEST_SHOWN]
            yield Evidence(
                flawed.label(first),
                AuditCause.ANOTHER_LINE,
                f"{flawed.label(labelled)} is as it should be: {words}",
                "the first line that was changed",
            )
        return
    for place in changed:
        line, other = flawed.statements[place], correct.statements[place]
        if place < labelled and (line.numbers == other.numbers or (line.results and line.results == other.results)):
            continue
        if place < labelled and _edited(line, other):
            expected = f"{_results(other)}; labelled is {flawed.label(labelled)}"
            yield Evidence(flawed.label(place), AuditCause.ANOTHER_LINE, _results(line), expected)
        return


def _edited(line: LineStatement, other: LineStatement) -> bool:
    """Tell whether a line differs from the correct one in nothing but numbers and signs, and in what it results in."""
    read = not (line.unread or other.unread or other.false)
    same = line.skeleton == other.skeleton or _SIGN.sub("~", line.skeleton) == _SIGN.sub("~", other.skeleton)
    return read and same and bool(other.results) and line.results != other.results


def _results(line: LineStatement) -> str:
    return ", ".join(line.written(equation) for equation in line.equations)[:LONGEST_SHOWN]


def _stale(
    flawed: AuditedSolution, correct: AuditedSolution, labelled: int, question: frozenset[Exact]
) -> Iterator[Evidence]:
    """Yield the first number of each line that should have changed with a result before it and did not.

    A number counts only where nothing else can have put it there: no number of the question, of an earlier line or
    of common knowledge is equal to it, and no other line results in it.
    """
    seen: set[Exact | None] = {*question, *_CONSTANTS}
    results = Counter(result for line in correct.statements for result in frozenset(line.results))
    live: list[ChangedResult] = []
    for place, (line, other) in enumerate(zip(flawed.statements, correct.statements, strict=True)):
        if line.skeleton == other.skeleton:
            kept = next((change for change in live if _kept(line, other, change.old)), None)
            if kept is not None:
                yield _evidence(flawed, place, kept)
        change = _change(place, line, other) if place >= labelled else None
        if change is not None and change.old not in seen and results[change.old] == 1:
            live.append(change)
        seen.update(other.numbers)
        seen.update(line.numbers)
    answer, own = _value(flawed), _value(correct)
    last = next((change for change in live if change.old == answer == own), None)
    if last is not None:
        yield _evidence(flawed, len(flawed.statements), last)


def _change(place: int, line: LineStatement, other: LineStatement) -> ChangedResult | None:
    """Return the result that a line changed."""
    if not line.results or len(line.results) != len(other.results) or line.unread or other.unread:
        return None
    old, new = other.results[-1], line.results[-1]
    if old is None or new is None or old == new or old in line.numbers:
        return None
    return ChangedResult(place, old, new)


def _kept(line: LineStatement, other: LineStatement, old: Exact) -> bool:
    return any(number == old and was == old for number, was in zip(line.numbers, other.numbers, strict=False))


def _evidence(flawed: AuditedSolution, place: int, change: ChangedResult) -> Evidence:
    line = FINAL_ANSWER if place == len(flawed.statements) else flawed.label(place)
    expected = f"{format_value(change.new)}, which {flawed.label(change.place)} states instead"
    return Evidence(line, AuditCause.STALE_NUMBER, format_value(change.old), expected)
