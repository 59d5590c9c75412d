"""Translation of Python expressions into SMT-LIB terms of sort Real, with the functions they need."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.expression_nodes import square_root_of
from harness.program.refusal import ProgramError, Refusal
from oracles.equivalence.provers.translation_error import UntranslatableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Exact
    from oracles.proofs.straight_program import StraightLineProgram

LARGEST_EXPONENT = 32
MOST_PLACES = 100
LOGIC = "(set-logic QF_NIRA)\n"
FUNCTIONS = """\
(define-fun floor ((x Real)) Real (to_real (to_int x)))
(define-fun ceiling ((x Real)) Real (- (floor (- x))))
(define-fun truncated ((x Real)) Real (ite (>= x 0.0) (floor x) (ceiling x)))
(define-fun magnitude ((x Real)) Real (ite (>= x 0.0) x (- x)))
(define-fun least ((x Real) (y Real)) Real (ite (<= x y) x y))
(define-fun greatest ((x Real) (y Real)) Real (ite (>= x y) x y))
(define-fun even ((x Real)) Bool (= x (* 2.0 (floor (/ x 2.0)))))
(define-fun rounded ((x Real)) Real
  (let ((low (floor x)))
    (let ((rest (- x low)))
      (ite (or (< rest (/ 1.0 2.0)) (and (= rest (/ 1.0 2.0)) (even low))) low (+ low 1.0)))))
