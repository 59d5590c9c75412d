"""The conditions of a problem that say which part of a quantity counts, by the words of the part that is subtracted."""

from __future__ import annotations

import enum
import re
from itertools import product

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.quantity_roles import is_bare_factor, leaves, variable_description
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import Path
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)


class Condition(enum.StrEnum):
    """Why a quantity has to be taken off another one."""

    LIMIT = "limit"
    """Only what goes beyond it counts."""
    EXCLUDED = "excluded"
    """It does not count."""
    GONE = "gone"
    """It is used up, sold or lost, and cannot be used again."""
    PRESENT = "present"
    """It is there already, and need not be got any more."""


_WORDS = {
    Condition.LIMIT: re.compile(rf"\b(?:{_LISTS.either('limit')})\b"),
    Condition.EXCLUDED: re.compile(rf"\b(?:{_LISTS.either('excluded')})\b"),
    Condition.GONE: re.compile(rf"\b(?:{_LISTS.either('gone')})\b"),
    Condition.PRESENT: re.compile(rf"\b(?:{_LISTS.either('present')})\b"),
}
_RESULTS = {
    Condition.GONE: re.compile(rf"\b(?:{_LISTS.either('rest')})\b"),
    Condition.PRESENT: re.compile(rf"\b(?:{_LISTS.either('needed')})\b"),
}
_EVERY = re.compile(rf"\b(?:{_LISTS.either('every')})\b")
_OFTEN = re.compile(rf"\b(?:{_LISTS.either('often')})\b")
# A quantity given to a person who still needs more is available.
_GIVEN = re.compile(r"\bg[ai]ven?s?\b")
_LACKING = re.compile(r"\bhow (?:much|many) (?:more|additional)\b")
DAYS_OF_A_WEEK = 7
MOST_OFTEN = 60
_COMPARING = re.compile(rf"\b(?:{_LISTS.either('comparing')})\b")
_RETURN = re.compile(rf"\b(?:{_LISTS.either('return')})\b", re.IGNORECASE)


def condition_on(source: FlawSource, node: ir.Expr, result: str = "") -> Condition | None:
    """Return why the right side of a difference is taken off by a condition of the problem; `None` where it is not.

    `result` is the variable that the difference is worked out for, if it is one.
    """
    match node:
        case ir.Binary("-", _, ir.Name(taken)) if taken in source.trace.by_name and source.values[taken]:
            if is_bare_factor(source, taken):
                return None
            described = _without_names(variable_description(source.trace.by_name[taken]), source.names)
            named = result.replace("_", " ").lower()
            known = next((condition for condition, words in _WORDS.items() if words.search(described)), None)
            if (
                known is Condition.GONE
                and _GIVEN.search(described)
                and _LACKING.search(source.problem.question.lower())
            ):
                return Condition.PRESENT
            return known or next((condition for condition, words in _RESULTS.items() if words.search(named)), None)
    return None


def _without_names(described: str, names: frozenset[str]) -> str:
    """Return a description without proper names: Max is no maximum."""
    return " ".join(word for word in described.split() if word not in names)


def often_done(source: FlawSource, node: ir.Expr) -> bool:
    """Tell whether a factor says how often something happens or is needed, such as `twice a day` or `both`."""
    if node == ir.Const(2):
        return _RETURN.search(source.problem.question) is not None
    if not isinstance(node, ir.Name) or node.name not in source.trace.by_name:
        return False
    described = variable_description(source.trace.by_name[node.name])
    entry = source.trace.by_name[node.name]
    return (
        entry.role.is_input
        and entry.value.denominator == 1
        and 1 < entry.value <= MOST_OFTEN
        and source.units[node.name].quantity in {Quantity.COUNT, Quantity.NUMBER, Quantity.TIME}
        and _OFTEN.search(described) is not None
        and _COMPARING.search(described) is None
    )


def completes_packs(source: FlawSource, variable: str, node: ir.Expr) -> bool:
    """Tell whether a sum has packs on its left and, on its right, the single things that are needed besides: 11 is 2 times 5 and 1."""
    if not isinstance(node, ir.Binary) or node.operator != "+":
        return False
    given = [entry.value for entry in source.in_scope(variable) if entry.role.is_input and entry.value > 1]
    return any(
        packs * size + singles in given and singles < size
        for packs, singles in product(_counts(source, node.left), _counts(source, node.right))
        for size in given
    )


def _counts(source: FlawSource, term: ir.Expr) -> list[Exact]:
    """Return the inputs of a product that can be numbers of things."""
    names = leaves(term) if isinstance(term, ir.Name | ir.Binary) else []
    given = (source.trace.by_name[leaf.name] for leaf in names if isinstance(leaf, ir.Name))
    return [
        entry.value
        for entry in given
        if entry.role.is_input
        and entry.value.denominator == 1
        and entry.value > 0
        and source.units[entry.variable].quantity is not Quantity.MONEY
    ]


def overlooked_by_condition(source: FlawSource, variable: str, path: Path, node: ir.Binary) -> ir.Expr | None:
    """Return the operand of a node that a violation of a condition leaves out; `None` where no condition applies."""
    match node:
        case ir.Binary("+", _, right) if completes_packs(source, variable, node):
            return right
        case ir.Binary("-", left, right) if condition_on(source, node, "" if path else variable):
            return None if isinstance(left, ir.Const) else right
        case ir.Binary("*", left, right) if not conversions(source, variable):
            for often, other in ((right, left), (left, right)):
                if often_done(source, often) and not often_done(source, other) and not isinstance(other, ir.Const):
                    return often
    return None


def is_limit(source: FlawSource, variable: str) -> bool:
    """Tell whether an input is a limit by its name or comment."""
    entry = source.trace.by_name[variable]
    return entry.role.is_input and _WORDS[Condition.LIMIT].search(variable_description(entry)) is not None


def only_some_days(source: FlawSource, variable: str) -> bool:
    """Tell whether an input says on how many days of a week something happens, fewer than all of them."""
    entry = source.trace.by_name[variable]
    return (
        entry.role.is_input
        and entry.value.denominator == 1
        and 1 < entry.value < DAYS_OF_A_WEEK
        and _EVERY.search(variable_description(entry)) is not None
    )
