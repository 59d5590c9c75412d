"""Patterns of formulas that people confuse, and the search for them in the steps of a solution."""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from generators.flaws.knowledge.linear_equations import leaf_value, step_expression
from generators.flaws.knowledge.quantity_roles import leaves, variable_description
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.solution.phrases.explanation_phrases import explanation_phrases, partly_filled

LONGEST_LINE = 2_000
Binding = dict[str, ir.Expr]
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_TEMPLATES = explanation_phrases("wrong_formula")["mistaken"]


class PlaceholderKind(enum.Enum):
    """The values that a placeholder of a formula may have."""

    SHARE = enum.auto()
    """Between 0 and 1."""
    WHOLE = enum.auto()
    """Two to a hundred and whole."""
    TIMES = enum.auto()
    """Two to twelve and whole."""
    GROWTH = enum.auto()
    """Between 1 and 2."""
    HUNDREDTH = enum.auto()
    """What turns a percentage into a share."""

    def fits(self, value: Exact) -> bool:
        """Tell whether a value is of this kind."""
        whole = value.denominator == 1
        match self:
            case PlaceholderKind.SHARE:
                return 0 < value < 1
            case PlaceholderKind.WHOLE:
                return whole and 2 <= value <= 100
            case PlaceholderKind.TIMES:
                return whole and 2 <= value <= 12
            case PlaceholderKind.GROWTH:
                return 1 < value < 2
        return value == Fraction(1, 100)


@dataclass(frozen=True)
class Formula:
    """A formula as it should be, in several forms, and others that people use in its place.

    Formulas are Python with a letter for each quantity, another letter for another one; a number stands for anything of
    that value. `steps` lets a form span steps: the operand of a step may be what a step before works out, and what the problem gives may
    stand for a part whose letters are known, such as 6 months for 4 + 2; `across` wants a form to span steps. `about` has to be found in the name of the step
    or on its line, `unlike` must not be found in its name, `question` has to be found in the question; `roles` must be
    found in the name or comment of what a letter stands for, `kinds` limit its value: all of them regular expressions.
    `should` and `did` are clauses that say what is right and what was done.
    """

    name: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    should: str
    did: str
    about: str = ""
    unlike: str = ""
    question: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, PlaceholderKind] = field(default_factory=dict)
    steps: bool = False
    across: bool = False
    weight: float = 0.2

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """Return the explanations."""
        return partly_filled(_TEMPLATES, {"should": self.should, "did": self.did})

    @cached_property
    def forms(self) -> tuple[ir.Expr, ...]:
        """Return the right forms as expressions over letters."""
        return tuple(map(read_formula, self.right))

    @cached_property
    def operators(self) -> frozenset[str]:
        """Return the outermost operators of the right forms."""
        return frozenset(form.operator for form in self.forms if isinstance(form, ir.Binary))

    @cached_property
    def mistaken(self) -> tuple[ir.Expr, ...]:
        """Return the wrong ones as expressions over letters."""
        return tuple(map(read_formula, self.wrong))


def read_formula(text: str) -> ir.Expr:
    """Read a formula of a table: letters, whole numbers, + - * / and parentheses.

    Raises:
        ValueError: it says something else.
    """
    return _read(ast.parse(text, mode="eval").body, text)


def _read(node: ast.expr, text: str) -> ir.Expr:
    match node:
        case ast.Name(letter):
            return ir.Name(letter)
        case ast.Constant(int() as value):
            return ir.Const(value)
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            return ir.Binary(_OPERATORS[type(operator)], _read(left, text), _read(right, text))
    message = f"{text!r} is no formula of letters, whole numbers and + - * /"
    raise ValueError(message)


def match_formula(source: FlawSource, variable: str, node: ir.Binary, formula: Formula) -> Binding | None:
    """Return the meaning of the letters of a formula, where an expression of a step has one of its right forms."""
    for form in formula.forms:
        if not isinstance(form, ir.Binary) or form.operator != node.operator:
            continue
        for binding in _matches(source, form, node, {}, steps=formula.steps):
            across = not formula.across or any(binding[letter] not in leaves(node) for letter in binding)
            if across and all(_plays(source, binding[letter], formula, letter) for letter in binding):
                return binding if _applies(source, variable, formula) else None
    return None


def fill_formula(formula: ir.Expr, binding: Binding) -> ir.Expr:
    """Return a formula with its letters replaced."""
    match formula:
        case ir.Name(letter):
            return binding[letter]
        case ir.Binary(operator, left, right):
            return ir.Binary(operator, fill_formula(left, binding), fill_formula(right, binding))
    return formula


def _applies(source: FlawSource, variable: str, formula: Formula) -> bool:
    name = variable.replace("_", " ").lower()
    line = source.problem.solution.split("\n")[source.line_number(variable) - 1][:LONGEST_LINE].lower()
    return (
        re.search(formula.about, f"{name}\n{line}") is not None
        and (not formula.unlike or re.search(formula.unlike, name) is None)
        and (not formula.question or re.search(formula.question, source.problem.question.lower()) is not None)
    )


def _plays(source: FlawSource, node: ir.Expr, formula: Formula, letter: str) -> bool:
    kind, role = formula.kinds.get(letter), formula.roles.get(letter)
    if not isinstance(node, ir.Name):
        return role is None and kind is None
    if kind is not None and not kind.fits(source.values[node.name]):
        return False
    return role is None or re.search(role, variable_description(source.trace.by_name[node.name])) is not None


def _matches(source: FlawSource, form: ir.Expr, node: ir.Expr, binding: Binding, *, steps: bool) -> Iterator[Binding]:
    match form:
        case ir.Const(value):
            if leaf_value(source, node) == value:
                yield binding
        case ir.Name(letter):
            if isinstance(node, ir.Name | ir.Const) and _may_bind(letter, node, binding):
                yield {**binding, letter: node}
        case ir.Binary(operator, left, right):
            whole = step_expression(source, node) if steps else node
            if steps and isinstance(whole, ir.Name | ir.Const) and _comes_to(source, form, whole, binding):
                yield binding
            if isinstance(whole, ir.Binary) and whole.operator == operator:
                orders = [(whole.left, whole.right)]
                if operator in "+*":
                    orders.append((whole.right, whole.left))
                for first, second in orders:
                    for bound in _matches(source, left, first, binding, steps=steps):
                        yield from _matches(source, right, second, bound, steps=steps)


def _comes_to(source: FlawSource, form: ir.Expr, node: ir.Expr, binding: Binding) -> bool:
    """Tell whether a given number is the value of a part of a formula, such as 6 months for 4 + 2, whose letters are all known."""
    letters = set(ir.names_in_order(form))
    return letters <= binding.keys() and value_of(fill_formula(form, binding), source.values) == leaf_value(
        source, node
    )


def _may_bind(letter: str, node: ir.Expr, binding: Binding) -> bool:
    return binding[letter] == node if letter in binding else node not in binding.values()
