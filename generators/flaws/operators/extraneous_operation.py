"""Mutation operator: one operation too many, which an earlier step did already, or an average instead of a sum."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, leaves, mutation_operator, summands
from generators.flaws.plausibility import is_bare_factor, variables_clash
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import conversions
from harness.program import ir
from harness.solution.labels import ErrorType
from harness.solution.trace import TraceEntry

_COUNTED = frozenset({Quantity.COUNT, Quantity.TIME})
_OTHER_SIGN = {"+": "-", "-": "+"}


@mutation_operator(
    "extraneous_operation",
    MutationExample(
        "# L1\nred = 8  # 8 pens\nblue = 6  # 6 pens\ntotal = red + blue\n# L2\nlost = 3  # 3 pens\nleft = total - lost",
        ("left = total - lost + blue", "left = total - lost + red", "total = (red + blue) / 2"),
    ),
    error_type=ErrorType.EXTRANEOUS_OPERATION,
    explanation="One operation is too many here: the step ends with {right}, and nothing calls for {wrong}.",
)
def extraneous_operation(source: FlawSource) -> Iterator[Mutant]:
    """Yield each step with one more operation: one that a step before it did already, or a division of a sum by the number of its terms."""
    for step in (step for step in source.steps if step.variable not in source.simplified):
        for operator, other in _done_before(source, step):
            if _is_repeatable(source, step, operator, other.name):
                yield _longer_step(source, step, operator, other, "done before")
        terms = summands(source.expression(step.variable))
        names = [term.name for term in terms if isinstance(term, ir.Name)]
        if 1 < len(names) == len(terms) and not any(variables_clash(source, step.variable, name) for name in names):
            yield _longer_step(source, step, "/", ir.Const(len(terms)), "an average")


def _done_before(source: FlawSource, step: TraceEntry) -> Iterator[tuple[str, ir.Name]]:
    """Yield the operations of the steps that this step reads, with an operand that the step does not read."""
    expression = source.expression(step.variable)
    for name in step.reads:
        before = source.trace.by_name[name].expression
        if not isinstance(before, ir.Binary) or conversions(source, name):
            continue
        operator = before.operator
        if operator in _OTHER_SIGN:
            if not isinstance(expression, ir.Binary) or expression.operator not in _OTHER_SIGN:
                continue
            if expression.right == ir.Name(name) and expression.operator == "-":
                # What a subtracted sum adds is subtracted.
                operator = _OTHER_SIGN[operator]
        sides = [before.right, before.left] if before.operator in "+*" else [before.right]
        variables = [side for side in sides if isinstance(side, ir.Name)]
        # To a running number, only what it was changed by is added again.
        given = [side for side in variables if source.trace.by_name[side.name].role.is_input]
        yield from ((operator, other) for other in given or variables if other not in leaves(expression))


def _is_repeatable(source: FlawSource, step: TraceEntry, operator: str, other: str) -> bool:
    """Tell whether the operation makes sense here: like with like, and a given count or time as a factor."""
    if is_bare_factor(source, other) or source.values[other] in {0, 1}:
        return False
    if operator in "+-":
        return not variables_clash(source, step.variable, other)
    counted = source.units[other].quantity in _COUNTED and source.trace.by_name[other].role.is_input
    return operator in "*/" and counted


def _longer_step(source: FlawSource, step: TraceEntry, operator: str, extra: ir.Expr, why: str) -> Mutant:
    final = (("the last step", 0.1),) if step.variable == source.final else ()
    expression = ir.Binary(operator, source.expression(step.variable), extra)
    return Mutant(step.variable, "nothing more", extra, expression=expression, reasons=((why, 0.2), *final))
