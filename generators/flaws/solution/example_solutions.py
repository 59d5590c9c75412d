"""Solutions built from a few lines of code, for tests and for the examples of operators."""

from __future__ import annotations

import re

from generators.flaws.solution.source_solution import FlawSource, source_of_trace
from harness.domain import Problem, Response
from harness.program.lifter import lift
from harness.solution.solution_text import LineText, PlacedVariable, SolutionText
from harness.solution.trace import Trace, TraceEntry, trace_program
from harness.text.number_forms import PLAIN, format_value

_NAME = re.compile(r"[A-Za-z_]\w*")


def example_source(code: str, question: str = "") -> FlawSource:
    """Return the source whose solution states each step of the code as an annotated line.

    `code` is the body of a template: `# L1`, its inputs with comments, its step, `# L2`, …; the last step is the answer.
    """
    body = "\n".join(f"    {line}" for line in code.strip().splitlines())
    last = [line.split("=")[0].strip() for line in code.strip().splitlines() if "=" in line.partition("#")[0]][-1]
    program = f"from math import ceil\n\n\ndef solve():\n{body}\n    # FA\n    answer = {last}\n    return answer"
    response = Response("example-0", "example", program, "template")
    trace = trace_program(lift(response))
    lines = tuple(_line(label, trace) for label in trace.lines() if label != "FA")
    text = SolutionText(lines, trace.values, frozenset(), ())
    solution = text.render()
    problem = Problem("example-0", question, solution, format_value(trace.answer.value))
    return source_of_trace(problem, "example", trace, text)


def _line(label: str, trace: Trace) -> LineText:
    parts: list[str | PlacedVariable] = []
    for entry in trace.on_line(label):
        if not entry.role.is_input:
            parts += [f"{entry.variable.replace('_', ' ')} is ", *_equation(entry, trace)]
    return LineText(label, tuple(parts))


def _equation(entry: TraceEntry, trace: Trace) -> list[str | PlacedVariable]:
    """Return `<<expression=value>>value` with a place for each variable."""
    parts: list[str | PlacedVariable] = ["<<"]
    end = 0
    for match in _NAME.finditer(entry.code):
        if match[0] in trace.by_name:
            parts += [entry.code[end : match.start()].replace(" ", ""), PlacedVariable(match[0], PLAIN)]
            end = match.end()
    rest = entry.code[end:].replace(" ", "")
    return [
        part
        for part in [
            *parts,
            f"{rest}=",
            PlacedVariable(entry.variable, PLAIN),
            ">>",
            PlacedVariable(entry.variable, PLAIN),
        ]
        if part
    ]
