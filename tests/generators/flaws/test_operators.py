"""Tests of the registered mutation operators: their examples hold, and each kind of change keeps its invariants on any solution."""

import importlib
from collections import Counter

from hypothesis import given, settings

from generators.flaws.mutation_operator import OPERATORS, Mutant, MutationOperator, leaves
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import conversions
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.program.syntax.unparser import unparse
from harness.text.operation_words import operators
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source
from tests.generators.flaws.solution_strategies import solutions

NAMES = sorted(operator.name for operator in OPERATORS)
MOST = 40


def described(mutant: Mutant) -> str:
    """Write a mutant as examples do."""
    variable = mutant.variable
    if mutant.expression is not None:
        return f"{variable} = {unparse(mutant.expression)}"
    if mutant.rewired is not None:
        return f"{variable} -> {mutant.rewired}"
    return f"answer = {mutant.result}" + (f", without {variable}" if mutant.omitted else "")


@cases("name", NAMES)
def test_examples_are_exact(name: str) -> None:
    """An example states all mutants in their order, and one has a mutant; who reads a name in a record finds the file."""
    operator = OPERATORS.require(name)
    assert operator.mutants.__module__ == f"generators.flaws.operators.{name}"
    assert importlib.import_module(operator.mutants.__module__).__doc__
    assert any(example.mutants for example in operator.examples)
    for example in operator.examples:
        source = example_source(example.code, example.question)
        assert tuple(map(described, operator.mutants(source))) == example.mutants
        check(operator, source)


def check(operator: MutationOperator, source: FlawSource) -> None:
    """Assert that all mutants of a solution are well-formed: one change, in one of four ways, to what a person could read."""
    mutants = list(operator.mutants(source))
    assert mutants == list(operator.mutants(source)), operator.name
    assert len({described(mutant) for mutant in mutants}) == len(mutants) <= MOST, operator.name
    steps = {entry.variable for entry in source.steps}
    for mutant in mutants:
        scope = {entry.variable for entry in source.in_scope(mutant.variable)}
        assert mutant.variable in steps
        assert [mutant.expression, mutant.rewired, mutant.result].count(None) == 2
        assert all(why and -1.0 <= weight <= 1.0 for why, weight in mutant.reasons)
        if mutant.expression is not None:
            assert mutant.expression != source.expression(mutant.variable)
            assert set(ir.names_in_order(mutant.expression)) <= scope
        elif mutant.rewired is not None:
            assert mutant.rewired in scope
            assert source.readers(mutant.variable)
        else:
            assert mutant.variable == source.final != mutant.result
            assert mutant.result in scope | steps
        assert mutant.result is not None or not mutant.omitted


@settings(max_examples=60)
@given(solutions())
def test_mutants_of_any_solution_are_well_formed(source: FlawSource) -> None:
    """One change, in one of the four ways, deterministic, bounded, none twice; and a changed solution has one type."""
    seen: dict[str, str] = {}
    for operator in OPERATORS:
        check(operator, source)
        for mutant in operator.mutants(source):
            change = described(mutant)
            assert change not in seen, f"{change} by {operator.name} and {seen[change]}"
            seen[change] = operator.name


def changes(name: str, source: FlawSource) -> list[tuple[Mutant, ir.Expr, ir.Expr]]:
    """Return the mutants of an operator with another expression, that of the solution, and the new one."""
    mutants = OPERATORS.require(name).mutants(source)
    return [(mutant, source.expression(mutant.variable), mutant.expression) for mutant in mutants if mutant.expression]


@settings(max_examples=30)
@given(solutions())
def test_swaps_keep_the_numbers(source: FlawSource) -> None:
    """One operator is replaced by another, or the operands change places; regrouping within a step moves, and adds nothing."""
    for _, before, after in changes("operator_swap", source):
        gone, come = operators(before) - operators(after), operators(after) - operators(before)
        assert Counter(leaves(after)) == Counter(leaves(before))
        assert (gone.total(), come.total(), gone & come) == (1, 1, Counter())
    for _, before, after in changes("operand_swap", source):
        assert (Counter(leaves(after)), operators(after)) == (Counter(leaves(before)), operators(before))
    for _, before, after in changes("scoping_precedence", source):
        inlined = {*ir.names_in_order(before)} - {*ir.names_in_order(after)}
        come = {*ir.names_in_order(after)} - {*ir.names_in_order(before)}
        if inlined or come:
            assert len(inlined) == 1
            assert come <= set(source.trace.by_name[inlined.pop()].reads)
        else:
            assert (Counter(leaves(after)), operators(after)) == (Counter(leaves(before)), operators(before))


@settings(max_examples=15)
@given(solutions())
def test_factors_of_conversions_are_left_to_their_operator(source: FlawSource) -> None:
    """No other operator touches the operation that converts units."""
    for name in ("operator_swap", "operand_swap", "wrong_reference_group", "failure_to_update_state"):
        for mutant, before, after in changes(name, source):
            for conversion in conversions(source, mutant.variable):
                kept = dict(nodes(after))
                if conversion.factor_path in kept and not conversion.path:
                    assert kept[conversion.factor_path] == dict(nodes(before))[conversion.factor_path]
