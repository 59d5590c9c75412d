"""The exact evaluator of programs, on numbers or on open terms, within a budget of steps and digits.

The module has more than 400 lines because it is one interpreter: to split statements from expressions would split its state.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.evaluation.arithmetic import (
    CONTAINERS,
    LONGEST_SEQUENCE,
    LONGEST_TEXT,
    SCALAR_FUNCTIONS,
    Value,
    binary,
    bounded,
    compare,
    cost,
    is_number,
    type_name,
)
from harness.program.evaluation.builtin_functions import BUILTINS, KEYWORDS, loop_range
from harness.program.evaluation.linear_unknowns import Equation, LinearExpression, sole_unknown, substitute, symbol
from harness.program.evaluation.open_loops import LAST_ROUND, close_for, close_while, is_pure, may_close, sum_of
from harness.program.evaluation.terms import COMPARISONS, OpenRange, Operand, Term
from harness.program.refusal import ProgramError, Refusal, RefusalReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from harness.domain import Exact

MOST_STEPS = 200_000
DEEPEST_CALL = 20
_PYTHON_NAMES = {*dir(builtins), "pi", "e", "tau", "inf", "nan"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What evaluation gave: an exact value, or the name of the exception the program raises."""

    value: Exact | None
    error: str | None = None

    def agrees(self, other: Outcome) -> bool:
        """Tell whether both give the same value, or neither gives one: which exception is raised is no part of it."""
        return self.value == other.value

    def __str__(self) -> str:
        """Show an integer or fraction, or the exception."""
        return self.error if self.error is not None else format_exact(self.value)


def format_exact(value: Exact | None) -> str:
    """Show an exact value as `7` or `7/2`."""
    return str(value) if value is None or isinstance(value, int) or value.denominator != 1 else str(value.numerator)


def evaluate(program: ir.Program, inputs: Sequence[Exact] | None = None, *, most_steps: int = MOST_STEPS) -> Outcome:
    """Run a program on exact inputs, its defaults where none are given, for at most so many steps.

    Raises:
        Refusal: the budget is spent, a construct is not supported, or the result is no number.
    """
    values = [parameter.value for parameter in program.parameters] if inputs is None else inputs
    try:
        result = Evaluator(program, values, most_steps=most_steps).run()
    except ProgramError as error:
        return Outcome(None, error.name)
    if isinstance(result, int | Fraction) and not isinstance(result, bool):
        return Outcome(result)
    raise non_numeric(result)


def non_numeric(result: Value) -> Refusal:
    """Say why a result is no number."""
    if isinstance(result, LinearExpression):
        return Refusal(RefusalReason.NON_NUMERIC, f"the answer still holds the unknown {result.coefficients[0][0]}")
    return Refusal(
        RefusalReason.NON_NUMERIC,
        f"the answer is {type_name(result)}" + (f" {result[:40]!r}" if isinstance(result, str) else ""),
    )


def evaluate_expression(expression: ir.Expr, values: Mapping[str, Exact]) -> Exact:
    """Return the exact number that an expression gives for values of its variables.

    Raises:
        Refusal: the value is no number, or takes too much to compute.
        ProgramError: the evaluation raises what Python would raise.
    """
    return exact_number(Evaluator(_NO_PROGRAM, ()).value(expression, dict(values)))


