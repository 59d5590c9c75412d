"""Pairs written to make the ladder err (`attacks.jsonl`): equal ones are not REFUTED, those that part are not CONFIRMED.

A row has two formalizations of the same inputs, what is true of them, the `status` that they must get, if any, and for most of those that
part a point that shows it, which Python itself bears out; `method` is the rung that decides. A feature that is not translated may only make a verdict UNKNOWN.
"""

import re
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from harness.domain import Response, Status, Verdict
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import Candidate, read_candidate
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from tests.cases import cases, lines_beside
from tests.oracles.equivalence.exact_solver import compiled_solver, solver_answer

ROWS: dict[str, dict[str, Any]] = {row["name"]: row for row in lines_beside(__file__, "attacks.jsonl")}
SLOW = [name for name, row in ROWS.items() if "slow" in row]
QUICK = [name for name in ROWS if name not in SLOW]
IN_PYTHON = [name for name, row in ROWS.items() if "sympy" not in row["left"] and "Symbol" not in row["left"]]


@cache
def candidate(code: str, model: str) -> Candidate:
    """Read a formalization."""
    return read_candidate(Response("p", model, code))


def judged_by(judge: EquivalenceJudge, left: str, right: str, question: str = "") -> Verdict:
    """Decide a pair whose inputs are aligned by name."""
    sides = candidate(left, "left"), candidate(right, "right")
    first, second = (() if side.program is None else side.program.parameters for side in sides)
    return judge.judge(*sides, align(first, second, lambda name, other: float(name == other), question=question))


@cache
def judged(left: str, right: str, question: str = "") -> Verdict:
    """Decide a pair by a fresh judge."""
    return judged_by(EquivalenceJudge("p"), left, right, question)


def verdict_on(name: str) -> Verdict:
    """Decide the pair of a row, as it is written, with its question."""
    return judged(ROWS[name]["left"], ROWS[name]["right"], ROWS[name].get("question", ""))


def check(row: dict[str, Any], verdict: Verdict) -> None:
    """Fail if a verdict contradicts what is true of a pair."""
    assert "status" not in row or verdict.status.name == row["status"]
    assert verdict.status is not (Status.REFUTED if row["truth"] == "equal" else Status.CONFIRMED)


@cases("name", QUICK)
def test_no_verdict_contradicts_the_truth(name: str) -> None:
    """What parts is not CONFIRMED, what is equal not REFUTED, and the pairs that the ladder can prove are CONFIRMED."""
    check(ROWS[name], verdict_on(name))


@cases("name", [name for name in QUICK if ROWS[name]["truth"] == "in floats"])
def test_what_parts_only_in_floats_is_unknown(name: str) -> None:
    """Programs that are equal in exact arithmetic, and are not in Python's, have no verdict, and the reason gives both values."""
    verdict = verdict_on(name)
    assert verdict.status is Status.UNKNOWN
    assert "Python's floats give" in (verdict.reason or "")


@pytest.mark.slow
@cases("name", list(ROWS))
def test_swapping_the_sides_keeps_the_truth(name: str) -> None:
    """No verdict on the exchanged sides contradicts the truth, nor, where there is no search, the verdict on them as written."""
    row = ROWS[name]
    turned, written = judged(row["right"], row["left"], row.get("question", "")), verdict_on(name)
    check(row, turned)
    check(row, written)
    if name not in SLOW and not {turned.method, written.method} & {"smt", "hypothesis"}:
        assert turned.status is written.status


@cases("name", [name for name in QUICK if name.startswith("units")])
def test_swapping_the_sides_keeps_the_verdict(name: str) -> None:
    """Facts in two units are converted the same way in both orders."""
    row = ROWS[name]
    assert judged(row["right"], row["left"], row.get("question", "")).status is verdict_on(name).status


@cases("name", [name for name in QUICK if ROWS[name]["truth"] == "parting"])
def test_a_counterexample_holds_when_it_is_run_again(name: str) -> None:
    """Evaluating both programs on the reported inputs gives the reported answers, and they differ."""
    row = ROWS[name]
    example = verdict_on(name).counterexample
    if example is None:
        return
    shown = []
    for code in (row["left"], row["right"]):
        program = candidate(code, "again").program
        assert program is not None
        values = [(own.type, Fraction(example.inputs.get(own.name, own.value))) for own in program.parameters]
        given = [int(value) if kind == "int" and value.denominator == 1 else value for kind, value in values]
        shown.append(str(evaluate(program, given)))
    assert (shown, shown[0] != shown[1]) == ([example.left, example.right], True)


def answers(row: dict[str, Any], point: dict[str, Fraction]) -> list[object]:
    """Return what Python itself gives for both sides, each at the inputs that it has."""
    found = []
    for code in (row["left"], row["right"]):
        names = re.findall(r"\b([abc]): ", code.rpartition("def sol")[2].partition("):")[0])
        renamed = code.replace("def solution(", "def solve(")
        found.append(solver_answer(compiled_solver(renamed), {name: point[name] for name in names}))
    return found


@cases("name", [name for name in IN_PYTHON if "point" in ROWS[name]])
def test_what_parts_does_so_in_python(name: str) -> None:
    """Python itself gives two answers at the known point."""
    left, right = answers(ROWS[name], {key: Fraction(value) for key, value in ROWS[name]["point"].items()})
    assert left != right


@cases("name", [name for name in IN_PYTHON if ROWS[name]["truth"] == "equal" and "a**40" not in name])
def test_what_is_equal_is_so_in_python(name: str) -> None:
    """Python itself gives the same answers at random points."""
    random = Random(name)
    for _ in range(12):
        fraction = Fraction(random.randint(1, 60), random.choice((1, 2, 10)))
        point = {"a": Fraction(random.randint(1, 30)), "b": Fraction(random.randint(1, 12)), "c": fraction}
        left, right = answers(ROWS[name], point)
        assert left == right, point


def test_verdicts_do_not_depend_on_what_was_judged_before() -> None:
    """One judge that decided other pairs first gives the verdict of a fresh one."""
    shared = EquivalenceJudge("p")
    for name in Random(1).sample(QUICK, 12):
        row = ROWS[name]
        assert judged_by(shared, row["left"], row["right"], row.get("question", "")) == verdict_on(name)
