"""Loops and sums of an open number of rounds: one round on unknowns for what the variables held before it, and their closed forms after the loop.

A variable to which each round adds is the sum of what it gains. Values in round k are kept as the coefficients of 1, k, k(k - 1)/2, … , the binomial
coefficients of k: the sum of one over all rounds before the k-th is the next. See R. L. Graham, D. E. Knuth, O. Patashnik, *Concrete Mathematics*
(1994), section 5.3.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from harness.program import ir
from harness.program.evaluation.arithmetic import Value, compare
from harness.program.evaluation.builtin_functions import Run
from harness.program.evaluation.linear_unknowns import LinearExpression, Operation, symbol
from harness.program.evaluation.scalar_functions import SCALAR_FUNCTIONS
from harness.program.evaluation.values import COMPARISONS, Term
from harness.program.refusal import ProgramError, Refusal, RefusalReason

LAST_ROUND = object()
"""The value of a variable after a loop whose length is open, where it has no closed form."""
_OPEN = Term | LinearExpression
_NUMBERS = frozenset({int, Fraction, Term, LinearExpression})
_SUM, _ITEM = "<sum>", "<item>"
_PURE = frozenset({"abs", "ceil", "float", "floor", "int", "max", "min", "range", "round", "sum"})
_COMPUTATIONS = (
    *(ir.Assign, ir.If, ir.For, ir.While),
    *(ir.Input, ir.Binary, ir.Unary, ir.Boolean, ir.Conditional, ir.Comprehension),
)
"""The nodes that compute numbers and do nothing else, whatever they hold."""
_OPEN_LOOP = "a loop whose length depends on an input"


@dataclass(frozen=True, slots=True)
class OpenRange:
    """The items of a loop of an open number of rounds."""

    first: Value
    step: Value
    count: Value
    runs: Value = None


def _is_arithmetic(expression: ir.Expr) -> bool:
    """Tell whether an expression is made of numbers, variables and operators, so that it may be evaluated more or less often."""
    parts = ir.Binary | ir.Unary | ir.Const | ir.Input | ir.Name
    return all(isinstance(node, parts) for node in ir.nodes_of(expression))


def open_range(run: Run, iterable: ir.Expr, scope: dict[str, Value]) -> OpenRange | None:
    """Return what a `range` with a constant step gives, if its length is open; its bounds must be integers."""
    match iterable:
        case ir.Call("range", arguments, ()) if 1 <= len(arguments) <= 3 and run.is_builtin("range", scope):
            if not all(map(_is_arithmetic, arguments)):
                return None
            given = [run.value(item, scope) for item in arguments]
            first, stop, step = (0, *given, 1) if len(given) == 1 else (*given, 1)[:3]
            unknown = _OPEN if run.loops else Term  # an unknown of the program itself is no int
            if type(step) is not int or not step or not any(isinstance(item, unknown) for item in (first, stop)):
                return None
            if not all(isinstance(item, int | unknown) for item in (first, stop)):
                return None
            for item in map(LinearExpression.of, (first, stop)):
                run.bounds.extend((item.constant, *(factor for _, factor in item.coefficients)))
            count = stop if first == 0 else run.binary("-", stop, first)
            if step != 1:
                count = SCALAR_FUNCTIONS["ceil"](run.binary("/", count, step))
            return OpenRange(first, step, count)
    return None


def open_while(run: Run, test: ir.Expr, body: tuple[ir.Stmt, ...], scope: dict[str, Value]) -> bool:
    """Run a loop that ends where a variable with a constant gain reaches a limit, and tell whether it is such a loop and open."""
    match test:
        case ir.Comparison(("<" | "<=" as operator,), (ir.Name(moved), limit)):
            towards = 1
        case ir.Comparison((">" | ">=" as operator,), (ir.Name(moved), limit)):
            towards = -1
        case _:
            return False
    changed = list(ir.assigned_names(body))
    for statement in body:
        match statement:
            case ir.Assign((name,), ir.Binary("+" | "-" as sign, ir.Name(grown), gain)) if name == grown == moved:
                break
    else:
        return False
    read = {name for part in (gain, limit) if _is_arithmetic(part) for name in ir.names_in_order(part)}
    steady = _is_arithmetic(gain) and _is_arithmetic(limit) and read.isdisjoint(changed)
    if not steady or changed.count(moved) > 1:
        return False
    start, end = run.value(ir.Name(moved), scope), run.value(limit, scope)
    if not {type(start), type(end)} <= _NUMBERS - {LinearExpression}:
        return False
    runs = compare(operator, start, end)
    if not run.truth(runs):
        return True
    step = run.binary("*", 1 if sign == "+" else -1, run.value(gain, scope))
    if not any(isinstance(value, Term) for value in (start, end, step)):
        return False
    _check_rounds(run, body, scope)
    pace = run.binary("*", towards, step)
    if not run.truth(compare(">", pace, 0)):
        raise ProgramError("EndlessLoop")  # no value, as after an exception
    quotient = run.binary("/", run.binary("*", towards, run.binary("-", end, start)), pace)
    count = SCALAR_FUNCTIONS["ceil" if operator in {"<", ">"} else "floor"](quotient)
    count = count if operator in {"<", ">"} else run.binary("+", count, 1)
    repeat(run, body, OpenRange(start, step, count, runs), scope, (moved,))
    return True


def repeat(
    run: Run, body: tuple[ir.Stmt, ...], rounds: OpenRange, scope: dict[str, Value], targets: tuple[str, ...] = ()
) -> None:
    """Run a loop of an open number of rounds: its body once, on unknowns for what the variables hold before a round.

    Raises:
        Refusal: the body does more than to compute numbers, or what it does depends on the round.
    """
    _check_rounds(run, body, scope)
    if len(targets) > 1 or not _is_counted(rounds.count, body, {*scope, *targets}):
        raise Refusal(RefusalReason.UNSUPPORTED, _OPEN_LOOP)
    if isinstance(rounds.count, Term) and not run.truth(rounds.runs or Term(">=", (rounds.count, 1))):
        return
    run.loops += 1
    prefix, changed = f"{run.loops} ", {*ir.assigned_names(body), *targets}
    before = {prefix + name: scope[name] for name in changed & scope.keys() if type(scope[name]) in _NUMBERS}
    for name in changed & scope.keys():
        # What a variable holds before a round may be a float: no sum with it counts as an int.
        state = LinearExpression(((prefix + name, 1),), Fraction(0))
        scope[name] = state if prefix + name in before else LAST_ROUND
    item = run.binary("+", rounds.first, run.binary("*", rounds.step, symbol(prefix)))
    scope.update(dict.fromkeys(targets, item))
    try:
        run.block(body, scope)
    except Refusal as refusal:
        if refusal.reason is not RefusalReason.UNSUPPORTED:
            raise
        # The operation is on an unknown, which the program does not name.
        raise Refusal(RefusalReason.UNSUPPORTED, _OPEN_LOOP) from None
    finally:
        run.loops -= 1
    numbers = {name: scope[name] for name in changed & scope.keys() if type(scope[name]) in _NUMBERS}
    after = {prefix + name: LinearExpression.of(value) for name, value in numbers.items()}
    values = LoopRounds(before, prefix, run.binary).closed(after, rounds.count)
    scope.update({name: values.get(prefix + name, LAST_ROUND) for name in changed & scope.keys()})


def _is_counted(count: Value, body: tuple[ir.Stmt, ...], bound: set[str]) -> bool:
    """Tell whether a number of rounds is open, or grows from 1 with the rounds of an outer loop; from 0 if the body always has a value."""
    if not isinstance(count, LinearExpression):
        return isinstance(count, Term)
    parts = [count.constant, *(factor for name, factor in count.coefficients if name.endswith(" "))]
    if len(parts) <= len(count.coefficients) or not all(type(part) is int and part >= 0 for part in parts):
        return False
    return count.constant > 0 or all(
        (isinstance(node, ir.Name) and node.name in bound)
        or (isinstance(node, ir.Binary) and node.operator in {"+", "-", "*"})
        or isinstance(node, ir.Assign | ir.Const | ir.Input)
        for node in ir.nodes_of(body)
    )


def _check_rounds(run: Run, body: tuple[ir.Stmt, ...], scope: dict[str, Value]) -> None:
    """Refuse statements unless they only assign numbers, so that one run of them on unknowns says what every round does."""
    numbers = _NUMBERS if run.loops else _NUMBERS - {LinearExpression}
    for node in ir.nodes_of(body):
        match node:
            case ir.Name(name):
                value = scope.get(name, run.globals.get(name, LAST_ROUND))
                computes = value is LAST_ROUND or type(value) in numbers
            case ir.Call(name, _, ()):
                computes = name in _PURE and run.is_builtin(name, scope)
            case ir.Const(value):
                computes = isinstance(value, int | Fraction)
            case ir.Comparison(operators, _):
                computes = COMPARISONS.keys() >= set(operators)
            case _:
                computes = isinstance(node, _COMPUTATIONS)
        if not computes:
            raise Refusal(RefusalReason.UNSUPPORTED, _OPEN_LOOP)


def open_sum(run: Run, items: ir.Expr, scope: dict[str, Value]) -> Value:
    """Return the sum of a comprehension over an open range, or of such a range; `None` where it is over something else."""
    element: ir.Expr = ir.Name(_ITEM)
    target, iterable = _ITEM, items
    if isinstance(items, ir.Comprehension) and len(items.targets) == 1 and not items.conditions:
        element, target, iterable = items.element, items.targets[0], items.iterable
    rounds = open_range(run, iterable, scope)
    if rounds is None:
        return None
    inner = run.inner_scope(scope)
    inner[_SUM] = 0
    repeat(run, (ir.Assign((_SUM,), ir.Binary("+", ir.Name(_SUM), element), 0),), rounds, inner, (target,))
    return run.value(ir.Name(_SUM), inner)


MOST_POWERS = 6


@dataclass(slots=True)
class LoopRounds:
    """The rounds of a loop: `before` gives what each unknown held before the first round, `index` is the number of a round from 0 on."""

    before: Mapping[str, Any]
    index: str
    operation: Operation

    def closed(self, after: Mapping[str, LinearExpression], count: Any) -> dict[str, Any]:
        """Return the values after `count` rounds of the unknowns that have a closed form.

        `after` gives what each holds after a round, in the unknowns and the index. One to which no round adds holds what the last round left, if there is
        surely one: a number of rounds that depends on the round of an outer loop may be 0.
        """
        powers = range(MOST_POWERS)
        grown: dict[str, list[Any]] = {self.index + " " * power: [0] * (power + 1) + [1] for power in powers}
        waiting = {name: value for name, value in after.items() if dict(value.coefficients).get(name) == 1}
        while True:
            gains = ((name, self._in_round(value, grown, name)) for name, value in waiting.items())
            name, gain = next(((name, gain) for name, gain in gains if gain is not None), ("", []))
            if not name:
                break
            grown[name] = [self.before[name], *gain]
            del waiting[name]
        values = {name: self._at(own, count) for name, own in grown.items() if not name.endswith(" ")}
        for name in () if isinstance(count, LinearExpression) else after.keys() - values.keys():
            last = self._in_round(after[name], grown)
            if last is not None:
                values[name] = self._at(last, self.operation("-", count, 1))
        return values

    def _in_round(self, value: LinearExpression, grown: Mapping[str, list[Any]], own: str = "") -> list[Any] | None:
        """Return the coefficients of a value in round k, its part `own` aside; `None` where an unknown is not known there."""
        outer, total = [], [0]
        for name, factor in value.coefficients:
            if name in grown:
                total += [0] * (len(grown[name]) - len(total))
                for place, part in enumerate(grown[name]):
                    total[place] = self._sum(total[place], self._product(factor, part))
            elif name in self.before:
                if name != own:
                    return None
            else:
                outer.append((name, factor))
        total[0] = self._sum(total[0], LinearExpression(tuple(outer), value.constant).settled())
        return total

    def _at(self, coefficients: list[Any], number: Any) -> Any:
        total, chosen = coefficients[0], number
        for place, coefficient in enumerate(coefficients[1:], start=1):
            total = self._sum(total, self._product(coefficient, chosen))
            if place < len(coefficients) - 1:
                following = self._product(self.operation("-", number, place), Fraction(1, place + 1))
                chosen = self._product(chosen, following)
        return total

    def _sum(self, left: Any, right: Any) -> Any:
        return right if _is_int(left, 0) else left if _is_int(right, 0) else self.operation("+", left, right)

    def _product(self, left: Any, right: Any) -> Any:
        if _is_int(left, 0) or _is_int(right, 0):
            return 0
        return right if _is_int(left, 1) else left if _is_int(right, 1) else self.operation("*", left, right)


def index_product(left: LinearExpression, right: LinearExpression, operation: Operation) -> LinearExpression | None:
    """Return the product of two polynomials in the number of a round, `None` where they have other unknowns or a high degree.

    The name of the number ends with a space, that of its n-th binomial coefficient with n.
    """
    names = {name for side in (left, right) for name, _ in side.coefficients}
    index = min(names)
    if any(name.rstrip() != index.rstrip() or not name.endswith(" ") for name in names):
        return None
    total: dict[int, Any] = {}
    sides = [[("", side.constant), *side.coefficients] for side in (left, right)]
    for (first, factor), (second, other) in product(*sides):
        low, high = sorted((first.count(" "), second.count(" ")))
        for power in range(high, low + high + 1):
            part = operation("*", operation("*", factor, other), comb(power, high) * comb(high, power - low))
            total[power] = operation("+", total[power], part) if power in total else part
    constant = total.pop(0)
    if max(total) > MOST_POWERS:
        return None
    coefficients = tuple((index.rstrip() + " " * power, part) for power, part in sorted(total.items()))
    return LinearExpression(coefficients, constant)


def _is_int(value: Any, number: int) -> bool:
    return type(value) is int and value == number
