"""The relations of numbers in the sentences of a variant's reasoning trace: which differ, which is greater, which belong to one case."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from harness.program import ir
from harness.solution.expression_text import worked_equation
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from oracles.recheck.variants.stated_orders import compared_values, order_bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from harness.constraint_system import ConstraintSystem, Fact
    from harness.domain import Exact


@dataclass(frozen=True)
class SentenceNumbers:
    """The numbers that the sentences about a problem may relate; `values` are those of its facts and steps."""

    system: ConstraintSystem
    models: Sequence[Mapping[str, Exact]]
    values: Mapping[str, Exact]

    @cached_property
    def needed(self) -> frozenset[str]:
        """Return the variables of the steps that lead to the answer."""
        wanted = {self.system.answer}
        for step in reversed(self.system.steps):
            if step.variable in wanted:
                wanted.update(ir.names_in_order(step.expression))
        return frozenset(step.variable for step in self.system.steps if step.variable in wanted)

    @cached_property
    def has_agreeing_facts(self) -> bool:
        """Tell whether the problem also states the results of its steps, or a limit or an order that they keep."""
        steps = {step.variable for step in self.system.steps}
        limited = {name for bound in self.system.bounds for name in (bound.variable, bound.limit)}
        read = {name for step in self.system.steps for name in ir.names_in_order(step.expression)}
        return bool(order_bounds(self.system)) or any(
            fact.variable in steps or (fact.variable in limited and fact.variable not in read)
            for fact in self.system.facts
        )

    @cached_property
    def fixed(self) -> tuple[str, ...]:
        """Return, as equations, the steps to the answer of an underspecified problem that read no open quantity."""
        return self._equations(self.models[0], moved=False)

    def _equations(self, model: Mapping[str, Exact], *, moved: bool) -> tuple[str, ...]:
        reached, told = set(self.open_quantities), []
        for step in self.system.steps:
            if step.variable not in self.needed:
                continue
            reads_open = not reached.isdisjoint(ir.names_in_order(step.expression))
            reached |= {step.variable} if reads_open else set()
            if reads_open is moved:
                told.append(worked_equation(step.expression, model, model[step.variable]))
        return tuple(told)

    @cached_property
    def open_quantities(self) -> tuple[str, ...]:
        """Return the open quantities of the problem that the steps to the answer read."""
        steps = (step for step in self.system.steps if step.variable in self.needed)
        read = {name for step in steps for name in ir.names_in_order(step.expression)}
        return tuple(name for name in self.system.free if name in read)

    def hold(self, kind: str, phrase: str, told: Mapping[str, str]) -> bool:
        """Tell whether the statement of a sentence of a kind about the numbers in its slots is true."""
        relation = _RELATIONS.get(kind)
        return relation is None or relation(self, phrase, told)

    def twice(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether two numbers are those of two facts about one quantity, and stand in the quoted words."""
        facts = self.system.facts
        return any(
            _says(told["value"], first.value)
            and _says(told["other"], second.value)
            and _states(told["claim"], first)
            and _states(told["second"], second)
            for first in facts
            for second in facts
            if first.variable == second.variable and first.value != second.value
        )

    def agreeing(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether the statement said to agree is a redundant one of the problem: a result, a repeated number, a limit, an order."""
        steps = {step.variable for step in self.system.steps}
        read = {name for step in self.system.steps for name in ir.names_in_order(step.expression)}
        times = Counter(fact.variable for fact in self.system.facts)
        more = (
            fact
            for fact in self.system.facts
            if fact.variable in steps or fact.variable not in read or times[fact.variable] > 1
        )
        orders = (bound.words.removesuffix(".") for bound in order_bounds(self.system))
        return any(_states(told["claim"], fact) for fact in more) or any(words in told["claim"] for words in orders)

    def other_value(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether a fact gives a quantity another number than its computed one."""
        return any(
            _says(told.get("other"), fact.value)
            and _says(told.get("claim"), fact.value)
            and _says(told.get("value"), self.values[fact.variable])
            for fact in self.system.facts
            if fact.variable in self.values and self.values[fact.variable] != fact.value
        )

    def beyond(self, phrase: str, told: Mapping[str, str]) -> bool:
        """Tell whether a value is one that its quantity cannot have."""
        if "whole number" in phrase:
            return any(value.denominator != 1 for value in _readings(told["value"]))
        if "less than nothing" in phrase:
            return _fewer(told["value"])
        if "all of it" in phrase:
            return _more(told["value"], "1")
        return "other" not in told or _more(told["value"], told["other"])

    def fewer(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether a value is below zero."""
        return _fewer(told["value"])

    def too_much(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether a value is more than the available amount."""
        return _more(told["value"], told["other"])

    def over_limit(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether a value is more than the limit that is quoted."""
        return _more(told["value"], told["other"]) and self._is_claimed(told)

    def under_limit(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether a value is less than the limit that is quoted."""
        return _more(told["other"], told["value"]) and self._is_claimed(told)

    def wrong_order(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether the values of the two that a quoted order statement names are told, and differ the other way."""
        compared = compared_values(self.system, self.values, told["claim"])
        if compared is None or not (_says(told["value"], compared[0]) and _says(told["other"], compared[1])):
            return False
        return compared[0] > compared[1] if told["side"] == "more" else compared[0] < compared[1]

    def _is_claimed(self, told: Mapping[str, str]) -> bool:
        return any(_says(told["claim"], value) for value in _readings(told["other"]))

    def cases(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether the first case is told with the numbers of the first model, and the second with those of the second."""
        if len(self.models) < 2:
            return False
        return all(self._is_case(told, *case) for case in zip(("first", "second"), self.models[:2], strict=True))

    def _is_case(self, told: Mapping[str, str], case: str, model: Mapping[str, Exact]) -> bool:
        values = [format_value(model[name]) for name in self.open_quantities]
        return (
            _parts(told[case]) == values
            and told[f"{case}_worked"] == ", ".join(self._equations(model, moved=True))
            and told[f"{case}_answer"] == format_value(model[self.system.answer])
        )

    def fixed_steps(self, _: str, told: Mapping[str, str]) -> bool:
        """Tell whether all steps that read no open quantity are told."""
        return told["worked"] == " and ".join(filter(None, (", ".join(self.fixed[:-1]), *self.fixed[-1:])))


def _parts(text: str) -> list[str]:
    return [part for piece in text.split(", ") for part in piece.split(" and ")]


def _readings(text: str) -> frozenset[Exact]:
    """Return the values that the numbers of a text can mean; a text that is a negative number is read as one."""
    sign = -1 if text.startswith("-") else 1
    return frozenset(sign * reading for mention in mentions(text) for reading in mention.readings)


def _says(text: str | None, value: Exact) -> bool:
    """Tell whether a text, if there is one, holds a number with a value."""
    return text is None or text == format_value(value) or value in _readings(text)


def _states(text: str, fact: Fact) -> bool:
    """Tell whether a text holds a number with the value of a fact, or quotes names that are as many."""
    return _says(text, fact.value) or (fact.span is None and text == f'"{fact.words}"')


def _fewer(text: str) -> bool:
    return any(value < 0 for value in _readings(text))


def _more(text: str, other: str) -> bool:
    return any(value > bound for value in _readings(text) for bound in _readings(other))


_RELATIONS: dict[str, Callable[[SentenceNumbers, str, Mapping[str, str]], bool]] = {
    "agreeing": SentenceNumbers.agreeing,
    "twice": SentenceNumbers.twice,
    "other_value": SentenceNumbers.other_value,
    "beyond": SentenceNumbers.beyond,
    "fewer": SentenceNumbers.fewer,
    "too_much": SentenceNumbers.too_much,
    "over_limit": SentenceNumbers.over_limit,
    "under_limit": SentenceNumbers.under_limit,
    "wrong_order": SentenceNumbers.wrong_order,
    "fixed": SentenceNumbers.fixed_steps,
    "cases": SentenceNumbers.cases,
}
