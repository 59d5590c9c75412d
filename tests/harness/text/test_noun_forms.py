"""Tests of noun forms: the singular and the plural of regular and irregular nouns."""

import pytest

from harness.text.nouns import is_plural, plural_unit, singular_noun, singular_of


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("boxes", "box"),
        ("cherries", "cherry"),
        ("children", "child"),
        ("feet", "foot"),
        ("pies", "pie"),
        ("cars", "car"),
    ],
)
def test_a_plural_has_a_singular(plural: str, singular: str) -> None:
    """By its ending, or by the list of irregular nouns."""
    assert (is_plural(plural), singular_noun(plural)) == (True, singular)


@pytest.mark.parametrize("word", ["bus", "glass", "costs", "news", "it's", "car", "gas"])
def test_other_words_are_no_plurals(word: str) -> None:
    """Words that only end like plurals are no plurals."""
    assert (is_plural(word), singular_of(word)) == (False, "")


def test_no_singular_is_told_where_the_spelling_does_not_tell() -> None:
    """`cookies` is no plural of `cooky`, and `knives` may be one of `knife` or `knive`."""
    assert [singular_of(word) for word in ("cookies", "cherries", "knives", "people")] == ["cookie", "cherry", "", ""]


def test_units_have_plurals() -> None:
    """Units have English plurals."""
    assert [plural_unit(unit) for unit in ("foot", "century", "day", "inch", "hour")] == [
        "feet", "centuries", "days", "inches", "hours",
    ]  # fmt: skip
