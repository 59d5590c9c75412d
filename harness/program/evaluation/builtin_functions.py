"""The builtin functions of the language: ranges, sums, sequences, and the algebra of `Symbol`, `Eq` and `solve`.

Each function takes the evaluator that calls it, the evaluated arguments and the keyword arguments.
"""

from __future__ import annotations

import functools
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from harness.program.evaluation.arithmetic import (
    LONGEST_TEXT,
    SCALAR_FUNCTIONS,
    Value,
    compare,
    extreme,
    is_number,
    type_name,
)
from harness.program.evaluation.linear_unknowns import Equation, LinearExpression, sole_unknown, solve_linear, symbol
from harness.program.evaluation.terms import OpenRange, Term
from harness.program.refusal import ProgramError, Refusal, RefusalReason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Run(Protocol):
    """What a builtin asks of the evaluator that calls it."""

    def binary(self, operator: str, left: Any, right: Any) -> Any:
        """Return the value of a binary operation."""

    def iterate(self, value: Any) -> Any:
        """Return the items of a value."""

    def show(self, value: Any) -> str:
        """Return the text of a value as Python prints it."""

    def tick(self, steps: int = 1) -> None:
        """Count steps against the budget."""

    def truth(self, value: Any) -> bool:
        """Return the truth of a value."""

    def unpack(self, value: Any, count: int) -> Sequence[Any]:
        """Return the items of a value that must have so many."""


LONGEST_LOOP = 200_000
_RATIO = re.compile(r"\s*([-+]?\d{1,1000})/(\d{1,1000})\s*")


# What each builtin takes by keyword; assumptions about an unknown do not change the solution of a linear equation.
KEYWORDS = {
    "print": {"sep", "end", "flush"},
    "sorted": {"reverse"},
    "sum": {"start"},
    "Symbol": {"positive", "real", "nonnegative", "integer"},
    "symbols": {"positive", "real", "nonnegative", "integer"},
}


def loop_range(run: Run, arguments: list[Any]) -> Value:
    """Return the range a loop runs over, open where a bound is."""
    if any(isinstance(item, Term) for item in arguments):
        return _open_range(run, arguments)
    if not all(isinstance(item, int) for item in arguments) or not 1 <= len(arguments) <= 3:
        raise ProgramError("TypeError", "range needs one to three integers")
    if len(arguments) == 3 and arguments[2] == 0:
        raise ProgramError("ValueError", "range step is zero")
    rounds = range(*arguments)
    if max(rounds.stop - rounds.start, rounds.start - rounds.stop) // abs(rounds.step) > LONGEST_LOOP:
        raise Refusal(RefusalReason.BUDGET, f"a loop of more than {LONGEST_LOOP:,} rounds")
    return rounds


def _open_range(run: Run, arguments: list[Any]) -> OpenRange:
    start, stop, step = [0, arguments[0], 1] if len(arguments) == 1 else [*arguments, 1][:3]
    if not all(isinstance(item, int | Term) for item in arguments) or len(arguments) > 3:
        raise ProgramError("TypeError", "range needs one to three integers")
    if not isinstance(step, int) or not step:
        raise Refusal(RefusalReason.UNSUPPORTED, "a range whose step depends on an input or is zero")
    count = run.binary("-", stop, start) if start != 0 else stop
    if abs(step) > 1:
        count = SCALAR_FUNCTIONS["ceil"](run.binary("/", count, step))
    elif step == -1:
        count = run.binary("-", start, stop)
    if not isinstance(count, Term):
        raise Refusal(RefusalReason.UNSUPPORTED, "a range whose bounds depend on an input")
    return OpenRange(count, tuple(arguments[:2]), start, step)


