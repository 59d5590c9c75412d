"""Tests of operation words: words that name the operation of a line follow it, and other words do not change."""

import re

from hypothesis import given, strategies as st

from harness.program import ir
from harness.text.operation_words import SAYING, SWAPS, Rewording
from tests.cases import cases

A, B = ir.Name("a"), ir.Name("b")
SIGNS = "+-*/"
WORDS = sorted(
    {word for words in SAYING.values() for word in words.split()}
    | {word for swaps in SWAPS.values() for pair in swaps.items() for word in pair}
)
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
    """What still says the old operation in the new text, and not the new one as well, is stale."""
    found = Rewording.of_change(of(old), of(new)).reword(text)
    says = {sign: set(words.split()) for sign, words in SAYING.items()}
    left = {word.lower() for word in re.findall(r"[A-Za-z]+", found.text)} & (says[old] - says[new])
    swapped_in = {word.lower() for _, other in found.changed for word in other.split()}
    assert left - swapped_in <= set(found.stale)
    assert (old != new) >= bool(found.stale)


@cases("pair", sorted(SWAPS))
def test_swaps_say_what_they_swap(pair: tuple[str, str]) -> None:
    """The first word says the old operation or none, the second does not say the old one only."""
    old, new = pair
    says = {sign: set(words.split()) for sign, words in SAYING.items()}
    for before, after in SWAPS[pair].items():
        assert before != after
        assert before in says[old] or not any(before in words for words in says.values()), (pair, before)
        assert not any(word in says[old] - says[new] for word in after.split()), (pair, before, after)


def test_an_operation_that_stays_elsewhere_is_not_lost() -> None:
    """Of `a + b + c` one sum is left when the other becomes a difference."""
    before, after = ir.Binary("+", of("+"), A), ir.Binary("-", of("+"), A)
    assert Rewording.of_change(before, after).reword("total").stale == ()
