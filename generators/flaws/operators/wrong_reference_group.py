"""Mutation operator: a step uses the same kind of quantity of another person, thing or group."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import (
    Mutant,
    MutationExample,
    StepNode,
    most_plausible,
    mutation_operator,
    reads_a_result,
    single_reads,
)
from generators.flaws.plausibility import Reason, confusion_reasons, is_bare_factor, telling_words, weight_of
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import is_conversion_factor
from harness.program import ir
from harness.solution.labels import ErrorType

LEAST_WEIGHT = 0.25
MOST_PER_PLACE = 4


@mutation_operator(
    "wrong_reference_group",
    MutationExample(
        "# L1\nboys = 8 # 8 children\ngirls = 12 # 12 children\nall_children = boys + girls\n"
        "# L2\nper_boy = 3 # 3 pens\nboy_pens = boys * per_boy\n# L3\nrest_children = all_children - boys",
        ("boy_pens = girls * per_boy", "rest_children = all_children - girls"),
    ),
    MutationExample(
        "# L1\nprice = 80 # $80\ntax = 0.1 # 10% tax\ntaxes = price * tax\n"
        "# L2\ntip = 0.05 # 5% tip\ntips = price * tip\n# L3\npaid = price + taxes + tips",
        ("taxes = price * tip", "tips = price * tax", "tips = taxes * tip", "paid = price + taxes + tax"),
    ),
    MutationExample("# L1\nh = 2 # 2 hours\nm = h * 60\n# L2\npages = 3 # 3 pages\nread = m * pages", ()),
    error_type=ErrorType.WRONG_REFERENCE_GROUP,
    explanation="The step uses {now} in the place of {was}. It should be {right}, not {wrong}.",
)
def wrong_reference_group(source: FlawSource) -> Iterator[Mutant]:
    """Yield the reads of a variable replaced with another of its kind that it was not computed from.

    A number of the question that is no group, such as a price, and is taken for another one is an input misrepresented.
    """
    ancestors: dict[str, set[str]] = {}
    for entry in source.trace.entries:
        ancestors[entry.variable] = {*entry.reads}.union(*(ancestors[read] for read in entry.reads))
    for place in single_reads(source):
        name = place.node.name
        if name in source.units and not reads_a_result(source, place.variable, name):
            excluded = {*ancestors[name], *ir.names_in_order(source.expression(place.variable))}
            yield from most_plausible(_other_reads(place, excluded))[:MOST_PER_PLACE]


def _other_reads(place: StepNode[ir.Name], excluded: set[str]) -> Iterator[Mutant]:
    source, name = place.source, place.node.name
    # What reads like an outdated value is one, whichever variable has it.
    values = {source.values[other] for other in excluded if other in source.values}
    given = {entry.variable for entry in source.inputs} - source.world_knowledge
    for entry in source.in_scope(place.variable):
        other = entry.variable
        alike = is_bare_factor(source, name) == is_bare_factor(source, other)
        if other in excluded or entry.value in values or is_conversion_factor(entry) or not alike:
            continue
        reasons = _reasons(source, place.variable, name, other)
        if not source.units[name].clashes(source.units[other]) and weight_of(reasons) >= LEAST_WEIGHT:
            values.add(entry.value)
            numbers = {name, other} <= given and source.units[name].quantity is not Quantity.COUNT
            misread = ErrorType.INPUT_MISREPRESENTATION if numbers else None
            yield place.mutant(ir.Name(other), *reasons, error_type=misread)


def _reasons(source: FlawSource, variable: str, name: str, other: str) -> list[Reason]:
    reasons = confusion_reasons(source, variable, name, other)
    given = source.trace.by_name[name].role.is_input, source.trace.by_name[other].role.is_input
    if given[0] is given[1]:
        reasons.append(("both given" if given[0] else "both computed", 0.1))
    if "" in {source.units[name].noun, source.units[other].noun} and not telling_words(name) & telling_words(other):
        reasons.append(("nothing in common", -0.3))
    if name in source.trace.by_name[other].reads:
        reasons.append(("computed from it", -0.2))
    return reasons
