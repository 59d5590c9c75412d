"""The exact evaluator of programs, on numbers or on open terms, within a budget of steps and digits."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add, mul, sub

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.arithmetic import (
    OPAQUE,
    Value,
    binary,
    bounded,
    compare,
    cost,
    is_number,
    type_name,
)
from harness.program.evaluation.builtin_functions import BUILTINS, PRELUDE
from harness.program.evaluation.linear_unknowns import (
    LinearExpression,
    SymbolicTruth,
    sole_unknown,
    substitute,
    symbol,
)
from harness.program.evaluation.open_loops import (
    LAST_ROUND,
    MOST_POWERS,
    index_product,
    open_range,
    open_sum,
    open_while,
    repeat,
)
from harness.program.evaluation.values import (
    COMPARISONS,
    Operand,
    Ratio,
    Term,
    UntrackedNumber,
    as_kind,
    plain,
)
from harness.program.refusal import ProgramError, Refusal, RefusalReason

MOST_STEPS = 200_000
SEARCH_STEPS = 3_000
"""The steps at one of hundreds of points: long loops at large inputs would take seconds a pair and show nothing small ones do not."""
DEEPEST_CALL = 20
FEW_BITS = 64
_WHOLE: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul}
_PYTHON_NAMES = {*dir(builtins), *PRELUDE, "solve_it", "pi", "e", "tau", "inf", "nan"}
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an evaluation: an exact value, or the name of the exception that the program raises."""

    value: Exact | None
    error: str | None = None

    def agrees(self, other: Outcome) -> bool:
        """Tell whether both give the same value, or neither gives one: which exception is raised is no part of it."""
        return self.value == other.value

    def __str__(self) -> str:
        return self.error if self.error is not None else format_exact(self.value)


def format_exact(value: Exact | None) -> str:
    """Show an exact value as `7` or `7/2`."""
    return str(value) if value is None or isinstance(value, int) or value.denominator != 1 else str(value.numerator)


def evaluate(
    program: ir.Program,
    inputs: Sequence[Exact] | None = None,
    *,
    most_steps: int = MOST_STEPS,
    evaluator: type[Evaluator] | None = None,
) -> Outcome:
    """Return what a program gives on exact inputs, its defaults where none are given; more than `most_steps` steps, an unsupported construct or a result that is no number is a `Refusal`."""
    values = [parameter.value for parameter in program.parameters] if inputs is None else inputs
    try:
        result = (evaluator or Evaluator)(program, values, most_steps=most_steps).run()
    except ProgramError as error:
        return Outcome(None, error.name)
    if isinstance(result, int | Fraction) and not isinstance(result, bool):
        return Outcome(plain(result))
    raise non_numeric(result)


def non_numeric(result: Value) -> Refusal:
    """Return why a result is no number."""
    if isinstance(result, LinearExpression):
        return Refusal(RefusalReason.NON_NUMERIC, f"the answer still holds the unknown {result.coefficients[0][0]}")
    text = f" {result[:40]!r}" if isinstance(result, str) else ""
    return Refusal(RefusalReason.NON_NUMERIC, f"the answer is {type_name(result)}{text}")


def evaluate_expression(expression: ir.Expr, values: Mapping[str, Exact]) -> Exact:
    """Return the exact number that an expression gives for values of its variables.

    Raises:
        Refusal: the value is no number, or takes too much to compute.
        ProgramError: the evaluation raises what Python would raise.
    """
    return exact_number(Evaluator(_NO_PROGRAM, ()).value(expression, dict(values)))


def value_of(expression: ir.Expr, values: Mapping[str, Exact]) -> Exact | None:
    """Return the value of an expression, `None` where it has none that is a number."""
    try:
        return evaluate_expression(expression, values)
    except (Refusal, ProgramError):
        return None


def exact_number(value: Value) -> Exact:
    """Return a value that is an exact number; any other, a truth value too, is a `Refusal`."""
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


