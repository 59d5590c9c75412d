"""The re-check of the statements of a variant's system that no number of the text makes: facts without a place, and bounds with a limit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.constraint_system import BoundKind
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.text.characters import quoted
from harness.text.numbers import LimitSide
from harness.text.order_statements import ORDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.constraint_system import Bound, ConstraintSystem, Fact

NATURAL_LIMITS = frozenset({1, 7, 12, 24, 60, 100})
"""The most that shares, days of a week, months of a year, hours of a day, minutes of an hour and percentages can be."""
_NAMES = re.compile(r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*(?:(?:, (?:and )?| and )[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*)+")
_JOINT = re.compile(r", and |, | and ")
_OF = re.compile(r" of\b")
_PERCENT = re.compile(r"%|\bper ?cent\b")
LONGEST_SIGN = 9
"""The characters of ` percent` and a few more, after a number."""


def unplaced_problem(text: str, system: ConstraintSystem) -> str | None:
    """Return a fact without a place that contradicts one that has one, or a limit that neither the text nor a step sets; `None` where there is none."""
    return next(_problems(text, system), None)


def _problems(text: str, system: ConstraintSystem) -> Iterator[str]:
    for fact in system.facts:
        others = [other for other in system.facts if other.variable == fact.variable and other is not fact]
        if fact.span is None and others and not _lists_names(fact, text):
            yield f"system.facts: expected {fact.name}, which another fact states, too, to have a place in the text, found none"
    for bound in system.bounds:
        if bound.kind is BoundKind.AT_MOST and not _is_set(bound, text, system):
            yield f"system.bounds: expected {bound.name} to be a limit that the text or a step sets, found {quoted(str(bound.limit))}"


def _lists_names(fact: Fact, text: str) -> bool:
    """Tell whether the words of a fact are names that stand in the text and are as many as it says."""
    names = _JOINT.split(fact.words)
    return _NAMES.fullmatch(fact.words) is not None and fact.words in text and len(names) == fact.value


def _is_set(bound: Bound, text: str, system: ConstraintSystem) -> bool:
    if not isinstance(bound.limit, str):
        return bound.limit in NATURAL_LIMITS
    if bound.name.startswith((f"{ORDER}:", f"{LimitSide.MOST}:", f"{LimitSide.LEAST}:")):
        # What their words say is read by the re-checks of limits and orders.
        return True
    for step in system.steps:
        for _, node in nodes(step.expression):
            match node:
                case ir.Binary("-", whole, part):
                    pair = whole, part
                case ir.Binary("/", part, whole):
                    pair = whole, part
                case _:
                    continue
            if bound.limit in ir.names_in_order(pair[0]) and bound.variable in ir.names_in_order(pair[1]):
                return True
    # `12 of the 8 pens` needs no step; `80% of them` is no number of things.
    places = [fact.span for fact in system.facts if fact.variable == bound.variable and fact.span is not None]
    return any(
        _OF.match(text, end) is not None and _PERCENT.search(text[start : end + LONGEST_SIGN]) is None
        for start, end in places
    )
