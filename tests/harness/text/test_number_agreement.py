"""Tests of number agreement: a noun takes the form that its number requires, and other words do not change."""

import inflect
from hypothesis import given, strategies as st

from harness.text.nouns import agree_with_number, is_plural, singular_noun
from tests.cases import cases, rows, texts

VOCABULARY = frozenset(
    ["apples", "boxes", "children", "people", "feet", "days", "they", "them", "as", "toes", "theirs", "we", "pies"]
)
TO_ONE = {
    f" {many}": f" {one}"
    for many, one in rows("""apples. → apple. | cookies → cookie | children play → child play | people → person | feet of rope → foot of rope
times as many → time as many | hours → hour""")
}
KEPT_AT_ONE = [
    "apples",
    "\napples",
    " ",
    *(
        f" {words}"
        for words in texts(
            """red apples | is 5 | its | as many | glass | this | has | Apples | does | plus 5 | pommes_de_terre | series"""
        )
    ),
]
KEPT_AT_MANY = [
    "",
    *(f" {words}" for words in texts("""large apple | she eats | it | to | i | Box | of | box's | apples""")),
]
NOUNS = "ache axe berry box bus cache child class cookie foot goose hero lady maze movie penny pie potato prize shoe size slice tie tooth toy watch"


@cases("words", TO_ONE)
def test_a_noun_becomes_singular(words: str) -> None:
    """Where the number became one, fractions and zero being plural."""
    assert {agree_with_number(words, before, 1, frozenset()) for before in (0, 2, -1, 7)} == {TO_ONE[words]}


@cases("words, before, after", [*((words, 5, 1) for words in KEPT_AT_ONE), *((words, 1, 5) for words in KEPT_AT_MANY)])
def test_what_is_no_plural_noun_is_kept(words: str, before: int, after: int) -> None:
    """Verbs, pronouns, articles, names, singulars in s, possessives, and what does not follow right after one space."""
    assert agree_with_number(words, before, after, VOCABULARY) == words


@given(st.text(max_size=20) | st.from_regex(r" [a-z]{1,12}( [a-z]+)?", fullmatch=True), st.booleans())
def test_any_words_agree(words: str, to_one: bool) -> None:
    """Whatever follows a number, all but its first word is kept."""
    changed = agree_with_number(words, 2 if to_one else 1, 1 if to_one else 2, VOCABULARY)
    rest = words[1:].partition(" ")[2]
    assert changed.endswith(rest)


@cases("singular", NOUNS.split())
def test_a_noun_has_one_singular(singular: str) -> None:
    """The plural that a library forms is a plural, and it and the singular have one singular."""
    plural = inflect.engine().plural_noun(singular)
    assert (is_plural(plural), singular_noun(plural), singular_noun(singular)) == (True, singular, singular)
    assert singular_noun(f"gift-{plural}") == f"gift-{singular}"
