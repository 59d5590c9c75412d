"""Tests of number agreement: a noun takes the form that its number requires, and other words do not change."""

from hypothesis import given, strategies as st

from harness.text.nouns import agree_with_number
from tests.cases import cases

VOCABULARY = frozenset(
    ["apples", "boxes", "children", "people", "feet", "days", "they", "them", "as", "toes", "theirs", "we", "pies"]
)
TO_ONE = {
    " apples.": " apple.",
    " boxes of nails": " box of nails",
    " cookies": " cookie",
    " knives": " knife",
    " children play": " child play",
    " people": " person",
    " men": " man",
    " feet of rope": " foot of rope",
    " times as many": " time as many",
    " hours": " hour",
    " glasses": " glass",
}
KEPT_AT_ONE = [
    "",
    " ",
    ".",
    " red apples",
    "apples",
    "  apples",
    "\napples",
    " is 5",
    " its",
    " as many",
    " us",
    " glass",
    " this",
    " bus",
    " always",
    " across",
    " has",
    " was",
    " less",
    " Chris",
    " Apples",
    " hours' work",
    " does",
    " plus 5",
    " apples2",
    " pommes_de_terre",
    " series",
    " lens",
]
TO_MANY = {
    " apple.": " apples.",
    " box": " boxes",
    " child": " children",
    " person": " people",
    " foot": " feet",
    " day": " days",
}
KEPT_AT_MANY = [
    " large apple",
    " a piece",
    " she eats",
    " it",
    " her",
    " him",
    " to",
    " his",
    " i",
    " Box",
    " pear",
    " of",
    "",
    " box's",
    " apples",
]


@cases("words", TO_ONE)
def test_a_noun_becomes_singular(words: str) -> None:
    """Where the number became one, fractions and zero being plural."""
    assert {agree_with_number(words, before, 1, frozenset()) for before in (0, 2, -1, 7)} == {TO_ONE[words]}


@cases("words", KEPT_AT_ONE)
def test_what_is_no_plural_noun_is_kept(words: str) -> None:
    """Verbs, pronouns, names, singulars in s, possessives, and what does not follow right after one space."""
    assert agree_with_number(words, 5, 1, VOCABULARY) == words


@cases("words", TO_MANY)
def test_a_noun_of_the_problem_becomes_plural(words: str) -> None:
    """Where the number ceased to be one and the problem has the plural."""
    assert agree_with_number(words, 1, 5, VOCABULARY) == TO_MANY[words]


@cases("words", KEPT_AT_MANY)
def test_what_the_problem_has_no_plural_of_is_kept(words: str) -> None:
    """Nor do articles and pronouns change, even where the problem has what would become of them."""
    assert agree_with_number(words, 1, 5, VOCABULARY) == words


@cases(("before", "after"), [(1, 1), (2, 3), (0, 2), (5, -1)])
@cases("words", [" apples", " box"])
def test_between_ones_or_between_manies_nothing_changes(before: int, after: int, words: str) -> None:
    """Only becoming one or ceasing to be one changes a noun."""
    assert agree_with_number(words, before, after, VOCABULARY) == words


@given(st.text(max_size=20) | st.from_regex(r" [a-z]{1,12}( [a-z]+)?", fullmatch=True), st.booleans())
def test_any_words_agree(words: str, to_one: bool) -> None:
    """Whatever follows a number, all but its first word is kept."""
    changed = agree_with_number(words, 2 if to_one else 1, 1 if to_one else 2, VOCABULARY)
    rest = words[1:].partition(" ")[2]
    assert changed.endswith(rest)
