"""A bound on the order of the linear recurrence that the answer of a program keeps to as one whole input grows.

Where every other input is fixed, a loop over `range(n)` whose body is linear in its variables takes a power of one matrix, a remainder by a
constant has a period, a polynomial has a degree: the answer is a sequence with a monic linear recurrence of constant coefficients
(C-finite; sums and products of such sequences are C-finite, of the sum and the product of their orders). Two such sequences of orders k and l that
agree at k + l successive places agree at all later ones. See M. Kauers, P. Paule, *The Concrete Tetrahedron* (2011), chapter 4.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from harness.program import ir
from harness.program.evaluation.arithmetic import Value
from harness.program.evaluation.evaluator import Evaluator, FunctionScope
from harness.program.refusal import ProgramError, Refusal

_SUM = "<sum>"


class NoRecurrenceError(Exception):
    """No recurrence is known for a program: it has a construct that is not followed."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is known of a value as a sequence in the input n, for any fixed values of the other inputs.

    It has a recurrence of at most `order`. Where it is `slope` times n plus `offset`, both are given; where it is a polynomial with whole
    coefficients divided by a number, that number is the `bottom`; where it repeats, after `period` terms. `whole` tells an int. Within a
    loop, `linear` tells a value that depends on the loop's variables, linearly, with coefficients that are constants of the loop.
    """

    order: int = 1
    slope: Fraction | None = None
    offset: Fraction | None = None
    bottom: int | None = None
    period: int | None = 1
    whole: bool = False
    linear: bool = False

    @property
    def varies(self) -> bool:
        """Tell whether the value may change with n."""
        return self.period != 1

    @property
    def constant(self) -> Fraction | None:
        """Return the value of a known constant."""
        return self.offset if self.slope == 0 else None


def recurrence_order(program: ir.Program, index: int, low: int) -> int | None:
    """Return a bound on the order of the recurrence of a program's answer in the input `index`, from `low` on; `None` where none is known."""
    inputs = [Terms(whole=isinstance(parameter.value, int)) for parameter in program.parameters]
    inputs[index] = _INDEX
    evaluator = _TermsEvaluator(program, inputs)
    evaluator.low, evaluator.tests = low, None
    try:
        return _terms(evaluator.run()).order
    except (NoRecurrenceError, ProgramError, Refusal):
        return None


def _terms(value: Value) -> Terms:
    """Return a value as a sequence: a number is a constant one."""
    if isinstance(value, Terms):
        return value
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise NoRecurrenceError
    return Terms(1, Fraction(0), Fraction(value), Fraction(value).denominator, 1, isinstance(value, int))


_UNKNOWN = Terms()
_INDEX = Terms(2, Fraction(1), Fraction(0), 1, None, whole=True)
_LINEAR = Terms(period=None, linear=True)


@dataclass(slots=True)
class _LoopTests:
    """The tests in the body of a loop: what they may read, and after how many values of the loop's variable all of them repeat."""

    known: dict[str, Value]
    period: int = 1


