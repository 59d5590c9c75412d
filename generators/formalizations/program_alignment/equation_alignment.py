"""The search for the one way to read the numbers of a solution as quantities of a program."""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from generators.formalizations.annotation.arithmetic import (
    Arithmetic,
    MalformedArithmeticError,
    merge_fractions,
    read_arithmetic,
)
from generators.formalizations.annotation.line_equations import Equation
from generators.formalizations.annotation.operand_resolution import AnnotatedLine
from generators.formalizations.annotation.variable_names import content_words
from generators.formalizations.program_alignment.function_points import ProgramFunctions, Values
from generators.formalizations.program_alignment.stated_equations import LinePart
from harness.domain import Exact
from harness.text.numbers import read_numeral, whole_as_int

MOST_READINGS = 20_000
"""The readings of single equations after which the search is given up."""
MOST_CHOICES = 600
"""The most readings of the operands of one equation."""


class AlignmentFailure(enum.StrEnum):
    """Why a solution is not read as the steps of a program."""

    NO_EQUATION = "the solution states no equation"
    UNKNOWN_RESULT = "the result of an equation is not what its numbers give"
    OTHER_FUNCTION = "its equations do not compute what the program computes"
    AMBIGUOUS = "its numbers can be read as the program's quantities in several ways"
    TOO_MANY = "too many ways to read its numbers"
    UNDECIDED = "the program cannot be evaluated at other inputs"


class AlignmentError(Exception):
    """The solution is not read as the steps of the program."""

    def __init__(self, failure: AlignmentFailure, detail: str = "") -> None:
        super().__init__(f"{failure}: {detail}" if detail else str(failure))
        self.failure = failure


class QuantityKind(enum.Enum):
    """The meaning of an operand: the result of an earlier equation, an input, a variable not yet stated, or a bare number."""

    RESULT = enum.auto()
    INPUT = enum.auto()
    UNSTATED = enum.auto()
    CONSTANT = enum.auto()


class AlignedQuantity(NamedTuple):
    """The meaning of an operand, by the values of its function; `variable` is the program's, empty if it has none."""

    values: Values
    kind: QuantityKind
    variable: str = ""


@dataclass(frozen=True, slots=True)
class AlignedEquation:
    """An equation of the solution whose operands are quantities; `function` is the code around its left side, `{}` or `round({}, 2)`."""

    part: LinePart
    arithmetic: Arithmetic
    spans: tuple[tuple[int, int], ...]
    operands: tuple[AlignedQuantity, ...]
    result: Values
    function: str
    likeness: int = 0

    @property
    def reading(self) -> tuple[Values, tuple[Values, ...]]:
        """Return the identity of a reading of the equation: its function, and those of its operands in any order."""
        return self.result, tuple(sorted((operand.values for operand in self.operands), key=repr))


def align_equations(parts: Sequence[LinePart], candidates: Sequence[ProgramFunctions]) -> Alignment:
    """Return the equations of a solution, read as quantities of a program so that one of them is its answer.

    `candidates` are the program with fewer and more of its inputs held. The first wins that can be read at all, bare numbers
    and variables that the solution does not state only being used where nothing else is left. Of several readings the one
    wins that states the most different quantities of the program, then the one whose words are those of the variables.

    Raises:
        AlignmentError: with the kind of failure; nothing is guessed.
    """
    stating = tuple(part for part in parts if part.equation is not None)
    if not stating:
        raise AlignmentError(AlignmentFailure.NO_EQUATION)
    usable = [functions for functions in candidates if functions.decisive]
    if not usable:
        raise AlignmentError(AlignmentFailure.UNDECIDED)
    failure = AlignmentError(AlignmentFailure.OTHER_FUNCTION)
    for unstated, functions, loose in itertools.product((False, True), usable, (False, True)):
        try:
            return Alignment(functions, _Search(stating, functions, loose=loose, unstated=unstated).only())
        except AlignmentError as error:
            if error.failure is not AlignmentFailure.OTHER_FUNCTION:
                failure = error
            if error.failure is AlignmentFailure.AMBIGUOUS:
                break
    raise failure


