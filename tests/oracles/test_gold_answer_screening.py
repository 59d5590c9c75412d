"""Tests of screening (UT-1): it confirms programs that reach the gold answer, and refutes and names the others."""

from harness.domain import Problem, Response, Verdict
from harness.program.lifter import read_candidate
from oracles.gold_answer_screening import screen
from tests.cases import cases, rows


def screened(expression: str, gold: str | None, solution: str = "") -> Verdict:
    """Screen a formalization that returns an expression."""
    text = f"def solve(a: int = 7):\n    return {expression}\n"
    return screen(Problem("p", "", solution, gold), read_candidate(Response("p", "m", text)))


SCREENED: dict[str, tuple[str | None, ...]] = {
    "exact": ("a * 10 + 2", "72", "CONFIRMED", "exact", None),
    "no gold": ("a", None, "UNKNOWN", "evaluate", "the problem has no gold answer; the formalization gives 7"),
    **{
        case: tuple(rest)
        for case, *rest in rows("""a share for a percentage → 1 / 4 → 25% → CONFIRMED → percent → 1/4 is 25%
rounded → 100 / 3 → 33.33 → CONFIRMED → rounded → gold 33.33 is 100/3 rounded to 2 places
another value → a → 72 → REFUTED → exact → gives 7, gold is 72
an exception → a / 0 → 72 → REFUTED → evaluate → raises ZeroDivisionError
no number → '72' → 72 → REFUTED → evaluate → non-numeric: the answer is str '72'
not readable → eval('72') → 72 → REFUTED → read → forbidden: eval() is never called (line 2)
another value in floats → int(a * 0.29 * 100 / 7) → 29 → UNKNOWN → floats → gives 29 in exact arithmetic and 28 in Python's floats
a gold that is not read → a → many → UNKNOWN → gold → the gold answer 'many' is not read to its end; the formalization gives 7""")
    },
}


@cases("case", SCREENED)
def test_a_formalization_is_screened(case: str) -> None:
    """By the value and the gold answer; only a comparison of them, or an exception in its stead, counts as a check."""
    expression, gold, status, method, reason = SCREENED[case]
    verdict = screened(str(expression), gold)
    assert (verdict.status.name, verdict.method, verdict.reason) == (status, method, reason)
    assert verdict.checked == int(case not in {"no number", "not readable"} and status != "UNKNOWN")


def test_a_refuted_value_stands_beside_the_gold() -> None:
    """The counterexample of a wrong answer is the answer itself."""
    example = screened("a", "72").counterexample
    assert example is not None
    assert (dict(example.inputs), example.left, example.right) == ({}, "7", "72")