def _range(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    rounds = loop_range(run, arguments)
    if isinstance(rounds, OpenRange):
        raise Refusal(RefusalReason.UNSUPPORTED, "a range whose length depends on an input")
    return rounds


def _pow(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    if len(arguments) == 3:
        raise Refusal(RefusalReason.UNSUPPORTED, "pow of three arguments")
    return run.binary("**", *run.unpack(arguments, 2))


def _sum(run: Run, arguments: list[Any], keywords: dict[str, Any]) -> Value:
    total: Value = arguments[1] if len(arguments) == 2 else keywords.get("start", 0)
    for item in run.iterate(arguments[0] if arguments else None):
        run.tick()
        total = run.binary("+", total, item)
    return total


def _prod(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    total: Value = 1
    for item in run.iterate(arguments[0] if arguments else None):
        run.tick()
        total = run.binary("*", total, item)
    return total


def _mean(run: Run, arguments: list[Any], keywords: dict[str, Any]) -> Value:
    items = list(run.iterate(arguments[0] if arguments else None))
    return run.binary("/", _sum(run, [items], keywords), len(items))


def _len(_: Run, arguments: list[Any], __: dict[str, Any]) -> Value:
    if len(arguments) != 1 or not isinstance(arguments[0], list | tuple | str | dict | set | range):
        raise ProgramError("TypeError", "len of no sequence")
    return len(arguments[0])


def _min(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    return extreme("min", list(run.iterate(arguments[0])) if len(arguments) == 1 else arguments)


def _max(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    return extreme("max", list(run.iterate(arguments[0])) if len(arguments) == 1 else arguments)


def _sorted(run: Run, arguments: list[Any], keywords: dict[str, Any]) -> Value:
    items = list(run.iterate(arguments[0] if arguments else None))
    run.tick(2 * len(items))
    if not all(map(is_number, items)) or keywords.keys() - {"reverse"}:
        raise Refusal(RefusalReason.UNSUPPORTED, "sorting anything but numbers")
    return sorted(items, reverse=bool(keywords.get("reverse", False)))


def _list(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    return list(run.iterate(arguments[0])) if arguments else []


def _tuple(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    return tuple(run.iterate(arguments[0])) if arguments else ()


def _str(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    return run.show(arguments[0])[:LONGEST_TEXT] if arguments else ""


def _divmod(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    left, right = run.unpack(arguments, 2)
    return (run.binary("//", left, right), run.binary("%", left, right))


def _fraction(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    if len(arguments) == 1:
        match = _RATIO.fullmatch(arguments[0]) if isinstance(arguments[0], str) else None
        if match is not None:
            return run.binary("/", int(match[1]), int(match[2]))
        return SCALAR_FUNCTIONS["float"](*arguments)
    top, bottom = run.unpack(arguments, 2)
    return run.binary("/", top, bottom)


def _symbol(_: Run, arguments: list[Any], __: dict[str, Any]) -> Value:
    if not arguments or not isinstance(arguments[0], str):
        raise ProgramError("TypeError", "Symbol needs a name")
    return symbol(arguments[0])


def _symbols(_: Run, arguments: list[Any], __: dict[str, Any]) -> Value:
    if not arguments or not isinstance(arguments[0], str):
        raise ProgramError("TypeError", "symbols needs names")
    unknowns = tuple(symbol(name) for name in arguments[0].replace(",", " ").split())
    return unknowns if len(unknowns) != 1 else unknowns[0]


def _eq(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    difference = run.binary("-", *run.unpack(arguments, 2))
    if isinstance(difference, int | Fraction):
        return difference == 0
    return Equation(LinearExpression.of(difference))


def _equations(value: Value) -> list[LinearExpression]:
    if isinstance(value, list | tuple):
        return [equation for item in value for equation in _equations(item)]
    if isinstance(value, Equation):
        return [value.difference]
    if isinstance(value, LinearExpression):
        return [value]
    if isinstance(value, bool):
        return [LinearExpression((), 0 if value else 1)]
    raise Refusal(RefusalReason.UNSUPPORTED, f"solving {type_name(value)} instead of an equation")


def _solution(run: Run, arguments: list[Any]) -> tuple[dict[str, Any] | None, list[str]]:
    if not arguments:
        raise ProgramError("TypeError", "solve needs an equation")
    equations = _equations(arguments[0])
    given = arguments[1:] or [[symbol(name) for equation in equations for name, _ in equation.coefficients]]
    targets = [item for value in given for item in (value if isinstance(value, list | tuple) else [value])]
    names = [sole_unknown(target) for target in targets]
    if None in names:
        if not any(equation.coefficients for equation in equations):
            raise ProgramError("KeyError", "an equation without unknowns has no solution to look up")
        raise Refusal(RefusalReason.UNSUPPORTED, "solving for something that is not an unknown")
    wanted = [name for name in names if name is not None]
    return solve_linear(equations, wanted, run.binary, functools.partial(_is_zero, run)), wanted


def _is_zero(run: Run, value: Value) -> bool:
    return run.truth(compare("==", value, 0))


def _solve_it(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    solution, wanted = _solution(run, arguments)
    if not solution:
        return dict.fromkeys((symbol(name) for name in wanted), None)
    return {symbol(name): value for name, value in solution.items()}


def _solve(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    solution, wanted = _solution(run, arguments)
    if solution is None or not solution:
        return []
    several = len(wanted) > 1 or isinstance(arguments[0], list | tuple)
    return {symbol(name): value for name, value in solution.items()} if several else list(solution.values())


BUILTINS: dict[str, Callable[[Run, list[Any], dict[str, Any]], Value]] = {
    "Decimal": _fraction,
    "Eq": _eq,
    "Fraction": _fraction,
    "Rational": _fraction,
    "Symbol": _symbol,
    "divmod": _divmod,
    "len": _len,
    "list": _list,
    "max": _max,
    "mean": _mean,
    "min": _min,
    "pow": _pow,
    "prod": _prod,
    "range": _range,
    "solve": _solve,
    "solve_it": _solve_it,
    "sorted": _sorted,
    "str": _str,
    "sum": _sum,
    "symbols": _symbols,
    "tuple": _tuple,
}
