"""A Python process that runs programs which the generators of this folder wrote, with limits on time, memory and files."""

import builtins
import io
import math
import multiprocessing
import re
import resource
import signal
import sys
import warnings
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from decimal import localcontext
from fractions import Fraction
from typing import Any

MOST_SECONDS = 1.0
MOST_BYTES = 2 << 30
MODULES = {"math", "fractions", "sympy", "typing", "numpy"}
_SYMBOLIC = re.compile(r"\b(?:Symbol|symbols|Eq|solve_it|sympy|solve\()")


class OutOfTime(BaseException):
    """A program ran longer than allowed."""


def _stop(*_: object) -> None:
    raise OutOfTime


def _imported(name: str, *rest: Any) -> Any:
    """Import one of the modules that programs may import."""
    if name.partition(".")[0] not in MODULES:
        raise ImportError(name)
    return __import__(name, *rest)


_KEPT_OUT = ("open", "exec", "eval", "compile", "input", "breakpoint", "exit", "quit", "help")
_BUILTINS = {name: value for name, value in vars(builtins).items() if name not in _KEPT_OUT} | {"__import__": _imported}


def describe(value: Any, depth: int = 0) -> list[Any]:
    """Return kind and value of a result, in a form that JSON holds."""
    if depth > 6:
        return ["deep"]
    match value:
        case bool():
            return ["bool", str(value)]
        case int():
            return ["int", hex(value)]
        case float():
            return ["float", str(Fraction(value)) if math.isfinite(value) else str(value)]
        case Fraction():
            return ["Fraction", str(value)]
        case str():
            return ["str", value]
        case None:
            return ["None"]
        case list() | tuple():
            return [type(value).__name__, *(describe(item, depth + 1) for item in value)]
        case dict():
            return ["dict", *([describe(key, depth + 1), describe(item, depth + 1)] for key, item in value.items())]
    if type(value).__module__.startswith("sympy") and getattr(value, "is_number", False):
        return ["sympy", str(value)]
    return ["other", type(value).__name__]


def _symbolic_names() -> dict[str, Any]:
    import sympy

    def solve_it(equation: Any, variable: Any) -> Any:
        solution = sympy.solve(equation, variable, dict=True)
        if solution:
            return solution[0]
        return dict.fromkeys(variable) if isinstance(variable, list) else {variable: None}

    names = {name: getattr(sympy, name) for name in ("Symbol", "symbols", "Eq", "solve", "Rational")}
    return {**names, "solve_it": solve_it}


def run(code: str, answer: str | None) -> list[Any]:
    """Run a program and describe its answer, or name its exception."""
    printed: list[Any] = []

    def shown(*values: Any, **_: Any) -> None:
        if values:
            printed[:] = [values[-1]]

    scope: dict[str, Any] = {
        "__builtins__": _BUILTINS,
        "math": math,
        "Fraction": Fraction,
        "__name__": "__main__",
        "print": shown,
    }
    if _SYMBOLIC.search(code):
        scope |= _symbolic_names()
    try:
        compiled = compile(code, "generated", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as error:
        return ["error", "SyntaxError", str(error)]
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        with localcontext():
            exec(compiled, scope)
            value = eval(answer, scope) if answer is not None else printed[0] if printed else None
        return describe(value)
    except (OutOfTime, MemoryError, RecursionError):
        return ["stopped"]
    except BaseException as error:  # noqa: BLE001  # whatever a program raises is its result
        return ["error", type(error).__name__, str(error)[:200]]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def limit() -> None:
    """Limit memory, files and bytecode of this process, and let what programs print go nowhere."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    signal.signal(signal.SIGALRM, _stop)
    warnings.simplefilter("ignore")
    sys.dont_write_bytecode = True
    sys.stdout = io.StringIO()


class PythonProcess(ProcessPoolExecutor):
    """A process that runs many generated programs, one after the other."""

    def __init__(self) -> None:
        """Start the process afresh: nothing that this one has loaded counts there."""
        super().__init__(1, multiprocessing.get_context("spawn"), limit)

    def results(self, programs: Sequence[tuple[str, str | None]]) -> list[list[Any]]:
        """Return kind and value of each program's answer, in order."""
        codes, answers = [code for code, _ in programs], [answer for _, answer in programs]
        return list(self.map(run, codes, answers, chunksize=40))
