"""Tests of redundant numbers: exactly the numbers that a question states twice are reported."""

import pytest

from generators.variants.question.input_places import read_question
from generators.variants.question.redundant_numbers import other_form, redundancies_of
from harness.text.numbers import mentions
from tests.cases import cases


def twice(text: str) -> list[tuple[str, str]]:
    """Return what a text says twice: the noun, and the second place or the names."""
    found = redundancies_of(read_question(text, ()))
    return [
        (redundancy.noun, redundancy.names if redundancy.again is None else text[redundancy.again.start :][:12])
        for redundancy in found
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mia writes 3 songs. What do the 3 songs earn?", [("songs", "3 songs earn")]),
        ("Mia has three old boats and sails. All three boats leak.", [("boats", "three boats ")]),
        ("Mia has two brothers, Tom and Jan. Tom is 9.", [("brothers", "Tom and Jan")]),
        ("Mia has three pets named Rex, Tom and Kit.", [("pets", "Rex, Tom and Kit")]),
    ],
)
def test_what_is_said_twice_is_found(text: str, found: list[tuple[str, str]]) -> None:
    """`the 3 songs` are the 3 songs told of; names are counted."""
    assert twice(text) == found


@cases(
    "text",
    [
        "Mia writes 3 songs. Tom writes 3 songs.",
        "Mia writes 3 songs and 4 songs. What do the 3 songs earn?",
        "Mia walks 3 miles. After the 3 miles she rests.",
        "Mia writes the third song. The third song is long.",
        "Mia has three brothers, Tom and Jan.",
        "Mia has 3 boxes of 3 pens. What do the 3 pencils cost?",
        "Mia has one dog. The one dog barks.",
        "Mia paints 2 walls in 3 days. How long do both of them take for the 2 walls?",
    ],
)
def test_what_may_be_something_else_is_not_found(text: str) -> None:
    """Other things of the same number, ordinals, measures, and lists of another length."""
    assert twice(text) == []


def test_a_number_is_spelled_the_other_way() -> None:
    """Digits become words and words digits; at the start of a sentence and beyond a hundred they stay."""
    text = "Mia has 3 songs, four pens and 300 notes. Five birds sing."
    forms = [other_form(text, mention) for mention in mentions(text)]
    assert [None if form is None else form.write(7) for form in forms] == ["seven", "7", None, None]
