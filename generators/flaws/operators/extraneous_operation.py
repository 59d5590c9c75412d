"""Mutation operator: one operation too many, which an earlier step did already, or an average instead of a sum."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.quantity_confusion import is_bare_factor, leaves, summands, variables_clash
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.solution.labels import ErrorType
from harness.solution.trace import TraceEntry


@mutation_operator(
    "extraneous_operation",
    error_type=ErrorType.EXTRANEOUS_OPERATION,
    explanation="One operation is too many here: the step ends with {right}, and nothing calls for {wrong}.",
    examples=(
        MutationExample(
            "# L1\nred = 8  # 8 pens\nblue = 6  # 6 pens\ntotal = red + blue\n# L2\nlost = 3  # 3 pens\nleft = total - lost",
            (("left", "total - lost + blue"), ("left", "total - lost + red"), ("total", "(red + blue) / 2")),
        ),
        MutationExample(
            "# L1\npages = 60  # 60 pages\ndays = 5  # 5 days\ndaily = pages / days\n# L2\nlast = 2  # 2 pages\nrest = daily - last",
            (("rest", "(daily - last) / days"), ("daily", "pages / days / days")),
        ),
    ),
)
def extraneous_operation(source: FlawSource) -> Iterator[Mutant]:
    """Yield each step with one more operation: one that it or a step before it did already, or a division of a sum by the number of its terms."""
    for step in source.steps:
        expression = source.expression(step.variable)
        for operator, other in _done_before(source, step):
            if isinstance(other, ir.Name) and _is_repeatable(source, step, operator, other):
                yield _appended(source, step, operator, other, "done before")
        if isinstance(expression, ir.Binary) and expression.operator == "/" and isinstance(expression.right, ir.Name):
            divisor = expression.right
            if not conversions(source, step.variable) and _is_repeatable(source, step, "/", divisor):
                yield _appended(source, step, "/", divisor, "the division done twice")
        terms = summands(expression)
        names = [term.name for term in terms if isinstance(term, ir.Name)]
        if 1 < len(names) == len(terms) and not any(variables_clash(source, step.variable, name) for name in names):
            yield _appended(source, step, "/", ir.Const(len(terms)), "an average")


def _done_before(source: FlawSource, step: TraceEntry) -> Iterator[tuple[str, ir.Expr]]:
    """Yield the operations of the steps that this step reads, with an operand that the step does not read."""
    expression = source.expression(step.variable)
    for name in step.reads:
        before = source.trace.by_name[name].expression
        if not isinstance(before, ir.Binary) or conversions(source, name):
            continue
        operator = before.operator
        if operator in "+-" and not (isinstance(expression, ir.Binary) and expression.operator in "+-"):
            continue
        if operator in "+-" and isinstance(expression, ir.Binary) and expression.right == ir.Name(name):
            # What a subtracted sum adds is subtracted.
            operator = operator if expression.operator == "+" else {"+": "-", "-": "+"}[operator]
        sides = [before.right, before.left] if before.operator in "+*" else [before.right]
        given = [side for side in sides if isinstance(side, ir.Name) and source.trace.by_name[side.name].role.is_input]
        # To a running number, only what it was changed by is added again.
        for other in given or sides:
            if other not in leaves(expression):
                yield operator, other


def _is_repeatable(source: FlawSource, step: TraceEntry, operator: str, other: ir.Name) -> bool:
    """Tell whether the operation makes sense here: like with like, and a given count or time as a factor."""
    if is_bare_factor(source, other.name) or source.values[other.name] in {0, 1}:
        return False
    if operator in "+-":
        return not variables_clash(source, step.variable, other.name)
    countable = source.units[other.name].quantity in {Quantity.COUNT, Quantity.TIME}
    return operator in "*/" and countable and source.trace.by_name[other.name].role.is_input


def _appended(source: FlawSource, step: TraceEntry, operator: str, extra: ir.Name | ir.Const, why: str) -> Mutant:
    final = (("the last step", 0.1),) if step.variable == source.final else ()
    expression = ir.Binary(operator, source.expression(step.variable), extra)
    return Mutant(step.variable, "nothing more", extra, expression=expression, reasons=((why, 0.2), *final))
