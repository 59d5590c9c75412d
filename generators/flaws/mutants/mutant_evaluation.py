"""Exact evaluation of a mutant, step by step, to the trace of the flawed solution."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from generators.flaws.flawed_solution import FlawDiscardReason
from generators.flaws.mutation_operator import Mutant
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.solution_rewrite import FlawDiscardError
from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.expression_nodes import renamed
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import Trace, TraceEntry


def evaluate_mutant(source: FlawSource, mutant: Mutant) -> Trace:
    """Evaluate a mutant exactly; its entries stand on their lines of the flawed solution.

    Raises:
        FlawDiscardError: it gives no number, such as after a division by zero.
    """
    trace = source.trace
    if mutant.result is not None:
        left = tuple(entry for entry in trace.entries if entry.variable != mutant.variable)
        return Trace(left if mutant.omitted else trace.entries, mutant.result)
    if mutant.rewired is not None or mutant.reader is not None:
        entries = _deleted(source, mutant)
    else:
        entries = [
            replace(entry, expression=mutant.calculation) if entry.variable == mutant.variable else entry
            for entry in trace.entries
        ]
    changed = {mutant.variable}
    values: dict[str, Exact] = dict(trace.values)
    evaluated: list[TraceEntry] = []
    for entry in entries:
        if entry.expression is None:
            evaluated.append(entry)
            continue
        reads = _reads(entry.expression, values)
        own = trace.by_name[entry.variable].expression
        if entry.expression is not own or not changed.isdisjoint(reads):
            values[entry.variable] = _value(entry.expression, values)
            changed.add(entry.variable)
            entry = replace(entry, value=values[entry.variable], reads=reads)
        evaluated.append(entry)
    return Trace(tuple(evaluated), trace.result)


def rounded_mutant(source: FlawSource, mutant: Mutant) -> Mutant | None:
    """Return a mutant whose endless decimal is rounded as a student would, to hundredths or to two digits; `None` where none is.

    Where a step is left out, its reader is the right expression without it, and nothing is rounded besides.
    """
    if mutant.expression is None or mutant.places is not None or mutant.reader is not None:
        return None
    value = value_of(mutant.expression, source.values)
    if value is None or (100 * value).denominator == 1:
        return None
    size = -value if value < 0 else value
    places = next((places for least, places in _PLACES if size >= least), None)
    return None if places is None else replace(mutant, places=places)


_PLACES: tuple[tuple[Fraction, int], ...] = ((Fraction(1, 10), 2), (Fraction(1, 100), 3), (Fraction(1, 1000), 4))
"""The decimals that a value of at least some size is rounded to."""


def _reads(expression: ir.Expr, values: dict[str, Exact]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in ir.names_in_order(expression) if name in values))


def _value(expression: ir.Expr, values: dict[str, Exact]) -> Exact:
    try:
        return evaluate_expression(expression, values)
    except (ProgramError, Refusal) as error:
        raise FlawDiscardError(FlawDiscardReason.FAILS, str(error)[:120]) from None


def _deleted(source: FlawSource, mutant: Mutant) -> list[TraceEntry]:
    """Return the entries without a step and its line; its readers have another expression, what follows stands a line higher."""
    gone, number = mutant.variable, source.line_number(mutant.variable)
    entries = []
    for entry in source.trace.entries:
        if entry.variable == gone:
            continue
        if entry.variable == mutant.reader:
            entry = replace(entry, expression=mutant.calculation)
        elif entry.expression is not None and gone in entry.reads and mutant.rewired is not None:
            entry = replace(entry, expression=renamed(entry.expression, gone, mutant.rewired))
        label = entry.line or ""
        if label[1:].isdigit() and int(label[1:]) > number:
            entry = replace(entry, line=f"L{int(label[1:]) - 1}")
        entries.append(entry)
    return entries
