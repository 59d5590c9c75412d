"""Test helpers for the annotation compiler: the code, the steps and the trace of a compiled solution."""

import json
from dataclasses import dataclass
from typing import Any

from generators.formalizations.annotation_compiler import formalize
from harness.domain import Problem, Response
from harness.solution.solution_text import SolutionText, read_text
from harness.solution.template import Template, read_template
from harness.solution.trace import Trace, VariableRole, trace_program


def problem(question: str, solution: str, gold: str | None = None) -> Problem:
    """Return a problem."""
    return Problem("p-1", question, solution, gold)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiled solution: the response, read as a template, traced and laid over the solution."""

    response: Response
    template: Template
    trace: Trace
    text: SolutionText

    @property
    def code(self) -> str:
        """Return the code of the template."""
        code: str = json.loads(self.response.text)["function_code"]
        return code

    @property
    def steps(self) -> list[dict[str, Any]]:
        """Return the logical steps."""
        steps: list[dict[str, Any]] = json.loads(self.response.text)["logical_steps"]
        return steps

    @property
    def wording(self) -> list[str]:
        """Return the lines with variables in the place of their numbers."""
        return [step["solution_line_template"] for step in self.steps]

    @property
    def expressions(self) -> list[str]:
        """Return what each output is computed from."""
        return [entry.code for entry in self.trace.entries if entry.role is VariableRole.OUTPUT]

    @property
    def inputs(self) -> dict[str, str]:
        """Return what the code says of each input: the words of the question, or WK."""
        found = {}
        for line in self.code.splitlines():
            name, separator, rest = line.strip().partition(" = ")
            if separator and " # " in rest:
                found[name] = rest
        return found


def compiled(question: str, solution: str, gold: str | None = None) -> Compiled:
    """Compile, read, trace and lay a solution over its template."""
    return of(problem(question, solution, gold))


def of(given: Problem) -> Compiled:
    """Compile, read, trace and lay the solution of a problem over its template."""
    response = formalize(given)
    template = read_template(response)
    trace = trace_program(template.program)
    return Compiled(response, template, trace, read_text(given, template, trace))
