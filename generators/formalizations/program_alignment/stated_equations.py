"""The equations that a solution states, each with the part of its line that it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generators.formalizations.annotation.compiler import REPEATED
from generators.formalizations.annotation.line_equations import Equation, annotation_equation, prose_equations
from harness.text.markup import ANNOTATED_EQUATION


@dataclass(frozen=True, slots=True)
class LinePart:
    """A part of a line with at most one equation; the parts of a line, put together, are the line."""

    line: int
    text: str
    equation: Equation | None


def line_parts(solution: str) -> Iterator[LinePart]:
    """Yield the lines of a solution, cut after each equation that another one follows.

    Annotations are the equations of a line, with equations of its prose that no annotation repeats; of a line without
    annotations those of its prose.

    Raises:
        Refusal: an annotation is malformed.
    """
    for number, line in enumerate(solution.split("\n"), start=1):
        start = 0
        for cut in [*_cuts(line), len(line)]:
            text = line[start:cut]
            if text or cut == 0:
                yield LinePart(number, text, _equation(text))
            start = cut


def _cuts(line: str) -> list[int]:
    """Return where the equations of a line end, but for the last."""
    annotated = [match.end(2) for match in ANNOTATED_EQUATION.finditer(line)]
    ends = {REPEATED.match(line, end).end() for end in annotated}  # type: ignore[union-attr]  # it matches nothing, too
    results = [(match.end(), match[2].strip(" $")) for match in ANNOTATED_EQUATION.finditer(line)]
    for equation in prose_equations(line) if "=" in line else ():
        end = equation.result[1]
        repeats = any(stated == equation.stated for _, stated in results)
        if not repeats and not any(match.start() < end < match.end() for match in ANNOTATED_EQUATION.finditer(line)):
            ends.add(end)
    return sorted(ends)[:-1]


def _equation(text: str) -> Equation | None:
    """Return the equation of a part of a line; one of a single number states nothing, unless the prose says how it came about."""
    equation = annotation_equation(text)
    if equation is not None and len(equation.operands) > 1:
        return equation
    stated = prose_equations(text)
    if equation is None:
        return stated[-1] if stated else None
    same = [prose for prose in stated if prose.arithmetic.value == equation.arithmetic.value]
    return same[-1] if same else None
