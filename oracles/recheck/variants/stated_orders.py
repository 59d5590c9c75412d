"""The re-check of stated orders: a bound between two quantities agrees with a sentence of the text about their holders."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.constraint_system import Bound, BoundKind
from harness.program import ir
from harness.text.characters import quoted
from harness.text.order_statements import ORDER, amounts_of, order_of, order_told
from harness.text.sentences import sentences_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.constraint_system import ConstraintSystem
    from harness.domain import Exact
    from harness.text.order_statements import Amount

OPERATOR = "stated_order"


def order_bounds(system: ConstraintSystem) -> list[Bound]:
    """Return the bounds that stated orders set."""
    return [bound for bound in system.bounds if bound.name.startswith(f"{ORDER}:")]


def order_problems(
    operator: str,
    text: str,
    inserted: Sequence[tuple[int, int]],
    system: ConstraintSystem,
    models: Sequence[Mapping[str, Exact]],
) -> Iterator[str]:
    """Yield why the orders of a record are not those of its text; `inserted` are the places of its edits.

    A sentence that an edit put in must be an order statement, and the sentences before it must tell the amounts of the two whom it names. A
    solvable problem keeps the order strictly.
    """
    bounds = order_bounds(system)
    if len(bounds) != (operator == OPERATOR):
        yield f"system.bounds: expected {int(operator == OPERATOR)} stated orders of {quoted(operator)}, found {len(bounds)}"
        return
    for bound in bounds:
        expected = _StatedOrder(text, bound.words, inserted, system).expected()
        if isinstance(expected, str):
            yield f"system.bounds: {expected}"
        elif (bound.variable, bound.limit, bound.kind) != (*expected, BoundKind.AT_MOST):
            lesser, greater = expected
            yield f"system.bounds: expected {bound.name} to say that {lesser} is less than {greater}, found that {bound.variable} is at most {bound.limit}"
        elif any(model[bound.variable] >= model[str(bound.limit)] for model in models):
            yield f"system.bounds: expected {bound.variable} to be less than {bound.limit}"


@dataclass(frozen=True)
class _StatedOrder:
    """The words of an order statement, and the problem that makes it."""

    text: str
    words: str
    inserted: Sequence[tuple[int, int]]
    system: ConstraintSystem

    def expected(self) -> tuple[str, str] | str:
        """Return the variables of the lesser and of the greater amount, or what cannot be read."""
        statement = order_of(self.words)
        if statement is None:
            return f"expected an order statement, found {quoted(self.words)}"
        places = [
            sentence.start
            for sentence in sentences_of(self.text)
            if sentence.text == self.words
            and any(start <= sentence.start and sentence.end <= end for start, end in self.inserted)
        ]
        if len(places) != 1:
            return f"expected one edit that states {quoted(self.words)}, found {len(places)}"
        told = order_told(self.text, places[0], statement.scales, frozenset({statement.first, statement.second}))
        if not told:
            return f"expected the sentences before {quoted(self.words)} to tell the two amounts"
        variables = self._given(told) if told[0].other is None else self._compared(told[0])
        first, second = (variables.get(holder) for holder in (statement.first, statement.second))
        if first is None or second is None or first == second:
            return f"expected quantities that {quoted(self.words)} compares, found none"
        return (second, first) if statement.first_is_greater else (first, second)

    def _given(self, told: Sequence[Amount]) -> dict[str, str]:
        """Return the variables by holder of amounts that facts say."""
        variables = {}
        for amount in told:
            names = self._facts_at(amount)
            if len(names) == 1:
                variables[amount.holder] = names[0]
        return variables

    def _facts_at(self, amount: Amount) -> list[str]:
        start, end = amount.number
        return list(
            dict.fromkeys(
                fact.variable
                for fact in self.system.facts
                if fact.span is not None and fact.span[0] < end and start < fact.span[1]
            )
        )

    def _compared(self, amount: Amount) -> dict[str, str]:
        """Return the variables of two amounts that are compared: those of the one step that the number of the comparison enters."""
        names = self._facts_at(amount)
        pairs = {
            pair
            for step in self.system.steps
            if isinstance(step.expression, ir.Binary)
            and (pair := self._pair(amount, step.variable, step.expression, names)) is not None
        }
        if len(pairs) != 1 or amount.other is None:
            return {}
        (pair,) = pairs
        variables = dict(zip((amount.holder, amount.other), pair, strict=True))
        return variables if self._agrees(amount, variables) else {}

    def _agrees(self, compared: Amount, variables: Mapping[str, str]) -> bool:
        """Tell whether the text says no number of either holder that is another variable's: `half as many` may stand where `twice` did."""
        for amount in amounts_of(self.text):
            if amount.other is None and amount.scale == compared.scale and amount.holder in variables:
                names = self._facts_at(amount)
                if names and variables[amount.holder] not in names:
                    return False
        return True

    def _pair(self, amount: Amount, result: str, expression: ir.Binary, names: Sequence[str]) -> tuple[str, str] | None:
        """Return the variables of the holder and of the other, where a step works out one of them from the other by the number."""
        match expression:
            case ir.Binary("*" | "+" as operator, ir.Name(number), ir.Name(read)) if number in names:
                pass
            case ir.Binary("*" | "/" | "+" | "-" as operator, ir.Name(read), ir.Name(number)) if number in names:
                pass
            case _:
                return None
        if read in names:
            return None
        value = next(fact.value for fact in self.system.facts if fact.variable == number)
        if amount.times:
            said = amount.readings[0]
            factor = Fraction(1) / value if operator == "/" and value else Fraction(value)
            if operator not in {"*", "/"} or said in {0, 1}:
                return None
            if factor == said:
                return result, read
            return (read, result) if factor * said == 1 else None
        if operator not in {"+", "-"} or value not in amount.readings:
            return None
        return (result, read) if (operator == "-") is amount.less else (read, result)


def compared_values(system: ConstraintSystem, values: Mapping[str, Exact], claim: str) -> tuple[Exact, Exact] | None:
    """Return the values of the two that an order statement names, in its order, where a claim quotes it."""
    for bound in order_bounds(system):
        statement = order_of(bound.words)
        pair = (str(bound.limit), bound.variable)
        if (
            statement is None
            or claim != f'"{bound.words.removesuffix(".")}"'
            or not all(name in values for name in pair)
        ):
            continue
        first, second = pair if statement.first_is_greater else pair[::-1]
        return values[first], values[second]
    return None