@dataclass(frozen=True, slots=True)
class Alignment:
    """The equations of a solution read as quantities of a program."""

    functions: ProgramFunctions
    equations: tuple[AlignedEquation, ...]


@dataclass(slots=True)
class _Search:
    """Depth-first search over the equations.

    `loose` lets every number be one that the program does not have, `unstated` a variable that no equation gives.
    """

    parts: tuple[LinePart, ...]
    functions: ProgramFunctions
    loose: bool
    unstated: bool
    looked_at: int = 0
    _variables: dict[Exact, list[AlignedQuantity]] = field(default_factory=dict)
    _computed: frozenset[Exact] = frozenset()

    def __post_init__(self) -> None:
        trace = self.functions.trace
        self._computed = frozenset(whole_as_int(entry.value) for entry in trace.entries if entry.expression is not None)
        for entry in trace.entries:
            kind = QuantityKind.INPUT if entry.expression is None else QuantityKind.UNSTATED
            if entry.variable not in trace.copies and (kind is QuantityKind.INPUT or self.unstated):
                quantity = AlignedQuantity(self.functions.variable(entry.variable), kind, entry.variable)
                self._variables.setdefault(whole_as_int(entry.value), []).append(quantity)

    def only(self) -> tuple[AlignedEquation, ...]:
        """Return the only reading, or the likeliest."""
        readings: dict[tuple[object, ...], tuple[AlignedEquation, ...]] = {}
        for aligned in self._readings((), 0):
            readings.setdefault(tuple(equation.reading for equation in aligned), aligned)
        if not readings:
            raise AlignmentError(AlignmentFailure.OTHER_FUNCTION)
        ranked = sorted(readings.values(), key=_rank)
        if len(ranked) > 1 and _rank(ranked[0]) == _rank(ranked[1]):
            differing = next(
                first.part.text for first, second in zip(*ranked[:2], strict=True) if first.reading != second.reading
            )
            raise AlignmentError(AlignmentFailure.AMBIGUOUS, differing[:80])
        return ranked[0]

    def _readings(self, before: tuple[AlignedEquation, ...], at: int) -> Iterator[tuple[AlignedEquation, ...]]:
        if at == len(self.parts):
            if any(equation.result == self.functions.answer for equation in before):
                yield before
            return
        for equation in self._choices(self.parts[at], before):
            yield from self._readings((*before, equation), at + 1)

    def _choices(self, part: LinePart, before: tuple[AlignedEquation, ...]) -> list[AlignedEquation]:
        """Return the readings of an equation: those whose result the program has, else all; of two alike the likelier."""
        best: dict[object, AlignedEquation] = {}
        for equation in self._read(part, before):
            self.looked_at += 1
            if self.looked_at > MOST_READINGS:
                raise AlignmentError(AlignmentFailure.TOO_MANY, part.text[:80])
            known = best.get(equation.reading)
            if known is None or known.likeness < equation.likeness:
                best[equation.reading] = equation
        certain = [equation for equation in best.values() if equation.result in self.functions.quantities]
        return certain or list(best.values())

    def _read(self, part: LinePart, before: tuple[AlignedEquation, ...]) -> Iterator[AlignedEquation]:
        equation = part.equation
        if equation is None:
            return
        line = AnnotatedLine(part.text, part.line)
        for arithmetic, spans in self._arithmetics(equation, part.text, before):
            options = [self._quantities(value, before) for value in arithmetic.operands]
            if math.prod(map(len, options)) > MOST_CHOICES:
                raise AlignmentError(AlignmentFailure.TOO_MANY, part.text[:80])
            results = _results(arithmetic, equation)
            if not results:
                raise AlignmentError(AlignmentFailure.UNKNOWN_RESULT, part.text[:80])
            likeness = [
                {quantity: self._alike(quantity, line, part.text[start:stop]) for quantity in quantities}
                for quantities, (start, stop) in zip(options, spans, strict=True)
            ]
            for operands in itertools.product(*options):
                columns = list(zip(*(operand.values for operand in operands), strict=True))
                for function in results:
                    values = [_applied(function, arithmetic.evaluated(column)) for column in columns]
                    if None not in values:
                        total = sum(known[operand] for known, operand in zip(likeness, operands, strict=True))
                        result: Values = tuple(values)  # type: ignore[arg-type]  # no None among them
                        yield AlignedEquation(part, arithmetic, spans, operands, result, function, total)

    def _arithmetics(
        self, equation: Equation, text: str, before: tuple[AlignedEquation, ...]
    ) -> Iterator[tuple[Arithmetic, tuple[tuple[int, int], ...]]]:
        """Yield the left side with `3/4` as one number where that is a quantity, and as it is written."""

        def known(top: Exact, bottom: Exact) -> bool:
            value = whole_as_int(Fraction(top) / bottom) if bottom else None
            return value in self._variables or any(value == result.result[0] for result in before)

        arithmetic, spans = equation.arithmetic, equation.operands
        if len(arithmetic.pieces) > 3 and "/" in arithmetic.pieces:
            merged, first = merge_fractions(arithmetic, known, equation.joined(text))
            if merged.pieces != arithmetic.pieces:
                last = [place - 1 for place in first[1:]] + [len(spans) - 1]
                yield merged, tuple((spans[start][0], spans[end][1]) for start, end in zip(first, last, strict=True))
        yield arithmetic, spans

    def _quantities(self, value: Exact, before: tuple[AlignedEquation, ...]) -> list[AlignedQuantity]:
        """Return the meanings of a number, each function once: results before the program's other variables."""
        value = whole_as_int(value)
        options: dict[Values, AlignedQuantity] = {}
        for equation in reversed(before):
            if equation.result[0] == value:
                options.setdefault(equation.result, AlignedQuantity(equation.result, QuantityKind.RESULT))
        stated = bool(options)
        for quantity in self._variables.get(value, ()):
            # A result is not passed over for a variable of the program that should be that result.
            if quantity.kind is QuantityKind.INPUT or not stated:
                options.setdefault(quantity.values, quantity)
        bare = value not in self._computed and (not options or (self.loose and not stated))
        if bare or value in self.functions.constants:
            constant = self.functions.constant(value)
            options.setdefault(constant, AlignedQuantity(constant, QuantityKind.CONSTANT))
        return list(options.values())

    def _alike(self, quantity: AlignedQuantity, line: AnnotatedLine, written: str) -> int:
        """Return how many words right after a number are words of a quantity."""
        name = quantity.variable or self.functions.variables.get(quantity.values, "")
        if not name:
            return 0
        entry = self.functions.trace.by_name[name]
        words = content_words(f"{name.replace('_', ' ')} {entry.comment}")
        return len(line.nouns(written) & words)


