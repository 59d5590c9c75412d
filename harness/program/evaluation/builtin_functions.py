"""The functions of the language: ranges, sums, sequences, the algebra of `Symbol`, `Eq` and `solve`, and those of modules that may be imported.

Each function takes the evaluator that calls it, the evaluated arguments and the keyword arguments.
"""

import fractions
import math
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from harness.program.evaluation.arithmetic import Value, compare, is_number, type_name
from harness.program.evaluation.linear_unknowns import (
    Equation,
    LinearExpression,
    SymbolicTruth,
    sole_unknown,
    solve_linear,
    symbol,
)
from harness.program.evaluation.scalar_functions import SCALAR_FUNCTIONS, extreme, ratio_of, to_ratio
from harness.program.evaluation.values import Term, UntrackedNumber
from harness.program.refusal import ProgramError, Refusal, RefusalReason

LONGEST_LOOP = 200_000  # rounds
Run = Any
"""The evaluator that calls a builtin, which imports this module."""


def _range(_: Run, arguments: list[Any], __: dict[str, Any]) -> Value:
    if any(type(item) is Fraction for item in arguments):
        raise ProgramError("TypeError", "a range of a float")
    if not all(isinstance(item, int) for item in arguments):
        raise Refusal(RefusalReason.UNSUPPORTED, f"a range of {' and '.join(map(type_name, arguments))}")
    if len(arguments) == 3 and arguments[2] == 0:
        raise ProgramError("ValueError", "range step is zero")
    rounds = range(*arguments)
    if max(rounds.stop - rounds.start, rounds.start - rounds.stop) // abs(rounds.step) > LONGEST_LOOP:
        raise Refusal(RefusalReason.BUDGET, f"a loop of more than {LONGEST_LOOP:,} rounds")
    return rounds


def _sum(run: Run, arguments: list[Any], keywords: dict[str, Any]) -> Value:
    total: Value = arguments[1] if len(arguments) == 2 else keywords.get("start", 0)
    if isinstance(total, str):
        raise ProgramError("TypeError", "sum of texts")
    for item in run.iterate(arguments[0]):
        run.tick()
        total = run.binary("+", total, item)
    return total


def _len(_: Run, arguments: list[Any], __: dict[str, Any]) -> Value:
    value = arguments[0]
    if isinstance(value, list | tuple | str | range):
        return len(value)
    raise Refusal(RefusalReason.UNSUPPORTED, f"the length of {type_name(value)}")


