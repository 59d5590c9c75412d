"""Mutation operator: a step uses the same kind of quantity of another person, thing or group."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.flaws.knowledge.conversion_steps import is_conversion_factor
from generators.flaws.knowledge.linear_equations import leaf_value
from generators.flaws.knowledge.quantity_confusion import confusion_reasons, expression_in_words, units_clash, words_of
from generators.flaws.knowledge.quantity_roles import leaves
from generators.flaws.mutants.step_node import StepNode, reads_a_result, single_reads
from generators.flaws.mutation_operator import (
    Mutant,
    MutationExample,
    Reason,
    most_plausible,
    mutation_operator,
    weight_of,
)
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.names import variable_words

LEAST_WEIGHT = 0.25
_REDUCED = re.compile(
    r"\b(?:discount|off|reduc\w+|less|decreas\w+|loss|lost|spent|deduct\w*|sold|used|eaten|gave|given)\b"
)
_MULTIPLE = re.compile(r"\b(?:times (?:as|more|less|the)|twice|thrice|double[ds]?|tripled?|multiplier|multiple)\b")
MOST_PER_PLACE = 3
_PHRASES = explanation_phrases("wrong_reference_group")


@mutation_operator(
    "wrong_reference_group",
    error_type=ErrorType.WRONG_REFERENCE_GROUP,
    examples=(
        MutationExample(
            "# L1\nboys = 8 # 8 children\ngirls = 12 # 12 children\nall_children = boys + girls\n"
            "# L2\nper_boy = 3 # 3 pens\nboy_pens = boys * per_boy\n# L3\nrest_children = all_children - boys",
            (
                ("boy_pens", "girls * per_boy"),
                ("rest_children", "all_children - girls"),
            ),
        ),
        MutationExample(
            "# L1\nann_hours = 2 # 2 hours\nann_pay = 11 # $11\nann_earned = ann_hours * ann_pay\n"
            "# L2\nbob_hours = 5 # 5 hours\nbob_pay = 9 # $9\nbob_earned = bob_hours * bob_pay",
            (
                ("ann_earned", "bob_hours * ann_pay"),
                ("ann_earned", "ann_hours * bob_pay"),
                ("bob_earned", "ann_hours * bob_pay"),
                ("bob_earned", "bob_hours * ann_pay"),
                ("bob_earned", "bob_hours * ann_earned"),
            ),
        ),
        MutationExample(
            "# L1\nmeal = 80 # $80\ntax_rate = 0.1 # 10% tax\ntax = meal * tax_rate\n"
            "# L2\ntip_rate = 0.05 # 5% tip\ntip = meal * tip_rate\n# L3\nbill = meal + tax + tip",
            (("tax", "meal * tip_rate"), ("tip", "meal * tax_rate"), ("tip", "(meal + tax) * tip_rate")),
        ),
        MutationExample(
            "# L1\nhours = 2 # 2 hours\nminutes = hours * 60\n# L2\npages = 3 # 3 pages\nread = minutes * pages", ()
        ),
    ),
)
def wrong_reference_group(source: FlawSource) -> Iterator[Mutant]:
    """Yield the reads of a variable replaced with another of its kind that it was not computed from."""
    ancestors = _ancestors(source)
    for place in single_reads(source):
        name = place.node.name
        if name in source.units and not reads_a_result(source, place.variable, name):
            excluded = {*ancestors[name], *ir.names_in_order(source.expression(place.variable))}
            yield from most_plausible(_replaced(place, excluded))[:MOST_PER_PLACE]
            yield from _changed_base(place)


def _changed_base(place: StepNode[ir.Name]) -> Iterator[Mutant]:
    """Yield a share of a base as the share of what another share made of the base: the tip on the bill with its tax."""
    source, base = place.source, place.node.name
    if not _takes_a_share(source, place.variable, base):
        return
    names = [step.variable for step in source.steps]
    for step in source.steps[: names.index(place.variable)]:
        if not _takes_a_share(source, step.variable, base) or step.value == source.values[base]:
            continue
        if any(
            base in later.reads and step.variable in later.reads
            for later in source.steps[: names.index(place.variable)]
        ):
            # The base with that share has a variable of its own, and the wrong one is another operator's.
            continue
        sign = "-" if _REDUCED.search(variable_words(step.variable)) else "+"
        new = ir.Binary(sign, ir.Name(base), ir.Name(step.variable))
        was, now = variable_words(base), expression_in_words(new)
        yield place.mutant(new, _PHRASES["phrases"], ("the share of a changed base", 0.2), was=was, now=now)


def _takes_a_share(source: FlawSource, variable: str, base: str) -> bool:
    """Tell whether a step works out a share of a base: `base * share`, or percents of it."""
    expression = source.expression(variable)
    factors = [leaf.name for leaf in leaves(expression) if isinstance(leaf, ir.Name)]
    multiplies = all(node.operator in "*/" for _, node in nodes(expression) if isinstance(node, ir.Binary))
    if not multiplies or factors.count(base) != 1 or not isinstance(expression, ir.Binary):
        return False
    return any(source.units[name].quantity is Quantity.SHARE for name in factors if name != base) or any(
        leaf_value(source, leaf) == 100 for leaf in leaves(expression)
    )


def _replaced(place: StepNode[ir.Name], excluded: set[str]) -> Iterator[Mutant]:
    source, variable, name = place.source, place.variable, place.node.name
    # What reads like an outdated value is one, whichever variable has it.
    values = {source.values[other] for other in excluded if other in source.values}
    for entry in source.in_scope(variable):
        other = entry.variable
        if other in excluded or entry.value in values or is_conversion_factor(entry):
            continue
        if units_clash(source.units[name], source.units[other]) or _is_multiple(source, name) != _is_multiple(
            source, other
        ):
            continue
        reasons = _reasons(source, variable, name, other)
        if weight_of(reasons) >= LEAST_WEIGHT:
            values.add(entry.value)
            was, now = variable_words(name), variable_words(other)
            yield place.mutant(ir.Name(other), _PHRASES["phrases"], *reasons, was=was, now=now)


def _is_multiple(source: FlawSource, variable: str) -> bool:
    """Tell whether a given number says how many times as much something is, such as the 2 of `twice`."""
    return source.trace.by_name[variable].role.is_input and _MULTIPLE.search(source.described[variable]) is not None


def _reasons(source: FlawSource, variable: str, name: str, other: str) -> list[Reason]:
    reasons = confusion_reasons(source, variable, name, other)
    given = source.trace.by_name[name].role.is_input, source.trace.by_name[other].role.is_input
    if given[0] is given[1]:
        reasons.append(("both given" if given[0] else "both computed", 0.1))
    nouns = source.units[name].noun, source.units[other].noun
    if "" in nouns and not words_of(name) & words_of(other):
        reasons.append(("nothing in common", -0.3))
    if name in source.trace.by_name[other].reads:
        reasons.append(("computed from it", -0.2))
    return reasons


def _ancestors(source: FlawSource) -> dict[str, set[str]]:
    """Return the variables that each variable was computed from, directly or not."""
    ancestors: dict[str, set[str]] = {}
    for entry in source.trace.entries:
        ancestors[entry.variable] = {*entry.reads}.union(*(ancestors[read] for read in entry.reads))
    return ancestors
