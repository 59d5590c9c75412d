"""Tests of what a verdict of UT-3 says: its rung, its scope (alignment, domain, frozen inputs), and why it decides nothing.

That no verdict contradicts the truth is tested on generated pairs (`test_soundness.py`) and on hand-written ones (`test_attacks.py`).
"""

import itertools
from fractions import Fraction

import pytest

from harness.domain import Status, Verdict
from harness.text.units import factor, singular_unit
from oracles.alignment.parameter_matching import AlignedPair, Alignment, Alignments
from oracles.equivalence.ladder import EquivalenceJudge
from tests.cases import cases
from tests.oracles.equivalence.test_attacks import ROWS, candidate, judged, verdict_on


def solve(inputs: str, result: str) -> str:
    """Return a formalization of one expression, or of statements."""
    body = result if "return " in result else f"return {result}"
    return f"def solve({inputs}):\n    " + body.replace("\n", "\n    ") + "\n"


def alike(inputs: str, left: str, right: str) -> Verdict:
    """Decide two expressions of the same inputs."""
    return judged(solve(inputs, left), solve(inputs, right))


@cases("name", [name for name, row in ROWS.items() if "method" in row])
def test_the_rung_that_decided_is_named(name: str) -> None:
    """The verdict names the rung of the ladder that decided."""
    verdict, method = verdict_on(name), ROWS[name]["method"]
    assert verdict.method == method
    assert verdict.checked > 0


def test_what_cannot_be_compared_is_unknown() -> None:
    """A refusal on one side has zero comparisons; programs without inputs in common agree on one point only, which is no proof."""
    refused = judged(solve("a: int = 7", "a"), solve("a: int = 7", "eval('a')"))
    apart = judged(solve("x: int = 4", "x"), solve("y: int = 2", "y * 2"))
    assert (refused.status, refused.checked, refused.unsupported) == (Status.UNKNOWN, 0, 1)
    assert (apart.status, apart.checked, apart.frozen) == (Status.UNKNOWN, 1, 2)


# Alignments.


def test_an_unaligned_input_is_frozen() -> None:
    """What one side lacks stays at its value: only the aligned inputs move."""
    verdict = judged(solve("a: int = 7, weeks: int = 4", "a * weeks"), solve("a: int = 7", "a * 4"))
    assert (verdict.status, verdict.domain, verdict.frozen) == (Status.CONFIRMED, {"a": "integers >= 1"}, 1)


def test_swapped_inputs_are_unknown_where_words_do_not_decide() -> None:
    """Where two alignments are plausible and disagree, the verdict says so; where both confirm, the words need not decide."""
    left, right = "p: int = 2, q: int = 2", "u: int = 2, v: int = 2"
    verdict = judged(solve(left, "p * 3 + q"), solve(right, "v * 3 + u"))
    assert (verdict.status, verdict.counterexample) == (Status.UNKNOWN, None)
    assert "REFUTED if p = u, q = v; CONFIRMED if p = v, q = u" in (verdict.reason or "")
    assert judged(solve(left, "p * q + 7"), solve(right, "7 + v * u")).status is Status.CONFIRMED


UNITS = [
    *itertools.product(itertools.combinations(("weeks", "days", "hours", "minutes"), 2), (0, 1, 5)),
    *itertools.product([("feet", "inches"), ("dollars", "cents")], (0, 3)),
]


@cases("units, value", UNITS)
def test_one_value_in_two_units_is_one_fact_only_where_it_is_zero(units: tuple[str, str], value: int) -> None:
    """Zero is converted, as any fact that names say in two units; a match of another value, or of a name with other words, decides nothing."""
    large, small = units
    size = factor(singular_unit(small), singular_unit(large))
    left, right = f"{large}: int = {value}, n: int = 7", f"{small}: int = {value}, n: int = 7"
    same = judged(solve(left, f"{large} * 3 + n"), solve(right, f"{small} * 3 + n"))
    late = judged(
        solve(left, f"{large} * 3 + n"), solve(right.replace(small, f"{small}_late"), f"{small}_late * 3 + n")
    )
    assert late.status is Status.UNKNOWN
    if value:
        assert same.status is Status.UNKNOWN
        return
    converted = judged(solve(left, f"{large} * {size} + n"), solve(right, f"{small} + n"))
    assert converted.status is Status.CONFIRMED
    example = same.counterexample
    assert same.status is Status.REFUTED
    assert example is not None
    assert int(example.inputs[small]) == size * int(example.inputs[large])
    assert (example.left, example.right) == tuple(
        str(int(example.inputs[unit]) * 3 + int(example.inputs["n"])) for unit in units
    )