def _extreme(name: str, run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    return extreme(name, arguments if len(arguments) > 1 else list(run.iterate(arguments[0])))


def _sorted(run: Run, arguments: list[Any], keywords: dict[str, Any]) -> Value:
    items = list(run.iterate(arguments[0]))
    run.tick(2 * len(items))
    backward = keywords.get("reverse", False)
    alike = all(type(item) in {int, bool, Fraction} for item in items) or all(isinstance(item, str) for item in items)
    if not alike or not isinstance(backward, int):
        raise Refusal(RefusalReason.UNSUPPORTED, "sorting anything but numbers or texts")
    return sorted(items, reverse=bool(backward))


def _enumerate(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    items, start = run.iterate(arguments[0]), (*arguments, 0)[1]
    if not isinstance(start, int):
        raise Refusal(RefusalReason.UNSUPPORTED, f"enumerate from {type_name(start)}")
    return enumerate(items, start)


def _fraction(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    if len(arguments) < 2 or arguments[1] is None:
        return to_ratio(*arguments[:1])
    if any(isinstance(item, Term) for item in arguments):
        # Python takes no float here: the result holds for inputs that are ints.
        run.bounds.extend(item for item in arguments if isinstance(item, Term))
        return run.binary("/", *arguments)
    # The values of a record do not tell the kinds of its numbers, those of a program do.
    known = run.program.body or run.program.functions
    if not known and all(type(item) in {int, Fraction} for item in arguments):
        return run.binary("/", *arguments)
    return ratio_of(*arguments)


def _symbol(_: Run, arguments: list[Any], __: dict[str, Any]) -> Value:
    name = arguments[0]
    if not isinstance(name, str) or not name.isidentifier():
        raise Refusal(RefusalReason.UNSUPPORTED, f"a symbol named {str(name)[:20]!r}")
    return symbol(name)


def _symbols(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    text = arguments[0]
    names = re.split(r"\s*,\s*|\s+", text.strip()) if isinstance(text, str) else [text]
    unknowns = tuple(_symbol(run, [name], {}) for name in names)
    return unknowns if len(unknowns) > 1 else unknowns[0]


def _eq(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    if not all(isinstance(item, int | Fraction | Term | LinearExpression) for item in arguments):
        raise Refusal(RefusalReason.UNSUPPORTED, f"Eq of {' and '.join(map(type_name, arguments))}")
    difference = run.binary("-", *arguments)
    if is_number(difference):
        return SymbolicTruth(difference == 0)
    return Equation(LinearExpression.of(difference))


def _equations(value: Value) -> list[LinearExpression]:
    if isinstance(value, list | tuple) and not any(isinstance(item, list | tuple) for item in value):
        return [equation for item in value for equation in _equations(item)]
    if isinstance(value, Equation):
        return [value.difference]
    if isinstance(value, LinearExpression):
        return [value]
    if isinstance(value, SymbolicTruth):
        return [LinearExpression((), 0 if value.holds else 1)]
    raise Refusal(RefusalReason.UNSUPPORTED, f"solving {type_name(value)} instead of an equation")


def _solution(run: Run, arguments: list[Any]) -> tuple[dict[str, Any] | None, list[str]]:
    equations = _equations(arguments[0])
    given = arguments[1:] or [[symbol(name) for equation in equations for name, _ in equation.coefficients]]
    targets = [item for value in given for item in (value if isinstance(value, list | tuple) else [value])]
    names = [sole_unknown(target) for target in targets]
    if None in names:
        if not any(equation.coefficients for equation in equations):
            raise ProgramError("KeyError", "an equation without unknowns has no solution to look up")
        raise Refusal(RefusalReason.UNSUPPORTED, "solving for something that is not an unknown")
    wanted = [name for name in names if name is not None]
    solution = solve_linear(equations, wanted, run.binary, lambda value: run.truth(compare("==", value, 0)))
    if solution:
        solution = {name: UntrackedNumber(value) if is_number(value) else value for name, value in solution.items()}
    return solution, wanted


def _solve_it(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    solution, wanted = _solution(run, arguments)
    if not solution:
        return dict.fromkeys((symbol(name) for name in wanted), None)
    return {symbol(name): value for name, value in solution.items()}


def _solve(run: Run, arguments: list[Any], _: dict[str, Any]) -> Value:
    solution, wanted = _solution(run, arguments)
    if not solution:
        return []
    several = isinstance(arguments[0], list | tuple)
    if len(wanted) > 1 and not several:
        raise Refusal(RefusalReason.UNSUPPORTED, "solving one equation for several unknowns")
    return {symbol(name): value for name, value in solution.items()} if several else list(solution.values())


def _print(run: Run, arguments: list[Any], keywords: dict[str, Any]) -> None:
    numbers = [item for item in arguments if not isinstance(item, str)] or arguments
    # What is printed in one piece with something else is no number of its own.
    glued = run.line_open or "end" in keywords or (len(arguments) > 1 and "sep" in keywords)
    run.line_open = "end" in keywords
    run.printed = tuple(arguments) if len(numbers) > 1 or glued else numbers[0] if numbers else run.printed


@dataclass(frozen=True, slots=True)
class Builtin:
    """A function of the language, the least and the largest number of its arguments by place, and those by keyword."""

    apply: Callable[[Run, list[Any], dict[str, Any]], Value]
    least: int = 1
    most: int = 1
    keywords: frozenset[str] = frozenset()


def _scalar(function: Callable[..., Value], least: int = 1, most: int = 1, *keywords: str) -> Builtin:
    return Builtin(lambda _, arguments, __: function(*arguments), least, most, frozenset(keywords))


UNBOUNDED = 1_000
BUILTINS: Mapping[str, Builtin] = {
    **{name: _scalar(SCALAR_FUNCTIONS[name]) for name in ("abs", "fabs", "ceil", "floor", "trunc", "sqrt")},
    **{name: _scalar(SCALAR_FUNCTIONS[name], 0) for name in ("int", "float")},
    "round": _scalar(SCALAR_FUNCTIONS["round"], 1, 2, "ndigits"),
    "Eq": Builtin(_eq, 2, 2),
    "Fraction": Builtin(_fraction, 0, 2),
    "Symbol": Builtin(_symbol),
    "divmod": Builtin(lambda run, arguments, _: (run.binary("//", *arguments), run.binary("%", *arguments)), 2, 2),
    "enumerate": Builtin(_enumerate, 1, 2, frozenset({"start"})),
    "len": Builtin(_len),
    "list": Builtin(lambda run, arguments, _: [item for given in arguments for item in run.iterate(given)], 0),
    "max": Builtin(partial(_extreme, "max"), 1, UNBOUNDED),
    "min": Builtin(partial(_extreme, "min"), 1, UNBOUNDED),
    "print": Builtin(_print, 0, UNBOUNDED, frozenset({"sep", "end", "flush"})),
    "range": Builtin(_range, 1, 3),
    "solve": Builtin(_solve, 1, 2),
    "solve_it": Builtin(_solve_it, 2, 2),
    "sorted": Builtin(_sorted, 1, 1, frozenset({"reverse"})),
    "sum": Builtin(_sum, 1, 2, frozenset({"start"})),
    "symbols": Builtin(_symbols),
    "tuple": Builtin(lambda run, arguments, _: tuple(item for given in arguments for item in run.iterate(given)), 0),
    "zip": Builtin(lambda run, arguments, _: zip(*map(run.iterate, arguments), strict=False), 0, UNBOUNDED),
}
"""The functions that are evaluated, by name."""


MATH = ("ceil", "fabs", "floor", "sqrt", "trunc")
_SYMPY = ("Eq", "Symbol", "solve", "symbols")
LIBRARY: Mapping[str, frozenset[str]] = {
    "math": frozenset(MATH),
    "fractions": frozenset({"Fraction"}),
    "sympy": frozenset(_SYMPY),
    "numpy": frozenset(),
    "typing": frozenset(),
    "__future__": frozenset(),
}
"""The modules that a program may import, with the functions that are evaluated."""
CONTENTS: Mapping[str, frozenset[str]] = {
    **{module.__name__: frozenset(dir(module)) for module in (math, fractions, typing)},
    "sympy": LIBRARY["sympy"],
    "numpy": frozenset(),
    "__future__": frozenset({"annotations"}),
}
"""All names of each of these modules that a program may import."""
Place = tuple[str, str | None]
"""A module, or a name of one."""
PRELUDE: Mapping[str, Place] = {
    "math": ("math", None),
    "Fraction": ("fractions", "Fraction"),
    **{name: ("sympy", name) for name in _SYMPY},
}
"""The names that a program may use without an import, as the prompts of the dialects promise."""
