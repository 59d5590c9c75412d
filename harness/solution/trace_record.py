"""The JSON record of one solution of the template stage, with its trace and its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.program.evaluation.evaluator import format_exact
from harness.solution.rendering import PlacedVariable

if TYPE_CHECKING:
    from harness.solution.rendering import LineText
    from harness.solution.solution_text import SolutionText
    from harness.solution.trace import Trace

Record = dict[str, Any]


def trace_record(problem_id: str, model: str, tier: int | None, trace: Trace, text: SolutionText) -> Record:
    """Return a line of `traces.jsonl`.

    `entries` are the variables in order, `lines` the solution's lines, each as `parts`: words, or a variable and its
    value as it is written there. `mismatches` are the lines whose template gives something else, `dead` the variables
    the answer does not depend on.
    """
    return {
        "problem_id": problem_id,
        "model": model,
        "tier": tier,
        "result": trace.result,
        "answer": format_exact(trace.answer.value),
        "entries": [
            {
                "variable": entry.variable,
                "value": format_exact(entry.value),
                "role": str(entry.role),
                "line": entry.line,
                "code": entry.code,
                "comment": entry.comment,
                "reads": list(entry.reads),
            }
            for entry in trace.entries
        ],
        "lines": [_line_record(line, text) for line in text.lines],
        "mismatches": [
            {"line": one.label, "cause": str(one.cause), "given": one.given, "expected": one.expected}
            for one in text.mismatches
        ],
        "dead": trace.dead(),
    }


def _line_record(line: LineText, text: SolutionText) -> Record:
    return {
        "line": line.label,
        "parts": [
            {"variable": part.variable, "text": part.form.write(text.values[part.variable])}
            if isinstance(part, PlacedVariable)
            else part
            for part in line.parts
        ],
        "literals": [{"text": one.text, "candidates": list(one.candidates)} for one in line.literals],
    }
