"""Tests of the causes of refutations: what is planted is found, and a planted fault of logic is never given a softer cause."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from harness.domain import CauseBasis, CauseKind, Response, Status, Verdict
from harness.program.candidate import read_candidate
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.equivalence.refutation_causes.refutation_cause import CauseFinder
from tests.cases import cases
from tests.oracles.equivalence.planted.planted_causes import CausedPair, planted_causes

SEED, SLICE, WHOLE = 20_261, 20, 2_000
LEAST_FOUND = 0.95
Found = Callable[[str, str], float]


def judged(
    left: str, right: str, question: str = "", similarity: Found = lambda name, other: float(name == other)
) -> Verdict:
    """Return the verdict with its cause of two programs."""
    sides = [read_candidate(Response("p", name, text)) for name, text in (("left", left), ("right", right))]
    programs = [side.program for side in sides if side.program is not None]
    alignments = align(programs[0].parameters, programs[1].parameters, similarity)
    judge = EquivalenceJudge("p")
    return CauseFinder(judge, question).with_cause(judge.judge(*sides, alignments), *sides, alignments)


def caused(pair: CausedPair) -> Verdict:
    """Return the verdict with its cause of a planted pair."""
    return judged(pair.left.text, pair.right.text, similarity=pair.similarity)


def solve(inputs: str, result: str) -> str:
    """Return a formalization of one expression."""
    return f"import math\ndef solve({inputs}):\n    return {result}\n"


def _counts(kind: CauseKind, count: int) -> Counter[str]:
    """Count the causes of planted pairs; those that are not refuted are counted by their status."""
    counts: Counter[str] = Counter()
    for pair in planted_causes(kind, SEED, count):
        verdict = caused(pair)
        counts[verdict.status.name if verdict.cause is None else verdict.cause.kind] += 1
    return counts


@pytest.mark.parametrize("kind", CauseKind)
def test_a_planted_cause_is_found(kind: CauseKind) -> None:
    """Of pairs planted for a cause at least 95 in a hundred are refuted for it, and none is confirmed."""
    counts = _counts(kind, SLICE)
    assert counts[Status.CONFIRMED.name] == 0
    assert counts[kind] >= LEAST_FOUND * counts.total()


def test_planted_logic_is_given_no_softer_cause() -> None:
    """Of 30 planted faults of logic none has a cause other than logic; the slow tests plant thousands."""
    assert set(_counts(CauseKind.LOGIC, 30)) <= {CauseKind.LOGIC, Status.UNKNOWN.name}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CauseKind)
def test_thousands_of_planted_causes(kind: CauseKind, record_property: Callable[[str, object], None]) -> None:
    """Of 2,000 planted pairs of each cause at least 95 in a hundred are refuted for it; of planted logic none for another."""
    counts = _counts(kind, WHOLE)
    record_property("causes", {str(cause): count for cause, count in counts.items()})
    assert counts[kind] >= LEAST_FOUND * WHOLE
    if kind is CauseKind.LOGIC:
        assert set(counts) <= {CauseKind.LOGIC, Status.UNKNOWN.name}


TWO = "a: int = 12, b: int = 4"
CAUSES = [
    (TWO, "a / b", "a // b", CauseKind.ROUNDING),
    (TWO, "a / b", "math.ceil(a / b) + 0", CauseKind.ROUNDING),
    (TWO, "a + b", "a + 4", CauseKind.UNUSED_INPUT),
    (TWO, "a - b", "max(a - b, 0)", CauseKind.OUTSIDE_DOMAIN),
    (TWO, "a - a // b * b + 7", "7", CauseKind.LOGIC),  # the rounding carries a quantity: what is left over
    (TWO, "a % b + 7", "7", CauseKind.LOGIC),  # as above
    ("a: int = 12, b: int = 1", "a * b", "a / b", CauseKind.LOGIC),  # both use the input that hides the difference
    ("a: int = 5, f: float = 1/2", "a * f", "a * (1 - f)", CauseKind.LOGIC),  # as above
    ("a: int = 5, b: int = 5", "a * a + b", "a * b + b", CauseKind.LOGIC),  # names tell the two inputs apart
    (
        "days: int = 365",
        "days + (days - 180)",
        "sum([1 if i < 180 else 2 for i in range(days)])",
        CauseKind.OUTSIDE_DOMAIN,
    ),
    (TWO, "a", "42", CauseKind.LOGIC),  # nothing is left that moves
]


@cases("inputs, left, right, kind", CAUSES)
def test_causes_are_told_apart(inputs: str, left: str, right: str, kind: CauseKind) -> None:
    """Each pair has the cause by which it differs, whichever side comes first."""
    verdicts = (judged(solve(inputs, left), solve(inputs, right)), judged(solve(inputs, right), solve(inputs, left)))
    assert {verdict.cause.kind for verdict in verdicts if verdict.cause is not None} == {kind}


LITERALS = ("7", "3.5", "Fraction(7, 2)", "Rational(7, 2)")


@cases("literal", LITERALS)
def test_inputs_of_every_class_keep_it(literal: str) -> None:
    """An input that is no int is moved as a number of its own class: pairs that differ are refuted, with a cause."""
    head = f"from fractions import Fraction\nfrom sympy import Rational\nr = {literal}\nn = 12\n"
    for left, right in (("r + n", "r - n"), ("r * n", "r * 12"), ("r * r", "r * r + r * 0 + 1")):
        verdict = judged(f"{head}ans = {left}", f"{head}ans = {right}")
        assert (verdict.status, verdict.cause is None) == (Status.REFUTED, False), verdict


@cases("literal", ["Fraction(7, 13)", "Rational(7, 13)"])
def test_numerators_on_the_own_values(literal: str) -> None:
    """What a float has not is read where two programs differ on the problem's own values."""
    head = f"from fractions import Fraction\nfrom sympy import Rational\nr = {literal}\nn = 120\n"
    verdict = judged(f"{head}ans = n * r.numerator / r.denominator", f"{head}ans = n / (r.numerator + r.denominator)")
    assert verdict.status is Status.REFUTED


