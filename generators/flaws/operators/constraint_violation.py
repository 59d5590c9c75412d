"""Mutation operator: a limit of the problem is ignored, such as a rounding, an extreme, a maximum or an exclusion."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.flaws.knowledge.quantity_roles import is_bare_factor, reader_text, variable_description, variables_clash
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.step_node import StepNode
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.explanation_phrases import EXTREME_WORDS, NO_ROUNDING, ROUNDING_WORDS, explanation_phrases
from harness.solution.labels import ErrorType
from harness.text.lexicon import word_lists
from harness.text.names import variable_phrase
from harness.text.operation_words import SMALL_LARGE, UP_DOWN

_LISTS = word_lists(__file__)
_PHRASES = explanation_phrases("constraint_violation")

_LIMIT = re.compile(rf"\b(?:{_LISTS.either('limit')})\b")
_EXCLUDED = re.compile(rf"\b(?:{_LISTS.either('excluded')})\b")
_OTHER_WAY = {"ceil": "floor", "floor": "ceil", "int": "ceil", "round": "floor"}
EXAMPLES = (
    MutationExample(
        "# L1\nhours = 45  # 45 hours\nlimit = 40  # over 40 hours\novertime = hours - limit\n"
        "# L2\nwage = 20  # $20\nregular_pay = limit * wage\n# L3\nextra = overtime * wage\n# L4\npay = regular_pay + extra",
        (("overtime", "hours"), ("regular_pay", "hours * wage")),
    ),
    MutationExample(
        "# L1\nguests = 45  # 45 guests\nseats = 8  # 8 seats\ntables = ceil(guests / seats)\n# L2\nprice = 10  # $10\ncost = tables * price",
        (("tables", "floor(guests / seats)"), ("tables", "guests / seats")),
    ),
    MutationExample(
        "# L1\neggs = 30  # 30 eggs\nbroken = 4  # 4 broken eggs\nwhole = eggs - broken\n# L2\nbought = 7  # 7 eggs\nbest = min(whole, bought)",
        (("best", "max(whole, bought)"), ("whole", "eggs")),
    ),
)


@mutation_operator("constraint_violation", error_type=ErrorType.CONSTRAINT_VIOLATION, examples=EXAMPLES)
def constraint_violation(source: FlawSource) -> Iterator[Mutant]:
    """Yield each step without its rounding, its choice of an extreme, its limit or its exclusion."""
    for step in source.steps:
        expression = source.expression(step.variable)
        for path, node in nodes(expression):
            place = StepNode(source, step.variable, path, node)
            match node:
                case ir.Call("ceil" | "floor" | "int" | "round" as function, (inside, *_)):
                    yield from _rounded(place, function, inside)
                case ir.Binary("//", left, right):
                    yield from _rounded(place, "floor", ir.Binary("/", left, right))
                case ir.Call("min" | "max" as function, arguments, ()) if len(arguments) > 1:
                    yield _chosen(place, function, arguments)
        whole = StepNode(source, step.variable, (), expression)
        yield from _unlimited(whole)
        yield from _uncapped(whole)


def _rounded(place: StepNode[ir.Expr], function: str, inside: ir.Expr) -> Iterator[Mutant]:
    other, was = _OTHER_WAY[function], ROUNDING_WORDS[function]
    yield place.mutant(
        ir.Call(other, (inside,)),
        _PHRASES["rounded_wrong"],
        ("rounded as one is used to", 0.4),
        was=was,
        now=ROUNDING_WORDS[other],
        words=UP_DOWN if function == "ceil" else tuple((down, up) for up, down in UP_DOWN),
    )
    if not isinstance(inside, ir.Const):
        yield place.mutant(inside, _PHRASES["not_rounded"], ("rounding forgotten", 0.2), was=was, now=NO_ROUNDING)


def _chosen(place: StepNode[ir.Expr], function: str, arguments: tuple[ir.Expr, ...]) -> Mutant:
    small_for_large = tuple((large, small) for small, large in SMALL_LARGE if large != "most")
    other = "max" if function == "min" else "min"
    return place.mutant(
        ir.Call(other, arguments),
        _PHRASES["chosen_wrong"],
        ("the other extreme", 0.4),
        was=EXTREME_WORDS[function],
        now=EXTREME_WORDS[other],
        words=SMALL_LARGE if function == "min" else small_for_large,
    )


def _unlimited(place: StepNode[ir.Expr]) -> Iterator[Mutant]:
    """Yield `total - limit` as `total`, and so with what does not count."""
    source = place.source
    match place.node:
        case ir.Binary("-", ir.Name() as total, ir.Name(taken)) if taken in source.trace.by_name:
            entry = source.trace.by_name[taken]
            if not entry.role.is_input or is_bare_factor(source, taken) or not source.values[taken]:
                return
            for pattern, phrases, why in (
                (_LIMIT, _PHRASES["limit_ignored"], "the limit overlooked"),
                (_EXCLUDED, _PHRASES["not_excluded"], "the exception overlooked"),
            ):
                if pattern.search(variable_description(entry)) is not None:
                    limit = variable_phrase(taken)
                    yield place.mutant(total, _with_limit(phrases, limit), (why, 0.3), was=limit)
                    return


def _uncapped(place: StepNode[ir.Expr]) -> Iterator[Mutant]:
    """Yield `limit * rate` as `total * rate`, where another step takes the limit off the total."""
    source = place.source
    known = {entry.variable for entry in source.in_scope(place.variable)}
    match place.node:
        case ir.Binary("*", left, right):
            for path, node in (((0,), left), ((1,), right)):
                total = _total_over(source, node)
                if total is None or total.name not in known or not isinstance(node, ir.Name):
                    continue
                if not variables_clash(source, total.name, node.name):
                    phrases = _with_limit(_PHRASES["uncapped"], reader_text(source, node))
                    limit = StepNode(source, place.variable, path, node)
                    yield limit.mutant(total, phrases, ("the limit exceeded", 0.2))


def _with_limit(phrases: tuple[str, ...], limit: str) -> tuple[str, ...]:
    return tuple(phrase.replace("{limit}", limit) for phrase in phrases)


def _total_over(source: FlawSource, limit: ir.Expr) -> ir.Name | None:
    """Return the total that another step takes this limit off."""
    if not isinstance(limit, ir.Name) or not source.trace.by_name[limit.name].role.is_input:
        return None
    if _LIMIT.search(variable_description(source.trace.by_name[limit.name])) is None:
        return None
    for reader in source.readers(limit.name):
        match source.expression(reader.variable):
            case ir.Binary("-", ir.Name() as total, ir.Name(taken)) if taken == limit.name and total != limit:
                return total
    return None
