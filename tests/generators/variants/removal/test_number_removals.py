"""Tests of numbers that go by themselves, and of the words of the sentence that must not be left without one."""

from __future__ import annotations

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.question.vague_context import NumberContext
from generators.variants.removal.number_removals import number_removals
from generators.variants.removal.number_statements import LEADS
from generators.variants.removal.relocated_numbers import (
    NumberElsewhere,
    condition_stated,
    sentence_led,
    sentence_stated,
    stated,
)
from harness.text.number_forms import numbers_at
from harness.text.numbers import mentions
from tests.cases import cases

VALUE = 47


def question_of(text: str) -> LocatedQuestion:
    """Return a question in which the number 47 is an input."""
    mention = next(mention for mention in mentions(text) if mention.readings[0] == VALUE)
    form = next(number.form for number in numbers_at(text, mention.start, VALUE) if number.end == mention.end)
    place = NumberPlace(("given",), VALUE, mention.start, mention.end, form)
    return LocatedQuestion(text, tuple(mentions(text)), (place,), {})


def left_of(text: str) -> set[str]:
    """Return what a text reads without its number 47."""
    question = question_of(text)
    (place,) = question.places
    return {
        f"{text[: removal.start]}{removal.words[0]}{text[removal.end :]}"
        for removal in number_removals(NumberContext(text, place))
    }


@cases(
    ("text", "left"),
    [
        ("Ida sells 47 pens.", "Ida sells pens."),
        ("47 pens are blue.", "Pens are blue."),
        ("Ida has 9 mugs and sells 47 pens.", "Ida has 9 mugs and sells pens."),
        ("Ida invites 47 people from her town.", "Ida invites people from her town."),
    ],
)
def test_what_is_counted_is_still_spoken_of(text: str, left: str) -> None:
    """The noun stays where it is."""
    assert left_of(text) == {left}


@cases(
    "text",
    [
        "In total, Ida and Ulf sold 47 pens.",
        "Ida and Ulf have 47 pens combined.",
        "Leeds has 47 people.",
        "Ida got 47 points fewer in Maths than she got in Arts.",
        "The mill employed 47 workers.",
        "Each purple book has 47 pages.",
        "Ida climbs a ladder, which has 47 steps, every day.",
        "How much is left if she bakes 47 cakes, and Ulf eats one?",
        "How many more pens has Ulf, if Ida has 47 pens?",
        "There are 47 parts and they are each 30 minutes long.",
        "Ida sells 4 pens on Monday, 47 pens on Tuesday and rests.",
        "Ida counts 47 stars in the east and six times that number in the west.",
    ],
)
def test_a_number_stays_where_its_sentence_says_nothing_without_it(text: str) -> None:
    """Totals, inhabitants, numbers that later words mean, and one of two numbers of the same things."""
    assert left_of(text) == set()


def again(text: str, *, led: bool = True) -> set[str]:
    """Return the statements that say the number 47 of a text again, or its sentence `led` by other first words."""
    question = question_of(text)
    (place,) = question.places
    sentence = question.sentence_at(place.start)
    assert sentence is not None
    gone = QuestionEdit(sentence.start, sentence.end, sentence.text, "")
    ways: list[NumberElsewhere] = [
        *stated(question, place),
        *sentence_stated(question, place),
        *(sentence_led(question, [place], gone) if led else ()),
    ]
    return {way.inserted.after.strip() for way in ways if way.manner in LEADS}


@cases(
    ("first", "within"),
    [
        ("Ida sells 47 pens", "Ida sells 47 pens"),
        ("Ida’s cat eats 47 beans", "Ida’s cat eats 47 beans"),
        ("Each box holds 47 pens", "each box holds 47 pens"),
        ("On Monday Ida sells 47 pens", "on Monday Ida sells 47 pens"),
        ("Three years ago, Ida sold 47 pens", "three years ago, Ida sold 47 pens"),
        ("Two-fifths of them eat 47 beans", "two-fifths of them eat 47 beans"),
    ],
)
def test_names_keep_their_capital_behind_the_words_of_a_statement(first: str, within: str) -> None:
    """Only words that are no names lose it."""
    made = again(f"Today Ulf smiles. {first}. The sun shines. How much is that?")
    assert made
    assert all(within in statement for statement in made), made


@cases("first", ["Everyone there eats 47 beans", "Nobody there eats 47 beans"])
def test_a_sentence_is_not_said_again_where_its_first_word_may_be_a_name(first: str) -> None:
    """`Keep in mind that Everyone there` is no English."""
    words = first.split(" ", 1)[1]
    made = again(f"Today Ulf smiles. {first}. The sun shines. How much is that?")
    assert not any(words in statement and not statement.startswith(first) for statement in made), made


def test_a_thing_that_was_new_is_not_said_again_as_new() -> None:
    """`A pen costs` is true of each pen; `a team has won` would be another team."""
    asked = "The sun shines. How much is that?"
    assert not any("a team" in made for made in again(f"Today Ulf smiles. A team has won 47 cups. {asked}", led=False))
    assert any("a pen" in made for made in again(f"Today Ulf smiles. A pen costs $47. {asked}", led=False))


def test_a_statement_does_not_end_in_an_abbreviation() -> None:
    """`There are 47 pens in Mr.` is half of a sentence."""
    made = again("Today Ulf smiles. There are 47 pens and a mug in Mr. Orr's box. The sun shines. How much is that?")
    assert made
    assert not any(statement.endswith("Mr.") for statement in made)


def condition_ways(text: str) -> list[NumberElsewhere]:
    """Return the ways to say the condition that holds the number 47 as a sentence."""
    question = question_of(text)
    return list(condition_stated(question, question.places[0]))


@cases(
    ("text", "said"),
    [
        (
            "Ida has 9 mugs. If she buys 47 pens, how many has she?",
            "Ida has 9 mugs. {}she buys 47 pens. How many has she?",
        ),
        (
            "Ida has 9 mugs. How many has she if Ulf buys 47 pens?",
            "Ida has 9 mugs. {}Ulf buys 47 pens. How many has she?",
        ),
    ],
)
def test_a_condition_is_said_before_the_question(text: str, said: str) -> None:
    """In each manner, the number where it is then, and once."""
    ways = condition_ways(text)
    assert {way.manner for way in ways} == set(LEADS)
    for way in ways:
        edited = EditedQuestion(text, way.edits)
        assert edited.text == said.format(way.manner)
        (number,) = way.numbers
        start, end = edited.inserted(way.inserted, number.start, number.end)
        assert edited.text[start:end] == "47"
        assert not way.again


@cases(
    "text",
    [
        "Ida has 9 mugs. How many would she have if she bought 47 pens?",
        "Ida has 9 mugs. If she would buy 47 pens, how many has she?",
        "Ida has 9 mugs and 47 pens. If she buys 5 more, how many has she?",
        "If Ida has 9 mugs, how many are 47 mugs?",
    ],
)
def test_a_supposed_or_other_condition_is_not_said(text: str) -> None:
    """What is only supposed is no fact, nor is a pronoun behind the question one of somebody who was named before."""
    assert not condition_ways(text)
