"""Property tests of the mutation operators: each kind of change keeps its invariants on any solution."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.operators.failure_to_update_state import failure_to_update_state
from generators.flaws.operators.input_misrepresentation import input_misrepresentation
from generators.flaws.operators.operand_swap import operand_swap
from generators.flaws.operators.operator_swap import operator_swap
from generators.flaws.operators.scoping_precedence import scoping_precedence
from generators.flaws.operators.wrong_reference_group import wrong_reference_group
from generators.flaws.solution.example_solutions import example_source
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.labels import ErrorType
from tests.generators.flaws.solution_strategies import solutions

if TYPE_CHECKING:
    from generators.flaws.mutation_operator import Mutant, MutationOperator
    from generators.flaws.solution.source_solution import FlawSource


def leaves(expression: ir.Expr) -> Counter[ir.Expr]:
    """Count the variables and numbers of an expression."""
    return Counter(node for _, node in nodes(expression) if isinstance(node, ir.Name | ir.Const))


def operators(expression: ir.Expr) -> Counter[str]:
    """Count the operators of an expression."""
    return Counter(node.operator for _, node in nodes(expression) if isinstance(node, ir.Binary))


def changed(mutant: Mutant) -> ir.Expr:
    """Return the new expression of a mutant that has one."""
    assert mutant.expression is not None
    return mutant.expression


@settings(max_examples=30)
@given(solutions())
def test_swapped_operators_keep_the_operands(source: FlawSource) -> None:
    """One operator is replaced by another; the numbers stay."""
    for mutant in operator_swap.mutants(source):
        before = source.expression(mutant.variable)
        assert leaves(changed(mutant)) == leaves(before)
        gone, come = operators(before) - operators(changed(mutant)), operators(changed(mutant)) - operators(before)
        assert (gone.total(), come.total(), gone & come) == (1, 1, Counter())


@settings(max_examples=30)
@given(solutions())
def test_swapped_operands_keep_everything_else(source: FlawSource) -> None:
    """The mutant has the same operators and numbers in another order."""
    for mutant in operand_swap.mutants(source):
        before = source.expression(mutant.variable)
        assert leaves(changed(mutant)) == leaves(before)
        assert operators(changed(mutant)) == operators(before)
        assert changed(mutant) != before


@settings(max_examples=30)
@given(solutions())
def test_regrouping_keeps_operators_of_the_step(source: FlawSource) -> None:
    """Within a step nothing goes and nothing comes; across steps the reach is what the step before was computed from."""
    for mutant in scoping_precedence.mutants(source):
        before = source.expression(mutant.variable)
        names = set(ir.names_in_order(changed(mutant)))
        if names == set(ir.names_in_order(before)):
            assert leaves(changed(mutant)) == leaves(before)
            assert operators(changed(mutant)) == operators(before)
        else:
            inlined = set(ir.names_in_order(before)) - names
            assert len(inlined) == 1
            assert names - set(ir.names_in_order(before)) <= set(source.trace.by_name[inlined.pop()].reads)


@settings(max_examples=30)
@given(solutions())
def test_outdated_and_foreign_variables_are_told_apart(source: FlawSource) -> None:
    """An outdated variable is one that the right one was computed from; another group's never is."""
    for operator, outdated in ((failure_to_update_state, True), (wrong_reference_group, False)):
        for mutant in operator.mutants(source):
            old = set(ir.names_in_order(source.expression(mutant.variable)))
            new = set(ir.names_in_order(changed(mutant)))
            (was,), (now,) = old - new, new - old
            assert (was in source.trace.descendants(now)) is outdated


@settings(max_examples=30)
@given(solutions())
def test_a_misread_number_replaces_one_input(source: FlawSource) -> None:
    """A number that no variable has takes the place of an input; a fact of the question is never world knowledge."""
    for mutant in input_misrepresentation.mutants(source):
        gone = leaves(source.expression(mutant.variable)) - leaves(changed(mutant))
        (was,) = gone
        assert isinstance(was, ir.Name)
        entry = source.trace.by_name[was.name]
        assert entry.role.is_input
        assert mutant.error_type in {None, ErrorType.WORLD_KNOWLEDGE}
        assert mutant.error_type is None or entry.value not in source.question_values or entry.role.name.startswith("W")


@pytest.mark.parametrize("operator", [operator_swap, operand_swap, wrong_reference_group, failure_to_update_state])
@settings(max_examples=15)
@given(source=solutions())
def test_factors_of_conversions_are_left_to_their_operator(operator: MutationOperator, source: FlawSource) -> None:
    """No other operator touches the operation that converts units."""
    for mutant in operator.mutants(source):
        after = dict(nodes(changed(mutant)))
        for conversion in conversions(source, mutant.variable):
            before = dict(nodes(source.expression(mutant.variable)))
            if conversion.factor_path in after and conversion.path in after and not conversion.path:
                assert after[conversion.factor_path] == before[conversion.factor_path]


def test_the_wrong_way_round_is_seen_by_value() -> None:
    """A difference of equal numbers cannot be swapped, nor an operator that changes nothing."""
    same = example_source("# L1\na = 4 # 4 pens\nb = 4 # 4 cats\nc = a - b\n# L2\nd = 2 # 2 dogs\ne = d * d")
    assert [mutant.variable for mutant in operand_swap.mutants(same)] == []
    assert "c" in {mutant.variable for mutant in operator_swap.mutants(same)}