class _TermsEvaluator(Evaluator):
    """An evaluator of a program on `Terms` in place of numbers that are not known; `tests` are those of the loop in whose body it is."""

    low: int
    tests: _LoopTests | None

    # Statements.

    def _statement(self, statement: ir.Stmt, scope: dict[str, Value]) -> None:
        match statement:
            case ir.For((target,), ir.Call("range", arguments, ()), body) if self.is_builtin("range", scope):
                self.loop(target, arguments, body, scope)
            case _:
                super()._statement(statement, scope)

    def loop(
        self, target: str, arguments: tuple[ir.Expr, ...], body: tuple[ir.Stmt, ...], scope: dict[str, Value]
    ) -> None:
        """Follow a loop over a range whose body is linear in its variables, but for tests that repeat with the loop's variable."""
        start, stop, step = self.range_terms(arguments, scope)
        state = set(ir.assigned_names(body))
        steady = {name: own for name, own in scope.items() if name not in state and not _terms(own).varies}
        names = frozenset((*scope, *self.globals, *state, target))
        known, inside = FunctionScope(names), FunctionScope(names)
        known.update({**steady, target: _INDEX})
        inside.update({**steady, **dict.fromkeys((*state, target), _LINEAR)})
        outer, self.tests = self.tests, _LoopTests(known)
        self.check_body(body, inside, target)
        period, self.tests = self.tests.period, outer
        if start.slope is None or stop.slope is None or start.offset is None or stop.offset is None:
            raise NoRecurrenceError
        gain, first = (stop.slope - start.slope) / step, (stop.offset - start.offset) / step
        if gain < 0 or gain * self.low + first < 0:
            raise NoRecurrenceError
        # After so many terms the loop is longer by whole periods of its tests, and begins at the same place of a period.
        terms = math.lcm(
            (gain * math.gcd(step, period) / period).denominator if gain else 1,
            (start.slope / period).denominator if start.slope else 1,
        )
        initial = [start, *(_terms(scope.get(name, _UNKNOWN)) for name in sorted(state))]
        space = 1 + sum(value.order for value in initial if value.varies)
        size = len(state) + 2  # the loop's variable and a constant, too
        order = terms * space * (size if gain else 1)
        scope.update(dict.fromkeys(state, Terms(order, period=None)))
        scope.pop(target, None)

    def check_body(self, statements: tuple[ir.Stmt, ...], scope: dict[str, Value], target: str) -> None:
        """Check that the body of a loop changes its variables linearly, by constants of the loop."""
        for statement in statements:
            match statement:
                case ir.Assign((name,), expression, _, False) if name != target:
                    _require_steady(_terms(self._node_value(expression, scope)))
                case ir.If(test, then, otherwise):
                    self.repeat(test)
                    self.check_body((*then, *otherwise), scope, target)
                case _:
                    raise NoRecurrenceError

    def repeat(self, test: ir.Expr) -> None:
        """Keep the period of a test in the values of the loop's variable; one that reads anything else that changes is a `NoRecurrenceError`."""
        inputs = [self.inputs[node.index] for node in ir.nodes_of(test) if isinstance(node, ir.Input)]
        if self.tests is None or _INDEX in inputs:
            raise NoRecurrenceError
        self.tests.period = math.lcm(self.tests.period, self.period(test, self.tests.known))

    def range_terms(self, arguments: tuple[ir.Expr, ...], scope: dict[str, Value]) -> tuple[Terms, Terms, int]:
        """Return start, stop and step of a range."""
        values = [_terms(self._node_value(argument, scope)) for argument in arguments]
        if not 1 <= len(values) <= 3 or not all(value.whole for value in values):
            raise NoRecurrenceError
        start, stop = (_terms(0), values[0]) if len(values) == 1 else (values[0], values[1])
        step = values[2].constant if len(values) == 3 else Fraction(1)
        if not step:
            raise NoRecurrenceError
        return start, stop, int(step)

    # Expressions.

    def truth(self, value: Value) -> bool:
        """Decide a condition that does not depend on a sequence; raises `NoRecurrenceError` for any other."""
        if isinstance(value, Terms):
            raise NoRecurrenceError
        return super().truth(value)

    def _node_value(self, node: ir.Expr, scope: dict[str, Value]) -> Value:
        match node:
            case ir.Conditional(test, then, otherwise) if self.tests is not None:
                self.repeat(test)
                branches = [_terms(self._node_value(branch, scope)) for branch in (then, otherwise)]
                _require_steady(*branches)
                return _LINEAR if any(branch.linear for branch in branches) else _UNKNOWN
        return super()._node_value(node, scope)

    def _unary(self, operator: str, value: Value) -> Value:
        if isinstance(value, Terms) and operator != "not":
            return self.binary("*", 1 if operator == "+" else -1, value)
        return super()._unary(operator, value)

    def _call(self, node: ir.Call, scope: dict[str, Value]) -> Value:
        if self.tests is not None:  # what a call in a loop reads or prints is not followed
            raise NoRecurrenceError
        match node:
            case ir.Call("sum", (ir.Comprehension(iterable=ir.Call("range", bounds, ())) as items,), ()) if (
                self.is_builtin("sum", scope) and self.is_builtin("range", scope) and len(items.targets) == 1
            ):
                return self.total(items, bounds, scope)
        return super()._call(node, scope)

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """Apply an arithmetic operator; raises `NoRecurrenceError` where the order of the result is not known."""
        if isinstance(left, Terms) or isinstance(right, Terms):
            return self.operation(operator, _terms(left), _terms(right))
        return super().binary(operator, left, right)

    def operation(self, operator: str, left: Terms, right: Terms) -> Terms:
        divisor = right.constant
        if left.linear or right.linear:
            _require_steady(left, right)
            both = left.linear and right.linear
            if operator in {"+", "-"} or (operator == "*" and not both) or (operator == "/" and divisor):
                return _LINEAR
            raise NoRecurrenceError
        match operator:
            case "+":
                return _sum(left, right)
            case "-":
                return _sum(left, _product(_terms(-1), right))
            case "*":
                return _product(left, right)
            case "/" if divisor:
                return replace(_product(left, _terms(1 / divisor)), whole=False)
            case "//" | "%" if divisor is not None and divisor > 0 and divisor.denominator == 1:
                return _divided(operator, left, int(divisor), whole=left.whole and right.whole)
            case "**":
                return _power(left, right, self.low)
        raise NoRecurrenceError

    def total(self, items: ir.Comprehension, bounds: tuple[ir.Expr, ...], scope: dict[str, Value]) -> Value:
        """Return the sum of a comprehension over a range."""
        grown: tuple[ir.Stmt, ...] = (ir.Assign((_SUM,), ir.Binary("+", ir.Name(_SUM), items.element), 0),)
        for condition in reversed(items.conditions):
            grown = (ir.If(condition, grown, (), 0),)
        inner = {**scope, _SUM: 0}
        self.loop(items.targets[0], bounds, grown, inner)
        return inner[_SUM]

    def period(self, test: ir.Expr, scope: dict[str, Value]) -> int:
        """Return after how many terms the truth of a test repeats, 1 where it does not depend on n."""
        match test:
            case ir.Comparison(_, operands) | ir.Boolean(_, operands):
                return math.lcm(*(self.period(operand, scope) for operand in operands))
        period = _terms(self._node_value(test, scope)).period
        if period is None:
            raise NoRecurrenceError
        return period


