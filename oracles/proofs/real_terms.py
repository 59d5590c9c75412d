"""Translation of Python expressions into SMT-LIB terms of sort Real, with the functions they need."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal, UntranslatableError
from harness.program.syntax.unparser import unparse

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
_UNARY = {
    "abs": "magnitude",
    "fabs": "magnitude",
    "floor": "floor",
    "ceil": "ceiling",
    "trunc": "truncated",
    "int": "truncated",
    "round": "rounded",
}
_FOLDED = {"min": "least", "max": "greatest"}
_HALVES = (ir.Const(Fraction(1, 2)), ir.Binary("/", ir.Const(1), ir.Const(2)))
_FRACTIONS = frozenset({"Fraction", "Rational"})
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
    top, bottom = abs(value.numerator), value.denominator
    text = f"{top}.0" if bottom == 1 else f"(/ {top}.0 {bottom}.0)"
    return f"(- {text})" if value < 0 else text


def conjunction(formulas: list[str]) -> str:
    """Return the formula that all of some formulas hold."""
    return f"(and true {' '.join(formulas)})" if formulas else "true"


@dataclass(slots=True)
class RealTermWriter:
    """Writes expressions as terms of sort Real, over the symbols of variables in `names`.

    Each divisor and condition is defined once and read by its symbol, so the text is linear in the program. `guards` say that
    no divisor is zero, since division by zero may give anything in SMT-LIB, and that a root squared is what it is the root of:
    roots are written as the numbers that they are at the `values` of the variables, since cvc5 does not end on a root that is
    only declared.
    """

    definitions: list[str] = field(default_factory=list)
    guards: list[str] = field(default_factory=list)
    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Exact] = field(default_factory=dict)
    _count: int = 0

    def define(self, name: str, sort: str, text: str) -> str:
        """Define a symbol, and return it."""
        self.definitions.append(f"(define-fun {name} () {sort} {text})")
        return name

    def term(self, node: ir.Expr) -> str:
        """Return an expression as a term; what the theory of reals lacks, or an unknown name, is an `UntranslatableError`."""
        match node:
            case ir.Const(int() | Fraction() as value):
                return literal(value)
            case ir.Name(name) if name in self.names:
                return self.names[name]
            case ir.Binary("+" | "-" | "*" as operator, left, right):
                return f"({operator} {self.term(left)} {self.term(right)})"
            case ir.Binary("**", base, exponent):
                return self._power(base, exponent)
            case ir.Binary("/" | "//" | "%" as operator, left, right):
                return self._quotient(operator, left, right)
            case ir.Unary("-", operand):
                return f"(- {self.term(operand)})"
            case ir.Unary("+", operand):
                return self.term(operand)
            case ir.Conditional(ir.Comparison(operators, operands), then, otherwise):
                condition = self._condition(operators, operands)
                first, second = self._under(condition, then), self._under(f"(not {condition})", otherwise)
                return f"(ite {condition} {first} {second})"
            case ir.Call(function, arguments, ()) if function not in self.names:
                return self._call(function, arguments)
        raise UntranslatableError(f"{unparse(node)[:60]!r} has no translation")

    def _condition(self, operators: tuple[str, ...], operands: tuple[ir.Expr, ...]) -> str:
        if not _COMPARISONS.keys() >= set(operators):
            raise UntranslatableError(f"the comparison {' '.join(operators)[:60]} has no translation")
        terms = [self._named(self.term(operand)) for operand in operands]
        pairs = zip(operators, terms, terms[1:], strict=False)
        holds = [f"({_COMPARISONS[operator]} {left} {right})" for operator, left, right in pairs]
        return self._fresh("Bool", conjunction(holds))

    def _under(self, condition: str, node: ir.Expr) -> str:
        """Return a term whose divisors must differ from zero only where a condition holds."""
        count = len(self.guards)
        text = self.term(node)
        self.guards[count:] = [f"(=> (and true {condition}) {guard})" for guard in self.guards[count:]]
        return text

    def _fresh(self, sort: str, text: str) -> str:
        self._count += 1
        return self.define(f"|{'d' if sort == 'Real' else 'c'}{self._count}|", sort, text)

    def _named(self, text: str) -> str:
        """Return a symbol for a term that is read more than once; symbols and literals stand for themselves."""
        return self._fresh("Real", text) if text.startswith("(") else text

    def _divisor(self, text: str) -> str:
        name = self._named(text)
        if _NONZERO.fullmatch(name) is None:
            self.guards.append(f"(not (= {name} 0.0))")
        return name

    def _quotient(self, operator: str, left: ir.Expr, right: ir.Expr) -> str:
        top, bottom = self.term(left), self._divisor(self.term(right))
        if operator == "/":
            return f"(/ {top} {bottom})"
        if operator == "//":
            return f"(floor (/ {top} {bottom}))"
        top = self._named(top)
        return f"(- {top} (* {bottom} (floor (/ {top} {bottom}))))"

    def _root(self, node: ir.Expr) -> str:
        """Return the literal of a root, with the guard that it is not negative and that its square is the number under the root."""
        try:
            value = literal(evaluate_expression(ir.Call("sqrt", (node,)), self.values))
        except (ProgramError, Refusal) as error:
            raise UntranslatableError(f"this root has no translation: {error}") from None
        self.guards.append(f"(and (>= {value} 0.0) (= (* {value} {value}) {self.term(node)}))")
        return value

    def _power(self, base: ir.Expr, exponent: ir.Expr) -> str:
        if exponent in _HALVES:
            return self._root(base)
        power = _whole(exponent)
        if power is None or not -LARGEST_EXPONENT <= power <= LARGEST_EXPONENT:
            raise UntranslatableError(
                f"an exponent other than a half or a whole number up to {LARGEST_EXPONENT} has no translation"
            )
        text = self.term(base)
        if not power:
            return "1.0"
        name = self._divisor(text) if power < 0 else self._named(text)
        product = f"(* {' '.join([name] * abs(power))})" if abs(power) > 1 else name
        return f"(/ 1.0 {product})" if power < 0 else product

    def _call(self, function: str, arguments: tuple[ir.Expr, ...]) -> str:
        match function, arguments:
            case "round", (value, places):
                return self._rounded(value, places)
            case (name, (top, bottom)) if name in _FRACTIONS:
                return self._quotient("/", top, bottom)
            case (name, (value,)) if name in _FRACTIONS or name == "float":
                return self.term(value)
            case ("sqrt", (value,)):
                return self._root(value)
            case (name, (value,)) if name in _UNARY:
                return f"({_UNARY[name]} {self.term(value)})"
            case ("min" | "max", (first, _, *_)):
                text = self.term(first)
                for item in arguments[1:]:
                    text = f"({_FOLDED[function]} {text} {self.term(item)})"
                return text
        raise UntranslatableError(f"the function {function[:60]}() has no translation")

    def _rounded(self, value: ir.Expr, places: ir.Expr) -> str:
        digits = _whole(places)
        if digits is None or not -MOST_PLACES <= digits <= MOST_PLACES:
            raise UntranslatableError(f"rounding to other than up to {MOST_PLACES} written places has no translation")
        scale = literal(Fraction(10) ** digits)
        return f"(/ (rounded (* {self.term(value)} {scale})) {scale})"


def _whole(node: ir.Expr) -> int | None:
    """Return the whole number that a literal means, with its sign."""
    match node:
        case ir.Const(int() | Fraction() as value) if value.denominator == 1:
            return int(value)
        case ir.Unary("-", operand):
            inner = _whole(operand)
            return None if inner is None else -inner
    return None
