"""What does a program give on given inputs? Exact evaluation within a budget, of numbers or of open terms."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from harness.program import ir
from harness.program.arithmetic import LONGEST_SEQUENCE, LONGEST_TEXT, SCALAR_FUNCTIONS, Value, binary, bounded, compare, extreme, is_number, kind
from harness.program.refusal import ProgramError, Reason, Refusal
from harness.program.terms import Term
from harness.program.unknowns import Equation, Linear, sole_unknown, solve_linear, substitute, symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from harness.domain import Exact

MOST_STEPS = 200_000
DEEPEST_CALL = 20


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
    if isinstance(result, Linear):
        return Refusal(Reason.NON_NUMERIC, f"the answer still holds the unknown {result.coefficients[0][0]}")
    return Refusal(Reason.NON_NUMERIC, f"the answer is {kind(result)}" + (f" {result[:40]!r}" if isinstance(result, str) else ""))


@dataclass(frozen=True, slots=True)
class OpenRange:
    """A range whose length is still open; `count` must be an integer, which whoever uses the result has to check."""

    count: Term


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
    counts: list[Term] = field(default_factory=list)

    def run(self) -> Value:
        """Run the body and return the answer."""
        try:
            self._block(self.program.body, self.globals)
            if self.program.answer is None:
                if self.printed is None:
                    raise Refusal(Reason.NO_ANSWER, "it ends without solve(), solution(), ans, answer or a printed value")
                return self.printed
            return self._value(self.program.answer, self.globals)
        except RecursionError:
            raise Refusal(Reason.BUDGET, "recursion too deep") from None
        except _Return as returned:
            return returned.value
        except _Jump as jump:
            raise ProgramError("SyntaxError", f"{jump.jump} outside a loop") from None

    def _tick(self) -> None:
        self.steps += 1
        if self.steps > self.most_steps:
            raise Refusal(Reason.BUDGET, f"more than {self.most_steps:,} steps")

    def _block(self, statements: tuple[ir.Stmt, ...], scope: dict[str, Value]) -> None:
        for statement in statements:
            self._tick()
            self._statement(statement, scope)

    def _statement(self, statement: ir.Stmt, scope: dict[str, Value]) -> None:
        match statement:
            case ir.Assign(targets, expression, line, unpack):
                value = self._value(expression, scope)
                parts = self._unpack(value, len(targets)) if unpack else [value] * len(targets)
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
                items = self._value(iterable, scope)
                if isinstance(items, OpenRange):
                    self._repeat(items, targets, body, scope)
                    return
                for item in self._iterate(items):
                    self._tick()
                    parts = [item] if len(targets) == 1 else self._unpack(item, len(targets))
                    scope.update(zip(targets, parts, strict=True))
                    if self._loop_ends(body, scope):
                        break
            case ir.While(test, body, _):
                while self.truth(self._value(test, scope)):
                    self._tick()
                    if self._loop_ends(body, scope):
                        break
            case ir.Jump(jump, _):
                raise _Jump(jump)
            case ir.Store(receiver, index, expression, _):
                self._store(self._value(receiver, scope), self._value(index, scope), self._value(expression, scope))

    def _repeat(self, items: OpenRange, targets: tuple[str, ...], body: tuple[ir.Stmt, ...], scope: dict[str, Value]) -> None:
        """Run a loop of open length whose rounds all add the same: n rounds add n times as much.

        Raises:
            Refusal: the rounds differ, so the loop has no closed form here.
        """
        changed = {target for statement in body if isinstance(statement, ir.Assign) for target in statement.targets} | set(targets)
        gains: list[tuple[str, str, Value]] = []
        for statement in body:
            match statement:
                case ir.Assign((name,), ir.Binary("+" | "-" as operator, ir.Name(read), gain), _, False) if read == name:
                    if ir.names_of(gain) & changed or [name] == [known for known, _, _ in gains if known == name]:
                        break
                    gains.append((name, operator, self._value(gain, scope)))
                case _:
                    break
        if len(gains) != len(body):
            raise Refusal(Reason.UNSUPPORTED, "a loop whose length depends on an input")
        self.counts.append(items.count)
        rounds = Term("max", (items.count, 0))
        for name, operator, gain in gains:
            scope[name] = self._binary(operator, self._read(name, scope), self._binary("*", rounds, gain))

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
                raise Refusal(Reason.UNSUPPORTED, "a condition on an open input")
            return self.decide(value)
        if isinstance(value, Linear | Equation):
            raise Refusal(Reason.UNSUPPORTED, "a condition on an unknown")
        return bool(value)

    def _value(self, node: ir.Expr, scope: dict[str, Value]) -> Value:
        kind_of_node = type(node)
        if kind_of_node is ir.Name:
            return self._read(node.name, scope)  # type: ignore[union-attr]  # the type test above is the fast form
        if kind_of_node is ir.Binary:
            left, right = self._value(node.left, scope), self._value(node.right, scope)  # type: ignore[union-attr]  # as above
            return self._binary(node.operator, left, right)  # type: ignore[union-attr]  # as above
        match node:
            case ir.Const(value):
                return bounded(value) if isinstance(value, int) else value
            case ir.Input(index):
                return self.inputs[index]
            case ir.Unary(operator, operand):
                return self._unary(operator, self._value(operand, scope))
            case ir.Comparison(operators, operands):
                return self._comparison(operators, operands, scope)
            case ir.Boolean(operator, operands):
                value: Value = None
                for operand in operands:
                    value = self._value(operand, scope)
                    if self.truth(value) is (operator == "or"):
                        break
                return value if not isinstance(value, Term) else operator == "or"
            case ir.Conditional(test, then, otherwise):
                return self._value(then if self.truth(self._value(test, scope)) else otherwise, scope)
            case ir.Call():
                return self._call(node, scope)
            case ir.Method(receiver, name, arguments):
                return self._method(self._value(receiver, scope), name, [self._value(item, scope) for item in arguments])
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
                shown = "".join(self._show(self._value(part, scope)) for part in parts)
                return shown[:LONGEST_TEXT]
        raise Refusal(Reason.UNSUPPORTED, f"{type(node).__name__}")

    def _read(self, name: str, scope: dict[str, Value]) -> Value:
        if name in scope:
            return scope[name]
        if name in self.globals:
            return self.globals[name]
        if name == "pi":
            raise Refusal(Reason.UNSUPPORTED, "pi is irrational")
        raise ProgramError("NameError", name[:60])

    def _binary(self, operator: str, left: Value, right: Value) -> Value:
        if operator in {"/", "//", "%"} and isinstance(right, Term) and self.on_division is not None:
            self.on_division(right)
        result = binary(operator, left, right)
        return result.settled() if isinstance(result, Linear) else result

    def _unary(self, operator: str, value: Value) -> Value:
        if operator == "not":
            return not self.truth(value)
        if not isinstance(value, int | Fraction | Term | Linear):
            raise ProgramError("TypeError", f"{operator} of {kind(value)}")
        return value if operator == "+" else self._binary("*", -1, value)

    def _comparison(self, operators: tuple[str, ...], operands: tuple[ir.Expr, ...], scope: dict[str, Value]) -> Value:
        left = self._value(operands[0], scope)
        result: Value = True
        for operator, operand in zip(operators, operands[1:], strict=True):
            right = self._value(operand, scope)
            result = compare(operator, left, right)
            if len(operators) == 1:
                return result
            if not self.truth(result):
                return False
            left = right
        return True

    def _call(self, node: ir.Call, scope: dict[str, Value]) -> Value:
        self._tick()
        name = node.function
        function = self.program.functions.get(name)
        if function is not None:
            return self._apply(function, node, scope)
        arguments = [self._value(item, scope) for item in node.arguments]
        keywords = {word: self._value(item, scope) for word, item in node.keywords}
        if name == "print":
            self.printed = arguments[-1] if arguments else None
            return None
        if name in SCALAR_FUNCTIONS and not keywords:
            try:
                return SCALAR_FUNCTIONS[name](*arguments)
            except TypeError:
                raise ProgramError("TypeError", f"{name} of {len(arguments)} arguments") from None
        builtin = getattr(self, f"_builtin_{name}", None) if name in _BUILTINS else None
        if builtin is None:
            if name in scope or name in self.globals:
                raise ProgramError("TypeError", f"{name[:40]} is not callable")
            raise ProgramError("NameError", name[:60])
        return builtin(arguments, keywords)

    def _apply(self, function: ir.Function, node: ir.Call, scope: dict[str, Value]) -> Value:
        if self.depth >= DEEPEST_CALL:
            raise Refusal(Reason.BUDGET, f"calls nested more than {DEEPEST_CALL} deep")
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

    def _comprehension(self, element: ir.Expr, targets: tuple[str, ...], iterable: Value, conditions: tuple[ir.Expr, ...], scope: dict[str, Value]) -> Value:
        result = []
        for item in self._iterate(iterable):
            self._tick()
            parts = [item] if len(targets) == 1 else self._unpack(item, len(targets))
            scope.update(zip(targets, parts, strict=True))
            if all(self.truth(self._value(condition, scope)) for condition in conditions):
                result.append(self._value(element, scope))
        return result

    def _method(self, receiver: Value, name: str, arguments: list[Value]) -> Value:
        match receiver, name, arguments:
            case list(), "append", [item]:
                if len(receiver) >= LONGEST_SEQUENCE:
                    raise Refusal(Reason.BUDGET, f"a list of more than {LONGEST_SEQUENCE:,} items")
                receiver.append(item)
                return None
            case dict(), "values", []:
                return list(receiver.values())
            case dict(), "keys", []:
                return list(receiver)
            case dict(), "items", []:
                return list(receiver.items())
            case dict(), "get", [key]:
                return receiver.get(self._key(key))
            case Linear(), "subs", [unknown, value] if (target := sole_unknown(unknown)) is not None:
                if not isinstance(value, int | Fraction | Term | Linear):
                    raise Refusal(Reason.UNSUPPORTED, f"subs by {kind(value)}")
                return substitute(receiver, target, value, binary)
            case (int() | Fraction() | Term()), "subs", [_, _]:
                raise ProgramError("AttributeError", f"{kind(receiver)} has no subs")
        raise Refusal(Reason.UNSUPPORTED, f".{name[:40]}() of {kind(receiver)}")

    def _subscript(self, receiver: Value, index: Value) -> Value:
        if isinstance(receiver, dict):
            key = self._key(index)
            if key not in receiver:
                raise ProgramError("KeyError")
            return receiver[key]
        if isinstance(receiver, list | tuple | str | range):
            if not isinstance(index, int):
                raise ProgramError("TypeError", f"an index of type {kind(index)}")
            if not -len(receiver) <= index < len(receiver):
                raise ProgramError("IndexError")
            return receiver[index]
        raise ProgramError("TypeError", f"{kind(receiver)} is not subscriptable")

    def _store(self, receiver: Value, index: Value, value: Value) -> None:
        if isinstance(receiver, dict):
            receiver[self._key(index)] = value
            return
        self._subscript(receiver, index)
        if not isinstance(receiver, list):
            raise ProgramError("TypeError", f"{kind(receiver)} does not support item assignment")
        receiver[index] = value

    @staticmethod
    def _key(value: Value) -> Value:
        unknown = sole_unknown(value)
        if unknown is not None:
            return symbol(unknown)
        if isinstance(value, list | dict | set):
            raise ProgramError("TypeError", f"unhashable {kind(value)}")
        if isinstance(value, Term):
            raise Refusal(Reason.UNSUPPORTED, "a key that depends on an input")
        return value

    @staticmethod
    def _unpack(value: Value, count: int) -> Sequence[Value]:
        if not isinstance(value, list | tuple | range):
            raise ProgramError("TypeError", f"cannot unpack {kind(value)}")
        if len(value) != count:
            raise ProgramError("ValueError", f"{len(value)} values for {count} names")
        return value

    @staticmethod
    def _iterate(value: Value) -> Iterable[Value]:
        if isinstance(value, dict | list | tuple | range):
            return list(value)
        if isinstance(value, set | str):
            return sorted(value) if isinstance(value, set) and all(map(is_number, value)) else list(value)
        if isinstance(value, Term | Linear | OpenRange):
            raise Refusal(Reason.UNSUPPORTED, "a loop whose length depends on an input")
        raise ProgramError("TypeError", f"{kind(value)} is not iterable")

    @staticmethod
    def _show(value: Value) -> str:
        return format_exact(value) if isinstance(value, int | Fraction) else value if isinstance(value, str) else kind(value)

    # Builtins: each takes the evaluated arguments and keywords.

    def _builtin_range(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        if any(isinstance(item, Term) for item in arguments) and len(arguments) <= 2:
            count = arguments[0] if len(arguments) == 1 else self._binary("-", arguments[1], arguments[0])
            return OpenRange(count) if isinstance(count, Term) else range(count)
        if not all(isinstance(item, int) for item in arguments) or not 1 <= len(arguments) <= 3:
            raise ProgramError("TypeError", "range needs one to three integers")
        if len(arguments) == 3 and arguments[2] == 0:
            raise ProgramError("ValueError", "range step is zero")
        made = range(*arguments)
        if max(made.stop - made.start, made.start - made.stop) // abs(made.step) > MOST_STEPS:
            raise Refusal(Reason.BUDGET, f"a loop of more than {MOST_STEPS:,} rounds")
        return made

    def _builtin_sum(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        total: Value = arguments[1] if len(arguments) == 2 else 0
        for item in self._iterate(arguments[0] if arguments else None):
            self._tick()
            total = self._binary("+", total, item)
        return total

    def _builtin_prod(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        total: Value = 1
        for item in self._iterate(arguments[0] if arguments else None):
            self._tick()
            total = self._binary("*", total, item)
        return total

    def _builtin_mean(self, arguments: list[Any], keywords: dict[str, Any]) -> Value:
        items = list(self._iterate(arguments[0] if arguments else None))
        return self._binary("/", self._builtin_sum([items], keywords), len(items))

    def _builtin_len(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        if len(arguments) != 1 or not isinstance(arguments[0], list | tuple | str | dict | set | range):
            raise ProgramError("TypeError", "len of no sequence")
        return len(arguments[0])

    def _builtin_min(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        return extreme("min", list(self._iterate(arguments[0])) if len(arguments) == 1 else arguments)

    def _builtin_max(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        return extreme("max", list(self._iterate(arguments[0])) if len(arguments) == 1 else arguments)

    def _builtin_sorted(self, arguments: list[Any], keywords: dict[str, Any]) -> Value:
        items = list(self._iterate(arguments[0] if arguments else None))
        if not all(map(is_number, items)) or keywords.keys() - {"reverse"}:
            raise Refusal(Reason.UNSUPPORTED, "sorting anything but numbers")
        return sorted(items, reverse=bool(keywords.get("reverse", False)))

    def _builtin_list(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        return list(self._iterate(arguments[0])) if arguments else []

    def _builtin_tuple(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        return tuple(self._iterate(arguments[0])) if arguments else ()

    def _builtin_str(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        return self._show(arguments[0])[:LONGEST_TEXT] if arguments else ""

    def _builtin_divmod(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        left, right = self._unpack(arguments, 2)
        return (self._binary("//", left, right), self._binary("%", left, right))

    def _builtin_Fraction(self, arguments: list[Any], _: dict[str, Any]) -> Value:  # noqa: N802  # named as the program calls it
        if len(arguments) == 1:
            return SCALAR_FUNCTIONS["float"](*arguments)
        top, bottom = self._unpack(arguments, 2)
        return self._binary("/", top, bottom)

    _builtin_Rational = _builtin_Fraction  # noqa: N815  # named as the program calls it
    _builtin_Decimal = _builtin_Fraction  # noqa: N815  # named as the program calls it

    def _builtin_Symbol(self, arguments: list[Any], _: dict[str, Any]) -> Value:  # noqa: N802  # named as the program calls it
        if not arguments or not isinstance(arguments[0], str):
            raise ProgramError("TypeError", "Symbol needs a name")
        return symbol(arguments[0])

    def _builtin_symbols(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        if not arguments or not isinstance(arguments[0], str):
            raise ProgramError("TypeError", "symbols needs names")
        made = tuple(symbol(name) for name in arguments[0].replace(",", " ").split())
        return made if len(made) != 1 else made[0]

    def _builtin_Eq(self, arguments: list[Any], _: dict[str, Any]) -> Value:  # noqa: N802  # named as the program calls it
        difference = self._binary("-", *self._unpack(arguments, 2))
        if isinstance(difference, int | Fraction):
            return difference == 0
        return Equation(Linear.of(difference))

    def _equations(self, value: Value) -> list[Linear]:
        if isinstance(value, list | tuple):
            return [equation for item in value for equation in self._equations(item)]
        if isinstance(value, Equation):
            return [value.difference]
        if isinstance(value, Linear):
            return [value]
        if isinstance(value, bool):
            return [Linear((), 0 if value else 1)]
        raise Refusal(Reason.UNSUPPORTED, f"solving {kind(value)} instead of an equation")

    def _solve(self, arguments: list[Any]) -> tuple[dict[str, Any] | None, list[str]]:
        if not arguments:
            raise ProgramError("TypeError", "solve needs an equation")
        equations = self._equations(arguments[0])
        given = arguments[1:] or [[symbol(name) for equation in equations for name, _ in equation.coefficients]]
        targets = [item for value in given for item in (value if isinstance(value, list | tuple) else [value])]
        names = [sole_unknown(target) for target in targets]
        if None in names:
            if not any(equation.coefficients for equation in equations):
                raise ProgramError("KeyError", "an equation without unknowns has no solution to look up")
            raise Refusal(Reason.UNSUPPORTED, "solving for something that is not an unknown")
        wanted = [name for name in names if name is not None]
        return solve_linear(equations, wanted, self._binary, self._is_zero), wanted

    def _is_zero(self, value: Value) -> bool:
        return self.truth(compare("==", value, 0))

    def _builtin_solve_it(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        solution, wanted = self._solve(arguments)
        if not solution:
            return dict.fromkeys((symbol(name) for name in wanted), None)
        return {symbol(name): value for name, value in solution.items()}

    def _builtin_solve(self, arguments: list[Any], _: dict[str, Any]) -> Value:
        solution, wanted = self._solve(arguments)
        if solution is None or not solution:
            return []
        several = len(wanted) > 1 or isinstance(arguments[0], list | tuple)
        return {symbol(name): value for name, value in solution.items()} if several else list(solution.values())


_BUILTINS = {name.removeprefix("_builtin_") for name in dir(Evaluator) if name.startswith("_builtin_")}
