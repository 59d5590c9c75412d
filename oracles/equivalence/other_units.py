"""Inputs that state one fact in two units: 50 percent and 0.5, 2 weeks and 14 days, the full and the empty share of a tank."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from harness.domain import Exact, Parameter
from harness.program import ir
from harness.program.evaluation.evaluator import format_exact
from harness.program.ir import Program
from harness.text.names import name_words
from harness.text.numbers import mentions, whole_as_int
from harness.text.units import CONVERSIONS, singular_unit, sizes
from oracles.alignment.parameter_matching import AlignedPair, Alignment, Alignments
from oracles.equivalence.input_domain import SHARE_WORDS, share_cap
from oracles.equivalence.program_inputs import used_constants, used_inputs
from oracles.equivalence.program_rewrites import with_input
from oracles.equivalence.witness import is_world_fact

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

    def reversed(self) -> Conversion:
        """Return the conversion of the other input to this one."""
        return self if self.inverse else Conversion(1 / self.slope, -self.offset / self.slope)

    def expression(self, index: int, parameter: Parameter) -> ir.Expr:
        """Return the conversion of an input to that of a parameter, an int where that is one: 7 times a number of weeks may be the length of a loop."""
        whole = isinstance(parameter.value, int)
        slope, offset = (whole_as_int(part) if whole else part for part in (self.slope, self.offset))
        operand = ir.Input(index)
        if self.inverse:
            return ir.Binary("/", ir.Const(slope), operand)
        scaled = ir.Binary("*", ir.Const(slope), operand)
        return ir.Binary("+", ir.Const(offset), scaled) if offset else scaled


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


def in_one_unit(
    left: Program, right: Program, alignment: Alignment, question: str
) -> Iterator[tuple[Program, Program, Alignment]]:
    """Yield the programs with free inputs given in the unit of one side, and the alignment with them.

    Each is a matching of as many free inputs as can be matched, of at most sixteen; none where no value is another's conversion. Two values that
    the question states apart, or of which each program has the other's as a constant, are two facts: of 14 stamps in each of 2 weeks,
    `14 * weeks` and `stamps * 2` are equal only while 14 is 7 times 2. To multiply by 1 is not written.
    """
    free, stated = free_inputs(left, right, alignment), [mention.readings for mention in mentions(question)]
    constants = [used_constants(program) | {Fraction(1)} for program in (left, right)]
    options = []
    for first, second in itertools.product(free.left, free.right):
        values = Fraction(left.parameters[first].value), Fraction(right.parameters[second].value)
        apart = any(values[0] in one and values[1] in other for one, other in itertools.permutations(stated, 2))
        if apart or (values[1] in constants[0] and values[0] in constants[1]):
            continue
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
            yield *_converted_programs(left, right, chosen), _with_pairs(alignment, chosen)
        if matchings:
            return


def at_fixed_points(left: Program, right: Program, alignment: Alignment) -> Iterator[tuple[Program, Alignment, str]]:
    """Yield the right program with an aligned input given as the rest or the inverse of the left one, the alignment, and the names of the two.

    Half of the pupils are girls, and half are boys; a page takes 1 minute, and a minute gives 1 page. Names with a word in common
    that is not of shares say one fact.
    """
    for pair in alignment.pairs:
        own, other = left.parameters[pair.left], right.parameters[pair.right]
        words, others = (frozenset(map(singular_unit, name_words(side.name))) for side in (own, other))
        if words.isdisjoint(others - SHARE_WORDS):
            for conversion in _CONVERSIONS:
                if (conversion.offset or conversion.inverse) and conversion.of(Fraction(own.value)) == other.value:
                    expression = conversion.expression(pair.right, other)
                    yield with_input(right, pair.right, own, expression), alignment, f"{own.name} and {other.name}"


def in_units_said(left: Program, right: Program, alignments: Alignments) -> tuple[Program, Program, Alignments]:
    """Return the programs with free inputs in one unit where the names of both say one fact in two units, and the alignments with them.

    `taken_percent` and `taken_share` do, `weeks` and `days`: the words beside the units are the same. Zero is the same in every unit, so `hours = 0` and `minutes = 0` are converted, too. Other inputs of one value whose names say units of two sizes have the value alone in common.
    """
    free, best = free_inputs(left, right, alignments.best), alignments.best
    shared = {own.name for own in left.parameters} & {own.name for own in right.parameters}
    zeros = [[place for place, own in enumerate(side.parameters) if not own.value] for side in (left, right)]
    said = [
        (first, second, conversion)
        for first, second in itertools.chain(
            itertools.product(free.left, free.right),
            zip(*zeros, strict=True) if list(map(len, zeros)) == [1, 1] else (),
        )
        if shared.isdisjoint((left.parameters[first].name, right.parameters[second].name))
        and (conversion := _conversion_said(left.parameters[first], right.parameters[second])) is not None
    ]
    if any(len({own[side] for own in said}) < len(said) for side in (0, 1)):
        said = []
    converted = {own[:2] for own in said}
    unlike = {pair for pair in best.pairs if _quotients_said(left.parameters[pair.left], right.parameters[pair.right])}
    added = [own for own in said if own[:2] not in best.places]
    choices = (*alignments.choices, (_with_pairs(Alignment((), 0.0), added),)) if added else alignments.choices
    left, right = _converted_programs(left, right, said)
    alone = tuple(
        pair
        for pair in best.pairs
        if (pair.left, pair.right) not in converted and (pair in unlike or pair in alignments.by_value_alone)
    )
    return left, right, replace(alignments, best=_with_pairs(best, added), choices=choices, by_value_alone=alone)


def in_own_units(inputs: Mapping[str, str], program: Program, converted: Program) -> dict[str, str]:
    """Return the inputs of a counterexample with those of a program that `in_units_said` converted, in their own units."""
    moved = {
        own.name: format_exact(Fraction(inputs[given.name]) * conversion.slope)
        for own, given in zip(program.parameters, converted.parameters, strict=True)
        if own.name != given.name and (conversion := _conversion_said(given, own)) is not None
    }
    return {**inputs, **moved}


def _conversion_said(left: Parameter, right: Parameter) -> Conversion | None:
    """Return the conversion of one input to another of the same words but for the unit, `None` where their values do not fit or do not tell it."""
    if _units_said(left)[1] != _units_said(right)[1]:
        return None
    fitting = [slope for slope in _quotients_said(left, right) if slope * Fraction(left.value) == right.value]
    return Conversion(fitting[0]) if len(fitting) == 1 else None


def _quotients_said(left: Parameter, right: Parameter) -> set[Fraction]:
    """Return the sizes of the unit of one input in that of another; none where a name says no unit, they may be one, or both have other words that differ."""
    (first, words), (second, others) = _units_said(left), _units_said(right)
    quotients = {
        Fraction(own) / other
        for dimension in first.keys() & second
        for own in first[dimension]
        for other in second[dimension]
    }
    return set() if 1 in quotients or (words and others and words != others) else quotients


def _units_said(parameter: Parameter) -> tuple[dict[str, tuple[Exact, ...]], frozenset[str]]:
    """Return the sizes of the unit that the name of an input says, by dimension, and its other words; none of a rate."""
    words, cap = frozenset(map(singular_unit, name_words(parameter.name))), share_cap(parameter)
    if cap is not None:
        return {"share": (1 / cap,)}, words - SHARE_WORDS
    units = [word for word in words if sizes(word) and "per" not in words]
    return (sizes(units[0]), words - {units[0]}) if len(units) == 1 else ({}, words)


_Matching = Sequence[tuple[int, int, Conversion]]


def _converted_programs(left: Program, right: Program, matching: _Matching) -> tuple[Program, Program]:
    """Return the programs with the matched inputs in one unit.

    It is that of the left, or of the right where that alone is an int or counts more at once: days are whole weeks if one side has a whole number of weeks.
    """
    for first, second, conversion in matching:
        own, other = left.parameters[first], right.parameters[second]
        if isinstance(other.value, int) and (conversion.slope.denominator != 1 or not isinstance(own.value, int)):
            left = with_input(left, first, other, conversion.reversed().expression(first, own))
        else:
            right = with_input(right, second, own, conversion.expression(second, other))
    return left, right


def _with_pairs(alignment: Alignment, matching: _Matching) -> Alignment:
    pairs = (*alignment.pairs, *(AlignedPair(first, second, 0.0) for first, second, _ in matching))
    return Alignment(tuple(sorted(pairs, key=lambda pair: (pair.left, pair.right))), alignment.weight)
