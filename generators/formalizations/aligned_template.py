"""The template of a problem's own solution in the variables of a program that computes the same."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from generators.formalizations.program_alignment import (
    AlignedEquation,
    AlignedQuantity,
    ProgramFunctions,
    align_equations,
)
from generators.formalizations.solution_equations import LineEquation, line_equations
from generators.formalizations.template_writer import TemplateWriter, Variable, part_template, require_plain
from harness.domain import Exact, Problem
from harness.equations.quantities import Quantity
from harness.program import ir
from harness.program.expression_nodes import filled
from harness.program.syntax.unparser import unparse
from harness.solution.trace import Trace
from harness.text.names import name_after
from harness.text.numbers import mentions, whole_as_int
from harness.text.sentences import quote

_EMPTY_NAMES = frozenset(["answer", "ans", "result", "final_answer", "returned", "solution"])
"""Names of variables that do not describe the quantity."""


def aligned_template(problem: Problem, program: Trace) -> str:
    """Return the JSON of the template whose lines are the problem's solution and whose variables are the program's.

    Inputs of the program whose values the solution never writes keep their values: `48/2` for a parameter of a half.

    Raises:
        Refusal: an annotation is malformed, a line has braces, or the template is too large.
        AlignmentError: the solution is not read as the steps of the program.
    """
    require_plain(problem.solution)
    lines = [line_equations(line, number) for number, line in enumerate(problem.solution.split("\n"), start=1)]
    equations = list(chain.from_iterable(lines))
    functions = ProgramFunctions(program, _held(equations, program))
    aligned = iter(align_equations(equations, functions))
    return _ProgramWriter(problem, functions).template([[next(aligned) for _ in line] for line in lines if line])


def _held(equations: Sequence[LineEquation], program: Trace) -> frozenset[str]:
    """Return the inputs whose values no equation of the solution writes, as a number or as a fraction."""
    joined = [own.with_fractions(lambda _top, _bottom: True) for own in equations]
    stated = {value for own in (*equations, *joined) for value in own.values}
    given = (entry for entry in program.entries if entry.expression is None)
    return frozenset(entry.variable for entry in given if whole_as_int(entry.value) not in stated)


@dataclass(slots=True)
class _ProgramWriter:
    """Writes a template in the variables of a program."""

    problem: Problem
    functions: ProgramFunctions
    writer: TemplateWriter = field(default_factory=TemplateWriter)
    _variables: dict[Quantity, Variable] = field(default_factory=dict)

    def template(self, lines: Sequence[Sequence[AlignedEquation]]) -> str:
        # Names of the program are kept for its own variables.
        self.writer.names = {entry.variable for entry in self.functions.trace.entries}
        for line in lines:
            wording = []
            for aligned in line:
                operands = [self._operand(quantity, aligned) for quantity in aligned.operands]
                output = self._variables.get(aligned.result) or self._result(aligned, operands)
                wording.append(part_template(aligned.equation, operands, output))
            self.writer.end(line[0].equation.line, output, "".join(wording))
        return self.writer.json(self._variables[self.functions.answer].name)

    def _result(self, aligned: AlignedEquation, operands: Sequence[Variable]) -> Variable:
        """Return a new variable for a result, named as in the program, else by the words that follow it."""
        name = self.functions.variables.get(aligned.result, "")
        if name and name not in _EMPTY_NAMES:
            self.writer.names.discard(name)
        else:
            name = aligned.equation.result_name()
        code = self.writer.code_of(aligned.equation, operands)
        return self._add(self.writer.assign(name, aligned.equation.value or 0, code), aligned.result)

    def _operand(self, quantity: AlignedQuantity, aligned: AlignedEquation) -> Variable:
        known = self._variables.get(quantity.quantity)
        if known is not None:
            return known
        return self._of_program(quantity.variable) if quantity.variable else self._constant(quantity, aligned)

    def _of_program(self, name: str) -> Variable:
        """Return a variable of the program: an input, or one that the solution does not state, after what it is computed from."""
        entry, quantity = self.functions.trace.by_name[name], self.functions.scope[name]
        value, expression = whole_as_int(entry.value), entry.expression
        self.writer.names.discard(name)
        if expression is None:
            comment = input_comment(self.problem.question, value, entry.comment)
            return self._add(self.writer.give(name, value, comment), quantity)
        scope = self.functions.scope
        known = {read: self._variables.get(scope[read]) or self._of_program(read) for read in entry.reads}
        if isinstance(expression, ir.Name):
            return self._variables[quantity]
        code = unparse(filled(expression, {read: ir.Name(variable.name) for read, variable in known.items()}))
        return self._add(self.writer.assign(name, value, code), quantity)

    def _constant(self, quantity: AlignedQuantity, aligned: AlignedEquation) -> Variable:
        """Return an input for a number that the program has no variable for, of the question where that alone can give it."""
        value, question, text = quantity.quantity.value, self.problem.question, aligned.equation.text
        named = any(entry.role.is_input and entry.value == value for entry in self.functions.trace.entries)
        meant = [] if named else [mention for mention in mentions(question) if value in mention.readings]
        if len(meant) == 1:
            mention = meant[0]
            name = name_after(question, mention.end, mention.start, fallback="number")
            if mention.readings[0] != value and mention.text.isidentifier():
                # The 2 of `half` is no number of what follows.
                name = mention.text.lower()
            comment: str | None = quote(question, mention.start, mention.end)
        else:
            number = aligned.equation.operands[aligned.operands.index(quantity)]
            name = name_after(text, number.end, number.start, fallback="constant")
            comment = "" if meant else None
        return self._add(self.writer.give(name, value, comment), quantity.quantity)

    def _add(self, variable: Variable, quantity: Quantity) -> Variable:
        self._variables[quantity] = variable
        return variable


def input_comment(question: str, value: Exact, comment: str) -> str | None:
    """Return the comment of an input, `None` for world knowledge.

    A comment that does not quote the number gets the quote after it where one number of the question alone has the value.
    """
    meant = [mention for mention in mentions(question) if value in mention.readings]
    if not meant:
        return None
    if len(meant) > 1 or any(value in mention.readings for mention in mentions(comment)):
        return comment
    quoted = quote(question, meant[0].start, meant[0].end)
    return f"{comment}: {quoted}" if comment else quoted