class FunctionScope(dict[str, Value]):
    """The variables of a function that runs; `names` are all that it assigns anywhere, `inner` tells a comprehension in it."""

    __slots__ = ("inner", "names")

    def __init__(self, names: frozenset[str], *, inner: bool = False) -> None:
        super().__init__()
        self.names = names
        self.inner = inner


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
    line_open: bool = False
    globals: dict[str, Value] = field(default_factory=dict)
    most_steps: int = MOST_STEPS
    bounds: list[Operand] = field(default_factory=list)
    locals: dict[str, frozenset[str]] = field(default_factory=dict)
    loops: int = 0

    def __post_init__(self) -> None:
        """Give each input the kind of its parameter's default: a `Fraction` stays one."""
        kinds = [type(parameter.value) for parameter in self.program.parameters]
        if Ratio in kinds:
            pairs = zip(kinds, self.inputs, strict=True)
            self.inputs = [as_kind(kind, value) if is_number(value) else value for kind, value in pairs]

    def run(self) -> Value:
        """Return the answer after running the body."""
        try:
            self.block(self.program.body, self.globals)
            if self.program.answer is not None:
                return self._node_value(self.program.answer, self.globals)
            if self.printed is not None:
                return self.printed
            raise Refusal(
                RefusalReason.NO_ANSWER, "it ends without solve(), solution(), ans, answer or a printed value"
            )
        except RecursionError:
            raise Refusal(RefusalReason.BUDGET, "recursion too deep") from None

    def value(self, node: ir.Expr, scope: dict[str, Value]) -> Value:
        """Evaluate one expression with the variables of a scope; errors as in `evaluate`, and `ProgramError`."""
        try:
            return self._node_value(node, scope)
        except RecursionError:
            raise Refusal(RefusalReason.BUDGET, "recursion too deep") from None

    def tick(self, steps: int = 1) -> None:
        """Count steps against the budget."""
        self.steps += steps
        if self.steps > self.most_steps:
            raise Refusal(RefusalReason.BUDGET, f"more than {self.most_steps:,} steps")

    def block(self, statements: tuple[ir.Stmt, ...], scope: dict[str, Value]) -> None:
        """Run statements with the variables of a scope."""
        for statement in statements:
            self.tick()
            self._statement(statement, scope)

    def _statement(self, statement: ir.Stmt, scope: dict[str, Value]) -> None:
        match statement:
            case ir.Assign(targets, expression, _, unpack):
                value = self._node_value(expression, scope)
                if len(targets) == 1 and not unpack:
                    scope[targets[0]] = value
                else:
                    parts = self.unpack(value, len(targets)) if unpack else [value] * len(targets)
                    scope.update(zip(targets, parts, strict=True))
            case ir.Return(expression, _):
                raise _Return(self._node_value(expression, scope))
            case ir.Evaluate(expression, _):
                self._node_value(expression, scope)
            case ir.If(test, then, otherwise, _):
                self.block(then if self.truth(self._node_value(test, scope)) else otherwise, scope)
            case ir.For(targets, iterable, body, _):
                rounds = None if self.decide is None else open_range(self, iterable, scope)
                if rounds is not None:
                    repeat(self, body, rounds, scope, targets)
                    return
                for item in self.iterate(self._node_value(iterable, scope)):
                    self.tick()
                    parts = [item] if len(targets) == 1 else self.unpack(item, len(targets))
                    scope.update(zip(targets, parts, strict=True))
                    if self._loop_ends(body, scope):
                        break
            case ir.While(test, body, _):
                if self.decide is not None and open_while(self, test, body, scope):
                    return
                while self.truth(self._node_value(test, scope)):
                    self.tick()
                    if self._loop_ends(body, scope):
                        break
            case ir.Jump(jump, _):
                raise _Jump(jump)

    def is_builtin(self, name: str, scope: dict[str, Value]) -> bool:
        """Tell whether a name has the meaning that Python gives it."""
        hidden = name in scope or name in self.globals or name in self.program.functions
        return not hidden and not (isinstance(scope, FunctionScope) and name in scope.names)

    def _loop_ends(self, body: tuple[ir.Stmt, ...], scope: dict[str, Value]) -> bool:
        try:
            self.block(body, scope)
        except _Jump as jump:
            return jump.jump == "break"
        return False

    def truth(self, value: Value) -> bool:
        """Decide a condition; an open one is put to `decide`."""
        if isinstance(value, Term):
            if self.decide is None:
                raise Refusal(RefusalReason.UNSUPPORTED, "a condition on an open input")
            return self.decide(value)
        if isinstance(value, SymbolicTruth):
            return value.holds
        if isinstance(value, OPAQUE):
            raise Refusal(RefusalReason.UNSUPPORTED, f"a condition on {type_name(value)}")
        return bool(value)

    def _node_value(self, node: ir.Expr, scope: dict[str, Value]) -> Value:
        kind_of_node = type(node)
        if kind_of_node is ir.Name:
            return self._variable_value(node.name, scope)  # type: ignore[union-attr]  # the type test above is the fast form
        if kind_of_node is ir.Binary:
            left, right = self._node_value(node.left, scope), self._node_value(node.right, scope)  # type: ignore[union-attr]  # as above
            return self.binary(node.operator, left, right)  # type: ignore[union-attr]  # as above
        if kind_of_node is ir.Const:
            literal = node.value  # type: ignore[union-attr]  # as above
            return bounded(literal) if isinstance(literal, int) else literal
        if kind_of_node is ir.Call:
            return self._call(node, scope)  # type: ignore[arg-type]  # as above
        match node:
            case ir.Input(index):
                return self.inputs[index]
            case ir.Unary(operator, operand):
                return self._unary(operator, self._node_value(operand, scope))
            case ir.Comparison(operators, operands):
                return self._comparison(operators, operands, scope)
            case ir.Boolean(operator, operands):
                value: Value = None
                holds = False
                for operand in operands:
                    value = self._node_value(operand, scope)
                    holds = self.truth(value)
                    if holds is (operator == "or"):
                        break
                return holds if isinstance(value, Term) and value.operator in COMPARISONS else value
            case ir.Conditional(test, then, otherwise):
                return self._node_value(then if self.truth(self._node_value(test, scope)) else otherwise, scope)
            case ir.Method(receiver, name, arguments):
                return self._method(self._node_value(receiver, scope), name, arguments, scope)
            case ir.Subscript(receiver, index):
                return self._subscript(self._node_value(receiver, scope), self._node_value(index, scope))
            case ir.Sequence(form, items):
                values = [self._node_value(item, scope) for item in items]
                return values if form == "list" else tuple(values)
            case ir.Comprehension():
                return self._comprehension(node, scope)
        raise Refusal(RefusalReason.UNSUPPORTED, f"{type(node).__name__}")

    def _variable_value(self, name: str, scope: dict[str, Value]) -> Value:
        if name in scope:
            value = scope[name]
        elif isinstance(scope, FunctionScope) and name in scope.names:
            raise ProgramError("NameError" if scope.inner else "UnboundLocalError", name[:60])
        else:
            value = self.globals.get(name, _MISSING)
        if value is LAST_ROUND:
            raise Refusal(RefusalReason.UNSUPPORTED, f"{name} after a loop whose length depends on an input")
        if value is not _MISSING:
            return value
        if name in _PYTHON_NAMES or name in self.program.functions:
            raise Refusal(RefusalReason.UNSUPPORTED, f"the name {name}")
        raise ProgramError("NameError", name[:60])

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """Apply an arithmetic operator; a division by an open term is noted."""
        if type(left) is int and type(right) is int and operator in _WHOLE:
            whole: int = _WHOLE[operator](left, right)
            if whole.bit_length() < FEW_BITS:  # a short result costs no step beyond the one of the operation
                return whole
        if self.on_division is not None:
            if operator in {"/", "//", "%"} and isinstance(right, Term):
                self.on_division(right)
            elif operator == "**" and isinstance(left, Term) and is_number(right) and right < 0:
                self.on_division(left)
        if self.loops and isinstance(left, LinearExpression):
            if operator == "**" and type(right) is int and 1 < right <= MOST_POWERS:
                return self.binary("*", left, self.binary("**", left, right - 1) if right > 2 else left)
            if operator == "*" and isinstance(right, LinearExpression):
                return index_product(left, right, self.binary) or binary(operator, left, right)
        result = binary(operator, left, right)
        size = cost(result)
        if size:
            self.tick(size)
        if isinstance(result, LinearExpression):
            result = result.settled()
            return UntrackedNumber(result) if is_number(result) else result
        return result

    def _unary(self, operator: str, value: Value) -> Value:
        if operator == "not":
            return not self.truth(value)
        if not isinstance(value, int | Fraction | Term | LinearExpression):
            if isinstance(value, OPAQUE):
                raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} of {type_name(value)}")
            raise ProgramError("TypeError", f"{operator} of {type_name(value)}")
        return self.binary("*", 1 if operator == "+" else -1, value)

    def _comparison(self, operators: tuple[str, ...], operands: tuple[ir.Expr, ...], scope: dict[str, Value]) -> Value:
        left = self._node_value(operands[0], scope)
        result: Value = True
        for operator, operand in zip(operators, operands[1:], strict=True):
            right = self._node_value(operand, scope)
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
        if not self.is_builtin(name, scope):
            own = name in scope or (isinstance(scope, FunctionScope) and name in scope.names)
            if name in self.program.functions and not own and name not in self.globals:
                return self._apply(self.program.functions[name], node, scope)
            called = self._variable_value(name, scope)
            raise Refusal(RefusalReason.UNSUPPORTED, f"calling {type_name(called)}")
        if name == "sum" and self.decide is not None and len(node.arguments) == 1 and not node.keywords:
            total = open_sum(self, node.arguments[0], scope)
            if total is not None:
                return total
        builtin = BUILTINS.get(name)
        if builtin is None:
            raise Refusal(RefusalReason.UNSUPPORTED, f"the function {name[:60]}()")
        arguments = [self._node_value(item, scope) for item in node.arguments]
        keywords = {word: self._node_value(item, scope) for word, item in node.keywords}
        if keywords.keys() - builtin.keywords:
            raise Refusal(RefusalReason.UNSUPPORTED, f"keyword arguments of {name[:40]}()")
        second = keywords.keys() & {"ndigits", "start"}
        if second and len(arguments) == 1:
            arguments.append(keywords.pop(second.pop()))
        if second or not builtin.least <= len(arguments) <= builtin.most:
            raise ProgramError("TypeError", f"{name} of {len(arguments)} arguments")
        result = builtin.apply(self, arguments, keywords)
        self.tick(cost(result))
        return result

    def _apply(self, function: ir.Function, node: ir.Call, scope: dict[str, Value]) -> Value:
        if self.depth >= DEEPEST_CALL:
            raise Refusal(RefusalReason.BUDGET, f"calls nested more than {DEEPEST_CALL} deep")
        names = self.locals.get(function.name)
        if names is None:
            names = self.locals[function.name] = frozenset((*function.arguments, *ir.assigned_names(function.body)))
        values = [self._node_value(given, scope) for given in node.arguments]
        words = [(word, self._node_value(given, scope)) for word, given in node.keywords]
        if len(values) > len(function.arguments):
            raise ProgramError("TypeError", f"{function.name} takes {len(function.arguments)} arguments")
        local = FunctionScope(names)
        local.update(zip(function.arguments, values, strict=False))
        for word, value in words:
            if word in local or word not in function.arguments:
                raise ProgramError("TypeError", f"{function.name} got {word!r}")
            local[word] = value
        first = len(function.arguments) - len(function.defaults)
        for argument, default in zip(function.arguments[first:], function.defaults, strict=True):
            if argument not in local:
                local[argument] = self._node_value(default, self.globals)
        missing = [argument for argument in function.arguments if argument not in local]
        if missing:
            raise ProgramError("TypeError", f"{function.name} misses {missing[0]!r}")
        self.depth += 1
        try:
            self.block(function.body, local)
        except _Return as returned:
            return returned.value
        finally:
            self.depth -= 1
        return None

    def inner_scope(self, scope: dict[str, Value]) -> dict[str, Value]:
        """Return the scope of a comprehension."""
        inner = FunctionScope(scope.names, inner=True) if isinstance(scope, FunctionScope) else {}
        inner.update(scope)
        return inner

    def _comprehension(self, node: ir.Comprehension, scope: dict[str, Value]) -> Value:
        items = self.iterate(self._node_value(node.iterable, scope))
        inner = self.inner_scope(scope)
        made: list[Value] = []
        for item in items:
            self.tick()
            parts = [item] if len(node.targets) == 1 else self.unpack(item, len(node.targets))
            inner.update(zip(node.targets, parts, strict=True))
            if all(self.truth(self._node_value(condition, inner)) for condition in node.conditions):
                made.append(self._node_value(node.element, inner))
        return made

    def _method(self, receiver: Value, name: str, arguments: tuple[ir.Expr, ...], scope: dict[str, Value]) -> Value:
        """Return what sympy's `subs` gives; another method is refused before its arguments are evaluated, as Python looks for it before."""
        if name != "subs" or not isinstance(receiver, LinearExpression | int | Fraction):
            raise Refusal(RefusalReason.UNSUPPORTED, f".{name[:40]}() of {type_name(receiver)}")
        if not isinstance(receiver, LinearExpression | UntrackedNumber):
            raise ProgramError("AttributeError", f"{type_name(receiver)} has no subs")
        values = [self._node_value(item, scope) for item in arguments]
        if len(values) == 2 and isinstance(receiver, UntrackedNumber):
            return receiver
        target = sole_unknown(values[0]) if len(values) == 2 else None
        if target is None or isinstance(receiver, UntrackedNumber):
            raise Refusal(RefusalReason.UNSUPPORTED, f".subs() of {type_name(receiver)}")
        value = values[1]
        if isinstance(value, bool) or not isinstance(value, int | Fraction | Term | LinearExpression):
            raise Refusal(RefusalReason.UNSUPPORTED, f"subs by {type_name(value)}")
        result = substitute(receiver, target, plain(value) if is_number(value) else value, binary)
        return UntrackedNumber(result) if is_number(result) else result

    def _subscript(self, receiver: Value, index: Value) -> Value:
        if isinstance(receiver, dict):
            unknown = sole_unknown(index)
            if unknown is not None and (key := symbol(unknown)) in receiver:
                return receiver[key]
            if unknown is not None or isinstance(index, str) or type(index) in {int, Fraction}:
                raise ProgramError("KeyError")
        if not isinstance(receiver, list | tuple | str | range) or not isinstance(index, int):
            raise Refusal(RefusalReason.UNSUPPORTED, f"the item {type_name(index)} of {type_name(receiver)}")
        if not -len(receiver) <= index < len(receiver):
            raise ProgramError("IndexError")
        return receiver[index]

    def unpack(self, value: Value, count: int) -> Sequence[Value]:
        """Return the items of a value that must have `count` of them."""
        items = list(self.iterate(value))
        if len(items) != count:
            raise ProgramError("ValueError", f"{len(items)} values for {count} names")
        return items

    def iterate(self, value: Value) -> Iterable[Value]:
        """Return the items of a value; those of `zip` and `enumerate` are Python's own iterators over such items."""
        if isinstance(value, zip | enumerate):
            return value
        if isinstance(value, list | tuple | range | str):
            self.tick(len(value) >> 2)
            return value
        raise Refusal(RefusalReason.UNSUPPORTED, f"the items of {type_name(value)}")
