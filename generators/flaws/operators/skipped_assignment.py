"""Mutation operator: a step is left out, and later steps use one of its operands instead of its result."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, alone_on_line, leaves, mutation_operator
from generators.flaws.plausibility import confusion_reasons, is_bare_factor, variables_clash
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import conversions
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.labels import ErrorType
from harness.solution.trace import TraceEntry


@mutation_operator(
    "skipped_assignment",
    MutationExample(
        "# L1\ncloth = 90  # 90 square feet\nwide = 4  # 4 feet\nlong = 6  # 6 feet\nlarge = wide * long\n"
        "# L2\nbroad = 2  # 2 feet\nhigh = 5  # 5 feet\nsmall = broad * high\n# L3\nleft = cloth - large - small",
        ("small -> broad", "small -> high", "large -> wide", "large -> long"),
    ),
    MutationExample(
        "# L1\nh = 2 # 2 hours\nf = 60 # 60 minutes in an hour\nm = h * f\n# L2\nb = 15 # 15 minutes\nw = m - b", ()
    ),
    error_type=ErrorType.SKIPPED_STEP,
    explanation="A step is skipped before this one: {right}. Its result is needed, not {now}.",
)
def skipped_assignment(source: FlawSource) -> Iterator[Mutant]:
    """Yield the solution without each step but the last and its line; its readers read one of its operands.

    Steps that convert units are another operator's.
    """
    for step in source.steps:
        readers = source.readers(step.variable)
        skippable = step.variable != source.final and alone_on_line(source, step.variable)
        if readers and skippable and not conversions(source, step.variable):
            yield from _operand_reads(source, step, readers)


def _operand_reads(source: FlawSource, step: TraceEntry, readers: list[TraceEntry]) -> Iterator[Mutant]:
    """Yield the step left out, its readers reading an operand, not its divisor; one that they read already would be counted twice."""
    expression = source.expression(step.variable)
    operations = (node for _, node in nodes(expression) if isinstance(node, ir.Binary))
    divisors = [leaves(node.right) for node in operations if node.operator in {"/", "//", "%"}]
    for operand in step.reads:
        if any(operand in reader.reads for reader in readers) or source.values[operand] == step.value:
            continue
        unlike = is_bare_factor(source, operand) or variables_clash(source, step.variable, operand)
        divides = any(ir.Name(operand) in divisor for divisor in divisors)
        if not unlike and not divides and operand not in source.coefficients:
            reasons = confusion_reasons(source, readers[0].variable, step.variable, operand)
            if not source.trace.by_name[operand].role.is_input:
                reasons.append(("worked out before", 0.1))
            if isinstance(expression, ir.Binary) and (expression.operator, expression.right) == ("-", ir.Name(operand)):
                reasons.append(("what is taken away", -0.3))
            was, now = ir.Name(step.variable), ir.Name(operand)
            yield Mutant(step.variable, was, now, rewired=operand, reasons=tuple(reasons))
