"""Comparison of two formalizations line by line: the variables that compute the same quantity.

Both are evaluated at the same few points: aligned parameters take the same values, unaligned ones keep their own, as in UT-3.
Two variables whose values agree at every point are taken for the same quantity (Schwartz 1980, Zippel 1979). This is a
picture for a reader, not a proof; UT-3 gives the proofs.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.domain import Response
from harness.program import ir
from harness.program.lifter import lift
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import trace_program

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.domain import Exact, ParameterAlignment
    from harness.records.formalization import ProgramRecord
    from harness.solution.trace import Trace

POINTS, TRIES = 8, 24
"""Two programs that differ in a `min` or `max` differ at about every second point."""
LARGEST = 997
MOST_VARIABLES = 400


@dataclass(frozen=True, slots=True)
class TracedFormalization:
    """A formalization whose variables each take one value: its program, its trace and the code line of each variable."""

    program: ir.Program
    trace: Trace
    lines: Mapping[str, int]


class MatchKind(enum.StrEnum):
    """Relation of a line to the other formalization."""

    SAME = "same"
    ONLY_HERE = "only"
    UNALIGNED = "unaligned"


@dataclass(frozen=True, slots=True)
class CodeMark:
    """A variable on a line of code, and the variable of the other formalization that is the same quantity."""

    line: int
    variable: str
    kind: MatchKind
    other: str | None


@dataclass(frozen=True, slots=True)
class FormalizationComparison:
    """Marks of both sides in the order of their code; `points` is the number of points of the evaluation."""

    left: tuple[CodeMark, ...]
    right: tuple[CodeMark, ...]
    points: int


def read_traced(program: ProgramRecord) -> TracedFormalization | str:
    """Return the trace of a formalization, or the reason why it has none."""
    response = Response(program.problem_id, program.model, program.code or "", program.dialect)
    try:
        lifted = lift(response)
        return TracedFormalization(lifted, trace_program(lifted), _lines(lifted))
    except (Refusal, ProgramError) as error:
        return str(error)


def compare(
    left: TracedFormalization, right: TracedFormalization, alignment: ParameterAlignment
) -> FormalizationComparison | str:
    """Return the marks of both formalizations, or the reason why they cannot be evaluated together."""
    if max(len(left.trace.entries), len(right.trace.entries)) > MOST_VARIABLES:
        return f"one has more than {MOST_VARIABLES} variables"
    partners = {pair.right: pair.left for pair in alignment.aligned}
    lefts: list[Mapping[str, Exact]] = []
    rights: list[Mapping[str, Exact]] = []
    why = ""
    for attempt in range(TRIES):
        random = Random(f"{attempt}:{len(partners)}")
        chosen = {parameter.name: _value(random, parameter.value) for parameter in left.program.parameters}
        meant = {mine: chosen[theirs] for mine, theirs in partners.items() if theirs in chosen}
        try:
            left_values = _at(left.program, {name: chosen[name] for name in partners.values() if name in chosen})
            other = _at(right.program, meant)
        except (Refusal, ProgramError) as error:
            why = str(error)
            continue
        lefts.append(left_values)
        rights.append(other)
        if len(lefts) == POINTS:
            break
    if not lefts:
        return f"the programs have no values at any of {TRIES} points: {why}"
    here, there = _quantities(lefts), _quantities(rights)
    aligned = set(partners.values()), set(partners)
    return FormalizationComparison(
        _marks(left, here, _named(there, right.trace), aligned[0]),
        _marks(right, there, _named(here, left.trace), aligned[1]),
        len(lefts),
    )


def _lines(program: ir.Program) -> dict[str, int]:
    """Return the code line of each parameter and assigned variable, and of the returned expression."""
    lines = {parameter.name: parameter.line for parameter in program.parameters}
    for body in (program.body, *(function.body for function in program.functions.values())):
        lines |= {statement.targets[0]: statement.line for statement in body if isinstance(statement, ir.Assign)}
        last = body[-1] if body else None
        if isinstance(last, ir.Return) and not isinstance(last.value, ir.Name):
            lines.setdefault("answer", last.line)
            lines.setdefault("returned", last.line)
    return lines


def _value(random: Random, default: Exact) -> Exact:
    """Return a random value of the kind of a default: an integer or a fraction."""
    number = random.randint(2, LARGEST)
    return number if Fraction(default).denominator == 1 else Fraction(number, 16)


def _at(program: ir.Program, values: Mapping[str, Exact]) -> Mapping[str, Exact]:
    given = tuple(
        replace(parameter, value=values.get(parameter.name, parameter.value)) for parameter in program.parameters
    )
    return trace_program(replace(program, parameters=given)).values


def _quantities(points: Iterable[Mapping[str, Exact]]) -> dict[str, tuple[Fraction, ...]]:
    """Return the values of each variable at all points."""
    quantities: dict[str, tuple[Fraction, ...]] = {}
    for values in points:
        for name, value in values.items():
            quantities[name] = (*quantities.get(name, ()), Fraction(value))
    return quantities


def _named(quantities: Mapping[str, tuple[Fraction, ...]], trace: Trace) -> dict[tuple[Fraction, ...], str]:
    """Return the first variable of each quantity in the order of the code, computed ones before copies of them."""
    named: dict[tuple[Fraction, ...], str] = {}
    for name in sorted(quantities, key=lambda variable: variable in trace.copies):
        named.setdefault(quantities[name], name)
    return named


def _marks(
    traced: TracedFormalization,
    own: Mapping[str, tuple[Fraction, ...]],
    others: Mapping[tuple[Fraction, ...], str],
    aligned: set[str],
) -> tuple[CodeMark, ...]:
    marks = []
    for entry in traced.trace.entries:
        line, other = traced.lines.get(entry.variable), others.get(own[entry.variable])
        if line is None:
            continue
        if entry.expression is None or isinstance(entry.expression, ir.Input) or entry.role.is_input:
            kind = MatchKind.SAME if entry.variable in aligned else MatchKind.UNALIGNED
        else:
            kind = MatchKind.ONLY_HERE if other is None else MatchKind.SAME
        marks.append(CodeMark(line, entry.variable, kind, other))
    return tuple(marks)
