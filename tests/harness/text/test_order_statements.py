"""Tests of order statements: what is written is read back, and only sentences that surely tell two amounts are read."""

from itertools import product
from time import process_time

from harness.text.order_statements import Scale, amounts_of, order_of, order_told
from tests.cases import cases

SCALES = [
    Scale("has", "cards"),
    Scale("sold", "pairs of shoes"),
    Scale("has", "money"),
    Scale("weighs", "pounds"),
    Scale("is", "old"),
    Scale("was", "tall"),
    Scale("is", "long"),
    Scale("is", "heavy"),
]


def test_a_written_order_is_read_back() -> None:
    """On each scale, with names and with nouns, both ways round: who is named first, and whether that one has more."""
    for scale, greater, (first, second) in product(
        SCALES, (True, False), (("Ann", "Ben"), ("the red box", "the first bus"))
    ):
        sentence = f"{first[0].upper()}{first[1:]} {scale.comparative(greater=greater)} {second}."
        read = order_of(sentence)
        assert read is not None, sentence
        assert (read.first, read.second, read.first_is_greater) == (first, second, greater)
        assert scale in read.scales or scale.verb == "weighs"


@cases(
    "sentence",
    [
        "Ann has more cards than Ben",
        "Ann has many more cards than Ben.",
        "Ann has 3 more cards than Ben.",
        "She has more cards than Ben.",
        "Ann has more cards than Ben and Cy.",
        "Ann has more cards in her box than Ben.",
        "Ann has more than Ben.",
        "Ann has no more cards than Ben.",
        "Ann sees older than Ben.",
        "If Ann is older than Ben.",
        "Ann is not older than Ben.",
    ],
)
def test_other_sentences_are_no_order_statements(sentence: str) -> None:
    """A number, a pronoun, a negation, a group or another shape says something else."""
    assert order_of(sentence) is None


@cases(
    ("text", "told"),
    [
        ("Ann has 3 cards. Ben has 5 cards.", 2),
        ("Ann has 3 cards and Ben has 5 cards.", 2),
        ("Ann has $3, while Ben has $5.", 2),
        ("Ann has twice as many cards as Ben.", 1),
        ("Ann has 3 fewer cards than Ben does.", 1),
        ("Ann is 3 years older than Ben.", 1),
        ("Ann is 9 years old. Ben is 12 years old.", 2),
        ("Ann has 3 cards. She buys 4. Ben has 5 cards.", 0),
        ("Ann has 3 cards. Ben has 5 rulers.", 0),
        ("Ann has 3 cards in a box. Ben has 5 cards.", 0),
        ("Ann has 3 cards, 2 of them red, and Ben has 5 cards.", 0),
        ("Ann has 2 cards. Ann has 3 cards. Ben has 5 cards.", 0),
        ("Ann and Ben have 5 cards.", 0),
        ("Cy, Ann and Ben had 5 cards. Ann had 2 cards.", 0),
        ("If Ann has 3 cards, Ben has 5 cards.", 0),
        ("Last week Ann has 3 cards. Ben has 5 cards.", 0),
        ("Ann sold twice as many cards as Ben in May.", 0),
        ("Ann sold 3 cards. Ben sold 5 cards. Later Ann sold 9 pens.", 0),
        ("Ann has twice as many cards as Ben and Cy.", 0),
        ("Ann has 3 cards. Ben has 5 cards. Cy has 9 rulers.", 0),
    ],
)
def test_amounts_are_told_where_nothing_may_have_changed_them(text: str, told: int) -> None:
    """Right at the end of the text: two amounts, or one comparison; none where a number, a condition or another time stands between."""
    scales = list(dict.fromkeys(amount.scale for amount in amounts_of(text)))
    found = [order_told(text, len(text), [scale], frozenset({"Ann", "Ben"})) for scale in scales]
    assert max(map(len, found), default=0) == told


@cases(
    "unit", ["Ann has 3 pens and ", "Ann has $3, ", "Ann has twice as many pens as Ben, while ", "the red box has 3 "]
)
def test_a_long_sentence_is_read_in_linear_time(unit: str) -> None:
    """Twice the text takes less than four times as long, counted in processor time where it is long enough to be measured."""
    times = []
    for length in (20_000, 40_000):
        text = unit * (length // len(unit))
        begun = process_time()
        amounts_of(text)
        times.append(process_time() - begun)
    assert times[1] < max(4 * times[0], 0.5)


def test_a_part_of_a_number_is_no_amount() -> None:
    """A part of a number is no amount: `three hundred pens` is not three."""
    assert [amount.readings for amount in amounts_of("Ann has three hundred pens. Ben has 5 pens.")] == [(5,)]
