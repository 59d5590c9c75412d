"""Tests of operation words: words that name an operation that is gone are found, and no word changes but those that go with the change."""

import re

from hypothesis import given, strategies as st

from harness.program import ir
from harness.text.operation_words import SAYING, Rewording

A, B = ir.Name("a"), ir.Name("b")
SIGNS = "+-*/"
WORDS = sorted({word for words in SAYING.values() for word in words.split()})
TEXTS = st.lists(
    st.sampled_from(
        [*WORDS, *(word.capitalize() for word in WORDS), "apples", "12", "$3.50", "2/3", "and", "=", "Sum:"]
    ),
    max_size=12,
).map(" ".join)


def of(sign: str) -> ir.Expr:
    """Return an operation."""
    return ir.Binary(sign, A, B)


@given(TEXTS, st.sampled_from(SIGNS), st.sampled_from(SIGNS))
def test_no_word_of_a_lost_operation_stays_untold(text: str, old: str, new: str) -> None:
    """The text stays as it is, and every word that says the old operation and not the new one is stale."""
    found = Rewording.of_change(of(old), of(new)).reword(text)
    says = {sign: set(words.split()) for sign, words in SAYING.items()}
    left = {word.lower() for word in re.findall(r"[A-Za-z]+", text)} & (says[old] - says[new])
    assert (found.text, set(found.stale)) == (text, left)


def test_an_operation_that_stays_elsewhere_is_not_lost() -> None:
    """Of `a + b + c` one sum is left when the other becomes a difference."""
    before, after = ir.Binary("+", of("+"), A), ir.Binary("-", of("+"), A)
    assert Rewording.of_change(before, after).reword("total").stale == ()