def test_long_loops_on_the_own_values_leave_a_cause() -> None:
    """A program that takes more steps on the problem's own values than a search allows still has its difference explained."""
    inputs = "n: int = 2500, b: int = 4"
    loop = f"def solve({inputs}):\n    t = 0\n    for i in range(n):\n        t += b * (i % 2)\n    return t\n"
    fixed = f"def solve({inputs}):\n    t = 0\n    for i in range(n):\n        t += 4 * (i % 2)\n    return t\n"
    verdict = judged(loop, fixed)
    assert (verdict.status, verdict.cause is None) == (Status.REFUTED, False)


def test_facts_that_the_question_states_twice_are_not_one() -> None:
    """Two inputs of a value are one fact only while the question does not state the value as often as there are inputs."""
    left = solve("coins_hour_two: int = 35, rest: int = 50", "coins_hour_two * 2 + rest")
    right = solve(
        "coins_hour_two: int = 35, coins_hour_three: int = 35, rest: int = 50",
        "coins_hour_two + coins_hour_three + rest",
    )
    once, twice = "For two hours she collected 35 coins, then 50.", "She collected 35 coins, then 35 coins, then 50."
    causes = [verdict.cause for verdict in (judged(left, right, once), judged(left, right, twice))]
    assert [cause and cause.kind for cause in causes] == [CauseKind.DUPLICATE_FACT, CauseKind.LOGIC]


def test_a_cause_says_how_sure_it_is() -> None:
    """A re-try that a rung proves says so with its method; one that was only tested says at how many points."""
    proved, tested = (
        judged(solve(TWO, left), solve(TWO, right)).cause
        for left, right in (("a / b", "a // b"), ("a - b", "max(a - b, 0)"))
    )
    assert proved is not None
    assert tested is not None
    assert (proved.basis, proved.method, tested.basis, tested.method) == (
        CauseBasis.PROVED,
        "normal-form",
        CauseBasis.TESTED,
        "evaluation",
    )
    assert tested.checked >= 20


def test_the_reason_states_the_cause() -> None:
    """The reason of a refuted pair ends with its cause; verdicts that refute nothing keep theirs."""
    refuted, confirmed = judged(solve(TWO, "a / b"), solve(TWO, "a // b")), judged(solve(TWO, "a"), solve(TWO, "a"))
    assert (refuted.reason or "").endswith("; cause: rounding (equal without rounding: proved by normal-form)")
    assert confirmed == replace(confirmed, cause=None)


def test_causes_are_reproducible() -> None:
    """The same pair has the same cause each time."""
    pairs = list(planted_causes(CauseKind.OUTSIDE_DOMAIN, SEED, 5))
    assert [caused(pair) for pair in pairs] == [caused(pair) for pair in pairs]
