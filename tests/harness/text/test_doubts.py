"""Tests of doubts: a clause takes back what was said only where it begins with a whole word that does."""

from harness.text.doubts import takes_back
from tests.cases import cases

AFTER = ("items", "ice", "weight", "thin", "lettuce", "notes", "theatres")


@cases("word", ["no", "wait", "sorry"])
def test_a_clause_takes_back_by_whole_words(word: str) -> None:
    """`No, it is 4` and `No it is 4` take back; `No items are left` states something, whatever letters its next word begins with."""
    assert all(takes_back(f"12. {word.title()}{joint}it is 4") for joint in (", ", " ", "... "))
    assert not any(takes_back(f"12. {word.title()} {following} are left") for following in AFTER)
