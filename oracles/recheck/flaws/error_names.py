"""The names of errors that fit a change: by the changed part, by the problem's numbers, and by the form of an expression.

Each rule is necessary, not sufficient: a change may have the forms of several errors, as operations grouped otherwise have.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.labels import ErrorType
from harness.text.nouns import singular_noun
from harness.text.numbers import mentions
from harness.text.units import UNIT_WORDS
from harness.text.world_facts import FACTS
from oracles.certificates.program_edit import EditKind, expression_difference
from oracles.recheck.flaws.change_forms import FORMS, ExpressionChange

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracles.recheck.flaws.flaw_facts import FlawFacts


def name_problem(facts: FlawFacts, group: str) -> str | None:
    """Return why a change lacks the form that the sentences of a group of its operator describe; `None` if it has it."""
    operator = facts.record.operator
    kind = _KINDS.get(operator)
    if kind is not None and facts.edit is not None and not kind(facts):
        return f"names {operator}, which is no name for what is changed"
    before, after = facts.before_expression, facts.after_expression
    fact = _FACTS.get((operator, group))
    if fact is not None and not fact(facts):
        return f"names another change than the one that was made ({operator}, {group})"
    form = FORMS.get((operator, group))
    if form is None or before is None or after is None:
        return None
    if form(ExpressionChange(facts, before, after)):
        return None
    return f"names another change than the one that was made ({operator}, {group})"


def _changed(facts: FlawFacts) -> bool:
    return facts.edit is not None and facts.edit.kind is EditKind.CHANGED


def _deleted(facts: FlawFacts) -> bool:
    return facts.edit is not None and facts.edit.kind is EditKind.DELETED


def _same_answer(facts: FlawFacts) -> bool:
    return facts.certificate.told.answer == facts.certificate.oracle.answer


def _world_knowledge(facts: FlawFacts) -> bool:
    """Tell whether a number that is changed is one of world knowledge where the label says so: the question does not give it in digits."""
    if facts.record.label.error_type is not ErrorType.WORLD_KNOWLEDGE:
        return True
    before, after = facts.before_expression, facts.after_expression
    if before is None or after is None:
        return False
    old = expression_difference(before, after).before
    given = [place.span for place in facts.source.question_inputs if ir.Name(place.variable) == old]
    if not isinstance(old, ir.Name) or not all(facts.record.question[start].isdigit() for start, _ in given):
        return True
    # `12 ounces` of the question are no dozen, but its words may tell that another 12 is one.
    words = {singular_noun(word) for word in old.name.lower().split("_")}
    value = facts.values[old.name]
    return not given or any(words >= known for fact in FACTS if fact.value == value for known in fact.alternatives)


def _given_number(facts: FlawFacts) -> bool:
    """Tell whether the question gives the number that is changed, where the label says that it was misread."""
    if _mistaken_fact(facts):
        return False
    before, after = facts.before_expression, facts.after_expression
    if before is None or after is None:
        return False
    old = expression_difference(before, after).before
    value = facts.values.get(old.name) if isinstance(old, ir.Name) else old.value if isinstance(old, ir.Const) else None
    return any(value in mention.readings for mention in mentions(facts.record.question))


def _mistaken_fact(facts: FlawFacts) -> bool:
    return facts.record.label.error_type is ErrorType.WORLD_KNOWLEDGE


def _converts(facts: FlawFacts) -> bool:
    """Tell whether the changed step has a number by which units are converted, and the problem or the line has a unit or a percentage."""
    before = facts.before_expression
    inputs = facts.certificate.oracle.inputs
    values = [
        facts.values[node.name] if isinstance(node, ir.Name) else node.value
        for _, node in (nodes(before) if before is not None else ())
        if (isinstance(node, ir.Name) and node.name in inputs) or isinstance(node, ir.Const)
    ]
    words = _WORD.findall(f"{facts.record.question} {facts.correction}".lower())
    return any(value in _UNIT_FACTORS or (isinstance(value, Fraction) and 0 < value < 1) for value in values) and any(
        word == "%" or word in UNIT_WORDS or singular_noun(word) in UNIT_WORDS for word in words
    )


_WORD = re.compile(r"[a-z]+|%")
# Two days of a weekend, five working days and six months of half a year convert no units.
_UNIT_FACTORS = frozenset({fact.value for fact in FACTS} | {10, 100, 1_000}) - {2, 5, 6}

_KINDS: dict[str, Callable[[FlawFacts], bool]] = {
    "dropped_term": _changed,
    "input_misrepresentation": _world_knowledge,
    "skipped_assignment": lambda facts: _deleted(facts) and _same_answer(facts),
    "unit_conversion": _converts,
    "skipped_final_step": lambda facts: _deleted(facts) and not _same_answer(facts),
}
"""The changed part, by the operator."""


_FACTS: dict[tuple[str, str], Callable[[FlawFacts], bool]] = {
    ("input_misrepresentation", "misread"): _given_number,
    ("input_misrepresentation", "mixed_up"): _given_number,
    ("input_misrepresentation", "misremembered"): _mistaken_fact,
    **{
        ("unit_conversion", group): _changed
        for group in ("swap", "inverted", "factor", "twice", "one_part", "percent", "hundred")
    },
    ("skipped_assignment", "phrases"): lambda facts: facts.edit is not None and not facts.edit.dropped,
    ("skipped_assignment", "left_out"): lambda facts: facts.edit is not None and facts.edit.dropped,
}
"""The further conditions of a sentence besides the form of an expression, by the operator and the name of the list of sentences."""
