"""Closed forms of loops whose length depends on an open input.

The body is run once on placeholders for the round's number and for each variable that it changes. Where every variable
grows each round by a polynomial in the round's number, its value after the loop is a sum of powers (Faulhaber's
formulas). A loop that breaks at a bound has fewer rounds; what a round divides by counts where there is a round. Everything else
is refused, and so is everything in a loop that is not visibly pure.
Where a round depends on a remainder of its number, the rounds of each remainder are summed apart. The module has more than
400 lines because the purity of a body, its polynomials and its rounds are the parts of one argument.
"""

from __future__ import annotations

import itertools
import math
import operator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from harness.program import ir
from harness.program.evaluation.terms import COMPARISONS, OpenRange, Operand, Term, subterms
from harness.program.refusal import ProgramError, Refusal, RefusalReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

HIGHEST_POWER = 4
MOST_MONOMIALS = 60
_REFUSED = "a loop whose length depends on an input"
_PURE_FUNCTIONS = frozenset(
    [
        "Fraction",
        "abs",
        "ceil",
        "fabs",
        "float",
        "floor",
        "int",
        "len",
        "max",
        "min",
        "pow",
        "prod",
        "range",
        "round",
        "sum",
        "trunc",
    ]
)
_POWER_SUMS: tuple[tuple[Fraction, ...], ...] = (
    (Fraction(0), Fraction(1)),
    (Fraction(0), Fraction(-1, 2), Fraction(1, 2)),
    (Fraction(0), Fraction(1, 6), Fraction(-1, 2), Fraction(1, 3)),
    (Fraction(0), Fraction(0), Fraction(1, 4), Fraction(-1, 2), Fraction(1, 4)),
    (Fraction(0), Fraction(-1, 30), Fraction(0), Fraction(1, 3), Fraction(-1, 2), Fraction(1, 5)),
)
"""For each power p, the coefficients of the polynomial in n that is 0^p + 1^p + … + (n - 1)^p."""
_COMPARED: dict[str, Callable[[int | Fraction, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_placeholder_numbers = itertools.count()
LONGEST_PERIOD = 12

Monomial = tuple[tuple[int, int], ...]
Expansion = dict[Monomial, Operand]
"""A polynomial in placeholders: its coefficients are terms without them."""


class LoopRun(Protocol):
    """The part of the evaluator that a closed form uses."""

    program: ir.Program
    globals: dict[str, Any]
    decide: Callable[[Term], bool] | None
    on_division: Callable[[Term], None] | None
    bounds: list[Operand]

    def block(self, statements: tuple[ir.Stmt, ...], scope: dict[str, Any]) -> None:
        """Run statements."""

    def value(self, node: ir.Expr, scope: dict[str, Any]) -> Any:
        """Evaluate an expression."""


def _refusal(detail: str = _REFUSED) -> Refusal:
    return Refusal(RefusalReason.UNSUPPORTED, detail)


@dataclass(frozen=True, slots=True)
class LastRound:
    """The value of a variable that holds what the last round left: `value` if `has_rounds`, else what it was `before`.

    Without `has_rounds` its value is not known.
    """

    has_rounds: Term | None = None
    value: Operand = 0
    before: Any = None
    was_bound: bool = True

    def read(self, run: LoopRun, name: str) -> Any:
        """Return the value on this path.

        Raises:
            Refusal: it is not known.
        """
        if self.has_rounds is None or run.decide is None:
            raise _refusal(f"{name} after a loop whose length depends on an input")
        if run.decide(self.has_rounds):
            return self.value
        if not self.was_bound:
            raise ProgramError("NameError", name[:60])
        if isinstance(self.before, LastRound):
            return self.before.read(run, name)
        if not _is_number(self.before):
            raise _refusal(f"{name} after a loop whose length depends on an input")
        return self.before


# Purity.


@dataclass(slots=True)
class _Purity:
    """Decides whether code is visibly pure: it assigns numbers to variables, and calls only functions without side effects.

    A list may be read at an index only: under another name it might be changed.
    """

    functions: Mapping[str, ir.Function]
    values: Mapping[str, Any]
    checked: set[str] = field(default_factory=set)

    def block(self, statements: tuple[ir.Stmt, ...]) -> bool:
        return all(map(self._statement, statements))

    def _statement(self, statement: ir.Stmt) -> bool:
        match statement:
            case ir.Assign(_, value) | ir.Return(value):
                return self.expression(value)
            case ir.If(test, then, otherwise):
                return self.expression(test) and self.block(then) and self.block(otherwise)
            case ir.For(_, iterable, body):
                return self.expression(iterable) and self.block(body)
            case ir.While(test, body):
                return self.expression(test) and self.block(body)
        return False

    def expression(self, node: ir.Expr) -> bool:
        match node:
            case ir.Const(value):
                return isinstance(value, int | Fraction)
            case ir.Input():
                return True
            case ir.Name(name):
                return (
                    name not in self.values or isinstance(self.values[name], LastRound) or _is_number(self.values[name])
                )
            case ir.Subscript(ir.Name(name), index):
                receiver = self.values.get(name)
                return isinstance(receiver, list | tuple) and all(map(_is_number, receiver)) and self.expression(index)
            case ir.Binary(_, left, right):
                return self.expression(left) and self.expression(right)
            case ir.Unary(_, operand):
                return self.expression(operand)
            case ir.Comparison(_, operands) | ir.Boolean(_, operands) | ir.Sequence("list" | "tuple", operands):
                return all(map(self.expression, operands))
            case ir.Conditional(test, then, otherwise):
                return all(map(self.expression, (test, then, otherwise)))
            case ir.Comprehension(element, _, iterable, ()):
                return self.expression(element) and self.expression(iterable)
            case ir.Call(name, arguments, ()) if all(map(self.expression, arguments)):
                return self._call(name)
        return False

    def _call(self, name: str) -> bool:
        function = self.functions.get(name)
        if function is None:
            return name in _PURE_FUNCTIONS and name not in self.values
        if name in self.checked:
            return True
        self.checked.add(name)
        return not function.defaults and self.block(function.body)


def _is_number(value: Any) -> bool:
    return type(value) in {int, Fraction, Term}


def _changed(statements: tuple[ir.Stmt, ...]) -> frozenset[str]:
    """Return the variables that statements may assign."""
    names: set[str] = set()
    for statement in statements:
        match statement:
            case ir.Assign(targets):
                names.update(targets)
            case ir.For(targets, _, body):
                names.update(targets, _changed(body))
            case ir.While(_, body):
                names |= _changed(body)
            case ir.If(_, then, otherwise):
                names |= _changed(then) | _changed(otherwise)
    return frozenset(names)


# Polynomials in placeholders.


def _placeholder(*, index: bool) -> tuple[int, Term]:
    number = next(_placeholder_numbers)
    return number, Term("index" if index else "state", (number,))


def _plus(left: Operand, right: Operand) -> Operand:
    if not isinstance(left, Term) and not isinstance(right, Term):
        return left + right
    if not isinstance(left, Term) and left == 0:
        return right
    return left if not isinstance(right, Term) and right == 0 else Term("+", (left, right))


def _times(left: Operand, right: Operand) -> Operand:
    if not isinstance(left, Term) and not isinstance(right, Term):
        return left * right
    for number, other in ((left, right), (right, left)):
        if not isinstance(number, Term) and number in {0, 1}:
            return other if number else 0
    return Term("*", (left, right))


def _sum(left: Expansion, right: Expansion, factor: int = 1) -> Expansion:
    total = dict(left)
    for monomial, coefficient in right.items():
        total[monomial] = _plus(total.get(monomial, 0), _times(factor, coefficient))
    return {
        monomial: coefficient for monomial, coefficient in total.items() if isinstance(coefficient, Term) or coefficient
    }


def _product(left: Expansion, right: Expansion) -> Expansion:
    if len(left) * len(right) > MOST_MONOMIALS:
        raise _refusal()
    total: Expansion = {}
    for (first, factor), (second, other) in itertools.product(left.items(), right.items()):
        exponents = dict(first)
        for number, exponent in second:
            exponents[number] = exponents.get(number, 0) + exponent
        total = _sum(total, {tuple(sorted(exponents.items())): _times(factor, other)})
    return total


def _expanded(operand: Operand, numbers: frozenset[int]) -> Expansion:
    """Return a term as a polynomial in placeholders.

    Raises:
        Refusal: a placeholder stands within something else than a sum, product or power.
    """
    if not isinstance(operand, Term):
        return _sum({}, {(): operand})
    known: dict[int, Expansion] = {}
    for term in subterms(operand, known):
        known[id(term)] = _expanded_term(term, known, numbers)
    return known[id(operand)]


def _expanded_term(term: Term, known: Mapping[int, Expansion], numbers: frozenset[int]) -> Expansion:
    if term.operator in {"index", "state"} and term.arguments[0] in numbers:
        return {((term.arguments[0], 1),): 1}  # type: ignore[dict-item]  # a placeholder's argument is its number
    parts = [known[id(part)] if isinstance(part, Term) else _sum({}, {(): part}) for part in term.arguments]
    if term.operator in {"input", "index", "state"} or not _holds_placeholder(term, numbers):
        return {(): term}
    match term.operator, parts:
        case ("+", [left, right]):
            return _sum(left, right)
        case ("-", [left, right]):
            return _sum(left, right, -1)
        case ("*", [left, right]):
            return _product(left, right)
        case ("/", [left, right]) if set(right) == {()}:
            # A loop divides by numbers only; anything else was refused when its body ran.
            divisor = term.arguments[1]
            if not isinstance(divisor, Term):
                return {monomial: _times(1 / Fraction(divisor), coefficient) for monomial, coefficient in left.items()}
        case ("%", [left, _]) if (remainder := _remainder(term, left)) is not None:
            return _constant(remainder)
        case ("**", [base, _]) if isinstance(power := term.arguments[1], int) and 0 <= power <= HIGHEST_POWER:
            result: Expansion = {(): 1}
            for _ in range(power):
                result = _product(result, base)
            return result
    raise _refusal()


def _remainder(term: Term, dividend: Expansion) -> int | None:
    """Return the remainder of a whole number of rounds and a number by a number, where it is the same in all rounds."""
    divisor = term.arguments[1]
    if not isinstance(divisor, int) or divisor == 0 or any(part.operator == "state" for part in subterms(term)):
        return None
    constant = dividend.get((), 0)
    parts = (part for monomial, part in dividend.items() if monomial)
    steady = all(isinstance(part, int) and part % divisor == 0 for part in parts)
    return constant % divisor if steady and isinstance(constant, int) else None


def _constant_truth(condition: Term) -> bool | None:
    """Return the result of a comparison of placeholders if it is the same in all rounds, else `None`."""
    numbers = frozenset(
        int(term.arguments[0])  # type: ignore[arg-type]  # a placeholder's argument is its number
        for term in subterms(condition)
        if term.operator in {"index", "state"}
    )
    sides = condition.arguments if condition.operator in COMPARISONS else (condition, 0)
    try:
        left, right = (_expanded(side, numbers) for side in sides)
        difference = _sum(left, right, -1)
    except Refusal:
        return None
    constant = difference.pop((), 0)
    if difference or isinstance(constant, Term):
        return None
    return bool(_COMPARED[condition.operator if condition.operator in COMPARISONS else "!="](constant, 0))


def _holds_placeholder(operand: Operand, numbers: frozenset[int] | None = None) -> bool:
    """Tell whether an operand is built from placeholders, or only from those whose numbers are given."""
    return any(
        term.operator in {"index", "state"} and (numbers is None or term.arguments[0] in numbers)
        for term in subterms(operand)
    )


def _substituted(expansion: Expansion, number: int, value: Expansion) -> Expansion:
    """Return a polynomial with another for a placeholder."""
    total: Expansion = {}
    for monomial, coefficient in expansion.items():
        rest = tuple((other, exponent) for other, exponent in monomial if other != number)
        part: Expansion = {rest: coefficient}
        for _ in range(dict(monomial).get(number, 0)):
            part = _product(part, value)
        total = _sum(total, part)
    return total


def _summed(gain: Expansion, round_number: int, count: Expansion) -> Expansion:
    """Return the sum of a gain over the rounds below a count; both are polynomials in placeholders."""
    total: Expansion = {}
    for monomial, coefficient in gain.items():
        power = dict(monomial).get(round_number, 0)
        if power > HIGHEST_POWER or len(monomial) > (power > 0):
            raise _refusal()
        powers: Expansion = {(): 1}
        for factor in _POWER_SUMS[power]:
            total = _sum(total, _product({(): _times(factor, coefficient)}, powers))
            powers = _product(powers, count)
    return total


def _as_operand(expansion: Expansion, values: Mapping[int, Operand]) -> Operand:
    total: Operand = 0
    for monomial, coefficient in expansion.items():
        part = coefficient
        for number, exponent in monomial:
            for _ in range(exponent):
                part = _times(part, values[number])
        total = _plus(total, part)
    return total


# Loops.


@dataclass(slots=True)
class _Rounds:
    """The rounds of one loop: the placeholder of the round's number, and the variables that grow."""

    number: int
    before: dict[str, Operand]
    states: dict[str, int]
    after: dict[str, Any]
    grown: dict[str, Expansion] = field(default_factory=dict)

    def solve(self) -> None:
        """Find for each variable that keeps its value and grows what it has gained before a round; the values of others are no longer known.

        Raises:
            Refusal: a variable that grows reads in a round what another, which changes otherwise, held before it.
        """
        numbers = frozenset({self.number, *self.states.values()})
        waiting: dict[str, Expansion] = {}
        temporary: set[int] = set()
        for name, number in self.states.items():
            value = self.after[name]
            if not isinstance(value, int | Fraction | Term) or (
                isinstance(value, Term) and value.operator in COMPARISONS
            ):
                raise _refusal()
            try:
                expansion = _expanded(value, numbers)
            except Refusal:
                expansion = {}
            if expansion.get(((number, 1),)) == 1 and sum(number in dict(monomial) for monomial in expansion) == 1:
                waiting[name] = {monomial: part for monomial, part in expansion.items() if monomial != ((number, 1),)}
            else:
                temporary.add(number)
        while waiting:
            ready = [
                name
                for name in waiting
                if not _reads(waiting[name], {self.states[other] for other in waiting} | temporary)
            ]
            if not ready:
                raise _refusal()
            for name in ready:
                gain = waiting.pop(name)
                for other, grown in self.grown.items():
                    gain = _substituted(gain, self.states[other], _sum(_constant(self.before[other]), grown))
                self.grown[name] = _summed(gain, self.number, {((self.number, 1),): 1})

    def finish(self, scope: dict[str, Any], count: Operand) -> None:
        """Set the variables to their values after a number of rounds."""
        for name, grown in self.grown.items():
            scope[name] = _plus(self.before[name], _as_operand(grown, {self.number: count}))
        for name in self.after.keys() - self.grown.keys():
            scope[name] = LastRound()


def _constant(value: Operand) -> Expansion:
    return _sum({}, {(): value})


def _reads(expansion: Expansion, numbers: set[int]) -> bool:
    return any(number in numbers for monomial in expansion for number, _ in monomial)


@contextmanager
def _restored(run: LoopRun, scope: dict[str, Any], divisors: list[Term] | None = None) -> Iterator[None]:
    """Refuse statements that a round may not have, and restore all variables where the loop has no closed form.

    The divisors of each round are added to `divisors`; without them, a division is refused.
    """
    kept, bounds, on_division, decide = dict(scope), len(run.bounds), run.on_division, run.decide

    def noted(divisor: Term) -> None:
        if divisors is None or _holds_placeholder(divisor):
            raise _refusal("a division in a loop whose length depends on an input")
        divisors.append(divisor)

    def same_choice(condition: Term) -> bool:
        if decide is None:
            raise _refusal()
        if not _holds_placeholder(condition):
            return decide(condition)
        truth = _constant_truth(condition)
        if truth is None:
            raise _refusal()
        return truth

    run.on_division, run.decide = noted, same_choice
    try:
        yield
    except BaseException as error:
        scope.clear()
        scope.update(kept)
        del run.bounds[bounds:]
        if isinstance(error, ProgramError):
            # Without a round it is not raised.
            raise _refusal() from None
        raise
    finally:
        run.on_division, run.decide = on_division, decide


def _one_round(run: LoopRun, loop: ir.For | ir.While, index: Operand, number: int, scope: dict[str, Any]) -> _Rounds:
    """Run the body of a loop once on placeholders."""
    targets = loop.targets if isinstance(loop, ir.For) else ()
    changed = _changed(loop.body)
    if changed & set(targets):
        raise _refusal()
    if scope is not run.globals and any(name in run.globals for name in changed - scope.keys()):
        raise _refusal()
    before: dict[str, Operand] = {}
    states: dict[str, int] = {}
    for name in sorted(changed & scope.keys()):
        if isinstance(scope[name], LastRound):
            # A round may change it: what it holds before the first is not what it holds before the next.
            scope[name] = LastRound()
            continue
        if not _is_number(scope[name]):
            raise _refusal()
        before[name] = scope[name]
        states[name], scope[name] = _placeholder(index=False)
    scope.update(dict.fromkeys(targets, index))
    run.block(loop.body, scope)
    after = {name: scope[name] for name in (*changed, *targets) if name in scope}
    return _Rounds(number, before, states, after)


def is_pure(run: LoopRun, scope: Mapping[str, Any], body: tuple[ir.Stmt, ...], *nodes: ir.Expr) -> bool:
    """Tell whether statements and expressions visibly do nothing but assign numbers to variables, and end no function."""
    purity = _Purity(run.program.functions, {**run.globals, **scope})
    return purity.block(body) and all(map(purity.expression, nodes)) and not _leaves(body)


def _leaves(statements: tuple[ir.Stmt, ...]) -> bool:
    """Tell whether a body may end its function."""
    for statement in statements:
        match statement:
            case ir.Return():
                return True
            case ir.If(_, then, otherwise):
                if _leaves(then) or _leaves(otherwise):
                    return True
            case ir.For(_, _, body) | ir.While(_, body):
                if _leaves(body):
                    return True
    return False


def close_for(run: LoopRun, items: OpenRange, loop: ir.For, scope: dict[str, Any]) -> None:
    """Set the variables of a loop over an open range to their values after it.

    Raises:
        Refusal: the loop has no closed form here.
    """
    if len(loop.targets) != 1:
        raise _refusal()
    items, body, whole = _until_break(run, items, loop, scope)
    if not is_pure(run, scope, body):
        raise _refusal()
    target, kept, bounds = loop.targets[0], dict(scope), len(run.bounds)
    period = _period(body)
    try:
        if period == 1:
            raise _refusal()
        has_rounds = _close_periods(run, items, replace(loop, body=body), scope, period)
    except Refusal:
        scope.clear()
        scope.update(kept)
        del run.bounds[bounds:]
        has_rounds = _close_rounds(run, items, replace(loop, body=body), scope)
    if has_rounds and whole:
        last = _plus(items.start, _times(items.step, _plus(items.count, -1)))
        scope[target] = LastRound(Term(">=", (items.count, 1)), last, kept.get(target), target in kept)


def _close_rounds(run: LoopRun, items: OpenRange, loop: ir.For, scope: dict[str, Any]) -> bool:
    """Set what the rounds change to its value after them; tell whether the loop has rounds on this path."""
    kept, divisors = dict(scope), list[Term]()
    with _restored(run, scope, divisors):
        number, round_number = _placeholder(index=True)
        index = _plus(items.start, _times(items.step, round_number))
        rounds = _one_round(run, loop, index, number, scope)
        rounds.solve()
    run.bounds.extend(items.bounds)
    if not _divides(run, items.count, divisors):
        scope.clear()
        scope.update(kept)
        return False
    rounds.finish(scope, _round_count(items.count))
    return True


def _close_periods(run: LoopRun, items: OpenRange, loop: ir.For, scope: dict[str, Any], period: int) -> bool:
    """Set what the rounds change to its value after them, where what a round does depends on its number's remainder only.

    Variables that had no value before are no longer known.

    Raises:
        Refusal: a variable gains more than what depends on the round's number.
    """
    kept, totals = dict(scope), dict[str, Operand]()
    after: set[str] = set()
    for place in range(period):
        with _restored(run, scope):
            number, period_number = _placeholder(index=True)
            round_number = _plus(_times(period, period_number), place)
            rounds = _one_round(run, loop, _plus(items.start, _times(items.step, round_number)), number, scope)
        after |= rounds.after.keys()
        count = _count_of_remainder(items.count, place, period)
        for name, state in rounds.states.items():
            gain = _own_gain(rounds.after[name], state, number)
            totals[name] = _plus(totals.get(name, 0), _gained(gain, number, count))
        scope.clear()
        scope.update(kept)
    run.bounds.extend(items.bounds)
    for name in after:
        scope[name] = _plus(kept[name], totals[name]) if name in totals else LastRound()
    return True


def _own_gain(value: Any, state: int, number: int) -> Expansion:
    """Return what a variable gains in a round.

    Raises:
        Refusal: it depends on more than the round's number.
    """
    if not _is_number(value) or (isinstance(value, Term) and value.operator in COMPARISONS):
        raise _refusal()
    gain = _sum(_expanded(value, frozenset({state, number})), {((state, 1),): 1}, -1)
    if any(not set(dict(monomial)) <= {number} or _holds_placeholder(part) for monomial, part in gain.items()):
        raise _refusal()
    return gain


def _gained(gain: Expansion, number: int, count: Operand) -> Operand:
    """Return the sum of a gain over a number of rounds."""
    return _as_operand(_summed(gain, number, {((number, 1),): 1}), {number: count})


def _count_of_remainder(count: Operand, remainder: int, period: int) -> Operand:
    """Return how many of the numbers from zero to below a count leave a remainder."""
    rounded = _times(Fraction(1, period), _plus(count, period - 1 - remainder))
    return Term("max", (Term("floor", (rounded,)), 0)) if isinstance(rounded, Term) else max(math.floor(rounded), 0)


def _period(nodes: tuple[ir.Stmt | ir.Expr, ...]) -> int:
    """Return after how many rounds the remainders that a body takes repeat, 1 where it takes none."""
    period = 1
    pending: list[Any] = list(nodes)
    while pending:
        node = pending.pop()
        match node:
            case tuple():
                pending.extend(node)
                continue
            case ir.Binary("%", _, ir.Const(divisor)) if type(divisor) is int and divisor > 1:
                period = math.lcm(period, divisor)
        pending.extend(getattr(node, name) for name in getattr(type(node), "__dataclass_fields__", ()))
    return period if period <= LONGEST_PERIOD else 1


def _divides(run: LoopRun, count: Operand, divisors: list[Term]) -> bool:
    """Note the divisors of the rounds; tell that there is none where the rounds divide but do not run."""
    if not divisors:
        return True
    if run.decide is None or run.on_division is None:
        raise _refusal("a division in a loop whose length depends on an input")
    if not run.decide(Term(">=", (count, 1))):
        return False
    for divisor in divisors:
        run.on_division(divisor)
    return True


def _until_break(
    run: LoopRun, items: OpenRange, loop: ir.For, scope: dict[str, Any]
) -> tuple[OpenRange, tuple[ir.Stmt, ...], bool]:
    """Return the rounds that a loop runs, its body without the break, and whether all rounds of the range are run.

    A break is read where it is the first or the last statement, and the item is compared with what no round changes.
    """
    for place in sorted({0, len(loop.body) - 1}) if loop.body else ():
        match loop.body[place]:
            case ir.If(ir.Comparison((operator,), (ir.Name(name), bound)), (ir.Jump("break"),), ()) if (
                name == loop.targets[0] and items.step == 1
            ):
                body = (*loop.body[:place], *loop.body[place + 1 :])
                changed = _changed(body) | {name}
                if not body or not _is_total(bound, changed):
                    raise _refusal()
                rounds = _rounds_before(operator, _bound(run, bound, scope), items.start)
                if place:
                    rounds = _plus(_greater(rounds, 0), 1)
                return replace(items, count=Term("min", (items.count, rounds))), body, False
    return items, loop.body, True


def _is_total(node: ir.Expr, changed: frozenset[str] | set[str]) -> bool:
    """Tell whether an expression always has a value, which rounds that change some variables keep."""
    match node:
        case ir.Const(value):
            return isinstance(value, int | Fraction)
        case ir.Name(name):
            return name not in changed
        case ir.Binary("+" | "-" | "*", left, right):
            return _is_total(left, changed) and _is_total(right, changed)
    return False


def _bound(run: LoopRun, node: ir.Expr, scope: dict[str, Any]) -> Operand:
    try:
        bound = run.value(node, scope)
    except ProgramError:
        # Without a round it is not raised.
        raise _refusal() from None
    if not _is_number(bound):
        raise _refusal()
    return bound  # type: ignore[no-any-return]  # a number, as was checked


def _rounds_before(operator: str, bound: Operand, start: Operand) -> Operand:
    """Return how many of the numbers from `start` on come before the first that a comparison with a bound holds for."""
    distance = _plus(bound, _times(-1, start))
    if operator == "==" and isinstance(distance, int) and distance >= 0:
        return distance
    if operator == ">=":
        return Term("ceil", (distance,)) if isinstance(distance, Term) else math.ceil(distance)
    if operator == ">":
        return _plus(Term("floor", (distance,)) if isinstance(distance, Term) else math.floor(distance), 1)
    raise _refusal()


def _greater(left: Operand, right: int) -> Operand:
    return Term("max", (left, right)) if isinstance(left, Term) else max(left, right)


def sum_of(
    run: LoopRun,
    items: OpenRange,
    target: str,
    element: ir.Expr,
    scope: dict[str, Any],
    *,
    conditions: tuple[ir.Expr, ...] = (),
) -> Operand:
    """Return the sum of an element over the items of an open range that meet conditions; errors as in `close_for`."""
    if not is_pure(run, scope, (), element, *conditions):
        raise _refusal()
    bounds = len(run.bounds)
    try:
        if not conditions:
            return _sum_of_rounds(run, items, target, element, scope)
    except Refusal:
        del run.bounds[bounds:]
        if _period((element,)) == 1:
            raise
    if conditions:
        element = ir.Conditional(ir.Boolean("and", conditions), element, ir.Const(0))
    return _sum_of_periods(run, items, target, element, scope)


def _sum_of_rounds(run: LoopRun, items: OpenRange, target: str, element: ir.Expr, scope: dict[str, Any]) -> Operand:
    count, inner, divisors = _round_count(items.count), dict(scope), list[Term]()
    with _restored(run, inner, divisors):
        number, round_number = _placeholder(index=True)
        inner[target] = _plus(items.start, _times(items.step, round_number))
        value = run.value(element, inner)
        if not _is_number(value):
            raise _refusal()
        total = _summed(_expanded(value, frozenset({number})), number, {((number, 1),): 1})
    run.bounds.extend(items.bounds)
    return _as_operand(total, {number: count}) if _divides(run, items.count, divisors) else 0


def _sum_of_periods(run: LoopRun, items: OpenRange, target: str, element: ir.Expr, scope: dict[str, Any]) -> Operand:
    """Return the sum of an element that depends on the remainders of the round's number."""
    total: Operand = 0
    period = _period((element,))
    for place in range(period):
        inner = dict(scope)
        with _restored(run, inner):
            number, period_number = _placeholder(index=True)
            round_number = _plus(_times(period, period_number), place)
            inner[target] = _plus(items.start, _times(items.step, round_number))
            value = run.value(element, inner)
            if not _is_number(value):
                raise _refusal()
            gain = _expanded(value, frozenset({number}))
            total = _plus(total, _gained(gain, number, _count_of_remainder(items.count, place, period)))
    run.bounds.extend(items.bounds)
    return total


def _round_count(count: Operand) -> Operand:
    """Return the number of rounds: the length of a range, or zero where it is negative."""
    if not isinstance(count, Term):
        return max(count, 0)
    placeholders = frozenset(
        int(term.arguments[0])  # type: ignore[arg-type]  # a placeholder's argument is its number
        for term in subterms(count)
        if term.operator == "index"
    )
    try:
        coefficients = _expanded(count, placeholders).values() if placeholders else ()
    except Refusal:
        coefficients = ()
    # The number of a round is never negative.
    known = bool(coefficients) and all(not isinstance(part, Term) and part >= 0 for part in coefficients)
    return count if known else Term("max", (count, 0))


def may_close(run: LoopRun, loop: ir.While, scope: Mapping[str, Any]) -> bool:
    """Tell whether a loop has a shape that may have a closed form; its test may then be evaluated more than once."""
    match loop.test:
        case ir.Comparison(("<" | "<=" | ">" | ">=",), _):
            return is_pure(run, scope, loop.body, loop.test)
    return False


def close_while(run: LoopRun, loop: ir.While, scope: dict[str, Any]) -> None:
    """Set the variables of a loop on an open comparison to their values after it.

    Raises:
        Refusal: the loop has no closed form here; everything is as it was before.
    """
    with _restored(run, scope):
        number, _ = _placeholder(index=False)
        rounds = _one_round(run, loop, 0, number, scope)
        rounds.solve()
        for name in rounds.after:
            if name in rounds.states:
                scope[name] = Term("state", (rounds.states[name],))
            else:
                del scope[name]
        count = _while_count(run.value(loop.test, scope), rounds)
    rounds.finish(scope, count)


def _while_count(condition: Any, rounds: _Rounds) -> Operand:
    """Return how often a comparison holds before it fails, where the difference of its sides shrinks evenly."""
    if not isinstance(condition, Term) or condition.operator not in {"<", "<=", ">", ">="}:
        raise _refusal()
    left, right = condition.arguments if condition.operator in {">", ">="} else reversed(condition.arguments)
    numbers = frozenset({rounds.number, *rounds.states.values()})
    distance = _sum(_expanded(left, numbers), _expanded(right, numbers), -1)
    for name, grown in rounds.grown.items():
        distance = _substituted(distance, rounds.states[name], _sum(_constant(rounds.before[name]), grown))
    step = distance.pop(((rounds.number, 1),), 0)
    if isinstance(step, Term) or step >= 0 or set(distance) - {()}:
        raise _refusal()
    steps = _times(Fraction(-1) / step, distance.get((), 0))
    if condition.operator in {">", "<"}:
        return Term("max", (Term("ceil", (steps,)), 0))
    return Term("max", (Term("+", (Term("floor", (steps,)), 1)), 0))
