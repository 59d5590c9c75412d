"""The re-check of a flaw's explanation: a sentence of its operator whose slots follow from the certificate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.expression_nodes import names_left_out, nodes, substituted
from harness.solution.expression_text import equation_text
from harness.solution.phrases.explanation_phrases import (
    FORMULA_CLAUSES,
    OPERATION_WORDS,
    explanation_phrases,
    filled_phrases,
    operation_slots,
)
from harness.text.names import proper_names, with_names
from harness.text.number_forms import format_value, numbers_at
from harness.text.numbers import mentions
from harness.text.units import UNIT_WORDS
from harness.text.world_facts import FACTS
from oracles.certificates.program_edit import EditKind, expression_difference
from oracles.recheck.flaws.change_words import change_names
from oracles.recheck.flaws.error_names import name_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from harness.domain import Exact
    from oracles.recheck.flaws.flaw_facts import FlawFacts

LONGEST_SHOWN = 120
_VARIABLE = re.compile(r"[A-Za-z]\w*")
_FACT = re.compile(r"(?<![0-9])(?<![0-9][.,/])(?P<number>[0-9][0-9.,/]*+) (?P<units>.+)")
_UNITS = re.compile(r"(?P<small>[A-Za-z ]+) in an? (?P<large>[A-Za-z ]+)")


def explanation_problem(facts: FlawFacts) -> str | None:
    """Return why an explanation is no sentence of its operator with the values of the certificate.

    Operators whose sentences are not known are passed: their explanations are checked by meaning alone.
    """
    text = facts.record.label.error_details.explanation
    operator = facts.record.operator
    if not explanation_phrases(operator):
        return None
    slots = FlawSlots(facts)
    reason = ""
    foreign = _phrases_of_other_operations(facts)
    for filled in filled_phrases(operator, text):
        if filled.phrase in foreign:
            reason = "names another operation than the one that is added"
            continue
        if (odd_form := name_problem(facts, filled.kind)) is not None:
            reason = odd_form
            continue
        given = dict(filled.slots)
        odd = next((slot for slot, told in given.items() if not slots.allows(slot, told)), None)
        if odd is None:
            spoken = with_names(filled.phrase.format_map(slots.written(given)), slots.names)
            if text == spoken[:1].upper() + spoken[1:]:
                return None
            reason = "is written with other capitals"
        else:
            expected = " or ".join(repr(value) for value in sorted(slots.expected(odd))[:3]) or "nothing"
            reason = f"says {given[odd][:LONGEST_SHOWN]!r} where {{{odd}}} is {expected[:LONGEST_SHOWN]}"
    return f"the explanation {reason or f'is no sentence of {operator}'}: {text[:LONGEST_SHOWN]!r}"


_ADDED = {
    "/": ("averaged", "halved", "divided_again"),
    "*": ("doubled", "multiplied_again"),
    "-": ("subtracted_again",),
    "+": ("added_again",),
    "": ("invented",),
}
"""The sentences on an operation too many, by the operation; none where the method is another."""


def _phrases_of_other_operations(facts: FlawFacts) -> frozenset[str]:
    """Return the sentences on an operation too many that do not fit the one that a changed expression adds."""
    before, after = facts.before_expression, facts.after_expression
    if facts.record.operator != "extraneous_operation" or before is None or after is None:
        return frozenset()
    added = {node.operator for _, node in nodes(after) if isinstance(node, ir.Binary) and node.left == before}
    groups = explanation_phrases(facts.record.operator)
    own = {phrase for operator in added or {""} for group in _ADDED.get(operator, ()) for phrase in groups[group]}
    return frozenset(phrase for phrases in groups.values() for phrase in phrases) - own


@dataclass(frozen=True)
class FlawSlots:
    """The allowed contents of each slot of a sentence, by the certificate of a flaw."""

    facts: FlawFacts

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the proper names of the question in lower case."""
        return proper_names(self.facts.record.question) if self.facts.edit is not None else frozenset()

    def allows(self, slot: str, told: str) -> bool:
        """Tell whether a slot may hold a text, capitals apart."""
        return told.casefold() in {value.casefold() for value in self.expected(slot)}

    def expected(self, slot: str) -> frozenset[str]:
        """Return the texts that a slot may hold."""
        if slot not in self._known:
            self._known[slot] = frozenset(_EXPECTED[slot](self) if slot in _EXPECTED else self._operation(slot))
        return self._known[slot]

    def written(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the contents of the slots with the capitals of their derivation."""
        return {
            slot: next((value for value in self.expected(slot) if value.casefold() == told.casefold()), told)
            for slot, told in given.items()
        }

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        return {}

    def right(self) -> Iterator[str]:
        """Yield the right result of a slip, or the right equation."""
        facts = self.facts
        if facts.edit is None:
            yield from _amounts(facts, facts.values[facts.certificate.change.variable])
        elif facts.before_expression is not None:
            value = facts.values[facts.certificate.change.variable]
            yield equation_text(facts.before_expression, facts.values, value)

    def wrong(self) -> Iterator[str]:
        """Yield the wrong result of a slip, or the wrong equation."""
        facts = self.facts
        if facts.edit is None:
            yield from _amounts(facts, facts.wrong_value)
        elif facts.after_expression is None:
            yield format_value(facts.wrong_value)
        else:
            yield equation_text(facts.after_expression, facts.after, facts.wrong_value)

    def right_value(self) -> Iterator[str]:
        """Yield the value of the changed step in the correct solution, nothing where the step was added."""
        variable = self.facts.certificate.change.variable
        if variable in self.facts.values:
            yield format_value(self.facts.values[variable])

    def wrong_value(self) -> Iterator[str]:
        """Yield the value that stands in its place."""
        yield format_value(self.facts.wrong_value)

    def line(self) -> Iterator[str]:
        """Yield the labelled line."""
        yield self.facts.record.label.line

    def was(self) -> Iterator[str]:
        """Yield the changed node of the correct solution."""
        edit = self.facts.edit
        gone = self.facts.certificate.change.variable if edit is not None and edit.kind is EditKind.DELETED else ""
        yield from (self.facts.phrases.named(text, gone) for text in self._names[0])

    def now(self) -> Iterator[str]:
        """Yield the node that stands in its place."""
        yield from map(self.facts.phrases.named, self._names[1])

    def said(self) -> Iterator[str]:
        """Yield the input that the flawed solution reads as another number."""
        before, after = self.facts.before_expression, self.facts.after_expression
        if before is not None and after is not None:
            for old in substituted(before, after).values():
                if isinstance(old, ir.Name):
                    yield self.facts.phrases.phrase(old.name)

    def asked(self) -> Iterator[str]:
        """Yield what the question asks."""
        yield self.facts.phrases.asked

    def limit(self) -> Iterator[str]:
        """Yield the only quantity that the flawed solution does without, what it names as changed without one."""
        facts, before, after = self.facts, self.facts.before_expression, self.facts.after_expression
        names = names_left_out(before, after) if before is not None and after is not None else ()
        if len(names) == 1:
            yield facts.phrases.phrase(names[0])
        else:
            yield from map(facts.phrases.named, self._names[0])

    def fact(self) -> Iterator[str]:
        """Yield the facts on units that the explanation may state: one with a number of the right expression."""
        match = _FACT.search(self._told_fact)
        if match is not None and match["number"] in self._numbers and _names_units(match["units"]):
            yield self._told_fact

    def units(self) -> Iterator[str]:
        """Yield the units that the explanation may state."""
        for filled in filled_phrases(self.facts.record.operator, self.facts.record.label.error_details.explanation):
            yield from (told for slot, told in filled.slots if slot == "units" and _names_units(told))

    @property
    def _told_fact(self) -> str:
        for filled in filled_phrases(self.facts.record.operator, self.facts.record.label.error_details.explanation):
            for slot, told in filled.slots:
                if slot == "fact" and _FACT.fullmatch(told):
                    return told
        return ""

    @cached_property
    def _numbers(self) -> frozenset[str]:
        expression, values = self.facts.before_expression, self.facts.values
        return frozenset(format_value(value) for value in _values(expression, values)) if expression else frozenset()

    def known(self) -> Iterator[str]:
        """Yield the facts of world knowledge whose number the right expression reads."""
        for value in _values(self.facts.before_expression, self.facts.values):
            yield from (fact.said(value) for fact in FACTS if fact.value == value)

    def should(self) -> Iterator[str]:
        """Yield what formulas are."""
        yield from (clauses["should"] for clauses in self._formulas)

    def did(self) -> Iterator[str]:
        """Yield what is done instead of formulas."""
        yield from (clauses["did"] for clauses in self._formulas)

    @property
    def _formulas(self) -> list[dict[str, str]]:
        reasons = self.facts.record.plausibility.reasons
        return [FORMULA_CLAUSES[reason] for reason in reasons if reason in FORMULA_CLAUSES]

    def _operation(self, slot: str) -> Iterator[str]:
        before, after = self.facts.before_expression, self.facts.after_expression
        if before is None or after is None:
            return
        difference = expression_difference(before, after)
        match difference.before, difference.after:
            case ir.Binary(was), ir.Binary(now) if was in OPERATION_WORDS and now in OPERATION_WORDS:
                yield operation_slots(was, now).get(slot, "")

    @cached_property
    def _names(self) -> tuple[frozenset[str], frozenset[str]]:
        before, after = change_names(self.facts)
        return frozenset(before), frozenset(after)


_EXPECTED: dict[str, Callable[[FlawSlots], Iterable[str]]] = {
    "right": FlawSlots.right,
    "wrong": FlawSlots.wrong,
    "right_value": FlawSlots.right_value,
    "wrong_value": FlawSlots.wrong_value,
    "line": FlawSlots.line,
    "was": FlawSlots.was,
    "now": FlawSlots.now,
    "said": FlawSlots.said,
    "asked": FlawSlots.asked,
    "limit": FlawSlots.limit,
    "fact": FlawSlots.fact,
    "units": FlawSlots.units,
    "known": FlawSlots.known,
    "Known": FlawSlots.known,
    "should": FlawSlots.should,
    "did": FlawSlots.did,
}


def _values(expression: ir.Expr | None, values: Mapping[str, Exact]) -> Iterator[Exact]:
    """Yield what the names and numbers of an expression are."""
    for _, node in nodes(expression) if expression is not None else ():
        match node:
            case ir.Name(name) if name in values:
                yield values[name]
            case ir.Const(int() | Fraction() as value) if not isinstance(value, bool):
                yield value


def _names_units(text: str) -> bool:
    match = _UNITS.fullmatch(text)
    return match is not None and any(word in UNIT_WORDS for part in match.groups() for word in (part, *part.split()))


def _amounts(facts: FlawFacts, value: Exact) -> Iterator[str]:
    """Yield a value as the labelled line of the solution writes its right result, with a dollar where the solution has any."""
    right = facts.values[facts.certificate.change.variable]
    line = facts.correction
    for mention in mentions(line):
        for start in {mention.start, mention.start - line.startswith("$", mention.start - 1)}:
            for written in numbers_at(line, start, right):
                text = written.form.write(value)
                if text is not None:
                    yield text
                    if "$" in facts.record.solution and not text.startswith("$"):
                        yield f"${text}"
