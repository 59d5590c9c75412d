"""Mutation operator: the right operations in the wrong order, with parentheses missing or in the wrong place."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.rewrite_rules import RewriteRule, rewritten
from generators.flaws.solution.source_solution import FlawSource
from harness.equations.derivation import LinearEquation, linear_equations
from harness.equations.equation import Number, Operation
from harness.program import ir
from harness.solution.labels import ErrorType
from harness.text.number_forms import format_value

_GROUPED = "The operations are grouped in the wrong way. It should be {right}, not {wrong}."
_ALIKE = {"a": "like b"}
_RULES = (
    RewriteRule("(a + b) * c", ("a + b * c",), _GROUPED),
    RewriteRule("(a - b) * c", ("a - b * c",), _GROUPED),
    RewriteRule("(a + b) / c", ("a + b / c",), _GROUPED),
    RewriteRule("(a - b) / c", ("a - b / c",), _GROUPED),
    RewriteRule("a / (b + c)", ("a / b + c",), _GROUPED),
    RewriteRule("a / (b - c)", ("a / b - c",), _GROUPED),
    RewriteRule("a / (b * c)", ("a / b * c",), _GROUPED),
    RewriteRule("a / b * c", ("a / (b * c)",), _GROUPED),
    RewriteRule("a + b * c", ("(a + b) * c",), _GROUPED, _ALIKE),
    RewriteRule("a - b * c", ("(a - b) * c",), _GROUPED, _ALIKE),
    RewriteRule("a * b - c", ("a * (b - c)",), _GROUPED, {"b": "like c"}),
    RewriteRule("a - b / c", ("(a - b) / c",), _GROUPED, _ALIKE),
    RewriteRule("a + b / c", ("(a + b) / c",), _GROUPED, _ALIKE),
)


@mutation_operator(
    "scoping_precedence",
    MutationExample(
        "# L1\nboys = 6 # 6 children\ngirls = 8 # 8 children\nchildren = boys + girls\n"
        "# L2\npens_each = 2 # 2 pens\npens = children * pens_each\n# L3\nlost = 1 # 1 pen\nleft = pens - lost",
        ("pens = boys + girls * pens_each", "left = children * (pens_each - lost)"),
    ),
    MutationExample("# L1\na = 5 # 5 pens\nb = 3 # 3 pens\nc = 2 # 2 pens\nd = a + b + c\n# L2\ne = d - a - b", ()),
    error_type=ErrorType.SCOPING,
    explanation=_GROUPED,
)
def scoping_precedence(source: FlawSource) -> Iterator[Mutant]:
    """Yield the expressions of all steps, and of a step with the one before it, with two operations grouped otherwise.

    An equation such as `2x - 5 = 13` takes its factor of the whole side: `2(x - 5) = 2x - 10 = 13`.
    """
    yield from rewritten(source, _RULES)
    for equation in linear_equations(source.problem.solution.split("\n")):
        for side in (equation.equation.left, equation.equation.right):
            match side:
                case Operation(
                    operator="+" | "-",
                    left=Operation(operator="*", left=Number() as factor, right=unknown),
                    right=Number() as term,
                ) if equation.is_unknown(unknown):
                    yield from _factor_mutants(source, equation, factor, term)


def _factor_mutants(source: FlawSource, equation: LinearEquation, factor: Number, term: Number) -> Iterator[Mutant]:
    """Yield the side `2x - 5` of an equation whose numbers are steps of its line as `2(x - 5) = 2x - 10`."""
    own = (step for step in source.steps if source.line_number(step.variable) == equation.place + 1)
    steps = {step.value: step.variable for step in own if isinstance(step.expression, ir.Unary)}
    if factor.value not in steps or term.value not in steps or factor.value is None or term.value is None:
        return
    by, variable = ir.Name(steps[factor.value]), steps[term.value]
    times, last = (equation.text[number.start : number.end] for number in (factor, term))
    joint = equation.text[equation.text.index(")", factor.end) + 1 : term.start]
    before, letter = f"{times}{equation.letter}{joint}{last}", equation.letter
    grouped = f"{times}({letter}{joint}{last})"
    equals = " = " if " = " in equation.text[equation.equation.start : equation.equation.end] else "="
    after = f"{grouped}{equals}{times}{letter}{joint}{format_value(factor.value * term.value)}"
    new = ir.Binary("*", by, source.expression(variable))
    cause = f"The factor belongs to the unknown alone. It should be {before}, not {grouped}."
    why = (("the factor of the whole side", 0.3),)
    parts = (before, after)
    yield Mutant(variable, ir.Name(variable), by, new, cause=cause, reasons=why, rewritten=parts, fractions=True)
