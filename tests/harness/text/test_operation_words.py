"""Tests of operation words: words that name an operation that is gone are found, and no word changes but those that go with the change."""

from itertools import product

from harness.program import ir
from harness.text.operation_words import SAYING, UP_DOWN, lost_operation_words, with_words_replaced
from tests.cases import cases

A, B = ir.Name("a"), ir.Name("b")
SIGNS = "+-*/"


def of(sign: str) -> ir.Expr:
    """Return an operation."""
    return ir.Binary(sign, A, B)


@cases(("old", "new"), list(product(SIGNS, SIGNS)))
def test_the_words_of_a_lost_operation_alone_are_lost(old: str, new: str) -> None:
    """All words that say the old operation and not the new one."""
    says = {sign: set(words.split()) for sign, words in SAYING.items()}
    assert lost_operation_words(of(old), of(new)) == says[old] - says[new]


def test_an_operation_that_stays_elsewhere_is_not_lost() -> None:
    """Of `a + b + c` one sum is left when the other becomes a difference."""
    before, after = ir.Binary("+", of("+"), A), ir.Binary("-", of("+"), A)
    assert "total" not in lost_operation_words(before, after)


def test_words_change_in_small_and_capital_letters() -> None:
    """A word as it stands, a capital where there was one, no part of a word."""
    text = with_words_replaced("Up to 5, at least UPPER up.", dict(UP_DOWN))
    assert text == "Down to 5, at most UPPER down."