def exact_number(value: Value) -> Exact:
    """Return a value that is an exact number.

    Raises:
        Refusal: it is none; a truth value is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise non_numeric(value)
    return value


_NO_PROGRAM = ir.Program("expression", "", (), {}, (), None)


class _Return(Exception):
    def __init__(self, value: Value) -> None:
        self.value = value


class _Jump(Exception):
    def __init__(self, jump: str) -> None:
        self.jump = jump


@dataclass(slots=True)
class Evaluator:
    """One run of a program; `decide` answers the open conditions, if any."""

    program: ir.Program
    inputs: Sequence[Value]
    decide: Callable[[Term], bool] | None = None
    on_division: Callable[[Term], None] | None = None
    steps: int = 0
    depth: int = 0
    printed: Value = None
    globals: dict[str, Value] = field(default_factory=dict)
    trail: Callable[[str, Value, int], None] | None = None
    most_steps: int = MOST_STEPS
    bounds: list[Operand] = field(default_factory=list)

    def run(self) -> Value:
        """Run the body and return the answer."""
        try:
            self._block(self.program.body, self.globals)
            if self.program.answer is None:
                if self.printed is None:
                    raise Refusal(
                        RefusalReason.NO_ANSWER, "it ends without solve(), solution(), ans, answer or a printed value"
                    )
                return self.printed
            return self._value(self.program.answer, self.globals)
        except RecursionError:
            raise Refusal(RefusalReason.BUDGET, "recursion too deep") from None
        except _Return as returned:
            return returned.value
        except _Jump as jump:
            raise ProgramError("SyntaxError", f"{jump.jump} outside a loop") from None

    def value(self, node: ir.Expr, scope: dict[str, Value]) -> Value:
        """Evaluate one expression with the variables of a scope; errors as in `evaluate`, and `ProgramError`."""
        try:
            return self._value(node, scope)
        except RecursionError:
            raise Refusal(RefusalReason.BUDGET, "recursion too deep") from None

    def tick(self, steps: int = 1) -> None:
        """Count steps against the budget."""
        self.steps += steps
        if self.steps > self.most_steps:
            raise Refusal(RefusalReason.BUDGET, f"more than {self.most_steps:,} steps")

    def block(self, statements: tuple[ir.Stmt, ...], scope: dict[str, Value]) -> None:
        """Run statements with the variables of a scope."""
        self._block(statements, scope)

    def _block(self, statements: tuple[ir.Stmt, ...], scope: dict[str, Value]) -> None:
        for statement in statements:
            self.tick()
            self._statement(statement, scope)

    def _statement(self, statement: ir.Stmt, scope: dict[str, Value]) -> None:
        match statement:
            case ir.Assign(targets, expression, line, unpack):
                value = self._value(expression, scope)
                parts = self.unpack(value, len(targets)) if unpack else [value] * len(targets)
                for target, part in zip(targets, parts, strict=True):
                    scope[target] = part
                    if self.trail is not None:
                        self.trail(target, part, line)
            case ir.Return(expression, _):
                raise _Return(self._value(expression, scope))
            case ir.Evaluate(expression, _):
                self._value(expression, scope)
            case ir.If(test, then, otherwise, _):
                self._block(then if self.truth(self._value(test, scope)) else otherwise, scope)
            case ir.For(targets, iterable, body, _):
                items = self._items(iterable, scope)
                if isinstance(items, OpenRange):
                    close_for(self, items, statement, scope)
                    return
                for item in self.iterate(items):
                    self.tick()
                    parts = [item] if len(targets) == 1 else self.unpack(item, len(targets))
                    scope.update(zip(targets, parts, strict=True))
                    if self._loop_ends(body, scope):
                        break
            case ir.While(test, body, _):
                if self.decide is not None and self._closes(statement, scope):
                    return
                while self.truth(self._value(test, scope)):
                    self.tick()
                    if self._loop_ends(body, scope):
                        break
            case ir.Jump(jump, _):
                raise _Jump(jump)
            case ir.Store(receiver, index, expression, _):
                self._store(self._value(receiver, scope), self._value(index, scope), self._value(expression, scope))

    def _items(self, iterable: ir.Expr, scope: dict[str, Value]) -> Value:
        """Return what a loop runs over; only here may a range be of open length."""
        match iterable:
            case ir.Call("range", arguments, ()) if "range" not in self.program.functions and "range" not in scope:
                return loop_range(self, [self._value(item, scope) for item in arguments])
        return self._value(iterable, scope)

    def _closes(self, loop: ir.While, scope: dict[str, Value]) -> bool:
        """Set the variables of a loop on an open condition to their values after it, if it has a closed form."""
        if not may_close(self, loop, scope) or not isinstance(self._value(loop.test, scope), Term):
            return False
        try:
            close_while(self, loop, scope)
        except Refusal:
            return False
        return True

    def _loop_ends(self, body: tuple[ir.Stmt, ...], scope: dict[str, Value]) -> bool:
        try:
            self._block(body, scope)
        except _Jump as jump:
            return jump.jump == "break"
        return False

    def truth(self, value: Value) -> bool:
        """Decide a condition; an open one is put to `decide`."""
        if isinstance(value, Term):
            if self.decide is None:
                raise Refusal(RefusalReason.UNSUPPORTED, "a condition on an open input")
            return self.decide(value)
        if isinstance(value, LinearExpression | Equation):
            raise Refusal(RefusalReason.UNSUPPORTED, "a condition on an unknown")
        return bool(value)

    def _value(self, node: ir.Expr, scope: dict[str, Value]) -> Value:
        kind_of_node = type(node)
        if kind_of_node is ir.Name:
            return self._read(node.name, scope)  # type: ignore[union-attr]  # the type test above is the fast form
        if kind_of_node is ir.Binary:
            left, right = self._value(node.left, scope), self._value(node.right, scope)  # type: ignore[union-attr]  # as above
            return self.binary(node.operator, left, right)  # type: ignore[union-attr]  # as above
        match node:
            case ir.Const(literal):
                return bounded(literal) if isinstance(literal, int) else literal
            case ir.Input(index):
                return self.inputs[index]
            case ir.Unary(operator, operand):
                return self._unary(operator, self._value(operand, scope))
            case ir.Comparison(operators, operands):
                return self._comparison(operators, operands, scope)
            case ir.Boolean(operator, operands):
                value: Value = None
                holds = False
                for operand in operands:
                    value = self._value(operand, scope)
                    holds = self.truth(value)
                    if holds is (operator == "or"):
                        break
                return holds if isinstance(value, Term) and value.operator in COMPARISONS else value
            case ir.Conditional(test, then, otherwise):
                return self._value(then if self.truth(self._value(test, scope)) else otherwise, scope)
            case ir.Call():
                return self._call(node, scope)
            case ir.Method(receiver, name, arguments):
                return self._method(
                    self._value(receiver, scope), name, [self._value(item, scope) for item in arguments]
                )
            case ir.Subscript(receiver, index):
                return self._subscript(self._value(receiver, scope), self._value(index, scope))
            case ir.Sequence(form, items):
                values = [self._value(item, scope) for item in items]
                return values if form == "list" else tuple(values) if form == "tuple" else set(map(self._key, values))
            case ir.Mapping(pairs):
                return {self._key(self._value(key, scope)): self._value(value, scope) for key, value in pairs}
            case ir.Comprehension(element, targets, iterable, conditions):
                return self._comprehension(element, targets, self._value(iterable, scope), conditions, dict(scope))
            case ir.Text(parts):
                text = "".join(self.show(self._value(part, scope)) for part in parts)[:LONGEST_TEXT]
                self.tick(cost(text))
                return text
        raise Refusal(RefusalReason.UNSUPPORTED, f"{type(node).__name__}")

    def _read(self, name: str, scope: dict[str, Value]) -> Value:
        value = scope[name] if name in scope else self.globals.get(name, LAST_ROUND)
        if value is not LAST_ROUND:
            return value
        if name in scope or name in self.globals:
            raise Refusal(RefusalReason.UNSUPPORTED, f"{name} after a loop whose length depends on an input")
        if name in _PYTHON_NAMES:
            raise Refusal(RefusalReason.UNSUPPORTED, f"the name {name}")
        raise ProgramError("NameError", name[:60])

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """Apply an arithmetic operator; a division by an open term is noted."""
        if self.on_division is not None:
            if operator in {"/", "//", "%"} and isinstance(right, Term):
                self.on_division(right)
            elif operator == "**" and isinstance(left, Term) and is_number(right) and right < 0:
                self.on_division(left)
        result = binary(operator, left, right)
        size = cost(result)
        if size:
            self.tick(size)
        return result.settled() if isinstance(result, LinearExpression) else result

    def _unary(self, operator: str, value: Value) -> Value:
        if operator == "not":
            return not self.truth(value)
        if not isinstance(value, int | Fraction | Term | LinearExpression):
            raise ProgramError("TypeError", f"{operator} of {type_name(value)}")
        return value if operator == "+" else self.binary("*", -1, value)

    def _comparison(self, operators: tuple[str, ...], operands: tuple[ir.Expr, ...], scope: dict[str, Value]) -> Value:
        left = self._value(operands[0], scope)
        result: Value = True
        for operator, operand in zip(operators, operands[1:], strict=True):
            right = self._value(operand, scope)
            if isinstance(right, CONTAINERS):
                self.tick(len(right))
            result = compare(operator, left, right)
            if len(operators) == 1:
                return result
            if not self.truth(result):
                return False
            left = right
        return True

    def _call(self, node: ir.Call, scope: dict[str, Value]) -> Value:
        self.tick()
        name = node.function
        function = self.program.functions.get(name)
        if function is not None:
            return self._apply(function, node, scope)
        if name in scope or name in self.globals:
            raise ProgramError("TypeError", f"{name[:40]} is not callable")
        if name == "sum" and self.decide is not None:
            total = self._open_sum(node, scope)
            if total is not None:
                return total
        arguments = [self._value(item, scope) for item in node.arguments]
        keywords = {word: self._value(item, scope) for word, item in node.keywords}
        if name == "round" and "ndigits" in keywords and len(arguments) == 1:
            arguments.append(keywords.pop("ndigits"))
        if keywords.keys() - KEYWORDS.get(name, set()):
            raise Refusal(RefusalReason.UNSUPPORTED, f"keyword arguments of {name[:40]}()")
        if name == "print":
            self.printed = arguments[-1] if arguments else None
            return None
        if name in SCALAR_FUNCTIONS:
            try:
                result = SCALAR_FUNCTIONS[name](*arguments)
            except TypeError:
                raise ProgramError("TypeError", f"{name} of {len(arguments)} arguments") from None
            self.tick(cost(result))
            return result
        builtin = BUILTINS.get(name)
        if builtin is None:
            raise Refusal(RefusalReason.UNSUPPORTED, f"the function {name[:60]}()")
        return builtin(self, arguments, keywords)

    def _open_sum(self, node: ir.Call, scope: dict[str, Value]) -> Operand | None:
        """Return a sum over an open range in closed form, `None` where there is no such range."""
        match node:
            case ir.Call(_, (ir.Comprehension(element, (target,), ir.Call("range") as iterable, ()),), ()):
                pass
            case ir.Call(_, (ir.Call("range") as iterable,), ()):
                element, target = ir.Name("item"), "item"
            case _:
                return None
        if not is_pure(self, scope, (), iterable) or not isinstance(items := self._items(iterable, scope), OpenRange):
            return None
        return sum_of(self, items, target, element, scope)

    def _apply(self, function: ir.Function, node: ir.Call, scope: dict[str, Value]) -> Value:
        if self.depth >= DEEPEST_CALL:
            raise Refusal(RefusalReason.BUDGET, f"calls nested more than {DEEPEST_CALL} deep")
        local: dict[str, Value] = {}
        if len(node.arguments) > len(function.arguments):
            raise ProgramError("TypeError", f"{function.name} takes {len(function.arguments)} arguments")
        for argument, given in zip(function.arguments, node.arguments, strict=False):
            local[argument] = self._value(given, scope)
        for word, given in node.keywords:
            if word in local or word not in function.arguments:
                raise ProgramError("TypeError", f"{function.name} got {word!r}")
            local[word] = self._value(given, scope)
        first = len(function.arguments) - len(function.defaults)
        for argument, default in zip(function.arguments[first:], function.defaults, strict=True):
            if argument not in local:
                local[argument] = self._value(default, self.globals)
        missing = [argument for argument in function.arguments if argument not in local]
        if missing:
            raise ProgramError("TypeError", f"{function.name} misses {missing[0]!r}")
        self.depth += 1
        try:
            self._block(function.body, local)
        except _Return as returned:
            return returned.value
        finally:
            self.depth -= 1
        return None

    def _comprehension(
        self,
        element: ir.Expr,
        targets: tuple[str, ...],
        iterable: Value,
        conditions: tuple[ir.Expr, ...],
        scope: dict[str, Value],
    ) -> Value:
        result = []
        for item in self.iterate(iterable):
            self.tick()
            parts = [item] if len(targets) == 1 else self.unpack(item, len(targets))
            scope.update(zip(targets, parts, strict=True))
            if all(self.truth(self._value(condition, scope)) for condition in conditions):
                result.append(self._value(element, scope))
        return result

    def _method(self, receiver: Value, name: str, arguments: list[Value]) -> Value:
        match receiver, name, arguments:
            case list(), "append", [item]:
                if len(receiver) >= LONGEST_SEQUENCE:
                    raise Refusal(RefusalReason.BUDGET, f"a list of more than {LONGEST_SEQUENCE:,} items")
                receiver.append(item)
                return None
            case dict(), "values" | "keys" | "items", []:
                self.tick(len(receiver) >> 2)
                return list(getattr(receiver, name)())
            case dict(), "get", [key]:
                return receiver.get(self._key(key))
            case LinearExpression(), "subs", [unknown, value] if (target := sole_unknown(unknown)) is not None:
                if not isinstance(value, int | Fraction | Term | LinearExpression):
                    raise Refusal(RefusalReason.UNSUPPORTED, f"subs by {type_name(value)}")
                return substitute(receiver, target, value, binary)
            case ((int() | Fraction() | Term()), "subs", [_, _]):
                raise ProgramError("AttributeError", f"{type_name(receiver)} has no subs")
        raise Refusal(RefusalReason.UNSUPPORTED, f".{name[:40]}() of {type_name(receiver)}")

    def _subscript(self, receiver: Value, index: Value) -> Value:
        if isinstance(receiver, dict):
            key = self._key(index)
            if key not in receiver:
                raise ProgramError("KeyError")
            return receiver[key]
        if isinstance(receiver, list | tuple | str | range):
            if isinstance(index, Term):
                raise Refusal(RefusalReason.UNSUPPORTED, "an index that depends on an input")
            if not isinstance(index, int):
                raise ProgramError("TypeError", f"an index of type {type_name(index)}")
            if not -len(receiver) <= index < len(receiver):
                raise ProgramError("IndexError")
            return receiver[index]
        raise ProgramError("TypeError", f"{type_name(receiver)} is not subscriptable")

    def _store(self, receiver: Value, index: Value, value: Value) -> None:
        if isinstance(receiver, dict):
            receiver[self._key(index)] = value
            return
        self._subscript(receiver, index)
        if not isinstance(receiver, list):
            raise ProgramError("TypeError", f"{type_name(receiver)} does not support item assignment")
        receiver[index] = value

    @staticmethod
    def _key(value: Value) -> Value:
        unknown = sole_unknown(value)
        if unknown is not None:
            return symbol(unknown)
        if isinstance(value, list | dict | set):
            raise ProgramError("TypeError", f"unhashable {type_name(value)}")
        if isinstance(value, tuple) and any(isinstance(item, (*CONTAINERS, Term)) for item in value):
            raise Refusal(RefusalReason.UNSUPPORTED, "a key of sequences or open inputs")
        if isinstance(value, Term):
            raise Refusal(RefusalReason.UNSUPPORTED, "a key that depends on an input")
        return value

    @staticmethod
    def unpack(value: Value, count: int) -> Sequence[Value]:
        """Return the parts of a sequence of exactly that length."""
        if not isinstance(value, list | tuple | range):
            raise ProgramError("TypeError", f"cannot unpack {type_name(value)}")
        if len(value) != count:
            raise ProgramError("ValueError", f"{len(value)} values for {count} names")
        return value

    def iterate(self, value: Value) -> Iterable[Value]:
        """Return the items of a sequence; a set of numbers in ascending order."""
        if isinstance(value, dict | list | tuple | range | set | str):
            self.tick(len(value) >> 2)
        if isinstance(value, list | tuple | range):
            return value
        if isinstance(value, dict | set | str):
            return sorted(value) if isinstance(value, set) and all(map(is_number, value)) else list(value)
        if isinstance(value, Term | LinearExpression | OpenRange):
            raise Refusal(RefusalReason.UNSUPPORTED, "a loop whose length depends on an input")
        raise ProgramError("TypeError", f"{type_name(value)} is not iterable")

    @staticmethod
    def show(value: Value) -> str:
        """Return a value as text."""
        if isinstance(value, Term):
            raise Refusal(RefusalReason.UNSUPPORTED, "the text of an input")
        return (
            format_exact(value)
            if isinstance(value, int | Fraction)
            else value
            if isinstance(value, str)
            else type_name(value)
        )
