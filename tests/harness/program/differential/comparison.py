"""Comparison of what a generated program means here and in Python: the value with its kind, or the exception.

The law. Where our evaluator gives an answer, Python gives the same: an int, `Fraction`, text or container is equal and
of the same type; a float is the exact number, rounded; an exception has the same name. A float differs by at most one part in
a billion. Where it differs by more, but evaluation with doubles gives Python's value, the difference is the rounding of a double, such as
0.1 + 0.2 > 0.3, and counts as `rounding`. Everything else is a difference, unless we refuse with a typed reason.
"""

import ast
import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from harness.domain import Response
from harness.program.evaluation.evaluator import Evaluator
from harness.program.evaluation.linear_unknowns import SymbolicTruth
from harness.program.evaluation.values import Ratio, UntrackedNumber
from harness.program.floating_point import DoubleEvaluator
from harness.program.ir import Program
from harness.program.lifter import lift
from harness.program.refusal import ProgramError, Refusal, RefusalReason
from tests.harness.program.differential.generated_programs import GeneratedProgram
from tests.harness.program.differential.python_process import PythonProcess

TOLERANCE = Fraction(1, 10**9)
_KINDS = {Ratio: "Fraction", Fraction: "float", UntrackedNumber: "any"}
_SEQUENCES = {"list", "tuple", "dict"}
AGREED, ROUNDING, REFUSED, STOPPED, DIFFERENT = "agreed", "rounding", "refused", "stopped", "different"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A program with its meaning here and in Python; `status` is the result of comparing the two."""

    code: str
    answer: str | None
    status: str
    ours: list[Any]
    python: list[Any]


def described(value: Any) -> list[Any]:
    """Return kind and value of our answer, in the form that the Python process gives."""
    match value:
        case bool():
            return ["bool", str(value)]
        case int():
            return ["int", hex(value)]
        case Fraction():
            return [_KINDS[type(value)], f"{value.numerator}/{value.denominator}"]
        case str():
            return ["str", value]
        case SymbolicTruth():
            return ["truth", str(value.holds)]
        case None:
            return ["None"]
        case list() | tuple():
            return [type(value).__name__, *map(described, value)]
        case dict():
            return ["dict", *([described(key), described(item)] for key, item in value.items())]
    return ["other"]


def our_answer(
    code: str, changes: dict[int, int | Fraction] | None = None, evaluator: type[Evaluator] = Evaluator
) -> list[Any]:
    """Return the value of a program here, with other values for some of its inputs."""
    try:
        program = lift(Response("p", "m", code))
        values = [(changes or {}).get(place, parameter.value) for place, parameter in enumerate(program.parameters)]
        return described(evaluator(program, values).run())
    except Refusal as refusal:
        return [REFUSED, str(refusal.reason), refusal.detail]
    except ProgramError as error:
        return ["error", error.name]


def moved(code: str, program: Program, rng: Random) -> tuple[str, dict[int, int | Fraction]]:
    """Return the text with other literals for its inputs, and the values of these inputs."""
    lines = code.split("\n")
    changes: dict[int, int | Fraction] = {}
    places = {(name, node.lineno): node for name, node in _literals(ast.parse(code))}
    for index, parameter in enumerate(program.parameters):
        node = places.get((parameter.name, parameter.line))
        if (
            node is None
            or node.lineno != node.end_lineno
            or len([name for name, at in places if at == node.lineno]) > 1
        ):
            continue
        kind = type(parameter.value)
        whole = rng.choice([0, 1, 2, 3, 4, 7, 11, 60, -3, 1000])
        if kind is int:
            changes[index], written = whole, str(whole)
        elif kind is Fraction:
            changes[index] = abs(whole) + Fraction(rng.choice([1, 2, 3]), 4)
            written = f"{abs(whole)}.{int(100 * (changes[index] - abs(whole)))}"
        elif kind is Ratio and isinstance(node, ast.Call):
            bottom = rng.choice([1, 2, 3, 7])
            changes[index], written = Fraction(whole, bottom), f"{ast.unparse(node.func)}({whole}, {bottom})"
        else:
            continue
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + written + line[node.end_col_offset :]
    return "\n".join(lines), changes


def _literals(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the name and value of each assignment, and of each argument with a default."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case ast.arguments(args=arguments, defaults=defaults) if defaults:
                for argument, default in zip(arguments[-len(defaults) :], defaults, strict=True):
                    yield argument.arg, default


def agree(ours: list[Any], python: list[Any]) -> bool:
    """Tell whether two descriptions are of the same meaning."""
    kind, other = ours[0], python[0]
    if kind == "error" or other == "error":
        return bool(ours[:2] == python[:2])
    if kind in _SEQUENCES:
        parts = zip(ours[1:], python[1:], strict=False)
        if kind != other or len(ours) != len(python):
            return False
        if kind == "dict":
            return all(agree(left[0], right[0]) and agree(left[1], right[1]) for left, right in parts)
        return all(agree(left, right) for left, right in parts)
    if kind in {"float", "any"}:
        return _is_near(kind, str(ours[1]), other, python[1:])
    if kind == "truth":
        # Of sympy, or of the Fraction of a float.
        return python in (["bool", ours[1]], ["other", f"Boolean{ours[1]}"])
    if kind == "Fraction":
        return kind == other and Fraction(ours[1]) == Fraction(python[1])
    if kind == "other":
        return bool(other == kind)
    return bool(ours == python)


def _is_near(kind: str, ours: str, other: str, python: list[str]) -> bool:
    if other not in ({"float"} if kind == "float" else {"sympy", "Fraction", "int", "float"}):
        return False
    try:
        value = Fraction(int(python[0], 16)) if other == "int" else Fraction(python[0])
    except ValueError:
        return False
    exact = Fraction(ours)
    return abs(exact - value) <= TOLERANCE * max(Fraction(1), abs(exact))


def compared(
    programs: Iterable[GeneratedProgram], process: PythonProcess, rng: Random | None = None
) -> Iterator[Comparison]:
    """Yield the comparison of each program; with `rng`, half of them at other inputs than those written."""
    cases: list[tuple[str, str | None, list[Any]]] = []
    for program in programs:
        code: str = program.code
        changes: dict[int, int | Fraction] = {}
        if rng is not None and rng.random() < 0.5:
            with contextlib.suppress(Refusal):
                code, changes = moved(program.code, lift(Response("p", "m", program.code)), rng)
        cases.append((code, program.answer, our_answer(program.code, changes)))
    asked = [(code, answer) for code, answer, ours in cases if ours[0] != REFUSED or ours[1] == RefusalReason.SYNTAX]
    answers = iter(process.results(asked))
    doubtful: list[tuple[str, str | None, list[Any], list[Any]]] = []
    for code, answer, ours in cases:
        python = next(answers) if ours[0] != REFUSED or ours[1] == RefusalReason.SYNTAX else []
        if ours[0] == REFUSED:
            yield Comparison(code, answer, REFUSED, ours, python)
        elif python[0] == "stopped":
            yield Comparison(code, answer, STOPPED, ours, python)
        elif agree(ours, python):
            yield Comparison(code, answer, AGREED, ours, python)
        else:
            doubtful.append((code, answer, ours, python))
    for code, answer, ours, python in doubtful:
        overflow = python[:2] == ["error", "OverflowError"] and ours[0] != "error"
        rounding = not overflow and agree(our_answer(code, evaluator=DoubleEvaluator), python)
        yield Comparison(code, answer, ROUNDING if rounding else DIFFERENT, ours, python)
