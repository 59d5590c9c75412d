"""What an author is told of a refused answer: what UT-1 refuses, its exact reason, and never the gold answer."""

import re

import pytest

from generators.formalizations.llm_formalizers.answer_check import LONGEST_REASON, screen_response
from harness.domain import Problem, Response, Status
from harness.program.lifter import read_candidate
from oracles.gold_answer_screening import screen
from tests.cases import cases
from tests.generators.formalizations.llm_formalizers.formalizing_server import PROBLEMS, RECORDED

PROBLEM = Problem("p", "Ann has 6 boxes of 12 pens. How many pens?", "6*12 = <<6*12=72>>72 pens.", "72")
MADE = [
    pytest.param(name, response, id=f"{name}-{model}")
    for name in RECORDED
    for model, response in RECORDED[name].items()
]


@cases(("name", "response"), MADE)
def test_same_as_ut1(name: str, response: Response) -> None:
    """An answer is refused where UT-1 refuses it, or where it was asked for as a template and is none."""
    found = screen_response(PROBLEMS[name], response)
    verdict = screen(PROBLEMS[name], read_candidate(response))
    if found.kind in {"no-steps", "broken-steps"}:
        assert response.dialect == "template"
        return
    assert found.status is verdict.status
    assert bool(found.kind) is bool(found.reason) is (found.status is Status.REFUTED)


@cases(
    ("text", "kind", "reason"),
    [
        (
            "def solve(a: int = 6, b: int = 20):\n    return a * b",
            "wrong-answer",
            "evaluated at its own values, it gives 120, which is not the answer",
        ),
        ("def solve(a: int = 6):\n    return (a *", "syntax-error", "syntax-error: '(' was never closed (line 2)"),
        (
            "def solve(a: int = 6):\n    return a / 0",
            "raises",
            "evaluated at its own values, it raises ZeroDivisionError",
        ),
        ("def solve(a: int = 6):\n    while True:\n        a = a\n    return a", "budget", "budget: "),
        ("I cannot do that.", "no-code", "no-code: no line of the response is code"),
        ("", "empty", "empty: the response has no text"),
        ("def solve():\n    answer = 6 * 12\n    return answer", "no-steps", "no-steps"),
    ],
)
def test_reason(text: str, kind: str, reason: str) -> None:
    """The reason is that of reading or evaluating with its line, or the value that is not the answer."""
    found = screen_response(PROBLEM, Response("p", "m", text, "template" if kind == "no-steps" else "parametric"))
    assert (found.status, found.kind) == (Status.REFUTED, kind)
    assert found.reason.startswith(reason)
    assert not re.search(r"\b72\b", found.reason)


def test_without_gold() -> None:
    """Without a gold answer nothing is refused for its value, and nothing counts as right."""
    problem = Problem("p", PROBLEM.question, "", None)
    assert screen_response(problem, Response("p", "m", "def solve(a: int = 6):\n    return a")).status is Status.UNKNOWN


def test_long_names_and_values() -> None:
    """A reason is short, however long the names and values in an answer are."""
    digits = screen_response(PROBLEM, Response("p", "m", f"def solve(a: int = {'9' * 300}):\n    return a * a"))
    name = screen_response(PROBLEM, Response("p", "m", f"def solve({'n' * 50_000}):\n    return 1"))
    assert max(len(digits.reason), len(name.reason)) <= LONGEST_REASON
    assert name.kind == "missing-argument"
