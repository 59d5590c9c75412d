"""Tests of the registered mutation operators: their examples hold, and certificates can describe their mutants."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from hypothesis import given, settings

from generators.flaws.mutation_operator import OPERATORS, Mutant, MutationExample, MutationOperator
from generators.flaws.solution.example_solutions import example_source
from generators.flaws.step_nodes import evaluate_mutant
from generators.flaws.text.explanation import explanation
from harness.program import ir
from harness.program.expression_nodes import without_operand
from harness.program.syntax.unparser import unparse
from harness.solution.labels import ErrorClass, ErrorType
from harness.text.number_forms import format_value
from tests.cases import cases
from tests.generators.flaws.solution_strategies import solutions

if TYPE_CHECKING:
    from generators.flaws.solution.source_solution import FlawSource

NAMES = sorted(operator.name for operator in OPERATORS)
EXAMPLES = [(operator.name, number) for operator in OPERATORS for number in range(len(operator.examples))]
MOST = 40


def described(mutant: Mutant, source: FlawSource) -> tuple[str, str]:
    """Write a mutant as examples do."""
    if mutant.expression is not None:
        return mutant.variable, f"left out: {unparse(mutant.expression)}" if mutant.reader else unparse(
            mutant.expression
        )
    if mutant.rewired is not None:
        return mutant.variable, f"-> {mutant.rewired}"
    left_out = f", without L{source.line_number(mutant.variable)}" if mutant.omitted else ""
    return mutant.variable, f"answer = {mutant.result}{left_out}"


def example_of(name: str, number: int) -> tuple[MutationOperator, MutationExample, FlawSource]:
    """Return an operator, its example of that number and the solution of the example."""
    operator = OPERATORS.require(name)
    example = operator.examples[number]
    return operator, example, example_source(example.code, example.question)


def mutants_of(name: str) -> list[tuple[FlawSource, Mutant]]:
    """Return the mutants of an operator's examples with their solutions."""
    operator = OPERATORS.require(name)
    sources = [example_source(example.code, example.question) for example in operator.examples]
    return [(source, mutant) for source in sources for mutant in operator.mutants(source)]


@cases("name", NAMES)
def test_an_operator_is_named_after_its_file(name: str) -> None:
    """Who reads a name in a record finds the code; its type is conceptual or a skipped step."""
    operator = OPERATORS.require(name)
    module = importlib.import_module(f"generators.flaws.operators.{name}")
    assert module.__doc__
    assert operator.mutants.__module__ == module.__name__
    assert operator.error_type.error_class is not ErrorClass.COMPUTATIONAL


@cases("name", NAMES)
def test_an_operator_ships_two_examples(name: str) -> None:
    """Enough to see what it does, one of them with a mutant."""
    examples = OPERATORS.require(name).examples
    assert len(examples) >= 2
    assert any(example.mutants for example in examples)


@cases(("name", "number"), EXAMPLES)
def test_examples_are_exact(name: str, number: int) -> None:
    """An example states all mutants in their order."""
    operator, example, source = example_of(name, number)
    assert [described(mutant, source) for mutant in operator.mutants(source)] == list(example.mutants)


@cases("name", NAMES)
def test_explanations_are_sentences(name: str) -> None:
    """An explanation is made of whole sentences and has no name of a variable; its numbers are those of the change."""
    operator = OPERATORS.require(name)
    for source, mutant in mutants_of(name):
        trace = evaluate_mutant(source, mutant)
        text = explanation(source, mutant, trace, operator.explanation)
        assert text[0].isupper() or text[0].isdigit()
        assert text.endswith(".")
        assert not set(text) & set("_{}\n")
        assert format_value(source.values[mutant.variable]) in text
        assert mutant.was != mutant.now


def check(operator: MutationOperator, source: FlawSource) -> None:
    """Assert that all mutants of a solution are well-formed."""
    mutants = list(operator.mutants(source))
    assert mutants == list(operator.mutants(source)), operator.name
    assert len(mutants) <= MOST, operator.name
    told = [described(mutant, source) for mutant in mutants]
    assert len(told) == len(set(told))
    for mutant in mutants:
        check_mutant(mutant, source)


def check_mutant(mutant: Mutant, source: FlawSource) -> None:
    """Assert that a mutant is one change of one step, to what a person working it out could read."""
    steps = {entry.variable for entry in source.steps}
    scope = {entry.variable for entry in source.in_scope(mutant.variable)}
    assert mutant.variable in steps
    assert [mutant.expression, mutant.rewired, mutant.result].count(None) == 2
    assert mutant.error_type is None or isinstance(mutant.error_type, ErrorType)
    assert all(why and -1.0 <= weight <= 1.0 for why, weight in mutant.reasons)
    assert all(old and new and old != new for old, new in mutant.words)
    if mutant.expression is not None and mutant.reader is not None:
        assert [entry.variable for entry in source.readers(mutant.variable)] == [mutant.reader]
        assert mutant.expression == without_operand(source.expression(mutant.reader), mutant.variable)
        assert not mutant.omitted
    elif mutant.expression is not None:
        assert mutant.expression != source.expression(mutant.variable)
        assert set(ir.names_in_order(mutant.expression)) <= scope
        assert not mutant.omitted
    elif mutant.rewired is not None:
        assert mutant.rewired in scope
        assert source.readers(mutant.variable)
        assert not mutant.omitted
    else:
        assert mutant.variable == source.final
        assert mutant.result in scope | steps
        assert mutant.result != source.final


@cases("name", NAMES)
def test_mutants_of_examples_are_well_formed(name: str) -> None:
    """One change, in one of five ways; it is deterministic and bounded, and none comes twice."""
    operator = OPERATORS.require(name)
    for example in operator.examples:
        check(operator, example_source(example.code, example.question))


@settings(max_examples=60)
@given(solutions())
def test_mutants_of_any_solution_are_well_formed(source: FlawSource) -> None:
    """One change, in one of the five ways, deterministic, bounded, none twice; and a changed solution has one type."""
    seen: dict[tuple[str, str], str] = {}
    for operator in OPERATORS:
        check(operator, source)
        for mutant in operator.mutants(source):
            told = described(mutant, source)
            assert told not in seen, f"{told} by {operator.name} and {seen[told]}"
            seen[told] = operator.name