OPEN = [
    ("coin_value: int = 1, coin_count: int = 1", "coin_value * 7 + coin_count * 5", Status.CONFIRMED),
    ("first_share: int = 1, second_share: int = 1", "first_share * 7 + 5", Status.CONFIRMED),
    ("first_share: int = 1, second_share: int = 1", "first_share * 7 + second_share * 5", Status.UNKNOWN),
    ("first_share: int = 1, coin_value: int = 1", "first_share * 7 + 5", Status.UNKNOWN),
]


@cases("inputs, result, status", OPEN)
def test_one_name_or_one_use_settles_an_open_alignment(inputs: str, result: str, status: Status) -> None:
    """An alignment that separates equal names, or matches a used input with an unused one, does not disturb a confirmation; others do."""
    best, other = (Alignment((AlignedPair(0, place, 0.5),), 0.5) for place in (0, 1))
    alignments = Alignments(best, (other,), (), (), choices=((best, other),))
    sides = (
        candidate(solve("coin_value: int = 1", "coin_value * 7 + 5"), "left"),
        candidate(solve(inputs, result), "right"),
    )
    assert EquivalenceJudge("p").judge(*sides, alignments).status is status


# Domains.

SHARE = "discount_percent: int = 20"


def test_no_decision_rests_on_a_guessed_cap() -> None:
    """Equality within a guessed cap only is UNKNOWN, a proof needs no guess, and a refutation has its witness within it."""
    name = "discount_percent"
    within = alike(SHARE, f"max(0, 100 - {name})", f"100 - {name}")
    assert (within.status, within.domain) == (Status.UNKNOWN, {name: "integers >= 1, <= 100 (<= 100 is guessed)"})
    start = "equal only while discount_percent is at most 100, a bound guessed from its name"
    assert (within.reason or "").startswith(start)
    proved = alike(SHARE, f"5 * (100 - {name})", f"500 - {name} * 5")
    assert (proved.status, proved.domain) == (Status.CONFIRMED, {name: "integers >= 1"})
    refuted = alike(SHARE, f"{name} + 20", f"{name} * 2")
    assert refuted.counterexample is not None
    assert 1 <= Fraction(refuted.counterexample.inputs[name]) <= 100


PLAIN = (
    "total_people: int = 20,  # half of them are girls\n",
    "percent_increase: int = 20",
    "twentieth_bag_weight: int = 20",
)


@cases("signature", PLAIN)
def test_what_is_no_share_is_refuted_above_100(signature: str) -> None:
    """A word beside an input, or an increase, hides no difference above 100."""
    name = signature.partition(":")[0]
    assert alike(signature, f"max(0, 100 - {name})", f"100 - {name}").status is Status.REFUTED


SIDES = ("n: int = 4", "n: float = 4.0", "n: float = 4", "n: int = 4.0", "n=4", "n=4.0")
COUNTING = {"n: int = 4", "n: int = 4.0", "n=4"}


@pytest.mark.parametrize("left", SIDES)
@cases("right", SIDES)
def test_an_annotation_of_one_side_does_not_refute(left: str, right: str) -> None:
    """Programs that part at fractions only are refuted where both sides allow a fraction, else confirmed on the integers."""
    verdict = judged(solve(left, "n // 1"), solve(right, "n * 1"))
    counted = left in COUNTING or right in COUNTING
    assert verdict.status is (Status.CONFIRMED if counted else Status.REFUTED)
    assert (verdict.domain or {})["n"].startswith("integers >= 1" if counted else "rationals > 0")


SCOPES = [
    ("n: int = 4", "n: float = 4.0", "n // 1", "n", "integers >= 1 (int on the left, float on the right)"),
    ("n: int = 2.5", "n: int = 2.5", "n * 2", "n + n", "rationals > 0"),
    ("n: int = 0", "n: int = 0", "abs(n) * n", "n * n", "integers >= 0"),
    ("n: int = -4", "n: int = -4", "abs(n) * n", "-n * n", "integers <= -1"),
    ("n: int = 4", "n: int = 4", "abs(n) * n", "n * n", "integers >= 1"),
]


@cases("left, right, first, second, domain", SCOPES)
def test_the_verdict_says_on_which_domain_it_holds(left: str, right: str, first: str, second: str, domain: str) -> None:
    """Sign, wholeness and the types of the two sides are assumptions that the verdict states."""
    verdict = judged(solve(left, first), solve(right, second))
    assert (verdict.status, verdict.domain) == (Status.CONFIRMED, {"n": domain})


def test_inputs_of_one_name_keep_their_domains() -> None:
    """Two inputs of one name, in two scopes, are two entries of the domain."""
    code = "n = 6\n\ndef part():\n    n = 4\n    return n\n\nanswer = part() + n\n"
    verdict = judged(code, code)
    assert (verdict.status, verdict.domain) == (Status.CONFIRMED, {"n": "integers >= 1", "n #2": "integers >= 1"})
