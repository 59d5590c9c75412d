"""Tests of the causes of refutations: what is planted is found, and a planted fault of logic is never given a softer cause."""

from collections import Counter
from collections.abc import Callable

import pytest

from harness.domain import CauseBasis, CauseKind, Response, Status, Verdict
from harness.program.evaluation.evaluator import evaluate
from harness.program.ir import Program
from harness.program.lifter import lift, read_candidate
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.equivalence.program_inputs import used_constants, used_inputs
from oracles.equivalence.program_rewrites import unrounded
from oracles.equivalence.refutation_cause import with_cause
from tests.cases import cases, lines_beside, texts
from tests.oracles.equivalence.planted.planted_causes import planted_causes

SEED = 20_261
LEAST_FOUND = 0.95


def judged(
    left: str,
    right: str,
    question: str = "",
    similarity: Callable[[str, str], float] = lambda name, other: float(name == other),
) -> Verdict:
    """Return the verdict with its cause of two programs."""
    sides = [read_candidate(Response("p", name, text)) for name, text in (("left", left), ("right", right))]
    programs = [side.program for side in sides if side.program is not None]
    alignments = align(programs[0].parameters, programs[1].parameters, similarity)
    judge = EquivalenceJudge("p")
    return with_cause(judge.judge(*sides, alignments), *sides, alignments, judge=judge, question=question)


def solve(inputs: str, result: str) -> str:
    """Return a formalization of one expression."""
    return f"import math\ndef solve({inputs}):\n    return {result}\n"


