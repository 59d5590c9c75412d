"""The nodes of the expressions of a solution's steps, and the mutants that replace one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.quantity_roles import reader_text
from generators.flaws.mutation_operator import Mutant, Reason
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.expression_nodes import Path, nodes, replaced
from harness.solution.labels import ErrorType

NodeT_co = TypeVar("NodeT_co", bound=ir.Expr, covariant=True)


@dataclass(frozen=True, slots=True)
class StepNode(Generic[NodeT_co]):
    """A node of the expression of the step `variable`, at a path from its root."""

    source: FlawSource
    variable: str
    path: Path
    node: NodeT_co

    def expression_with(self, new: ir.Expr) -> ir.Expr:
        """Return the expression of the step with another node in this place."""
        return replaced(self.source.expression(self.variable), self.path, new)

    def mutant(
        self,
        new: ir.Expr,
        phrases: tuple[str, ...],
        *reasons: Reason,
        was: str = "",
        now: str = "",
        words: tuple[tuple[str, str], ...] = (),
        error_type: ErrorType | None = None,
        fractions: bool = False,
    ) -> Mutant:
        """Return the mutant with another node in this place.

        `was` and `now` are the old and the new node as a reader sees them, unless they are given.
        """
        return Mutant(
            self.variable,
            was or reader_text(self.source, self.node),
            now or reader_text(self.source, new),
            phrases,
            expression=self.expression_with(new),
            reasons=reasons,
            words=words,
            error_type=error_type,
            fractions=fractions,
        )


def operations(source: FlawSource) -> Iterator[StepNode[ir.Binary]]:
    """Yield the operations of two operands of all steps."""
    for step in source.steps:
        for path, node in nodes(source.expression(step.variable)):
            if isinstance(node, ir.Binary):
                yield StepNode(source, step.variable, path, node)


def operations_without_conversions(source: FlawSource) -> Iterator[StepNode[ir.Binary]]:
    """Yield the operations of all steps that do not convert units themselves."""
    converting = {step.variable: {part.path for part in conversions(source, step.variable)} for step in source.steps}
    return (place for place in operations(source) if place.path not in converting[place.variable])


def operations_of_plain_steps(source: FlawSource) -> Iterator[StepNode[ir.Binary]]:
    """Yield the operations of the steps that convert no units anywhere."""
    plain = {step.variable for step in source.steps if not conversions(source, step.variable)}
    return (place for place in operations(source) if place.variable in plain)


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


def single_reads(source: FlawSource) -> Iterator[StepNode[ir.Name]]:
    """Yield the variables that a step reads once, factors of conversions left out."""
    for step in source.steps:
        expression = source.expression(step.variable)
        names = list(ir.names_in_order(expression))
        factors = {operation.factor_path for operation in conversions(source, step.variable)}
        for path, node in nodes(expression):
            if isinstance(node, ir.Name) and path not in factors and names.count(node.name) == 1:
                yield StepNode(source, step.variable, path, node)