def _require_steady(*values: Terms) -> None:
    """Refuse values in the body of a loop that change with n and are no linear terms of the loop's variables."""
    if any(value.varies and not value.linear for value in values):
        raise NoRecurrenceError


def _sum(left: Terms, right: Terms) -> Terms:
    slope = None if left.slope is None or right.slope is None else left.slope + right.slope
    offset = None if left.offset is None or right.offset is None else left.offset + right.offset
    return Terms(
        _shared(left, right) or left.order + right.order,
        slope,
        offset,
        _common(left.bottom, right.bottom),
        _common(left.period, right.period),
        left.whole and right.whole,
    )


def _product(left: Terms, right: Terms) -> Terms:
    for factor, other in ((left, right), (right, left)):
        known = factor.constant
        if known is not None:
            bottom = None if other.bottom is None else (known / other.bottom).denominator
            slope, offset = (None if part is None else part * known for part in (other.slope, other.offset))
            return Terms(other.order, slope, offset, bottom, other.period, left.whole and right.whole)
    bottom = None if left.bottom is None or right.bottom is None else left.bottom * right.bottom
    period = _common(left.period, right.period)
    return Terms(left.order * right.order, None, None, bottom, period, left.whole and right.whole)


def _shared(left: Terms, right: Terms) -> int | None:
    """Return the order of a sum of sequences that keep to one recurrence: constants, linear ones, and those of one period."""
    if not left.varies and not right.varies:
        return 1
    if all(value.slope is not None or not value.varies for value in (left, right)):
        return 2
    return None


def _common(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else math.lcm(left, right)


def _divided(operator: str, left: Terms, divisor: int, *, whole: bool) -> Terms:
    """Return a polynomial divided and rounded down, or the rest: that repeats with the divisor."""
    if left.bottom is None:
        raise NoRecurrenceError
    period = left.bottom * divisor
    return (
        Terms(period, period=period, whole=whole)
        if operator == "%"
        else Terms(left.order + period, period=None, whole=whole)
    )


def _power(base: Terms, exponent: Terms, low: int) -> Terms:
    """Return the power of a constant whose exponent grows from 1 or more."""
    slope, offset = exponent.slope, exponent.offset
    if base.varies or slope is None or offset is None or not exponent.whole or slope <= 0 or slope * low + offset < 1:
        raise NoRecurrenceError
    return Terms(1, period=None, whole=base.whole)
