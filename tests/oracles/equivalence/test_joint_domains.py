"""Tests of what a verdict rests on: neither a guessed bound nor a type annotation of one side decides."""

from fractions import Fraction

import pytest

from harness.domain import Response, Status, Verdict
from harness.program.candidate import read_candidate
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from tests.cases import cases


def judged(left: str, right: str, body: str, other: str) -> Verdict:
    """Decide a pair of programs of one input, given their signatures and the expressions that they return."""
    sides = [
        read_candidate(Response("p", model, f"def solve({signature}):\n    return {expression}\n"))
        for model, signature, expression in (("left", left, body), ("right", right, other))
    ]
    parameters = [() if side.program is None else side.program.parameters for side in sides]
    return EquivalenceJudge("p").judge(sides[0], sides[1], align(parameters[0], parameters[1], lambda *_: 1.0))


SHARE = "discount_percent: int = 20"
PLAIN = (
    "total_people: int = 20,  # half of them are girls\n",
    "students: int = 20,  # 20 students, 50% of them girls\n",
    "percent_increase: int = 20",
    "growth_percent: int = 20",
    "percent: int = 20,  # salaries are raised by 20%\n",
    "twentieth_bag_weight: int = 20",
)


def test_equality_within_a_guessed_cap_only_is_unknown() -> None:
    """Two programs that part for a discount of more than 100% only are neither confirmed nor refuted."""
    verdict = judged(SHARE, SHARE, "max(0, 100 - discount_percent)", "100 - discount_percent")
    assert (verdict.status, verdict.domain) == (
        Status.UNKNOWN,
        {"discount_percent": "integers >= 1, <= 100 (<= 100 is guessed)"},
    )
    assert verdict.reason is not None
    assert verdict.reason.startswith("equal only while discount_percent is at most 100, a bound guessed from its name")


def test_a_proof_needs_no_guess() -> None:
    """Programs that are equal everywhere are confirmed, and the verdict holds without the cap."""
    verdict = judged(SHARE, SHARE, "5 * (100 - discount_percent)", "500 - discount_percent * 5")
    assert (verdict.status, verdict.domain) == (Status.CONFIRMED, {"discount_percent": "integers >= 1"})


def test_a_refutation_has_a_witness_within_the_guess() -> None:
    """Programs that part on a share are refuted there, not beyond it."""
    verdict = judged(SHARE, SHARE, "discount_percent + 20", "discount_percent * 2")
    assert verdict.status is Status.REFUTED
    assert verdict.counterexample is not None
    assert 1 <= Fraction(verdict.counterexample.inputs["discount_percent"]) <= 100


@cases("signature", PLAIN)
def test_what_is_no_share_is_refuted_above_100(signature: str) -> None:
    """A word beside an input, or an increase, hides no difference above 100."""
    name = signature.partition(":")[0]
    verdict = judged(signature, signature, f"max(0, 100 - {name})", f"100 - {name}")
    assert verdict.status is Status.REFUTED


SIDES = ("n: int = 4", "n: float = 4.0", "n: float = 4", "n: int = 4.0", "n=4", "n=4.0")
COUNTING = {"n: int = 4", "n: int = 4.0", "n=4"}


@pytest.mark.parametrize("left", SIDES)
@cases("right", SIDES)
def test_an_annotation_of_one_side_does_not_refute(left: str, right: str) -> None:
    """Programs that part at fractions only are refuted where both sides allow a fraction, else confirmed on the integers."""
    verdict = judged(left, right, "n // 1", "n * 1")
    counted = left in COUNTING or right in COUNTING
    assert verdict.status is (Status.CONFIRMED if counted else Status.REFUTED)
    assert verdict.domain is not None
    assert verdict.domain["n"].startswith("integers >= 1" if counted else "rationals > 0")


def test_the_verdict_says_whose_type_it_takes() -> None:
    """Where the sides give two types, the domain names both."""
    verdict = judged("n: int = 4", "n: float = 4.0", "n // 1", "n")
    assert verdict.domain == {"n": "integers >= 1 (int on the left, float on the right)"}


def test_a_fraction_under_an_int_annotation_stays_a_fraction() -> None:
    """`n: int = 2.5` counts nothing: its domain holds 2.5, and both sides are compared at fractions."""
    verdict = judged("n: int = 2.5", "n: float = 2.5", "n * 2", "n + n if n == 2.5 or n % 1 == 0 else 0")
    assert (verdict.status, verdict.domain) == (Status.REFUTED, {"n": "rationals > 0"})


@cases("value, domain", [(0, "integers >= 0"), (-4, "integers <= -1"), (4, "integers >= 1")])
def test_a_sign_is_an_assumption_that_the_verdict_states(value: int, domain: str) -> None:
    """A positive input is compared at positive values only, a negative one at negative values, and the domain says so."""
    verdict = judged(f"n: int = {value}", f"n: int = {value}", "abs(n) * n", "abs(n * n) * (1 if n >= 0 else -1)")
    assert (verdict.status, verdict.domain) == (Status.CONFIRMED, {"n": domain})


def test_inputs_of_one_name_keep_their_domains() -> None:
    """Two inputs of one name, in two scopes, are two entries of the domain."""
    code = "n = 6\n\ndef part():\n    n = 4\n    return n\n\nanswer = part() + n\n"
    side = read_candidate(Response("p", "left", code))
    assert side.program is not None
    verdict = EquivalenceJudge("p").judge(
        side, side, align(side.program.parameters, side.program.parameters, lambda *_: 1.0)
    )
    assert (verdict.status, verdict.domain) == (Status.CONFIRMED, {"n": "integers >= 1", "n #2": "integers >= 1"})
