"""The template of a problem's own solution in the variables of a program that computes the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from generators.formalizations.annotation.compiler import REPEATED
from generators.formalizations.annotation.line_templates import line_template
from generators.formalizations.annotation.operand_resolution import Variable
from generators.formalizations.annotation.template_code import input_code, template_json
from generators.formalizations.annotation.variable_names import name_after, quote
from generators.formalizations.program_alignment.equation_alignment import (
    AlignedEquation,
    AlignedQuantity,
    QuantityKind,
    align_equations,
)
from generators.formalizations.program_alignment.function_points import ProgramFunctions, Values
from generators.formalizations.program_alignment.input_comments import input_comment
from generators.formalizations.program_alignment.stated_equations import LinePart, line_parts
from harness.domain import Problem
from harness.program import ir
from harness.program.expression_nodes import renamed
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.unparser import unparse
from harness.solution.trace import Trace
from harness.text.names import unused_name
from harness.text.numbers import mentions, whole_as_int

_EMPTY_NAMES = frozenset(["answer", "ans", "result", "final_answer", "returned", "solution"])
"""Names of variables that do not describe the quantity."""


def aligned_template(problem: Problem, program: Trace) -> str:
    """Return the JSON of the template whose lines are the problem's solution and whose variables are the program's.

    Inputs of the program whose values the solution never writes keep their values: `48/2` for a parameter of a half.

    Raises:
        Refusal: an annotation is malformed, a line has braces, or the template is too large.
        AlignmentError: the solution is not read as the steps of the program.
    """
    if "{" in problem.solution or "}" in problem.solution:
        raise Refusal(
            RefusalReason.MALFORMED_ANNOTATION, "braces in the solution, which would read as places of variables"
        )
    parts = tuple(line_parts(problem.solution))
    candidates = [ProgramFunctions(program, held) for held in _held(problem, parts, program)]
    alignment = align_equations(parts, candidates)
    return _Writer(problem, alignment.functions).written(parts, alignment.equations)


def _held(problem: Problem, parts: Sequence[LinePart], program: Trace) -> list[frozenset[str]]:
    """Return the inputs that the solution never writes, then also those that no equation of it writes."""
    stated = {
        reading
        for part in parts
        if part.equation is not None
        for reading in (*part.equation.arithmetic.operands, *part.equation.arithmetic.quotients())
    }
    told = {reading for mention in mentions(problem.solution) for reading in mention.readings}
    given = [entry for entry in program.entries if entry.expression is None]
    held = [
        frozenset(entry.variable for entry in given if whole_as_int(entry.value) not in set(map(whole_as_int, written)))
        for written in (stated | told, stated)
    ]
    return list(dict.fromkeys(held))


@dataclass(slots=True)
class _Writer:
    """Writes the code and the steps of a template, a line after the other."""

    problem: Problem
    functions: ProgramFunctions
    code: list[str] = field(default_factory=list)
    steps: list[dict[str, object]] = field(default_factory=list)
    _variables: dict[Values, Variable] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)
    _given: list[Variable] = field(default_factory=list)

    def written(self, parts: Sequence[LinePart], equations: Sequence[AlignedEquation]) -> str:
        """Return the JSON of the template."""
        self._names = {entry.variable for entry in self.functions.trace.entries}
        aligned = {id(equation.part): equation for equation in equations}
        for number in dict.fromkeys(part.line for part in parts):
            line = [part for part in parts if part.line == number]
            if any(id(part) in aligned for part in line):
                self._line(number, line, [aligned.get(id(part)) for part in line])
        answer = self._variables[self.functions.answer].name
        return template_json(self.code, self.steps, answer)

    def _line(self, number: int, parts: Sequence[LinePart], equations: Sequence[AlignedEquation | None]) -> None:
        self._given = []
        self.code.append(f"    # L{number}")
        worded, output = [], ""
        for part, equation in zip(parts, equations, strict=True):
            if equation is None or part.equation is None:
                worded.append(part.text)
                continue
            operands = [self._operand(quantity, equation) for quantity in equation.operands]
            variable = self._variables.get(equation.result)
            if variable is None:
                variable = self._result(equation)
                self.code.append(
                    f"    {variable.name} = {equation.function.format(equation.arithmetic.code([operand.name for operand in operands]))}"
                )
            placed = list(zip(equation.spans, operands, strict=True))
            worded.append(line_template(part.text, part.equation, placed, variable))
            output = variable.name
        self.code.append("")
        self.steps.append(
            {
                "line_number": f"L{number}",
                "question_inputs": [given.name for given in self._given if given.comment is not None],
                "WK_inputs": [given.name for given in self._given if given.comment is None],
                "output_variable": output,
                "solution_line_template": "".join(worded),
            }
        )

    def _result(self, equation: AlignedEquation) -> Variable:
        """Return a new variable for a result, named as in the program, else by the words that follow it."""
        part = equation.part
        name = self.functions.variables.get(equation.result, "")
        if not name or name in _EMPTY_NAMES:
            end = part.equation.result[1] if part.equation is not None else 0
            place = REPEATED.match(part.text, end).end()  # type: ignore[union-attr]  # it matches nothing, too
            name = unused_name(name_after(part.text, place, place, fallback=f"result_{part.line}"), self._names)
        return self._add(Variable(name, equation.result[0]), equation.result)

    def _operand(self, quantity: AlignedQuantity, equation: AlignedEquation) -> Variable:
        known = self._variables.get(quantity.values)
        if known is not None:
            return known
        if quantity.kind is QuantityKind.UNSTATED:
            return self._unstated(quantity.variable)
        if quantity.kind is QuantityKind.INPUT:
            return self._input(quantity.variable)
        return self._constant(quantity, equation)

    def _input(self, name: str) -> Variable:
        entry = self.functions.trace.by_name[name]
        value = whole_as_int(entry.value)
        comment = input_comment(self.problem.question, name, value, entry.comment)
        return self._give(Variable(name, value, comment), self.functions.variable(name))

    def _constant(self, quantity: AlignedQuantity, equation: AlignedEquation) -> Variable:
        """Return an input for a number that the program has no variable for, of the question where that alone can give it."""
        value, text = quantity.values[0], equation.part.text
        question = self.problem.question
        named = any(entry.role.is_input and entry.value == value for entry in self.functions.trace.entries)
        meant = [] if named else [mention for mention in mentions(question) if value in mention.readings]
        if len(meant) == 1:
            mention = meant[0]
            name = name_after(question, mention.end, mention.start, fallback="number")
            if mention.readings[0] != value and mention.text.isidentifier():
                # The 2 of `half` is no number of what follows.
                name = mention.text.lower()
            comment = quote(question, mention.start, mention.end)
            return self._give(Variable(unused_name(name, self._names), value, comment), quantity.values)
        start, end = equation.spans[equation.operands.index(quantity)]
        name = name_after(text, end, start, fallback="constant")
        return self._give(Variable(unused_name(name, self._names), value, "" if meant else None), quantity.values)

    def _unstated(self, name: str) -> Variable:
        """Return a variable that the solution uses without having stated it, after what it is computed from."""
        entry = self.functions.trace.by_name[name]
        expression = entry.expression
        if expression is None:
            return self._input(name)
        for read in entry.reads:
            values = self.functions.variable(read)
            variable = self._variables.get(values) or self._unstated(read)
            expression = renamed(expression, read, variable.name) if variable.name != read else expression
        if isinstance(expression, ir.Name):
            return self._variables[self.functions.variable(name)]
        self.code.append(f"    {name} = {unparse(expression)}")
        return self._add(Variable(name, whole_as_int(entry.value)), self.functions.variable(name))

    def _give(self, variable: Variable, values: Values) -> Variable:
        self.code.append(input_code(variable.name, variable.value, variable.comment))
        self._given.append(variable)
        return self._add(variable, values)

    def _add(self, variable: Variable, values: Values) -> Variable:
        self._variables[values] = variable
        return variable
