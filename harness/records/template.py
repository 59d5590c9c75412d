"""The records of the template stage: traces with the text of their solutions, and tiers."""

from dataclasses import dataclass
from typing import Self

from harness.json_form import Integer
from harness.program.evaluation.evaluator import format_exact
from harness.solution.solution_text import LineText, PlacedVariable, SolutionText, TemplateMismatch, UnexplainedNumber
from harness.solution.trace import Trace, VariableRole


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedVariable:
    """A variable of a trace."""

    variable: str
    """Its name."""
    value: str
    """Its exact value, `7` or `7/2`."""
    role: VariableRole
    """Its role in the solution."""
    line: str | None
    """The line that its code stands under: `L1`, `L2`, …, or `FA`; null where the code names none."""
    code: str
    """The Python expression that gives it; empty for an input."""
    comment: str
    """The author's comment on an input."""
    reads: tuple[str, ...]
    """The variables that the expression reads, in order."""


@dataclass(frozen=True, slots=True)
class PlacedValue:
    """A variable at a place of a line."""

    variable: str
    text: str | None
    """Its value as it is written there."""


@dataclass(frozen=True, slots=True)
class TracedLine:
    """A line of the solution as words and values."""

    line: str
    """`L1`, `L2`, …, or `FA`."""
    parts: tuple[str | PlacedValue, ...]
    """The words, and the values at their places."""
    literals: tuple[UnexplainedNumber, ...]
    """The numbers that are left in the words."""

    @classmethod
    def of_line(cls, line: LineText, text: SolutionText) -> Self:
        """Return the record of a line."""
        parts = (
            PlacedValue(part.variable, part.form.write(text.values[part.variable]))
            if isinstance(part, PlacedVariable)
            else part
            for part in line.parts
        )
        return cls(line.label, tuple(parts), line.literals)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRecord:
    """The trace of a template, and the text of the solution."""

    problem_id: str
    model: str
    """Who wrote the template."""
    tier: Integer | None
    """The tier of the solution; null where it has none."""
    result: str
    """The variable that is the answer."""
    answer: str
    """Its exact value."""
    entries: tuple[TracedVariable, ...]
    """The variables in the order of the code."""
    lines: tuple[TracedLine, ...]
    """The lines of the solution."""
    mismatches: tuple[TemplateMismatch, ...]
    """The lines whose template gives something else."""
    dead: tuple[str, ...]
    """The variables that the answer does not depend on."""

    @classmethod
    def of_trace(cls, problem_id: str, model: str, tier: int | None, trace: Trace, text: SolutionText) -> Self:
        """Return the record of a trace and its text."""
        return cls(
            problem_id=problem_id,
            model=model,
            tier=tier,
            result=trace.result,
            answer=format_exact(trace.answer.value),
            entries=tuple(
                TracedVariable(
                    variable=entry.variable,
                    value=format_exact(entry.value),
                    role=entry.role,
                    line=entry.line,
                    code=entry.code,
                    comment=entry.comment,
                    reads=tuple(entry.reads),
                )
                for entry in trace.entries
            ),
            lines=tuple(TracedLine.of_line(line, text) for line in text.lines),
            mismatches=text.mismatches,
            dead=tuple(trace.dead()),
        )


@dataclass(frozen=True, slots=True)
class TierRecord:
    """The tier of a problem."""

    problem_id: str
    tier: Integer | None
    """The tier of its solution as this harness counts it."""
    published: Integer | None
    """The tier that its corpus or a formalization states."""
