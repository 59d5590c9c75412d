"""Mutation operator: a step uses a quantity as it was before the solution changed it."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, StepNode, mutation_operator, single_reads
from generators.flaws.plausibility import Reason, confusion_reasons, weight_of
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import is_conversion_factor
from harness.program import ir
from harness.program.expression_nodes import operands
from harness.solution.labels import ErrorType


@mutation_operator(
    "failure_to_update_state",
    MutationExample(
        "# L1\nstart = 20 # 20 pens\nlost = 4 # 4 pens\nleft = start - lost\n"
        "# L2\nfriends = 2 # 2 friends\neach = left / friends",
        ("each = start / friends",),
    ),
    MutationExample("# L1\na = 3 # 3 cats\nb = 4 # 4 dogs\nc = a * b\n# L2\nd = 5 # 5 birds\ne = c + d", ()),
    error_type=ErrorType.FAILURE_TO_UPDATE_STATE,
    explanation="The step uses {now}, but {was}, which follows from it, is needed. It should be {right}, not {wrong}.",
)
def failure_to_update_state(source: FlawSource) -> Iterator[Mutant]:
    """Yield the reads of a computed quantity replaced with one that it was computed from, counted alike."""
    for place in single_reads(source):
        yield from _older_reads(place)


def _older_reads(place: StepNode[ir.Name]) -> Iterator[Mutant]:
    source, name = place.source, place.node.name
    seen = set(ir.names_in_order(source.expression(place.variable)))
    values = {source.values[name]}
    generation = [name]
    for age in (0, 1):
        older = list(dict.fromkeys(read for entry in generation for read in source.trace.by_name[entry].reads))
        for old in older:
            # The 7 of `days per week` is no earlier number of eggs.
            counted_alike = source.units[old].noun == source.units[name].noun
            factor = is_conversion_factor(source.trace.by_name[old]) and not counted_alike
            if old in seen or factor or old in source.coefficients:
                continue
            seen.add(old)
            reasons = _reasons(source, place.variable, name, old, age)
            if source.values[old] not in values and weight_of(reasons) > 0:
                values.add(source.values[old])
                yield place.mutant(ir.Name(old), *reasons)
        generation = older


def _reasons(source: FlawSource, variable: str, name: str, old: str, age: int) -> list[Reason]:
    reasons = confusion_reasons(source, variable, name, old)
    if source.units[name].quantity is not source.units[old].quantity:
        reasons.append(("another quantity", -0.2))
    match source.trace.by_name[name].expression:
        case ir.Binary("+" | "-" as operator, left, right):
            if left == ir.Name(old) or (operator == "+" and right == ir.Name(old)):
                reasons.append(("the state before a change", 0.3))
            elif operator == "-" and ir.Name(old) in (right, *operands(right)):
                reasons.append(("what was taken away", -0.2))
        case ir.Binary():
            reasons.append(("computed, not changed", -0.1))
    return [*reasons, ("two changes back", -0.1)] if age else reasons
