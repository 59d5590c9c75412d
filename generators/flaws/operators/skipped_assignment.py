"""Mutation operator: a step is left out, and later steps use one of its operands instead of its result, or do without it."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.quantity_confusion import (
    alone_on_line,
    confusion_reasons,
    is_bare_factor,
    leaves,
    summands,
    variables_clash,
)
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.expression_nodes import nodes, without_operand
from harness.solution.labels import ErrorType
from harness.solution.trace import TraceEntry


@mutation_operator(
    "skipped_assignment",
    error_type=ErrorType.SKIPPED_STEP,
    explanation="A step is skipped before this one: {right}. Its result is needed, not {now}.",
    examples=(
        MutationExample(
            "# L1\neggs = 12  # 12 eggs\nbroken = 3  # 3 eggs\nwhole = eggs - broken\n"
            "# L2\nprice = 2  # $2 each\nearned = whole * price",
            (("whole", "-> eggs"), ("whole", "-> broken")),
        ),
        MutationExample(
            "# L1\ncloth = 90  # 90 square feet\nwide = 4  # 4 feet\nlong = 6  # 6 feet\nlarge = wide * long\n"
            "# L2\nbroad = 2  # 2 feet\nhigh = 5  # 5 feet\nsmall = broad * high\n# L3\nleft = cloth - large - small",
            (
                ("large", "left out: cloth - small"),
                ("small", "left out: cloth - large"),
                ("small", "-> broad"),
                ("small", "-> high"),
                ("large", "-> wide"),
                ("large", "-> long"),
            ),
        ),
        MutationExample(
            "# L1\nhours = 2  # 2 hours\nminutes_per_hour = 60\nminutes = hours * minutes_per_hour\n"
            "# L2\nbreaks = 15  # 15 minutes\nwork = minutes - breaks",
            (),
        ),
    ),
)
def skipped_assignment(source: FlawSource) -> Iterator[Mutant]:
    """Yield the solution without each step but the last and its line; its readers read one of its operands, or one term less.

    Steps that convert units are another operator's.
    """
    for step in source.steps:
        skippable = step.variable != source.final and alone_on_line(source, step.variable)
        if skippable and not conversions(source, step.variable):
            yield from _rewired(source, step)
            yield from _left_out(source, step)


def _left_out(source: FlawSource, step: TraceEntry) -> Iterator[Mutant]:
    """Yield the step overlooked: the only step that reads it adds or subtracts one term less."""
    readers = source.readers(step.variable)
    if len(readers) != 1 or conversions(source, readers[0].variable):
        return
    reader = readers[0].variable
    before = source.expression(reader)
    if any(
        isinstance(node, ir.Binary) and node.operator not in "+-" and ir.Name(step.variable) in (node.left, node.right)
        for _, node in nodes(before)
    ):
        # Nobody overlooks a factor or a divisor.
        return
    expression = without_operand(before, step.variable)
    if expression is None or not alone_on_line(source, reader):
        return
    calculates = isinstance(expression, ir.Binary)
    if calculates or ir.Name(step.variable) in summands(before):
        reasons = (("a part overlooked", 0.3 if calculates else 0.0),)
        cause = "A step is skipped before this one: {right}. The line does without its result."
        was, now = ir.Name(step.variable), "nothing"
        yield Mutant(step.variable, was, now, expression=expression, reader=reader, cause=cause, reasons=reasons)


def _rewired(source: FlawSource, step: TraceEntry) -> Iterator[Mutant]:
    """Yield the step left out, its readers reading an operand; one that they read already would be counted twice."""
    readers = source.readers(step.variable)
    known = {entry.variable for entry in source.in_scope(step.variable)}
    for operand in step.reads:
        if not readers or operand not in known or any(operand in reader.reads for reader in readers):
            continue
        if is_bare_factor(source, operand) or variables_clash(source, step.variable, operand):
            continue
        if source.values[operand] != step.value and not _divides(source, step, operand):
            reasons = confusion_reasons(source, readers[0].variable, step.variable, operand)
            if not source.trace.by_name[operand].role.is_input:
                reasons.append(("worked out before", 0.1))
            match step.expression:
                case ir.Binary("-", _, ir.Name(name)) if name == operand:
                    reasons.append(("what is taken away", -0.3))
            was, now = ir.Name(step.variable), ir.Name(operand)
            yield Mutant(step.variable, was, now, rewired=operand, reasons=tuple(reasons))


def _divides(source: FlawSource, step: TraceEntry, operand: str) -> bool:
    """Tell whether the operand is the divisor of the step; people do not continue with a divisor."""
    return any(
        isinstance(node, ir.Binary) and node.operator in {"/", "//", "%"} and ir.Name(operand) in leaves(node.right)
        for _, node in nodes(source.expression(step.variable))
    )
