"""Tests of the phrases for quantities: they quote the question, or name the line that gave the number."""

import re
from fractions import Fraction

from hypothesis import given, strategies as st

from harness.text.numbers import mentions
from harness.text.quantity_phrases import LONGEST_QUOTE, QuantityPhrases
from tests.cases import cases, rows

QUESTION = (
    "Mr. Hill sold 48 pots in May, and then he sold half as many pots in June for $1,200. Each of his 3 sons got 25% of it, "
    "and each of his 3 daughters a plate. How many pots did he sell altogether?"
)
LINES = (
    "In June he sold 48/2 = <<48/2=24>>24 clay pots.",
    "Altogether he sold 48 + 24 = <<48+24=72>>72 pots, which made $<<1200*2=2400>>2,400 in all.",
    "That is a lot.",
)
INPUTS = {
    "pots_may": 48,
    "half": Fraction(1, 2),
    "june_money": 1200,
    "num_sons": 3,
    "share_percent": Fraction(1, 4),
    "daughters": 3,
}
PHRASES = QuantityPhrases(
    QUESTION,
    LINES,
    {**INPUTS, "months_per_year": 12},
    {"pots_june": (1, 24), "total_pots": (2, 72), "total_money": (2, 2400), "unstated": (3, 99), "elsewhere": (0, 7)},
    dict(zip(INPUTS, mentions(QUESTION), strict=True)),
)


@cases(
    ("variable", "phrase"),
    rows("""pots_may → the 48 in "Mr. Hill sold 48 pots in May"
half → the "half" in "he sold half as many pots in June for $1,200"
june_money → the $1,200 in "he sold half as many pots in June for $1,200"
num_sons → the 3 in "Each of his 3 sons got 25% of it" | daughters → the 3 in "each of his 3 daughters a plate"
share_percent → the 25% in "Each of his 3 sons got 25% of it" | months_per_year → the 12 (months per year)
pots_june → the result of line 1 (24) | total_pots → the result of line 2 (72 pots)
total_money → the result of line 2 ($2,400) | unstated → the 99 (unstated) | elsewhere → the 7 (elsewhere)"""),
)
def test_a_quantity_is_named_by_where_it_comes_from(variable: str, phrase: str) -> None:
    """An input by its clause of the question, a step by its line; the words of the variable only where neither is there."""
    assert PHRASES.phrase(variable) == phrase


def test_a_long_clause_is_quoted_without_the_joint_before_it() -> None:
    """Only words of the clause itself that are left out are marked."""
    question = (
        "If it took Dawn 20 minutes to wash the dishes how many minutes did it take Andy to put away the laundry?"
    )
    phrases = QuantityPhrases(question, (), {"minutes": 20}, {}, {"minutes": mentions(question)[0]})
    quoted = "it took Dawn 20 minutes to wash the dishes how many minutes did it take Andy…"
    assert phrases.phrase("minutes") == f'the 20 in "{quoted}"'


def test_a_number_of_two_inputs_is_told_apart_by_their_names() -> None:
    """The words of the variable follow a quotation that is that of another one, too."""
    question = "Dan buys 6 red and blue pens for $2 each."
    six, two = mentions(question)
    places = {"red_pens": six, "blue_pens": six, "paid": two}
    phrases = QuantityPhrases(question, (), {"red_pens": 6, "blue_pens": 6, "paid": 2}, {}, places)
    assert phrases.phrase("red_pens") == 'the 6 in "Dan buys 6 red and blue pens for $2 each" (red pens)'
    assert phrases.phrase("paid") == 'the $2 in "Dan buys 6 red and blue pens for $2 each"'


WORDS = st.lists(
    st.sampled_from(["red", "and", "pens,", "while", "the", "box", "of", '"big"', "cost", "(or", "so)"]), max_size=40
)


@given(WORDS, WORDS, st.integers(1, 20))
def test_a_quotation_is_short_and_verbatim(before: list[str], after: list[str], number: int) -> None:
    """It has the number once, is a part of the question, and shows where it is cut but at a mark or a joint."""
    question = " ".join(["There", *before, str(number), *after, "end."])
    place = next(mention for mention in mentions(question) if mention.text == str(number))
    phrase = QuantityPhrases(question, (), {"n": number}, {}, {"n": place}).phrase("n")
    quoted = re.search(r'"(…?)([^"]*?)(…?)"', phrase)
    assert quoted is not None
    assert len(quoted[2]) <= LONGEST_QUOTE
    assert [mention.readings[0] for mention in mentions(quoted[2])].count(number) == 1
    text = question.replace('"', "'")
    start = text.index(quoted[2])
    left, right = text[:start].split(), text[start + len(quoted[2]) :].split()
    assert quoted[1] or not left or left[-1] in {"and", "while"} or left[-1].endswith((",", ")"))
    assert quoted[3] or right in ([], ["."]) or right[0] in {",", "and", "while"}
