"""Mutation operator: a condition of the problem is ignored, such as a rounding, an extreme, a maximum, an exclusion or a need."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.problem_conditions import (
    DAYS_OF_A_WEEK,
    Condition,
    condition_on,
    is_limit,
    only_some_days,
    overlooked_by_condition,
)
from generators.flaws.knowledge.quantity_roles import reader_text, variables_clash
from generators.flaws.mutants.step_node import StepNode
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import (
    EXTREME_WORDS,
    NO_ROUNDING,
    NOTHING,
    ROUNDING_WORDS,
    explanation_phrases,
)
from harness.text.number_forms import format_value
from harness.text.operation_words import SMALL_LARGE, UP_DOWN

_PHRASES = explanation_phrases("constraint_violation")
_OVERLOOKED = {
    Condition.LIMIT: (_PHRASES["limit_ignored"], "the limit overlooked"),
    Condition.EXCLUDED: (_PHRASES["not_excluded"], "the exception overlooked"),
    Condition.GONE: (_PHRASES["gone"], "what is gone counted on"),
    Condition.PRESENT: (_PHRASES["present"], "what is there already overlooked"),
}
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
        (("best", "max(whole, bought)"), ("whole", "eggs"), ("whole", "broken")),
    ),
    MutationExample(
        "# L1\npacks = 2  # 2 packs\npack_price = 3  # $3 a pack\nsingles = 1  # 1 single bag\nprice = 1  # $1 each\n"
        "size = 5  # packs of 5\npupils = 11  # 11 pupils\ncost = packs * pack_price + singles * price\n# L2\ntwice = cost + cost",
        (("cost", "packs * pack_price"),),
    ),
    MutationExample(
        "# L1\ndays = 5  # 5 days a week\nmiles = 4  # 4 miles\nweekly = days * miles\n# L2\nran = 7  # ran 7 miles\nleft = weekly - ran",
        (("weekly", "7 * miles"), ("left", "weekly"), ("weekly", "miles"), ("left", "ran")),
    ),
)


@mutation_operator("constraint_violation", error_type=ErrorType.CONSTRAINT_VIOLATION, examples=EXAMPLES)
def constraint_violation(source: FlawSource) -> Iterator[Mutant]:
    """Yield each step without its rounding, its choice of an extreme, its limit, its exclusion, or enough for all."""
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
                case ir.Binary():
                    yield from _overlooked(StepNode(source, step.variable, path, node))
                case ir.Name(name) if name in source.trace.by_name:
                    yield from _every_day(StepNode(source, step.variable, path, node))
        yield from _uncapped(StepNode(source, step.variable, (), expression))


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


def _overlooked(place: StepNode[ir.Binary]) -> Iterator[Mutant]:
    """Yield an operation without the operand that a condition of the problem demands, or with that operand alone."""
    source, node = place.source, place.node
    dropped = overlooked_by_condition(source, place.variable, place.path, node)
    if dropped is None:
        return
    kept = node.left if dropped is node.right else node.right
    limit = reader_text(source, dropped)
    if node.operator == "+":
        yield place.mutant(kept, _PHRASES["too_few"], ("not enough for all", 0.3), was=limit, now=NOTHING)
    elif node.operator == "*":
        yield place.mutant(kept, _PHRASES["once"], ("done once only", 0.2), was=limit, now=NOTHING)
    else:
        condition = condition_on(source, node, "" if place.path else place.variable)
        if condition is not None:
            phrases, why = _OVERLOOKED[condition]
            yield place.mutant(kept, phrases, (why, 0.3), was=limit)
        if condition is not Condition.LIMIT and not place.path:
            yield place.mutant(dropped, _PHRASES["inverted"], ("the wrong part taken", 0.1))


def _every_day(place: StepNode[ir.Name]) -> Iterator[Mutant]:
    """Yield 7 days for the days of a week on which something happens."""
    if only_some_days(place.source, place.node.name):
        phrases = _PHRASES["every_day"]
        yield place.mutant(
            ir.Const(DAYS_OF_A_WEEK), phrases, ("every day of the week", 0.3), was=_number(place), now="7"
        )


def _number(place: StepNode[ir.Name]) -> str:
    return format_value(place.source.values[place.node.name])


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
                    limit = StepNode(source, place.variable, path, node)
                    yield limit.mutant(total, _PHRASES["uncapped"], ("the limit exceeded", 0.2))


def _total_over(source: FlawSource, limit: ir.Expr) -> ir.Name | None:
    """Return the total that another step takes this limit off."""
    if not isinstance(limit, ir.Name) or not is_limit(source, limit.name):
        return None
    for reader in source.readers(limit.name):
        match source.expression(reader.variable):
            case ir.Binary("-", ir.Name() as total, ir.Name(taken)) if taken == limit.name and total != limit:
                return total
    return None
