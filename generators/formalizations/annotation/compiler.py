"""The compiler from an annotated solution to a template, without a call to any model.

Lines such as `48/2 = <<48/2=24>>24 clips` become code and logical steps. Whatever cannot be compiled is refused
with a reason.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction

from generators.formalizations.annotation.arithmetic import (
    Arithmetic,
    MalformedArithmeticError,
    merge_fractions,
    read_arithmetic,
)
from generators.formalizations.annotation.line_equations import Equation, annotation_equation, prose_equations
from generators.formalizations.annotation.line_templates import line_template
from generators.formalizations.annotation.operand_resolution import AnnotatedLine, Operand, Scope, Variable
from generators.formalizations.annotation.template_code import input_code, literal_code, template_json
from generators.formalizations.annotation.variable_names import name_after
from harness.corpora.gold_answer import match_gold, read_gold
from harness.domain import Exact, Problem, Response
from harness.program.refusal import Refusal, RefusalReason
from harness.text.numbers import read_numeral, whole_as_int

MODEL = "annotation"
LONGEST_SOLUTION = 20_000
LONGEST_QUESTION = 20_000
MOST_NUMBERS = 200
"""The most numbers of a question that are compared with each other."""
MOST_LINES = 100
LONGEST_WORDED = 20_000
"""The most characters of a line with variables in a template."""
DEEPEST = 3
LONGEST_SUBSTITUTED = 4_000
"""The most characters of code that equations of the prose may add to a line."""
REPEATED = re.compile(r"\s?%?(?:>>[\s$]*(?:\d[\d,]*)?(?:\.\d+)?%?)?")
"""The text between the result of an equation and its noun: `>>24` of `<<48/2=24>>24 clips`."""
_HUNDREDS = frozenset((100, Fraction(1, 100)))


def formalize(problem: Problem) -> Response:
    """Compile a problem's annotated solution to a template, as a model would have answered.

    A line has one output: the result of its annotation, or without one, of the last true equation of its prose.

    Raises:
        Refusal: the solution has no annotations, several on a line, a malformed or a false one; the reason names the
            line.
    """
    return Response(problem.problem_id, MODEL, compile_template(problem), "template", made=True)


def compile_template(problem: Problem) -> str:
    """Return the JSON of the template; errors as in `formalize`."""
    if len(problem.solution) > LONGEST_SOLUTION or problem.solution.count("\n") >= MOST_LINES:
        raise Refusal(RefusalReason.TOO_LARGE, f"a solution of {len(problem.solution):,} characters")
    if len(problem.question) > LONGEST_QUESTION:
        raise Refusal(RefusalReason.TOO_LARGE, f"a question of {len(problem.question):,} characters")
    if "<<" not in problem.solution:
        raise Refusal(RefusalReason.NO_ANNOTATION, "no line of the solution has an annotation such as <<48/2=24>>")
    compilation = Compilation(Scope.of(problem.question))
    if len(compilation.scope.mentions) > MOST_NUMBERS:
        raise Refusal(RefusalReason.TOO_LARGE, f"a question with {len(compilation.scope.mentions):,} numbers")
    for number, text in enumerate(problem.solution.split("\n"), start=1):
        try:
            compilation.read(AnnotatedLine(text, number))
        except Refusal as refusal:
            raise Refusal(refusal.reason, refusal.detail, number) from None
    for line, equation in compilation.lines:
        if equation is not None:
            compilation.add(line, equation)
    answer = _answer(problem, compilation)
    return template_json(compilation.code, compilation.steps, answer)


def _answer(problem: Problem, compilation: Compilation) -> str:
    """Return the code of the answer: the last result that is the gold answer, else the last result.

    A result written as `50%` is a half; where the gold answer is 50, the answer is a hundred times the result.
    """
    outputs = compilation.outputs
    gold = None if problem.gold is None else read_gold(problem.gold, problem.solution)
    if gold is None or outputs[-1].value == gold.value:
        return outputs[-1].name
    for output in reversed(outputs):
        if match_gold(output.value, gold).reached:
            return output.name
        if output.name in compilation.percent and output.value * 100 == gold.value:
            return f"{output.name} * 100"
    return outputs[-1].name


@dataclass(slots=True)
class Compilation:
    """The code and steps of the lines read so far."""

    scope: Scope
    code: list[str] = field(default_factory=list)
    steps: list[dict[str, object]] = field(default_factory=list)
    outputs: list[Variable] = field(default_factory=list)
    percent: set[str] = field(default_factory=set)
    """The outputs that are written with `%`."""
    lines: list[tuple[AnnotatedLine, Equation | None]] = field(default_factory=list)
    """The lines, each with the equation it has for its output."""
    _inputs: list[Variable] = field(default_factory=list)
    _prose: list[tuple[Equation, AnnotatedLine]] | None = None
    _later: dict[Exact, int] = field(default_factory=dict)
    _computed: dict[int, tuple[Exact, str]] = field(default_factory=dict)

    def read(self, line: AnnotatedLine) -> None:
        """Note a line with the equation it has for its output, if it has one.

        Raises:
            Refusal: its annotation cannot be compiled.
        """
        equation = annotation_equation(line.text)
        if equation is None:
            stated = prose_equations(line.text)
            equation = stated[-1] if stated else None
        elif len(equation.operands) == 1:
            # <<60=60>> computes nothing; 1 * 60 before it does.
            same = [
                stated for stated in prose_equations(line.text) if stated.arithmetic.value == equation.arithmetic.value
            ]
            equation = same[-1] if same else equation
        self.lines.append((line, equation))
        if equation is None:
            return
        if "{" in line.text or "}" in line.text:
            raise Refusal(
                RefusalReason.MALFORMED_ANNOTATION, "braces in the line, which would read as places of variables"
            )
        if not line.text.isascii() and _SURROGATE.search(line.text):
            raise Refusal(
                RefusalReason.CONTROL_CHARACTER, "half of a surrogate pair in the line, which no template can hold"
            )
        self._computed[line.number] = _computed(equation.arithmetic, equation.stated)
        for value in equation.arithmetic.operands:
            self._later[value] = self._later.get(value, 0) + 1

    def add(self, line: AnnotatedLine, equation: Equation) -> None:
        """Compile a line with its equation."""
        value, function = self._computed[line.number]
        self._inputs = []
        expression, placed = self._expression(equation, line, 0)
        place = REPEATED.match(line.text, equation.result[1]).end()  # type: ignore[union-attr]  # it matches nothing, too
        output = self.scope.result(value, name_after(line.text, place, place, fallback=f"result_{line.number}"), line)
        self.outputs.append(output)
        if equation.stated.endswith("%"):
            self.percent.add(output.name)
        worded = line_template(line.text, equation, placed, output)
        if len(worded) > LONGEST_WORDED:
            raise Refusal(
                RefusalReason.TOO_LARGE, f"a line of {len(worded):,} characters with its variables", line.number
            )
        self.code += [
            f"    # L{line.number}",
            *(input_code(variable.name, variable.value, variable.comment) for variable in self._inputs),
            f"    {output.name} = {function.format(expression)}",
            "",
        ]
        self.steps.append(
            {
                "line_number": f"L{line.number}",
                "question_inputs": [variable.name for variable in self._inputs if variable.comment is not None],
                "WK_inputs": [variable.name for variable in self._inputs if variable.comment is None],
                "output_variable": output.name,
                "solution_line_template": worded,
            }
        )

    def _said(self, value: Exact, until: AnnotatedLine) -> tuple[Equation, AnnotatedLine] | None:
        """Return the first equation in prose that gives a value and is no line's output, up to a line of the solution."""
        if not any(line.states_results for line, _ in self.lines):
            return None
        if self._prose is None:
            self._prose = [
                (equation, line)
                for line, output in self.lines
                for equation in prose_equations(line.text)
                if output is None or equation.arithmetic.value != output.arithmetic.value
            ]
        return next(
            (
                stated
                for stated in self._prose
                if stated[0].arithmetic.value == value and stated[1].number <= until.number
            ),
            None,
        )

    def _expression(
        self, equation: Equation, line: AnnotatedLine, depth: int
    ) -> tuple[str, list[tuple[tuple[int, int], Variable]]]:
        """Return the code of an equation's left side, and where in the line which variable stands."""
        arithmetic, spans = equation.arithmetic, equation.operands
        if len(arithmetic.pieces) > 3 and "/" in arithmetic.pieces:
            arithmetic, spans = self._with_fractions(equation, line)
        names: list[str] = []
        placed: list[tuple[tuple[int, int], Variable]] = []
        if not depth:
            for value in equation.arithmetic.operands:
                self._later[value] -= 1
        for number, (value, span) in enumerate(zip(arithmetic.operands, spans, strict=True)):
            meant = self.scope.certain(value, line)
            if meant is None:
                stated = None if depth >= DEEPEST or self.scope.knows(value) else self._said(value, line)
                if stated is not None:
                    inner, _ = self._expression(*stated, depth + 1)
                    names.append(f"({inner})")
                    if sum(map(len, names)) > LONGEST_SUBSTITUTED:
                        raise Refusal(RefusalReason.TOO_LARGE, "equations within equations of the prose", line.number)
                    continue
                meant = self.scope.resolve(self._operand(arithmetic, number, line, span), line)
            variable, declared = meant
            if declared:
                self._inputs.append(variable)
            names.append(variable.name)
            placed.append((span, variable))
        return arithmetic.code(names), placed

    def _with_fractions(
        self, equation: Equation, line: AnnotatedLine
    ) -> tuple[Arithmetic, tuple[tuple[int, int], ...]]:
        """Return the arithmetic with its fractions as one operand each, and where those stand."""
        arithmetic, first = merge_fractions(equation.arithmetic, self.scope.is_fraction, equation.joined(line.text))
        last = [place - 1 for place in first[1:]] + [len(equation.operands) - 1]
        spans = equation.operands
        return arithmetic, tuple((spans[start][0], spans[end][1]) for start, end in zip(first, last, strict=True))

    def _operand(self, arithmetic: Arithmetic, number: int, line: AnnotatedLine, span: tuple[int, int]) -> Operand:
        """Return an operand with what tells its meaning."""
        value, written = arithmetic.operands[number], line.text[span[0] : span[1]]
        if not self.scope.doubtful(value):
            return Operand(value, written)
        return Operand(
            value,
            written,
            divides=arithmetic.divides(number),
            term=arithmetic.is_term(number),
            percent=any(operand in _HUNDREDS for operand in arithmetic.operands) or line.is_percent(written),
            later=self._later.get(value, 0) + arithmetic.operands[number + 1 :].count(value),
            beside=self.scope.places(operand for operand in arithmetic.operands if operand != value),
        )


def _computed(arithmetic: Arithmetic, stated: str) -> tuple[Exact, str]:
    """Return the value of a line and what the code does with its expression: nothing, or round it as the line does."""
    value, result = arithmetic.value, read_numeral(stated)
    if value is None:
        raise Refusal(RefusalReason.FALSE_ANNOTATION, "a division by zero")
    if result is None:
        try:
            result = read_arithmetic(stated).value
        except MalformedArithmeticError:
            raise Refusal(RefusalReason.MALFORMED_ANNOTATION, f"the result {stated[:40]!r} is no number") from None
    if result == value:
        return value, "{}"
    places = len(stated.partition(".")[2])
    roundings: dict[str, Exact] = {"math.floor({})": math.floor(value), "math.ceil({})": math.ceil(value)}
    if places:
        roundings = {f"round({{}}, {places})": round(Fraction(value), places)}
    for function, rounded in roundings.items():
        if rounded == result:
            return whole_as_int(rounded), function
    raise Refusal(
        RefusalReason.FALSE_ANNOTATION,
        f"{arithmetic.code([literal_code(operand) for operand in arithmetic.operands])} is {literal_code(value)}, not {stated[:40]}",
    )


_SURROGATE = re.compile(r"[\ud800-\udfff]")
