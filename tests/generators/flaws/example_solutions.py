"""Solutions built from a few lines of code: those of tests, and the examples of operators."""

import re

from generators.flaws.solution.source_solution import FlawSource, source_of_trace
from harness.domain import Problem, Response
from harness.program.lifter import lift
from harness.solution.solution_text import LineText, PlacedVariable, SolutionText
from harness.solution.trace import Trace, trace_program
from harness.text.number_forms import PLAIN, format_value

_NAME = re.compile(r"([A-Za-z_]\w*)")


def example_source(code: str, question: str = "") -> FlawSource:
    """Return the source whose solution states each step of the code as an annotated line.

    `code` is the body of a template: `# L1`, its inputs with comments, its step, `# L2`, …; the last step is the answer.
    """
    lines = code.strip().splitlines()
    body = "\n".join(f"    {line}" for line in lines)
    last = [line.split("=")[0].strip() for line in lines if "=" in line.partition("#")[0]][-1]
    program = f"from math import ceil\n\n\ndef solve():\n{body}\n    # FA\n    answer = {last}\n    return answer"
    trace = trace_program(lift(Response("example-0", "example", program, "template")))
    texts = tuple(_line(label, trace) for label in trace.lines() if label != "FA")
    text = SolutionText(texts, trace.values, frozenset(), ())
    problem = Problem("example-0", question, text.render(), format_value(trace.answer.value))
    return source_of_trace(problem, "example", trace, text)


def _line(label: str, trace: Trace) -> LineText:
    parts: list[str | PlacedVariable] = []
    for entry in trace.entries:
        if entry.line == label and entry.expression is not None:
            pieces = [piece if piece in trace.by_name else piece.replace(" ", "") for piece in _NAME.split(entry.code)]
            terms = [PlacedVariable(piece, PLAIN) if piece in trace.by_name else piece for piece in pieces]
            result = PlacedVariable(entry.variable, PLAIN)
            parts += [f"{entry.variable.replace('_', ' ')} is <<", *terms, "=", result, ">>", result]
    return LineText(label, tuple(part for part in parts if part != ""))
