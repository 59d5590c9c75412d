"""Inputs that state one fact in two units: 50 percent and 0.5, 2 weeks and 14 days, the full and the empty share of a tank."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program import ir
from harness.text.units import CONVERSIONS
from oracles.alignment.parameter_matching import AlignedPair, Alignment
from oracles.equivalence.program_inputs import used_inputs
from oracles.equivalence.program_rewrites import with_input
from oracles.equivalence.witness import is_world_fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.program.ir import Program

MOST_MATCHINGS = 16


@dataclass(frozen=True, slots=True)
class Conversion:
    """The value of one input from that of another: `slope` times it plus `offset`, or `slope` divided by it."""

    slope: Fraction
    offset: Fraction = Fraction(0)
    inverse: bool = False

    def of(self, value: Fraction) -> Fraction | None:
        """Return the converted value, `None` for the inverse of 0."""
        if not self.inverse:
            return self.slope * value + self.offset
        return self.slope / value if value else None

    def expression(self, operand: ir.Expr) -> ir.Expr:
        """Return the conversion as an expression."""
        if self.inverse:
            return ir.Binary("/", ir.Const(self.slope), operand)
        scaled = ir.Binary("*", ir.Const(self.slope), operand)
        return ir.Binary("+", ir.Const(self.offset), scaled) if self.offset else scaled


def _conversions() -> Iterator[Conversion]:
    for factor in CONVERSIONS:
        yield from (Conversion(factor), Conversion(1 / factor))
    for whole, other in itertools.product((Fraction(1), Fraction(100)), repeat=2):  # the rest of a share or percentage
        yield Conversion(-other / whole, other)
    yield Conversion(Fraction(1), inverse=True)


_CONVERSIONS = tuple(_conversions())


@dataclass(frozen=True, slots=True)
class FreeInputs:
    """The inputs of two programs, by index, that nothing is aligned with though a result may hang on them: constants aside."""

    left: tuple[int, ...]
    right: tuple[int, ...]


def free_inputs(left: Program, right: Program, alignment: Alignment) -> FreeInputs:
    """Return the inputs that an alignment freezes at their own values on either side."""
    sides = []
    for side, program in enumerate((left, right)):
        taken = {(pair.left, pair.right)[side] for pair in alignment.pairs}
        used = used_inputs(program)
        sides.append(
            tuple(
                index
                for index, parameter in enumerate(program.parameters)
                if index in used and index not in taken and not is_world_fact(parameter)
            )
        )
    return FreeInputs(*sides)


def in_one_unit(left: Program, right: Program, alignment: Alignment) -> Iterator[tuple[Program, Alignment]]:
    """Yield the right program with free inputs given in the units of the left, and the alignment with them.

    Each is a matching of as many free inputs as can be matched, of at most sixteen; none where no value is another's conversion.
    """
    free = free_inputs(left, right, alignment)
    options = []
    for first, second in itertools.product(free.left, free.right):
        values = Fraction(left.parameters[first].value), Fraction(right.parameters[second].value)
        # Of two that fit, such as 10 percent as 10/100 and 1/10, the first is meant: units before the rest of a share, and that before the inverse.
        conversion = next((one for one in _CONVERSIONS if one.of(values[0]) == values[1]), None)
        if conversion is not None:
            options.append((first, second, conversion))
    for size in range(min(len(free.left), len(free.right)), 0, -1):
        matchings = [
            chosen
            for chosen in itertools.islice(itertools.combinations(options, size), 1_000)
            if len({first for first, _, _ in chosen}) == len({second for _, second, _ in chosen}) == size
        ]
        for chosen in matchings[:MOST_MATCHINGS]:
            converted, pairs = right, list(alignment.pairs)
            for first, second, conversion in chosen:
                own = right.parameters[second]
                given = replace(left.parameters[first], name=own.name, comment=own.comment, line=own.line)
                converted = with_input(converted, second, given, conversion.expression(ir.Input(second)))
                pairs.append(AlignedPair(first, second, 0.0))
            yield converted, Alignment(tuple(sorted(pairs, key=lambda pair: (pair.left, pair.right))), alignment.weight)
        if matchings:
            return