@pytest.mark.parametrize("count", [20, pytest.param(2_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", CauseKind)
def test_a_planted_cause_is_found(kind: CauseKind, count: int) -> None:
    """Of planted pairs of each cause at least 95 in a hundred have it, none is confirmed, and of planted logic none has another."""
    counts: Counter[str] = Counter()
    for pair in planted_causes(kind, SEED, count):
        verdict = judged(pair.left, pair.right, similarity=pair.similarity)
        counts[verdict.status.name if verdict.cause is None else verdict.cause.kind] += 1
    assert counts[Status.CONFIRMED.name] == 0
    assert counts[kind] >= LEAST_FOUND * count
    assert kind is not CauseKind.LOGIC or set(counts) <= {CauseKind.LOGIC, Status.UNKNOWN.name}


@cases("row", lines_beside(__file__, "causes.jsonl"))
def test_causes_are_told_apart(row: dict[str, str]) -> None:
    """Each pair has the cause by which it differs, whichever side comes first and each time, with how sure it is; the reason states it."""
    sides = solve(row["inputs"], row["left"]), solve(row["inputs"], row["right"])
    kind, basis = CauseKind[row["cause"].split(maxsplit=1)[0]], CauseBasis[row["cause"].split()[1]]
    for verdict in (judged(*sides), judged(*reversed(sides))):
        assert verdict.cause is not None, row
        assert (verdict.cause.kind, verdict.cause.basis) == (kind, basis), row
        assert kind is not CauseKind.OUTSIDE_DOMAIN or verdict.status is Status.UNKNOWN
        assert kind is not CauseKind.LOGIC or verdict.status is Status.REFUTED
        assert f"; cause: {kind.replace('_', ' ')}" in (verdict.reason or "")
        assert verdict.cause.checked >= 20 or basis is not CauseBasis.TESTED
    assert judged(*sides) == judged(*sides)
    assert judged(sides[0], sides[0]).cause is None


@cases("literal", ["7", "3.5", "Fraction(7, 2)"])
def test_inputs_of_every_class_keep_it(literal: str) -> None:
    """An input that is no int is moved as a number of its own class: pairs that differ are refuted, with a cause."""
    head = f"from fractions import Fraction\nr = {literal}\nn = 12\n"
    for left, right in (("r + n", "r - n"), ("r * n", "r * 12"), ("r * r", "r * r + r * 0 + 1")):
        verdict = judged(f"{head}ans = {left}", f"{head}ans = {right}")
        assert (verdict.status, verdict.cause is None) == (Status.REFUTED, False), verdict


def test_long_loops_on_the_own_values_leave_a_cause() -> None:
    """A program that takes more steps on the problem's own values than a search allows still has its difference explained."""
    loop = "def solve(n: int = 2500, b: int = 4):\n    t = 0\n    for i in range(n):\n        t += {} * (i % 2)\n    return t\n"
    verdict = judged(loop.format("b"), loop.format("4"))
    assert (verdict.status, verdict.cause is None) == (Status.REFUTED, False)


def test_facts_that_the_question_states_twice_are_not_one() -> None:
    """Two inputs of a value are one fact only while the question does not state the value as often as there are inputs."""
    left = solve("coins_hour_two: int = 35, rest: int = 50", "coins_hour_two * 2 + rest")
    inputs = "coins_hour_two: int = 35, coins_hour_three: int = 35, rest: int = 50"
    right = solve(inputs, "coins_hour_two + coins_hour_three + rest")
    once, twice = "For two hours she collected 35 coins, then 50.", "She collected 35 coins, then 35 coins, then 50."
    causes = [verdict.cause for verdict in (judged(left, right, once), judged(left, right, twice))]
    assert [cause and cause.kind for cause in causes] == [CauseKind.DUPLICATE_FACT, CauseKind.LOGIC]


# What a re-try changes.


def program(body: str) -> Program:
    """Return the program of a body in a = 7, b = 2 and c = 2, with two helpers."""
    lines = body.replace("\n", "\n    ")
    helpers = "def packs(x, y):\n    return math.ceil(x / y)\ndef scaled(x, y):\n    return x * y\n"
    return lift(
        Response("p", "m", f"import math\n{helpers}def solve(a: int = 7, b: int = 2, c: int = 2):\n    {lines}\n")
    )


ROUNDED = (
    *texts("""return a // b | return math.ceil(a / b) | return math.trunc(a / b) | return int(a / b) | return round(a / b)
return round(a / b, 1) | return -(-a // b) | return a // b + (a % b > 0) | return a // b + (1 if a % b else 0)
return a // b + (0 if a % b == 0 else 1) | return a // b if a % b == 0 else a // b + 1 | return packs(a, b)"""),
    "q = a // b\nif a % b != 0:\n    q += 1\nreturn q",
    "if a % b == 0:\n    q = a // b\nelse:\n    q = a // b + 1\nreturn q",
    "x = a / b\nreturn int(x) + 1 if x > int(x) else int(x)",
)
KEPT = ("return a % b", "return a / b", "return sum(range(int(a / b)))", "return [1, 2, 3, 4][a // b]")


@cases("body", ROUNDED)
def test_every_way_to_round_is_removed(body: str) -> None:
    """Seven by two is three and a half without rounding, however the rounding is written."""
    assert str(evaluate(unrounded(program(body)))) == "7/2"


@cases("body", KEPT)
def test_what_is_no_rounding_stays(body: str) -> None:
    """A remainder is a quantity, and the length of a range and an index must be whole."""
    source = program(body)
    assert unrounded(source) is source


USED = [
    ("x = a * c\nreturn a + b", {0, 1}),
    ("x = a\ny = x + b\nreturn y", {0, 1}),
    ("x = 1\nif a > 3:\n    x = b\nreturn x", {0, 1}),
    ("x = 0\nfor i in range(a):\n    x += b\nreturn x", {0, 1}),
    ("x = 0\nwhile x < a:\n    x += 1\n    if x > b:\n        break\nreturn x", {0, 1}),
    ("xs = [b]\nys = [a, xs[0]]\nreturn sum(ys)", {0, 1}),
    ("return scaled(a, b)", {0, 1}),
    ("if a > 6:\n    return b\nreturn 4", {0, 1}),
    ("return sum([x * b for x in [a]])", {0, 1}),
    ("return 1 + 0 * 2 + c", {2}),  # constants that equal the index of an input are others than it
]


@cases("body, expected", USED)
def test_inputs_that_cannot_reach_the_answer_are_unused(body: str, expected: set[int]) -> None:
    """An input is used where its value, or a condition on it, reaches the answer, through variables, loops and functions."""
    assert used_inputs(program(body)) == expected
    assert used_constants(program(f"{body} + 97")) >= {97}
