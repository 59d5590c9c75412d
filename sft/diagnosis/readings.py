"""The readings of a solution as a program: each number of an equation is an earlier result, an input or a constant.

A number may have several meanings, so that a result may be several quantities: all are kept, those that the oracle computes first.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from harness.domain import Exact
from harness.equations.quantities import Quantity, constant, of_expression, operation
from harness.program import ir
from harness.program.expression_nodes import filled
from harness.text.numbers import whole_as_int
from sft.diagnosis.oracle import Oracle
from sft.diagnosis.stated_steps import StatedStep

MOST_READINGS = 8
"""The quantities that are kept of one result."""
MOST_MEANINGS = 5
"""The quantities that one number can stand for."""
MOST_COMBINATIONS = 64


@dataclass(frozen=True, slots=True)
class Meaning:
    """A quantity that a number stands for, with its expression over inputs of the oracle.

    `known` tells that the text gives it: an earlier result, or a number of the question.
    """

    quantity: Quantity
    expression: ir.Expr
    known: bool = True


def computed(expression: ir.Expr, operands: Mapping[str, Meaning], *, known: bool = True) -> Meaning | None:
    """Return what an expression is for the meanings of its operands, `None` where it has no value."""
    quantity = of_expression(expression, {name: meaning.quantity for name, meaning in operands.items()})
    code = filled(expression, {name: meaning.expression for name, meaning in operands.items()})
    return None if quantity is None else Meaning(quantity, code, known)


@dataclass
class Reader:
    """Reads steps one after the other; `results` has what the numbers stand for that earlier lines state."""

    oracle: Oracle
    results: dict[Exact, list[Meaning]] = field(default_factory=dict)

    def meanings(self, value: Exact) -> list[Meaning]:
        """Return what a number of an equation can stand for, the likeliest first."""
        results = self.results.get(value, ())
        known = value in self.oracle.question_readings
        found = [*results[:1], *self.of_inputs(value), *results[1:]]
        if not found:
            found += [*self._scaled(value, 100), *self._scaled(value, Fraction(1, 100))]
        if not found and value:
            found += self._reciprocals_and_rests(Fraction(value))
        if not found:
            steps = (step for step in self.oracle.by_value.get(value, ()) if not step.given)
            found += [Meaning(step.quantity, step.expression, known=known) for step in steps]
        if not found or value in self.oracle.constants:
            found.append(Meaning(constant(value), ir.Const(value), known=known))
        distinct = {meaning.quantity.residue: meaning for meaning in reversed(found)}
        kept = list(distinct.values())[::-1]
        return kept if len(kept) <= MOST_MEANINGS else [*kept[: MOST_MEANINGS - 1], kept[-1]]

    def of_inputs(self, value: Exact) -> list[Meaning]:
        """Return the inputs of a value."""
        return [
            Meaning(quantity, ir.Name(name)) for name, quantity in self.oracle.inputs.items() if quantity.value == value
        ]

    def _scaled(self, value: Exact, scale: Exact) -> Iterator[Meaning]:
        """Yield the results and inputs that are a number times a scale, divided by it."""
        other, factor = whole_as_int(value * scale), whole_as_int(1 / Fraction(scale))
        for meaning in (*self.results.get(other, ()), *self.of_inputs(other)):
            quantity = operation("*", meaning.quantity, constant(factor))
            if quantity is not None:
                yield Meaning(quantity, ir.Binary("*", meaning.expression, ir.Const(factor)), meaning.known)

    def _reciprocals_and_rests(self, value: Fraction) -> Iterator[Meaning]:
        """Yield an input or result that a number is the reciprocal of, or one more or less than: 1/4 for 4, 1.2 for 20%."""
        for operator, other in (("/", 1 / value), ("-", 1 - value), ("+", value - 1)):
            for scale in (1,) if operator == "/" else (1, 100):
                for part in self._scaled(other, scale):
                    quantity = operation(operator, Quantity(1, 1), part.quantity)
                    if quantity is not None:
                        yield Meaning(quantity, ir.Binary(operator, ir.Const(1), part.expression), part.known)

    def read(self, step: StatedStep) -> list[Meaning]:
        """Return what the result of a step can be, those quantities first that the oracle computes."""
        options = map(self.meanings, step.operands.values())
        found: dict[int, Meaning] = {}
        for chosen in itertools.islice(itertools.product(*options), MOST_COMBINATIONS):
            known = all(meaning.known for meaning in chosen)
            meaning = computed(step.expression, dict(zip(step.operands, chosen, strict=True)), known=known)
            kept = None if meaning is None else found.get(meaning.quantity.residue)
            if meaning is not None and (kept is None or known > kept.known):
                found[meaning.quantity.residue] = meaning
        return sorted(found.values(), key=lambda meaning: meaning.quantity.residue not in self.oracle.by_residue)

    def after(self, step: StatedStep, meanings: Sequence[Meaning]) -> "Reader":
        """Return the reader that has also read a step, whose result can be the `meanings`."""
        known = {meaning.quantity.residue for meaning in meanings}
        before = (each for each in self.results.get(step.stated, ()) if each.quantity.residue not in known)
        return Reader(self.oracle, {**self.results, step.stated: [*meanings[:MOST_READINGS], *before]})


def read_steps(steps: Iterable[StatedStep], oracle: Oracle) -> Iterator[tuple[Reader, list[Meaning]]]:
    """Yield for each step the reader that has read those before it, and what its result can be."""
    reader = Reader(oracle)
    for step in steps:
        meanings = reader.read(step)
        yield reader, meanings
        reader = reader.after(step, meanings)