def _rank(aligned: Sequence[AlignedEquation]) -> tuple[int, int, int]:
    """Return the penalty of a reading: variables that are not stated, results stated again, words that differ."""
    unstated = {
        operand.variable
        for equation in aligned
        for operand in equation.operands
        if operand.kind is QuantityKind.UNSTATED
    }
    repeated = len(aligned) - len({equation.result for equation in aligned})
    return len(unstated), repeated, -sum(equation.likeness for equation in aligned)


def _results(arithmetic: Arithmetic, equation: Equation) -> list[str]:
    """Return the relation of the stated result to the left side: its value, or its rounding."""
    value, stated = arithmetic.value, _stated(equation)
    if value is None or stated is None:
        return []
    if stated == value:
        return ["{}"]
    places = len(equation.stated.rstrip("% ").partition(".")[2])
    if places and round(Fraction(value), places) == stated:
        return ["{}", f"round({{}}, {places})"]
    return [
        function
        for function, rounded in (("math.floor({})", math.floor(value)), ("math.ceil({})", math.ceil(value)))
        if rounded == stated and not places
    ]


def _stated(equation: Equation) -> Exact | None:
    result = read_numeral(equation.stated)
    if result is not None:
        return whole_as_int(result)
    try:
        return read_arithmetic(equation.stated).value
    except MalformedArithmeticError:
        return None


def _applied(function: str, value: Exact | None) -> Exact | None:
    if value is None or function == "{}":
        return None if value is None else whole_as_int(value)
    if function.startswith("round"):
        return whole_as_int(round(Fraction(value), int(function.rpartition(", ")[2].rstrip(")"))))
    return math.floor(value) if function.startswith("math.floor") else math.ceil(value)
