"""The formalization template of a solution, with the wording of each of its lines.

A template is the JSON `{"function_code": …, "logical_steps": […]}`: the code gives the inputs and the single output of each line,
and a step gives the wording of the line.
"""

import re
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from harness.domain import Response
from harness.program.ir import Program
from harness.program.lifter import lift_source
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.code_extraction import read_source
from harness.solution.solution_program import SolutionStep
from harness.text.markup import ANNOTATION

MOST_SOLUTION_STEPS = 200


@dataclass(frozen=True, slots=True)
class Template:
    """A program with the wording of its lines; `repairs` lists what was mended to read it."""

    program: Program
    steps: tuple[SolutionStep, ...]
    repairs: tuple[str, ...]


_STEPS = TypeAdapter(Annotated[tuple[SolutionStep, ...], Field(max_length=MOST_SOLUTION_STEPS)])
_BRACED_ANNOTATION = re.compile(rf"\{{({ANNOTATION.pattern}(?:\{{[^{{}}]*\}})?)\}}")


def read_template(response: Response) -> Template:
    """Read a response as a template; only what is safe is repaired.

    Raises:
        Refusal: with a typed reason, where the response is no template or its steps are not those of one.
    """
    source = read_source(response.text)
    if not source.template:
        raise Refusal(RefusalReason.NO_STEPS, "the response is no JSON object with function_code and logical_steps")
    repairs = list(source.repairs)
    try:
        steps = _STEPS.validate_python(source.steps)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise Refusal(RefusalReason.BROKEN_STEPS, f"logical_steps.{place}: {first['msg']}") from None
    if not steps:
        raise Refusal(RefusalReason.NO_STEPS, "logical_steps is empty or could not be read")
    mended = tuple(_mended(step, repairs) for step in steps)
    return Template(lift_source(source, "template"), mended, tuple(repairs))


def _mended(step: SolutionStep, repairs: list[str]) -> SolutionStep:
    """Drop braces around a whole annotation, which stand for nothing: `${<<{a}*{b}={c}>>}{c}`."""
    text = step.solution_line_template
    if "{<<" not in text:
        return step
    unbraced = _BRACED_ANNOTATION.sub(r"\1", text)
    if unbraced == text:
        return step
    repairs.append(f"dropped the braces around the annotation of {step.line_number}")
    return replace(step, solution_line_template=unbraced)


def may_be_template(response: Response) -> bool:
    """Tell, without reading it, whether a response is meant as a template."""
    return response.dialect == "template" or "function_code" in response.text
