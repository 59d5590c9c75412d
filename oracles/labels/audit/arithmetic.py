"""Checks that the false equations of a solution are on the labelled line and on no other line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.corpora.labelled_solutions import LabelVerdict
from harness.domain import Evidence
from harness.equations.equation import Number
from harness.solution.labels import ErrorClass
from harness.text.number_forms import format_value
from oracles.labels.audit.causes import AuditCause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.corpora.labelled_solutions import StatedLabel
    from oracles.labels.audit.solution_lines import AuditedSolution, LineStatement


def arithmetic_findings(solution: AuditedSolution, stated: StatedLabel, labelled: int | None) -> Iterator[Evidence]:
    """Yield the objections of the equations to a label; `labelled` is the place it names, if the solution has it."""
    if stated.said is LabelVerdict.WRONG_ANSWER:
        return
    if stated.said in {LabelVerdict.CORRECT, LabelVerdict.RIGHT_ANSWER}:
        yield from (_false(solution, place, AuditCause.CORRECT_BUT_FALSE) for place in solution.false_lines)
        return
    if stated.error_class is ErrorClass.COMPUTATIONAL:
        yield from _computational(solution, stated, labelled)
    elif stated.error_class is None or stated.first_only:
        yield from _before(solution, labelled)
        if stated.error_class is not None and labelled in solution.false_lines:
            yield _false(solution, labelled, AuditCause.FALSE_IN_CONCEPTUAL)
    else:
        yield from (_false(solution, place, AuditCause.FALSE_IN_CONCEPTUAL) for place in solution.false_lines)


def _computational(solution: AuditedSolution, stated: StatedLabel, labelled: int | None) -> Iterator[Evidence]:
    false = solution.false_lines
    if labelled is None:
        yield from (_false(solution, place, AuditCause.FALSE_ELSEWHERE) for place in false[1:])
        return
    if stated.first_only and any(place < labelled for place in false):
        yield from _before(solution, labelled)
    elif labelled in false:
        if not stated.first_only:
            yield from (_false(solution, place, AuditCause.FALSE_ELSEWHERE) for place in false if place != labelled)
    elif false and not stated.first_only:
        yield _false(solution, false[0], AuditCause.ANOTHER_LINE, told=solution.label(labelled))
    elif labelled < len(solution.statements) and _all_hold(solution.statements[labelled]):
        line = solution.statements[labelled]
        held = ", ".join(line.written(equation) for equation in line.equations)
        yield Evidence(solution.label(labelled), AuditCause.NO_FALSE_EQUATION, held, "a false equation")


def _all_hold(line: LineStatement) -> bool:
    """Tell whether a line computes something, and all of it exactly.

    A rounded result, or one that is true only in an author's shorthand such as 50 for 50%, may be the error that the
    label means.
    """
    computes = any(not isinstance(equation.left, Number) for equation in line.equations)
    return (
        computes and not line.unread and all(equation.left.value == equation.right.value for equation in line.equations)
    )


def _before(solution: AuditedSolution, labelled: int | None) -> Iterator[Evidence]:
    """Yield the first false line before the one that is said to be the first."""
    first = next(iter(solution.false_lines), None)
    if labelled is not None and first is not None and first < labelled:
        yield _false(solution, first, AuditCause.ANOTHER_LINE, told=solution.label(labelled))


def _false(solution: AuditedSolution, place: int, cause: AuditCause, *, told: str = "") -> Evidence:
    line = solution.statements[place]
    equation = line.false[0]
    value = equation.left.value
    expected = "" if value is None else f"{line.text[equation.left.start : equation.left.end]} = {format_value(value)}"
    if told:
        expected += f"; labelled is {told}"
    return Evidence(solution.label(place), cause, line.written(equation), expected)
