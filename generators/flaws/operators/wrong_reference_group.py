"""Mutation operator: a step uses the same kind of quantity of another person, thing or group."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import (
    Mutant,
    MutationExample,
    StepNode,
    most_possible,
    mutation_operator,
    reads_a_result,
    single_reads,
)
from generators.flaws.plausibility import Reason, confusion_reasons, is_bare_factor, weight_of, words_of
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import is_conversion_factor
from harness.program import ir
from harness.program.expression_nodes import nodes, replaced
from harness.solution.labels import ErrorType

LEAST_WEIGHT = 0.25
MOST_PER_PLACE = 3


@mutation_operator(
    "wrong_reference_group",
    error_type=ErrorType.WRONG_REFERENCE_GROUP,
    explanation="The step uses {now} in the place of {was}. It should be {right}, not {wrong}.",
    examples=(
        MutationExample(
            "# L1\nboys = 8 # 8 children\ngirls = 12 # 12 children\nall_children = boys + girls\n"
            "# L2\nper_boy = 3 # 3 pens\nboy_pens = boys * per_boy\n# L3\nrest_children = all_children - boys",
            ("boy_pens = girls * per_boy", "rest_children = all_children - girls"),
        ),
        MutationExample(
            "# L1\nprice = 80 # $80\ntax = 0.1 # 10% tax\ntaxes = price * tax\n"
            "# L2\ntip = 0.05 # 5% tip\ntips = price * tip\n# L3\npaid = price + taxes + tips",
            (
                *("taxes = price * tip", "tips = price * tax", "tips = taxes * tip", "paid = price + taxes + tax"),
                "tips = (price + taxes) * tip",
            ),
        ),
        MutationExample("# L1\nh = 2 # 2 hours\nm = h * 60\n# L2\npages = 3 # 3 pages\nread = m * pages", ()),
    ),
)
def wrong_reference_group(source: FlawSource) -> Iterator[Mutant]:
    """Yield the reads of a variable replaced with another of its kind that it was not computed from."""
    ancestors: dict[str, set[str]] = {}
    for entry in source.trace.entries:
        ancestors[entry.variable] = {*entry.reads}.union(*(ancestors[read] for read in entry.reads))
    for place in single_reads(source):
        name = place.node.name
        if name in source.units and not reads_a_result(source, place.variable, name):
            excluded = {*ancestors[name], *ir.names_in_order(source.expression(place.variable))}
            yield from most_possible(source, _replaced(place, excluded), MOST_PER_PLACE)
        yield from _enlarged(place)


def _replaced(place: StepNode[ir.Name], excluded: set[str]) -> Iterator[Mutant]:
    source, name = place.source, place.node.name
    # What reads like an outdated value is one, whichever variable has it.
    values = {source.values[other] for other in excluded if other in source.values}
    for entry in source.in_scope(place.variable):
        other = entry.variable
        alike = is_bare_factor(source, name) == is_bare_factor(source, other)
        if other in excluded or entry.value in values or is_conversion_factor(entry) or not alike:
            continue
        reasons = _reasons(source, place.variable, name, other)
        if not source.units[name].clashes(source.units[other]) and weight_of(reasons) >= LEAST_WEIGHT:
            values.add(entry.value)
            yield place.mutant(ir.Name(other), *reasons)


def _enlarged(place: StepNode[ir.Name]) -> Iterator[Mutant]:
    """Yield a share taken of a quantity together with an earlier share of it, such as a tip on the price and the tax."""
    source, whole = place.source, place.node
    form = _form(source.expression(place.variable), whole)
    for step in source.steps:
        if step.variable == place.variable:
            return
        alike = whole.name in step.reads and _form(source.expression(step.variable), whole) == form
        if alike and 0 < step.value < source.values[whole.name]:
            yield place.mutant(ir.Binary("+", whole, ir.Name(step.variable)), ("the whole with another share", 0.2))


def _form(expression: ir.Expr, whole: ir.Name) -> ir.Expr | None:
    """Return a product or quotient with a blank for every operand but the whole, `None` for another expression."""
    form = expression
    for path, node in nodes(expression):
        if isinstance(node, ir.Binary) and node.operator not in {"*", "/"}:
            return None
        if isinstance(node, ir.Name | ir.Const) and node != whole:
            form = replaced(form, path, ir.Const(None))
    return form if isinstance(form, ir.Binary) else None


def _reasons(source: FlawSource, variable: str, name: str, other: str) -> list[Reason]:
    reasons = confusion_reasons(source, variable, name, other)
    given = source.trace.by_name[name].role.is_input, source.trace.by_name[other].role.is_input
    if given[0] is given[1]:
        reasons.append(("both given" if given[0] else "both computed", 0.1))
    if "" in {source.units[name].noun, source.units[other].noun} and not words_of(name) & words_of(other):
        reasons.append(("nothing in common", -0.3))
    if name in source.trace.by_name[other].reads:
        reasons.append(("computed from it", -0.2))
    return reasons
