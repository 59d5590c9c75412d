"""Tests of gold answers: how they are read, and that only rounded answers are compared with a tolerance."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from harness.answers.gold_answer import match_gold, read_gold
from harness.corpora.problems import load_corpus
from tests.cases import cases, rows

GOLDS = {
    **{
        text: (Fraction(value), int(places.rstrip("%")), places.endswith("%"))
        for text, value, places in rows("""72 → 72 → 0 | 1,250 → 1250 → 0 | $18.50 → 37/2 → 2 | $1,250.75 → 5003/4 → 2 | 25% → 25 → 0%
25 percent → 25 → 0% | 3/4 → 3/4 → 0 | 1 1/2 → 3/2 → 0 | -5 → -5 → 0 | −5 → -5 → 0 | -$5 → -5 → 0
72 apples → 72 → 0 | .5 → 1/2 → 1 | 0.50 → 1/2 → 2 | ½ → 1/2 → 0""")
    },
    **dict.fromkeys(("about 72.", "1/0", "", "-")),
}


@cases("text", GOLDS)
def test_a_gold_answer_is_read(text: str) -> None:
    """Its exact value, its written decimals, and whether it is a percentage."""
    gold = read_gold(text)
    assert (None if gold is None else (gold.value, gold.quantity.places, gold.quantity.percent)) == GOLDS[text]


@given(st.integers(-(10**12), 10**12))
def test_an_integer_is_read_with_and_without_separators(number: int) -> None:
    """Thousands separators do not change a number."""
    found = [read_gold(text) for text in (str(number), f"{number:,}", f"${number:,}", f"{number:,} apples")]
    assert [gold and gold.value for gold in found] == [number] * 4


ROUNDING = "A third is 100/3=<<100/3=33.33>>33.33."
WHOLE_ROUNDING = "7/2=<<7/2=4>>4 boxes."

# The gold answer, its solution, a computed value, and the method that reaches the gold.
MATCHES = [
    *(
        (text, "", Fraction(value), method)
        for text, value, method in rows("""72 → 72 → exact | 25% → 1/4 → percent | 25% → 25 → exact | 33.33 → 100/3 → rounded | 0.13 → 1/8 → rounded
0.12 → 1/8 → rounded | -0.13 → -1/8 → rounded | 33.3% → 1/3 → rounded | 72 → -72 → missed | 25 → 1/4 → missed
33 → 100/3 → missed | 1/3 → 333/1000 → missed | 33.33 → 1667/50 → missed | 66.66 → 200/3 → missed""")
    ),
    ("33", ROUNDING, Fraction(100, 3), "rounded"),
    ("4", WHOLE_ROUNDING, Fraction(7, 2), "rounded"),
    ("33", "66/2=<<66/2=33>>33", Fraction(100, 3), "missed"),
    ("33", "<<1/0=5>> <<a=b>> <<=>> <<5=5=5>>", Fraction(100, 3), "missed"),
    ("72", "", 10**4000, "missed"),
    ("72", "", Fraction(10**400, 7**10), "missed"),
]


@cases(("text", "solution", "value", "method"), MATCHES)
def test_a_value_reaches_the_gold_or_misses_it(text: str, solution: str, value: Fraction, method: str) -> None:
    """Exactly, as a percentage, or by the rounding that the gold or its solution shows; nothing else is near enough."""
    gold = read_gold(text, solution)
    assert gold is not None
    match = match_gold(value, gold)
    assert (match.reached, match.method) == (method != "missed", "exact" if method == "missed" else method)
    assert (match.reason is None) == (method == "exact")


@given(st.fractions(0, 1000, max_denominator=97), st.integers(1, 3))
def test_a_rounded_gold_is_reached_from_within_half_a_unit(value: Fraction, places: int) -> None:
    """A value is accepted if it rounds to the gold answer at its decimals, not if it is half a unit or more away."""
    gold = read_gold(f"{float(round(value, places)):.{places}f}")
    assert gold is not None
    unit = Fraction(1, 10**places)
    assert [match_gold(value, gold).reached, match_gold(gold.value + unit * Fraction(51, 100), gold).reached] == [
        True,
        False,
    ]


@pytest.mark.usefixtures("shared_data")
def test_every_gold_answer_of_gsm8k_is_read(shared_data: object) -> None:
    """All 8,792 problems have an integer gold answer."""
    problems = [problem for name in ("train", "test") for problem in load_corpus(f"{shared_data}/gsm8k/{name}.jsonl")]
    golds = [read_gold(problem.gold or "", problem.solution) for problem in problems]
    assert (len(golds), sum(gold is not None and gold.value.denominator == 1 for gold in golds)) == (8792, 8792)
