"""The words for the change of a flaw: the texts of its record before and after, and its names in explanations."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.expression_nodes import nodes, square_root_of
from harness.solution.expression_text import calculation_text, expression_text, expression_words
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import (
    EXTREME_WORDS,
    NO_ROUNDING,
    NOTHING,
    NOTHING_MORE,
    ROUNDING_WORDS,
    SQUARE_ROOT,
    UNWRITTEN,
)
from harness.text.names import variable_phrase, variable_words
from harness.text.number_forms import format_value
from harness.text.numbers import whole_as_int
from oracles.certificates.program_edit import EditKind, expression_difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from harness.domain import Exact
    from oracles.recheck.flaws.flaw_facts import FlawFacts

_NOTHING_AFTER = {
    ErrorType.SKIPPED_STEP: frozenset({NOTHING}),
    ErrorType.CONSTRAINT_VIOLATION: frozenset({NO_ROUNDING, NOTHING}),
}


def change_texts(facts: FlawFacts) -> tuple[str, str]:
    """Return `from` and `to` of a record: the calculation of the changed step before and after, or what stands in its place.

    A slip has its results. Where another answer is reported, they are the answers. In the place of a step that is left out stands the
    number that is read instead, or `nothing`.
    """
    variable, edit = facts.certificate.change.variable, facts.edit
    if edit is None:
        return format_value(facts.values[variable]), format_value(facts.after[variable])
    if edit.kind is EditKind.ANSWER:
        return format_value(facts.values[variable]), format_value(facts.wrong_value)
    if edit.kind is EditKind.ADDED or facts.before_expression is None:
        return NOTHING, "" if edit.after is None else calculation_text(edit.after, facts.after)
    before = calculation_text(facts.before_expression, facts.values)
    if facts.after_expression is not None:
        return before, calculation_text(facts.after_expression, facts.after)
    return before, NOTHING if edit.dropped else format_value(facts.wrong_value)


def change_names(facts: FlawFacts) -> tuple[Iterable[str], Iterable[str]]:
    """Return the names of a change in explanations, before and after; texts are computed on demand."""
    change = facts.certificate.change
    if facts.edit is None:
        right, wrong = facts.values[change.variable], facts.after[change.variable]
        return (format_value(right),), (format_value(wrong),)
    if (
        facts.edit.kind is EditKind.CHANGED
        and facts.before_expression is not None
        and facts.after_expression is not None
    ):
        return _changed_texts(facts, facts.before_expression, facts.after_expression)
    before = reader_texts(ir.Name(change.variable), {})
    return before, (NOTHING,) if facts.edit.dropped else reader_texts(ir.Name(facts.instead), {})


def _changed_texts(facts: FlawFacts, old: ir.Expr, new: ir.Expr) -> tuple[Iterable[str], Iterable[str]]:
    """Return the names of a changed expression before and after: the differing part, a part of one side only, or the whole."""
    kind, difference = facts.record.label.error_type, expression_difference(old, new)
    if kind is ErrorType.OPERAND_SWAP:
        return (expression_words(difference.before),), (expression_words(difference.after),)
    before: Iterable[str] = _texts(chain((difference.before, old), _only_in(old, new)), facts.values)
    after = _texts(chain((difference.after, new), _only_in(new, old)), facts.after)
    if kind is ErrorType.EXTRANEOUS_OPERATION:
        before = chain((NOTHING_MORE,), before if is_average(new) else ())
    return before, chain(_NOTHING_AFTER.get(kind, ()), after)


def _texts(expressions: Iterable[ir.Expr], values: Mapping[str, Exact]) -> Iterator[str]:
    return (text for expression in expressions for text in reader_texts(expression, values))


def _only_in(expression: ir.Expr, other: ir.Expr) -> Iterator[ir.Expr]:
    """Yield the parts of an expression that another one has not, or not as often."""
    rest = [node for _, node in nodes(other)]
    for _, node in nodes(expression):
        if node in rest:
            rest.remove(node)
        else:
            yield node


def is_average(expression: ir.Expr) -> bool:
    """Tell whether an expression is the average of two variables, which is made up wherever it was not called for."""
    match expression:
        case ir.Binary("/", ir.Binary("+", ir.Name(), ir.Name()), ir.Const(2)):
            return True
    return False


def reader_texts(node: ir.Expr, values: Mapping[str, Exact]) -> Iterator[str]:
    """Yield the ways to name a node: a variable in words, a number, an operation, an expression in numbers or words."""
    match node:
        case ir.Name(name):
            yield variable_phrase(name)
            yield variable_words(name)
            value = values.get(name)
        case ir.Const(int() | Fraction() as value) if not isinstance(value, bool):
            pass
        case ir.Binary(operator, _, _):
            yield ROUNDING_WORDS["floor"] if operator == "//" else operator
            value = None
        case ir.Call(function, _, _):
            yield (ROUNDING_WORDS | EXTREME_WORDS).get(function, UNWRITTEN)
            value = None
        case _:
            value = None
    if square_root_of(node) is not None:
        yield SQUARE_ROOT
    if value is not None:
        yield format_value(value)
        yield f"{format_value(whole_as_int(Fraction(value) * 100))}%"
    written = expression_text(node, values)
    yield UNWRITTEN if written is None else written
    yield expression_words(node)
