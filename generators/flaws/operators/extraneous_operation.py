"""Mutation operator: one operation too many, from habit or because an earlier step did it already, or a method made up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.linear_equations import leaf_value, step_expression
from generators.flaws.knowledge.quantity_roles import is_bare_factor, leaves, summands, variables_clash
from generators.flaws.mutants.step_node import StepNode
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.expression_nodes import square_root_of
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import NOTHING_MORE, SQUARE_ROOT, explanation_phrases
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.names import variable_phrase

_PHRASES = explanation_phrases("extraneous_operation")
_TWO = re.compile(r"\b(?:both|two|twice|couple|pairs?|twins?|round trip|each way|there and back)\b", re.IGNORECASE)
_SPLIT = re.compile(r"\b(?:split|share[sd]?|half|halves|between|equally|partner)\b", re.IGNORECASE)
_AVERAGE = re.compile(r"\b(?:average|mean|avg|per|each|every)\b")
_TOTAL = re.compile(r"\b(?:total|sum|altogether|all|combined|overall)\b")
_AGAIN = {
    "*": (_PHRASES["multiplied_again"], "multiplied by it before", 0.3),
    "/": (_PHRASES["divided_again"], "divided by it before", 0.3),
    "-": (_PHRASES["subtracted_again"], "subtracted before", 0.3),
    "+": (_PHRASES["added_again"], "added before", 0.2),
}
EXAMPLES = (
    MutationExample(
        "# L1\nred = 8  # 8 pens\nblue = 6  # 6 pens\ntotal = red + blue\n# L2\nlost = 3  # 3 pens\nleft = total - lost",
        (("total", "(red + blue) / 2"), ("left", "total - lost + blue"), ("left", "total - lost + red")),
        "How many pens are left?",
    ),
    MutationExample(
        "# L1\nprice = 4  # tickets cost $4\ntickets = 3  # 3 tickets\ncost = price * tickets\n"
        "# L2\npaid = 20  # paid with $20\nchange = paid - cost",
        (("change", "(paid - cost) * tickets"), ("change", "(paid - cost) * 2")),
        "Both pay with $20. What is the change?",
    ),
    MutationExample(
        "# L1\npages = 60  # 60 pages\ndays = 5  # 5 days\ndaily = pages / days\n# L2\nlast = 2  # 2 pages\nrest = daily - last",
        (("rest", "(daily - last) / days"), ("daily", "pages / days / days")),
    ),
)


@mutation_operator("extraneous_operation", error_type=ErrorType.EXTRANEOUS_OPERATION, examples=EXAMPLES)
def extraneous_operation(source: FlawSource) -> Iterator[Mutant]:
    """Yield each step with one more operation: one of habit, or one that an earlier step did already; or an average instead."""
    for step in source.steps:
        yield from _again(source, step)
        yield from _repeated_division(source, step)
        yield from _averaged(source, step)
        yield from _for_two(source, step)
        yield from _averaged_instead(source, step)


def _again(source: FlawSource, step: TraceEntry) -> Iterator[Mutant]:
    """Yield an operation of a step before that this step builds on, done once more."""
    expression = source.expression(step.variable)
    own = leaves(expression)
    for name in step.reads:
        before = source.trace.by_name[name].expression
        if not isinstance(before, ir.Binary) or before.operator not in _AGAIN or conversions(source, name):
            continue
        operator = _effective(expression, name, before.operator)
        if operator is None:
            continue
        for other in _done_again(source, before):
            if isinstance(other, ir.Name) and other not in own and _repeatable(source, step, operator, other):
                phrases, why, weight = _AGAIN[operator]
                yield _appended(source, step, operator, other, phrases=phrases, why=why, weight=weight)


def _done_again(source: FlawSource, before: ir.Binary) -> list[ir.Expr]:
    """Return the operands that an operation could be done with once more: to a running number, only what it was changed by."""
    if before.operator in "-/":
        return [before.right]
    given = [
        isinstance(side, ir.Name) and source.trace.by_name[side.name].role.is_input
        for side in (before.left, before.right)
    ]
    sides = zip((before.right, before.left), reversed(given), strict=True)
    return [side for side, is_given in sides if is_given or not any(given)]


def _effective(expression: ir.Expr, name: str, operator: str) -> str | None:
    """Return what an operation after a variable does to the expression: what a subtracted sum adds is subtracted."""
    if operator in "*/":
        return operator
    match expression:
        case ir.Binary("-", _, ir.Name(taken)) if taken == name:
            return "-" if operator == "+" else None
        case ir.Binary("+" | "-"):
            return operator
    return None


def _repeatable(source: FlawSource, step: TraceEntry, operator: str, other: ir.Name) -> bool:
    """Tell whether the operation makes any sense here: like with like, and a count or a time as a factor."""
    if is_bare_factor(source, other.name) or source.values[other.name] in {0, 1}:
        return False
    if operator in "+-":
        return not variables_clash(source, step.variable, other.name)
    return (
        source.units[other.name].quantity in {Quantity.COUNT, Quantity.TIME}
        and source.trace.by_name[other.name].role.is_input
    )


def _repeated_division(source: FlawSource, step: TraceEntry) -> Iterator[Mutant]:
    """Yield a / n / n."""
    match source.expression(step.variable):
        case ir.Binary("/", _, ir.Name() as divisor) if not conversions(source, step.variable):
            if source.values[divisor.name] != 1 and not is_bare_factor(source, divisor.name):
                why = "the division done twice"
                yield _appended(source, step, "/", divisor, phrases=_PHRASES["divided_again"], why=why, weight=0.0)


def _averaged(source: FlawSource, step: TraceEntry) -> Iterator[Mutant]:
    """Yield a sum of quantities as their average."""
    terms = summands(source.expression(step.variable))
    name = step.variable.replace("_", " ").lower()
    if _TOTAL.search(name) is None or _AVERAGE.search(name) is not None or len(terms) < 2:
        return
    if all(isinstance(term, ir.Name) and not variables_clash(source, step.variable, term.name) for term in terms):
        yield _appended(
            source, step, "/", ir.Const(len(terms)), phrases=_PHRASES["averaged"], why="average them", weight=0.3
        )


def _averaged_instead(source: FlawSource, step: TraceEntry) -> Iterator[Mutant]:
    """Yield the average of two like quantities in the place of their product or its root."""
    expression = source.expression(step.variable)
    radicand = square_root_of(expression)
    node = expression if radicand is None else step_expression(source, radicand)
    match node:
        case ir.Binary("*", ir.Name() as left, ir.Name() as right) if left != right:
            units = source.units[left.name], source.units[right.name]
            if not units[0].noun or units[0] != units[1]:
                return
        case _:
            return
    why = "average them" if radicand is None else "average the sides"
    yield StepNode(source, step.variable, (), expression).mutant(
        ir.Binary("/", ir.Binary("+", left, right), ir.Const(2)),
        _PHRASES["invented"],
        (why, 0.1 if radicand is None else 0.4),
        was=SQUARE_ROOT if radicand is not None else "",
    )


def _for_two(source: FlawSource, step: TraceEntry) -> Iterator[Mutant]:
    """Yield a result doubled, because the question speaks of two, or halved, because it speaks of sharing."""
    question = source.problem.question
    if any(_is_two(source, leaf) for leaf in leaves(source.expression(step.variable))):
        return
    if step.variable != source.final and _TOTAL.search(step.variable.replace("_", " ").lower()) is None:
        return
    if any(_is_hundred(source, leaf) for leaf in leaves(source.expression(step.variable))):
        # A percentage is never doubled.
        return
    if _TWO.search(question) is not None:
        yield _appended(
            source, step, "*", ir.Const(2), phrases=_PHRASES["doubled"], why="double it for both", weight=0.2
        )
    if _SPLIT.search(question) is not None and len(summands(source.expression(step.variable))) != 2:
        yield _appended(source, step, "/", ir.Const(2), phrases=_PHRASES["halved"], why="halve it for both", weight=0.1)


def _is_hundred(source: FlawSource, leaf: ir.Name | ir.Const) -> bool:
    """Tell whether a number is the hundred of percentages, which the question does not give."""
    known = isinstance(leaf, ir.Const) or source.trace.by_name[leaf.name].role is VariableRole.WORLD_KNOWLEDGE_INPUT
    return known and leaf_value(source, leaf) == 100


def _is_two(source: FlawSource, leaf: ir.Name | ir.Const) -> bool:
    return leaf == ir.Const(2) or (isinstance(leaf, ir.Name) and source.values[leaf.name] == 2)


def _appended(
    source: FlawSource,
    step: TraceEntry,
    operator: str,
    extra: ir.Name | ir.Const,
    *,
    phrases: tuple[str, ...],
    why: str,
    weight: float,
) -> Mutant:
    final = (("the last step", 0.1),) if step.variable == source.final else ()
    return Mutant(
        step.variable,
        NOTHING_MORE,
        variable_phrase(extra.name) if isinstance(extra, ir.Name) else str(extra.value),
        phrases,
        expression=ir.Binary(operator, source.expression(step.variable), extra),
        reasons=((why, weight), *final),
    )
