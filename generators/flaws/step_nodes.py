"""The nodes of the expressions of a solution's steps, the mutants that replace one of them, and their exact evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, TypeVar

from generators.flaws.flawed_solution import FlawDiscardError, FlawDiscardReason
from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.mutation_operator import Mutant, Reason
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.expression_nodes import Path, nodes, renamed, replaced
from harness.program.refusal import ProgramError, Refusal
from harness.solution.labels import ErrorType
from harness.solution.trace import Trace, TraceEntry

NodeT_co = TypeVar("NodeT_co", bound=ir.Expr, covariant=True)
_PLACES = ((Fraction(1, 10), 2), (Fraction(1, 100), 3), (Fraction(1, 1000), 4))
"""The decimals that a value of at least some size is rounded to."""


@dataclass(frozen=True, slots=True)
class StepNode(Generic[NodeT_co]):
    """A node of the expression of the step `variable`, at a path from its root."""

    source: FlawSource
    variable: str
    path: Path
    node: NodeT_co

    def mutant(
        self,
        new: ir.Expr,
        *reasons: Reason,
        was: ir.Expr | str | None = None,
        now: ir.Expr | str | None = None,
        cause: str = "",
        words: tuple[tuple[str, str], ...] = (),
        error_type: ErrorType | None = None,
        fractions: bool = False,
    ) -> Mutant:
        """Return the mutant with another node in this place."""
        return Mutant(
            self.variable,
            self.node if was is None else was,
            new if now is None else now,
            expression=replaced(self.source.expression(self.variable), self.path, new),
            cause=cause,
            reasons=reasons,
            words=words,
            error_type=error_type,
            fractions=fractions,
        )


def step_nodes(source: FlawSource) -> Iterator[StepNode[ir.Expr]]:
    """Yield the nodes of the expressions of all steps."""
    for step in source.steps:
        for path, node in nodes(source.expression(step.variable)):
            yield StepNode(source, step.variable, path, node)


def operations(source: FlawSource, *, plain_steps: bool = False) -> Iterator[StepNode[ir.Binary]]:
    """Yield the operations of all steps that convert no units themselves, or whose whole step converts none."""
    converting = {step.variable: {part.path for part in conversions(source, step.variable)} for step in source.steps}
    for place in step_nodes(source):
        paths = converting[place.variable]
        if isinstance(place.node, ir.Binary) and not (paths if plain_steps else place.path in paths):
            yield StepNode(source, place.variable, place.path, place.node)


def single_reads(source: FlawSource, *, factors: bool = False) -> Iterator[StepNode[ir.Name]]:
    """Yield the variables that a step reads once, with the factors of conversions or without them."""
    for step in source.steps:
        expression = source.expression(step.variable)
        names = list(ir.names_in_order(expression))
        left_out = {operation.factor_path for operation in (() if factors else conversions(source, step.variable))}
        for path, node in nodes(expression):
            if isinstance(node, ir.Name) and path not in left_out and names.count(node.name) == 1:
                yield StepNode(source, step.variable, path, node)


def reads_a_result(source: FlawSource, variable: str, name: str) -> bool:
    """Tell whether a given quantity that a step reads may also be a result of the same value and kind, computed on an earlier line."""
    if not source.trace.by_name[name].role.is_input:
        return False
    first, unit = source.line_number(variable), source.units[name]
    return any(
        step.value == source.values[name]
        and source.line_number(step.variable) < first
        and unit.quantity is source.units[step.variable].quantity
        for step in source.steps
    )


def value_of(expression: ir.Expr, values: Mapping[str, Exact]) -> Exact | None:
    """Return the value of an expression, `None` where it has none that is a number."""
    try:
        return evaluate_expression(expression, values)
    except (Refusal, ProgramError):
        return None


def evaluate_mutant(source: FlawSource, mutant: Mutant) -> Trace:
    """Evaluate a mutant exactly; its entries stand on their lines of the flawed solution.

    Raises:
        FlawDiscardError: it gives no number, such as after a division by zero.
    """
    trace = source.trace
    if mutant.result is not None:
        left = tuple(entry for entry in trace.entries if entry.variable != mutant.variable)
        return Trace(left if mutant.omitted else trace.entries, mutant.result)
    changed = {mutant.variable}
    values: dict[str, Exact] = dict(trace.values)
    evaluated: list[TraceEntry] = []
    for entry in _changed_entries(source, mutant):
        if entry.expression is not None:
            reads = tuple(dict.fromkeys(name for name in ir.names_in_order(entry.expression) if name in values))
            own = trace.by_name[entry.variable].expression
            if entry.expression is not own or not changed.isdisjoint(reads):
                try:
                    value = evaluate_expression(entry.expression, values)
                except (ProgramError, Refusal) as error:
                    raise FlawDiscardError(FlawDiscardReason.FAILS, str(error)[:120]) from None
                values[entry.variable] = value
                changed.add(entry.variable)
                entry = replace(entry, value=value, reads=reads)
        evaluated.append(entry)
    return Trace(tuple(evaluated), trace.result)


def _changed_entries(source: FlawSource, mutant: Mutant) -> Iterator[TraceEntry]:
    """Yield the entries with the new expression; where a step and its line are left out, what follows stands a line higher."""
    omitted = source.line_number(mutant.variable) if mutant.gone else len(source.text.lines)
    for entry in source.trace.entries:
        if entry.variable == mutant.variable and mutant.gone:
            continue
        if entry.variable == (mutant.reader or mutant.variable):
            entry = replace(entry, expression=mutant.calculation)
        elif mutant.rewired is not None and entry.expression is not None and mutant.variable in entry.reads:
            entry = replace(entry, expression=renamed(entry.expression, mutant.variable, mutant.rewired))
        label = entry.line or ""
        if label[1:].isdigit() and int(label[1:]) > omitted:
            entry = replace(entry, line=f"L{int(label[1:]) - 1}")
        yield entry


def rounded_mutant(source: FlawSource, mutant: Mutant) -> Mutant | None:
    """Return a mutant whose endless decimal is rounded as a student would, to hundredths or to two digits; `None` where none is."""
    if mutant.expression is None or mutant.places is not None or mutant.reader is not None:
        return None
    value = value_of(mutant.expression, source.values)
    if value is None or (100 * value).denominator == 1:
        return None
    places = next((places for least, places in _PLACES if max(value, -value) >= least), None)
    return None if places is None else replace(mutant, places=places)