"""
"""What terms may use; `rounded` rounds half to even."""
PRELUDE = LOGIC + FUNCTIONS
_UNARY = {
    "abs": "magnitude",
    "fabs": "magnitude",
    "floor": "floor",
    "ceil": "ceiling",
    "trunc": "truncated",
    "int": "truncated",
}
_FRACTIONS = {"Fraction", "Rational"}
_COMPARISONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "="}
_NONZERO = re.compile(r"[1-9][0-9]*\.0")
PLAIN = re.compile(r"[A-Za-z0-9_]+")


def symbol(name: str, prefix: str = "") -> str:
    """Return a quoted symbol for any text, another one for each; only plain ASCII stands between the bars."""
    if PLAIN.fullmatch(name):
        return f"|{prefix}:{name}|"
    letters = (letter if PLAIN.fullmatch(letter) else f"~{ord(letter):x}~" for letter in name)
    return f"|{prefix}:{''.join(letters)}|"


def literal(value: Exact) -> str:
    """Write an exact number as a real."""
    magnitude = -value if value < 0 else value
    text = (
        f"{magnitude.numerator}.0"
        if magnitude.denominator == 1
        else f"(/ {magnitude.numerator}.0 {magnitude.denominator}.0)"
    )
    return f"(- {text})" if value < 0 else text


@dataclass(slots=True)
class RealTermWriter:
    """Writes expressions as terms of sort Real.

    Each step, divisor and condition is defined once and read by its symbol, so the text is linear in the program.
    `guards` say that each divisor on the path through the conditions is not zero: division by zero may give anything in
    SMT-LIB. A square root is written as the number it is, and guarded by its square. A power whose exponent is no
    literal is written out for the value it has, and guarded by it.
    """

    definitions: list[str] = field(default_factory=list)
    guards: list[str] = field(default_factory=list)
    _path: list[str] = field(default_factory=list)
    _names: Mapping[str, str] = field(default_factory=dict)
    _values: Mapping[str, Exact] = field(default_factory=dict)
    _count: int = 0

    def program(self, prefix: str, side: StraightLineProgram, values: Mapping[str, Exact]) -> dict[str, str]:
        """Define each input and step by what it computes, which is `values`; return the symbols by variable."""
        names = self._inputs(prefix, side)
        self._values = values
        for step in side.steps:
            text = self.term(step.expression, names)
            names[step.variable] = self._define(symbol(step.variable, prefix), "Real", text)
        return names

    def stated(self, prefix: str, side: StraightLineProgram, stated: Mapping[str, Exact]) -> StepEquations:
        """Define each step by its stated value; return the symbols and the equations by variable."""
        names = self._inputs(prefix, side)
        self._values = {**side.inputs, **stated}
        equations = {}
        for step in side.steps:
            text = self.term(step.expression, names)
            name = self._define(symbol(step.variable, prefix), "Real", literal(stated[step.variable]))
            names[step.variable] = name
            equations[step.variable] = f"(= {name} {text})"
        return StepEquations(names, equations)

    def term(self, node: ir.Expr, names: Mapping[str, str], values: Mapping[str, Exact] | None = None) -> str:
        """Return an expression as a term over the symbols of its variables, whose values are those given if any.

        Raises:
            UntranslatableError: it holds what the theory of reals lacks, or an unknown name.
        """
        self._names = names
        if values is not None:
            self._values = values
        return self._term(node)

    def _inputs(self, prefix: str, side: StraightLineProgram) -> dict[str, str]:
        return {name: self._define(symbol(name, prefix), "Real", literal(value)) for name, value in side.inputs.items()}

    def _define(self, name: str, sort: str, text: str) -> str:
        self.definitions.append(f"(define-fun {name} () {sort} {text})")
        return name

    def _fresh(self, sort: str, text: str) -> str:
        self._count += 1
        return self._define(f"|{'d' if sort == 'Real' else 'c'}{self._count}|", sort, text)

    def _guard(self, formula: str) -> None:
        self.guards.append(f"(=> {conjunction(self._path)} {formula})" if self._path else formula)

    def _term(self, node: ir.Expr) -> str:
        radicand = None if isinstance(node, ir.Call) and node.function in _UNARY else square_root_of(node)
        if radicand is not None:
            return self._root(node, radicand)
        match node:
            case ir.Const(int() | Fraction() as value):
                return literal(value)
            case ir.Name(name) if name in self._names:
                return self._names[name]
            case ir.Binary("+" | "-" | "*" as operator, left, right):
                return f"({operator} {self._term(left)} {self._term(right)})"
            case ir.Binary("**", base, exponent):
                return self._power(base, exponent)
            case ir.Binary(operator, left, right):
                return self._quotient(operator, left, right)
            case ir.Unary("-", operand):
                return f"(- {self._term(operand)})"
            case ir.Unary("+", operand):
                return self._term(operand)
            case ir.Conditional(test, then, otherwise):
                condition = self._condition(test)
                first = self._under(condition, then)
                return f"(ite {condition} {first} {self._under(f'(not {condition})', otherwise)})"
            case ir.Boolean(operator, operands):
                return self._choice(operator, operands)
            case ir.Comparison() | ir.Unary("not", _):
                return f"(ite {self._formula(node)} 1.0 0.0)"
            case ir.Call(function, arguments, keywords) if function not in self._names:
                return self._call(function, arguments, dict(keywords))
        raise _untranslatable(node)

    def _formula(self, node: ir.Expr) -> str:
        """Return an expression as a condition; a number holds where it is not zero."""
        match node:
            case ir.Unary("not", operand):
                return f"(not {self._formula(operand)})"
            case ir.Comparison(operators, operands):
                terms = [self._named(self._term(operand)) for operand in operands]
                return conjunction(
                    [
                        _comparison(operator, left, right)
                        for operator, left, right in zip(operators, terms, terms[1:], strict=False)
                    ]
                )
        return f"(not (= {self._term(node)} 0.0))"

    def _condition(self, test: ir.Expr) -> str:
        return self._fresh("Bool", self._formula(test))

    def _under(self, condition: str, node: ir.Expr) -> str:
        self._path.append(condition)
        text = self._term(node)
        self._path.pop()
        return text

    def _choice(self, operator: str, operands: tuple[ir.Expr, ...]) -> str:
        """Return what `and` or `or` gives: the operand that decides."""
        if len(operands) == 1:
            return self._term(operands[0])
        first = self._named(self._term(operands[0]))
        holds = f"(not (= {first} 0.0))" if operator == "and" else f"(= {first} 0.0)"
        self._path.append(holds)
        rest = self._choice(operator, operands[1:])
        self._path.pop()
        return f"(ite {holds} {rest} {first})"

    def _named(self, text: str) -> str:
        """Return a symbol for a term that is read more than once; symbols and literals stand for themselves."""
        return self._fresh("Real", text) if text.startswith("(") else text

    def _divisor(self, text: str) -> str:
        name = self._named(text)
        if _NONZERO.fullmatch(name):
            return name
        self._guard(f"(not (= {name} 0.0))")
        return name

    def _quotient(self, operator: str, left: ir.Expr, right: ir.Expr) -> str:
        top, bottom = self._term(left), self._divisor(self._term(right))
        if operator == "/":
            return f"(/ {top} {bottom})"
        if operator == "//":
            return f"(floor (/ {top} {bottom}))"
        top = self._named(top)
        return f"(- {top} (* {bottom} (floor (/ {top} {bottom}))))"

    def _power(self, base: ir.Expr, exponent: ir.Expr) -> str:
        power = _whole(exponent)
        if power is None:
            power = self._whole_value(exponent)
        if power is None or not -LARGEST_EXPONENT <= power <= LARGEST_EXPONENT:
            message = f"an exponent that is no whole number up to {LARGEST_EXPONENT} has no translation"
            raise UntranslatableError(message)
        text = self._term(base)
        if not power:
            return "1.0"
        name = self._divisor(text) if power < 0 else self._named(text)
        product = f"(* {' '.join([name] * abs(power))})" if abs(power) > 1 else name
        return f"(/ 1.0 {product})" if power < 0 else product

    def _root(self, node: ir.Expr, radicand: ir.Expr) -> str:
        """Return the square root of an expression as the number it is, guarded: not negative, its square is the expression."""
        value = self._value(node)
        if value is None:
            message = "a square root that is no fraction has no translation"
            raise UntranslatableError(message)
        self._guard(f"(= {self._term(radicand)} (* {literal(value)} {literal(value)}))")
        return literal(value)

    def _value(self, node: ir.Expr) -> Exact | None:
        """Return the value of an expression at the values of its variables; `None` where it has none or takes too much to compute."""
        try:
            return evaluate_expression(node, self._values)
        except (Refusal, ProgramError):
            return None

    def _whole_value(self, exponent: ir.Expr) -> int | None:
        """Return the whole number an exponent is, guarded; `None` where it is none or takes too much to compute."""
        value = self._value(exponent)
        if value is None or value.denominator != 1:
            return None
        self._guard(f"(= {self._term(exponent)} {literal(value)})")
        return int(value)

    def _call(self, function: str, arguments: tuple[ir.Expr, ...], keywords: dict[str, ir.Expr]) -> str:
        match function, arguments:
            case "round", (value,) if not keywords:
                return f"(rounded {self._term(value)})"
            case "round", (value, places) if not keywords:
                return self._rounded(value, places)
            case "round", (value,) if keywords.keys() == {"ndigits"}:
                return self._rounded(value, keywords["ndigits"])
            case ("pow", (base, exponent)) if not keywords:
                return self._power(base, exponent)
            case (name, (top, bottom)) if name in _FRACTIONS and not keywords:
                return self._quotient("/", top, bottom)
            case (name, (value,)) if (name in _FRACTIONS or name == "float") and not keywords:
                return self._term(value)
            case (name, (value,)) if name in _UNARY and not keywords:
                return f"({_UNARY[name]} {self._term(value)})"
            case ("min" | "max" | "sum", (ir.Sequence(_, items),)) if items and not keywords:
                return self._folded(function, items)
            case ("min" | "max", (_, _, *_)) if not keywords:
                return self._folded(function, arguments)
        message = f"the function {function[:60]}() has no translation"
        raise UntranslatableError(message)

    def _folded(self, function: str, items: tuple[ir.Expr, ...]) -> str:
        name = {"min": "least", "max": "greatest", "sum": "+"}[function]
        text = self._term(items[0])
        for item in items[1:]:
            text = f"({name} {text} {self._term(item)})"
        return text

    def _rounded(self, value: ir.Expr, places: ir.Expr) -> str:
        digits = _whole(places)
        if digits is None or not -MOST_PLACES <= digits <= MOST_PLACES:
            message = f"rounding to other than up to {MOST_PLACES} written places has no translation"
            raise UntranslatableError(message)
        scale = literal(Fraction(10) ** digits)
        return f"(/ (rounded (* {self._term(value)} {scale})) {scale})"


@dataclass(frozen=True, slots=True)
class StepEquations:
    """The symbols of a program's variables and the equations of its steps, both by variable."""

    names: dict[str, str]
    equations: dict[str, str]


def conjunction(formulas: list[str]) -> str:
    """Return the formula that all of some formulas hold."""
    return f"(and true {' '.join(formulas)})" if formulas else "true"


def _comparison(operator: str, left: str, right: str) -> str:
    if operator == "!=":
        return f"(not (= {left} {right}))"
    if operator not in _COMPARISONS:
        message = f"the comparison {operator} has no translation"
        raise UntranslatableError(message)
    return f"({_COMPARISONS[operator]} {left} {right})"


def _whole(node: ir.Expr) -> int | None:
    """Return the whole number a literal stands for, with its sign."""
    match node:
        case ir.Const(int() | Fraction() as value) if value.denominator == 1:
            return int(value)
        case ir.Unary("-", operand):
            inner = _whole(operand)
            return None if inner is None else -inner
    return None


def _untranslatable(node: ir.Expr) -> UntranslatableError:
    what = f"the name {node.name[:60]!r}" if isinstance(node, ir.Name) else type(node).__name__
    return UntranslatableError(f"{what} has no translation")
