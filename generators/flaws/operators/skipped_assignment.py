"""Mutation operator: a step is left out, and later steps use one of its operands instead of its result, or do without it."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.quantity_confusion import confusion_reasons
from generators.flaws.knowledge.quantity_roles import alone_on_line, is_bare_factor, leaves, summands, variables_clash
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.expression_nodes import nodes, without_operand
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import NOTHING, explanation_phrases
from harness.solution.trace import TraceEntry
from harness.text.names import variable_phrase

_PHRASES = explanation_phrases("skipped_assignment")
EXAMPLES = (
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
        "# L1\nann_cards = 6  # 6 cards\ntimes_as_many = 3  # 3 times as many\nbob_cards = ann_cards * times_as_many\n"
        "# L2\npacks = 2  # 2 packs\nbob_packs = bob_cards / packs\n# L3\nboth = bob_packs + ann_cards",
        (("bob_cards", "-> ann_cards"), ("bob_packs", "-> bob_cards"), ("bob_packs", "left out: ann_cards")),
    ),
    MutationExample(
        "# L1\nhours = 2  # 2 hours\nminutes_per_hour = 60\nminutes = hours * minutes_per_hour\n"
        "# L2\nbreaks = 15  # 15 minutes\nwork = minutes - breaks",
        (),
    ),
)


@mutation_operator("skipped_assignment", error_type=ErrorType.SKIPPED_STEP, examples=EXAMPLES)
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
    """Yield the step overlooked: its one reader adds or subtracts one term less."""
    readers = source.readers(step.variable)
    if len(readers) != 1 or conversions(source, readers[0].variable) or step.variable in _factors(source, readers[0]):
        return
    reader = readers[0].variable
    expression = without_operand(source.expression(reader), step.variable)
    if expression is None or not alone_on_line(source, reader):
        return
    calculates = isinstance(expression, ir.Binary)
    if not calculates and step.variable not in {
        term.name for term in summands(source.expression(reader)) if isinstance(term, ir.Name)
    }:
        return
    yield Mutant(
        step.variable,
        variable_phrase(step.variable),
        NOTHING,
        _PHRASES["left_out"],
        expression=expression,
        reader=reader,
        reasons=(("a part overlooked", 0.3 if calculates else 0.0),),
    )


def _factors(source: FlawSource, reader: TraceEntry) -> set[str]:
    """Return the factor or divisor of a step, which people do not overlook."""
    return {
        leaf.name
        for _, node in nodes(source.expression(reader.variable))
        if isinstance(node, ir.Binary) and node.operator not in "+-"
        for leaf in (node.left, node.right)
        if isinstance(leaf, ir.Name)
    }


def _rewired(source: FlawSource, step: TraceEntry) -> Iterator[Mutant]:
    readers = source.readers(step.variable)
    known = {entry.variable for entry in source.in_scope(step.variable)}
    for operand in step.reads:
        # A reader that has the operand already would subtract it from itself, or count it twice.
        if not readers or operand not in known or any(operand in reader.reads for reader in readers):
            continue
        if (
            is_bare_factor(source, operand)
            or variables_clash(source, step.variable, operand)
            or _divides(source, step, operand)
        ):
            continue
        if source.values[operand] != step.value:
            yield Mutant(
                step.variable,
                variable_phrase(step.variable),
                variable_phrase(operand),
                _PHRASES["phrases"],
                rewired=operand,
                reasons=(
                    *confusion_reasons(source, readers[0].variable, step.variable, operand),
                    *((("worked out before", 0.1),) if not source.trace.by_name[operand].role.is_input else ()),
                    *((("what is taken away", -0.3),) if _taken_away(source, step, operand) else ()),
                ),
            )


def _divides(source: FlawSource, step: TraceEntry, operand: str) -> bool:
    """Tell whether the operand is the divisor of the step; people do not continue with a divisor."""
    expression = source.expression(step.variable)
    return any(
        isinstance(node, ir.Binary) and node.operator in {"/", "//", "%"} and ir.Name(operand) in leaves(node.right)
        for _, node in nodes(expression)
    )


def _taken_away(source: FlawSource, step: TraceEntry, operand: str) -> bool:
    match source.expression(step.variable):
        case ir.Binary("-", _, ir.Name(name)):
            return name == operand
    return False
