"""The formalization template of a solution, with the wording of each of its lines, read from JSON and written from a stated solution.

A template is the JSON `{"function_code": …, "logical_steps": […]}`: the code gives the inputs and the single output of each line,
and a step gives the wording of the line.
"""

import re
from collections.abc import Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from harness.domain import Exact, Response
from harness.json_form import Name, Prose, Span
from harness.program.ir import Program
from harness.program.lifter import lift_source
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.code_extraction import read_source
from harness.text.markup import ANNOTATION
from harness.text.numbers import NUMERAL, read_numeral


@dataclass(frozen=True, slots=True)
class QuestionInput:
    """A number of a question that gives an input."""

    variable: Name
    """The input."""
    span: Span
    """Where the number begins and ends in the question."""


_INDEX = re.compile(r"(?:.*[^0-9])?([0-9]{1,9})", re.ASCII | re.DOTALL)
_NUMERAL = re.compile(NUMERAL, re.ASCII)
_WORD = re.compile(r"[^\W\d]\w*")
_FROM_MATH = frozenset({"ceil", "floor", "sqrt", "trunc", "fabs"})
WORLD_KNOWLEDGE = "WK"
"""The mark of an input that the question does not give, before its comment."""
LONGEST_COMMENT = 200


@dataclass(frozen=True, slots=True)
class SolutionStep:
    """A line of a solution with what it takes and gives, as templates have it."""

    line_number: Annotated[str, Field(pattern=r"^L[1-9][0-9]{0,3}$")]
    """The label of the line, such as `L1`."""
    question_inputs: tuple[Name, ...]
    """The inputs of the question that are read here for the first time."""
    WK_inputs: tuple[Name, ...]
    """The other inputs that are read here for the first time."""
    output_variable: Name | None
    """The variable that the line works out, the last where there are several; null where it works out none."""
    solution_line_template: Prose
    """The line, each number that is one variable's value as `{variable}`."""

    @property
    def line(self) -> int:
        """Return the number of the line, from one."""
        return int(self.line_number[1:])


LogicalSteps = Annotated[tuple[SolutionStep, ...], Field(max_length=1_000)]


@dataclass(frozen=True, slots=True)
class StatedSolution:
    """What a solution says: inputs, steps as line, variable and code, the answer's variable, all values, and the lines."""

    inputs: Sequence[tuple[str, str]]
    steps: Sequence[tuple[str, str, str]]
    answer: str
    values: Mapping[str, Exact]
    lines: Sequence[str]


def corpus_index(problem_id: str) -> int | None:
    """Return the number that a problem's id ends in, such as 16 of `gsm8k-train-16`; `None` where it ends in none."""
    match = _INDEX.fullmatch(problem_id)
    return None if match is None else int(match[1])


def solution_program(
    solution: StatedSolution, comments: Mapping[str, str], world_knowledge: AbstractSet[str]
) -> tuple[str, tuple[SolutionStep, ...]]:
    """Return the function `solve` of a solution, in which each input stands on the line that reads it first, and its steps."""
    given = dict(solution.inputs)
    code: dict[str, list[str]] = {}
    first: dict[str, list[str]] = {}
    owners: dict[str, set[str]] = {}
    outputs: dict[str, str] = {}
    by_value: dict[Exact, list[str]] = {}
    for name, value in solution.values.items():
        by_value.setdefault(value, []).append(name)
    for line, variable, expression in solution.steps:
        read = dict.fromkeys(_names(expression))
        for name in read:
            if name in given:
                code.setdefault(line, []).append(f"{name} = {given.pop(name)}{_comment(comments, name)}")
                first.setdefault(line, []).append(name)
        code.setdefault(line, []).append(f"{variable} = {expression}")
        owners.setdefault(line, set()).update(name for name in (*read, variable) if name in solution.values)
        outputs[line] = variable
    body = [text for line in code for text in (f"# {line or 'L0'}", *code[line])]
    steps = tuple(
        SolutionStep(
            label,
            tuple(name for name in first.get(label, ()) if name not in world_knowledge),
            tuple(name for name in first.get(label, ()) if name in world_knowledge),
            outputs.get(label),
            _template(words, owners.get(label, frozenset()), by_value),
        )
        for label, words in ((f"L{number}", words) for number, words in enumerate(solution.lines, start=1))
    )
    if solution.answer in given:
        body.append(f"{solution.answer} = {given[solution.answer]}{_comment(comments, solution.answer)}")
    return _function([*body, "# FA", f"answer = {solution.answer}", "return answer"]), steps


def _function(body: Sequence[str]) -> str:
    called = {name for line in body if not line.startswith("#") for name in _names(line)}
    imports = [f"from math import {', '.join(sorted(called & _FROM_MATH))}"] if called & _FROM_MATH else []
    imports += ["from fractions import Fraction"] if "Fraction" in called else []
    head = [*imports, "", ""] if imports else []
    return "\n".join([*head, "def solve():", *(f"    {line}" for line in body)])


@lru_cache(maxsize=8_192)
def _names(code: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(code.partition("#")[0]))


def _comment(comments: Mapping[str, str], name: str) -> str:
    words = " ".join(comments.get(name, "").split())[:LONGEST_COMMENT]
    return f"  # {words}" if words and words.isprintable() else ""


@lru_cache(maxsize=8_192)
def _numerals(line: str) -> tuple[tuple[int, int, Exact], ...]:
    found = ((match.start(), match.end(), read_numeral(match[0])) for match in _NUMERAL.finditer(line))
    return tuple((start, end, value) for start, end, value in found if value is not None)


def _template(line: str, own: AbstractSet[str], by_value: Mapping[Exact, Sequence[str]]) -> str:
    """Return a line with the variables of its numbers: that of its own steps with the value, or the only one of all."""
    pieces: list[str] = []
    end = 0
    for start, stop, value in _numerals(line):
        names = by_value.get(value, ())
        if len(names) > 1:
            names = [name for name in names if name in own]
        if len(names) == 1:
            pieces += [line[end:start], f"{{{names[0]}}}"]
            end = stop
    pieces.append(line[end:])
    return "".join(pieces)


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
    """Read a response as a template; only what is safe is repaired, what is no template or has no steps of one is a `Refusal` with a typed reason."""
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
    unbraced = _BRACED_ANNOTATION.sub(r"\1", step.solution_line_template)
    if unbraced == step.solution_line_template:
        return step
    repairs.append(f"dropped the braces around the annotation of {step.line_number}")
    return replace(step, solution_line_template=unbraced)


def may_be_template(response: Response) -> bool:
    """Tell, without reading it, whether a response is meant as a template."""
    return response.dialect == "template" or "function_code" in response.text
