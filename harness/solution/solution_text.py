"""The text of a whole solution as lines with variables, rendered with the values of a trace."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.solution.rendering import (
    LineMismatch,
    LineText,
    MismatchCause,
    fit_line,
    plain_line,
    render_line,
    with_separators,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Exact, Problem
    from harness.solution.template import Template
    from harness.solution.trace import Trace

_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class SolutionText:
    """The lines of a solution with the places of its variables, and the lines whose template gives something else."""

    lines: tuple[LineText, ...]
    values: Mapping[str, Exact]
    vocabulary: frozenset[str]
    mismatches: tuple[LineMismatch, ...]

    @property
    def faithful(self) -> bool:
        """Tell whether every step of the template gives back its line."""
        return not self.mismatches

    def render(self, values: Mapping[str, Exact] | None = None) -> str:
        """Write the solution with other values, or with its own, which gives back the text it was made from.

        Raises:
            UnwritableError: a value cannot be written in the form of its place.
        """
        given = self.values if values is None else values
        return "\n".join(render_line(line, given, self.values, self.vocabulary) for line in self.lines)


def read_text(problem: Problem, template: Template, trace: Trace) -> SolutionText:
    """Lay the wording of a template over the lines of a problem's solution.

    A line that no step words, or whose step does not fit, keeps its own words, and its numbers belong to the variables
    that alone have their values.
    """
    lines = problem.solution.split("\n") if problem.solution else []
    fitted: dict[int, LineText] = {}
    mismatches: list[LineMismatch] = []
    for step in template.steps:
        if step.line > len(lines):
            given = step.solution_line_template
            mismatches.append(
                LineMismatch(step.line_number, MismatchCause.NO_LINE, given, f"(the solution has {len(lines)} lines)")
            )
            continue
        laid = fit_line(step.line_number, step.solution_line_template, lines[step.line - 1], trace.values, trace.copies)
        if isinstance(laid, LineMismatch):
            mismatches.append(laid)
        else:
            fitted[step.line] = laid
    texts = [
        fitted.get(number) or plain_line(f"L{number}", line, trace.values, trace.copies)
        for number, line in enumerate(lines, start=1)
    ]
    vocabulary = frozenset(_WORD.findall(f"{problem.question} {problem.solution}".lower()))
    return SolutionText(tuple(with_separators(texts, trace.values)), trace.values, vocabulary, tuple(mismatches))
