"""Tests of UT-3 on exchanged roles: no pair with two inputs of equal value exchanged is confirmed, and most others are."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from harness.domain import Response, Status, Verdict
from harness.program.lifter import read_candidate
from oracles.alignment.embeddings import Embeddings, MiniLM
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from tests.cases import cases
from tests.oracles.alignment.planted_swaps import planted_swaps

SEED = 7


class PairJudge:
    """Judges pairs by the real encoder, whose embeddings of a list of pairs are computed in one batch."""

    def __init__(self, folder: Path) -> None:
        self.encoder = MiniLM()
        self.embeddings = Embeddings(folder)

    def verdicts(self, *pairs: tuple[Response, Response]) -> list[Verdict]:
        """Judge each pair."""
        candidates = [(read_candidate(left), read_candidate(right)) for left, right in pairs]
        parameters = [[side.program.parameters if side.program else () for side in sides] for sides in candidates]
        texts = [[parameter.text for inputs in own for parameter in inputs] for own in parameters]
        if missing := self.embeddings.missing(text for own in texts for text in own):
            self.embeddings.add(missing, self.encoder.encode(missing))
        return [
            EquivalenceJudge("p").judge(*sides, align(*own, self.embeddings.similarities(words)))
            for sides, own, words in zip(candidates, parameters, texts, strict=True)
        ]

    def statuses(self, count: int, *, swapped: bool) -> Counter[Status]:
        """Count the verdicts on planted pairs."""
        pairs = [(pair.left, pair.right) for pair in planted_swaps(SEED, count, swapped=swapped)]
        return Counter(verdict.status for verdict in self.verdicts(*pairs))


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> PairJudge:
    """Return a judge with the real encoder, loaded once."""
    return PairJudge(tmp_path_factory.mktemp("embeddings"))


@pytest.mark.parametrize("count", [40, pytest.param(200, marks=pytest.mark.slow)])
def test_no_exchange_is_confirmed(judge: PairJudge, count: int) -> None:
    """Of pairs with the roles of two inputs exchanged none is CONFIRMED; of the same pairs without, nine in ten are and none is REFUTED."""
    assert judge.statuses(count, swapped=True)[Status.CONFIRMED] == 0
    counts = judge.statuses(count, swapped=False)
    assert (counts[Status.REFUTED], counts[Status.CONFIRMED] >= 0.9 * count) == (0, True)


def response(model: str, names: tuple[str, str], formula: str) -> Response:
    """Return a program of two inputs of value 6, `{0}` and `{1}` in the formula."""
    signature = ", ".join(f"{name}: int = 6" for name in names)
    return Response("p", model, f"def solve({signature}, rate: int = 15):\n    return {formula.format(*names)}\n")


SETTLED = (
    (("hours_saturday", "hours_sunday"), ("sat", "sun")),
    (("hours_saturday", "hours_sunday"), ("sunday", "saturday")),
    (("week_1", "week_2"), ("first_week", "second_week")),
    (("red_pens", "blue_pens"), ("red", "blue")),
)


@cases("left, right", SETTLED)
def test_words_that_settle_the_roles_decide(judge: PairJudge, left: tuple[str, str], right: tuple[str, str]) -> None:
    """The pair is CONFIRMED with the roles that the words say, and REFUTED with the roles exchanged."""
    same, exchanged = "{0} * rate + {1} * 20", "{1} * rate + {0} * 20"
    if right == ("sunday", "saturday"):
        same, exchanged = exchanged, same
    first = response("left", left, "{0} * rate + {1} * 20")
    verdicts = judge.verdicts(*((first, response("right", right, formula)) for formula in (same, exchanged)))
    assert [verdict.status for verdict in verdicts] == [Status.CONFIRMED, Status.REFUTED]


@cases("right", [("p", "q"), ("s1", "s2"), ("u", "v")])
def test_words_that_settle_nothing_leave_the_pair_unknown(judge: PairJudge, right: tuple[str, str]) -> None:
    """Names that say nothing confirm neither order of the roles, and refute neither; a symmetric formula is CONFIRMED, and values that differ under both orders are REFUTED."""
    left = response("left", ("hours_saturday", "hours_sunday"), "{0} * rate + {1} * 20")
    formulas = "{0} * rate + {1} * 20", "{1} * rate + {0} * 20"
    for verdict in judge.verdicts(*((left, response("right", right, formula)) for formula in formulas)):
        assert verdict.status is Status.UNKNOWN
        assert verdict.reason is not None
        assert "two alignments of inputs of equal value are plausible and disagree" in verdict.reason
    symmetric = response("left", ("hours_saturday", "hours_sunday"), "({0} + {1}) * rate")
    (verdict,) = judge.verdicts((symmetric, response("right", right, "rate * {1} + rate * {0}")))
    assert verdict.status is Status.CONFIRMED
    (verdict,) = judge.verdicts((left, response("right", right, "{0} * rate + {1} * 10 + 60")))
    assert verdict.status is Status.REFUTED


def test_two_buckets_of_terse_names_need_a_combination(judge: PairJudge) -> None:
    """A pair that is equal only where the inputs of two values are both exchanged is not REFUTED."""
    formula = "{} * 3 + {} * 5 + {} * 7 - {} * 2"

    def program(model: str, order: str) -> Response:
        names = sorted(order)
        values = [Fraction(6), Fraction(6), Fraction(9), Fraction(9)]
        signature = ", ".join(f"{name}: int = {value}" for name, value in zip(names, values, strict=True))
        return Response("p", model, f"def solve({signature}):\n    return {formula.format(*order)}\n")

    (verdict,) = judge.verdicts((program("left", "abcd"), program("right", "qpts")))
    assert verdict.status is Status.UNKNOWN
