"""Tests of removable clauses: what is left of a question without one is a sentence that means the same of the rest."""

from __future__ import annotations

from generators.variants.question.clauses import clauses_around, condition_of
from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.vague_context import NumberContext
from generators.variants.removal.dispensable_statements import QuestionStatement, names_of, owner_of
from harness.text.nouns import phrase_at, singular_of
from harness.text.number_forms import numbers_at
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of
from tests.cases import cases


def spot_of(text: str) -> NumberContext:
    """Return the last number of a text with its surroundings."""
    mention = mentions(text)[-1]
    value = mention.readings[0]
    form = next(number.form for number in numbers_at(text, mention.start, value) if number.end == mention.end)
    return NumberContext(text, NumberPlace(("it",), value, mention.start, mention.end, form))


def left_of(text: str) -> set[str]:
    """Return what the text reads without each clause that carries its last number."""
    found = set()
    for clause in clauses_around(spot_of(text)):
        edit = clause.edit(text)
        found.add(f"{text[: edit.start]}{edit.after}{text[edit.end :]}")
    return found


def question_of(text: str) -> LocatedQuestion:
    """Return a question in which no input was located."""
    return LocatedQuestion(text, tuple(mentions(text)), (), {})


@cases(
    ("text", "left"),
    [
        ("Ida has three boxes with 12 sticks in each box.", "Ida has three boxes."),
        (
            "Ida sows 6 rows of beans, each with 9 seeds, and a row of corn.",
            "Ida sows 6 rows of beans and a row of corn.",
        ),
        ("Ida sows 6 rows of beans, each with 9 seeds.", "Ida sows 6 rows of beans."),
        ("The books on four shelves, with 40 pages each, are old.", "The books on four shelves are old."),
        ("Ida buys melons at $3 each.", "Ida buys melons."),
        ("Ida buys melons for $3 each and bakes.", "Ida buys melons and bakes."),
        ("Ida lifts a crate which weighs 20 pounds.", "Ida lifts a crate."),
        ("Ida lifts crates, each weighing 20 pounds.", "Ida lifts crates."),
        ("Ida sings for 5 hours.", "Ida sings."),
        ("Ida sings 3 times a week.", "Ida sings."),
        ("Ida lifts an 8-pound stone.", "Ida lifts a stone."),
        ("Ida eats a 6-ounce egg.", "Ida eats an egg."),
        ("Ida opens a box of 12 pens.", "Ida opens a box of pens."),
        ("Ida goes to the market with $20.", "Ida goes to the market."),
    ],
)
def test_what_is_left_without_a_clause_is_a_sentence(text: str, left: str) -> None:
    """Phrases behind a noun or a verb go with what joins them, and an article fits the word it then stands before."""
    assert left_of(text) == {left}


@cases(
    "text",
    [
        "Ida buys melons at $3 each and plums for a song each.",
        "They sell for $3 each.",
        "Ida has 4 rows of 15 plants each, and she waters them.",
        "Ida buys food for $30 in total a week.",
        "During the first hour Ida walked at 3 miles per hour and during the second hour at 4 miles per hour.",
        "A rabbit can run at 25 miles per hour.",
        "Ida has 4 bags with 20 beans in each bag and six bags with 25 beans in each bag.",
        "Ida pays with 3 coins.",
        "Ida arrives with 8 pens.",
        "A bucket is filled with 4 jugs.",
        "Ida sells packets of 100 grams of salt.",
        "Ida reads the one that has 300 pages.",
        "The melons are priced at $3 each.",
        "Each of which cost $3 each.",
        "Ida only sings for 5 hours, not longer.",
        "Ida walks until she has done a 5-mile run.",
        "Ida drinks from a bottle of 12 percent wine.",
        "The work takes at least 3 days a week.",
    ],
)
def test_a_clause_stays_where_the_rest_would_be_joined_wrongly(text: str) -> None:
    """Nothing goes where what follows would be said of what goes before, or where the head needs the clause."""
    assert left_of(text) == set()


def test_a_condition_is_told_from_what_is_asked() -> None:
    """`If …, how many …?` and `How many … if …?` have a condition; two of them are none."""
    (leading,) = sentences_of("If each box holds 6 mugs, how many mugs are there?")
    found = condition_of(leading)
    assert found is not None
    assert leading.text[found.first : found.last] == "each box holds 6 mugs"
    assert found.asked == "How many mugs are there?"
    (trailing,) = sentences_of("How many mugs are there if each box holds 6 mugs?")
    found = condition_of(trailing)
    assert found is not None
    assert found.asked == "How many mugs are there?"
    (both,) = sentences_of("If Ida sings, how many mugs are there if each box holds 6 mugs?")
    assert condition_of(both) is None


@cases(
    ("before", "words", "behind", "whole"),
    [
        ("Ida buys 4 boxes.", "Each box holds 6 mugs.", "How many mugs has she?", True),
        ("Ida buys 4 boxes.", "Each box holds 6 mugs.", "They are blue. How many mugs has she?", False),
        ("Ida buys 4 boxes.", "A mug costs $6.", "The mug is blue. How much does she pay?", False),
        ("", "Ida buys 4 boxes.", "She paints the lids. How many lids are there?", False),
        ("Ulf and a friend sing.", "Ida buys 4 boxes.", "Half of the boxes are blue. How many are red?", False),
    ],
)
def test_the_rest_is_whole_unless_it_refers_to_what_went(before: str, words: str, behind: str, *, whole: bool) -> None:
    """Pronouns, definite things and persons that only the statement named keep it where it is."""
    assert QuestionStatement(before, words, behind).leaves_whole is whole


def test_a_rate_is_missed_where_its_things_are_spoken_of_and_a_state_where_its_owner_is_asked_about() -> None:
    """Without `Each box holds 6 mugs`, 4 boxes of mugs are a riddle; without `Ida buys 3 more pens`, nothing is missed."""
    assert QuestionStatement("Ida buys 4 boxes.", "Each box holds 6 mugs.", "How many mugs has she?").missed(
        factor=True
    )
    assert not QuestionStatement("Ida buys 4 crates.", "Each box holds 6 mugs.", "How many has she?").missed(
        factor=True
    )
    assert QuestionStatement("Ulf has 5 more pens than Ida.", "Ida has 6 pens.", "How many has Ulf?").missed(
        factor=False
    )
    assert not QuestionStatement("Ulf has 5 pens.", "Ida buys 6 more pens.", "How many pens has Ulf?").missed(
        factor=False
    )
    assert not QuestionStatement("Ida has 4 gallons.", "A gallon is 16 cups.", "How many cups has she?").missed(
        factor=True
    )


MISSED = [
    ("Dorothy spent $53 to buy flour.", "If she sells 25 loaves for $3 each, how much was her profit?"),
    ("Ben paid $100 for it.", "Its value dropped by 25%. How much is it worth now?"),
    ("Anna wears a size 2.", "Becky wears a size three times larger than Anna's. What size does Becky wear?"),
    ("The tallest tree is 150 feet tall.", "The oak is half the height of the tallest tree. How tall is the oak?"),
    ("70 percent of juniors are involved in sports.", "How many juniors are involved in sports?"),
]
NOT_MISSED = [
    ("Dorothy spent $53 to buy flour.", "She paid $5 for salt. If she sells 25 loaves, how much was her profit?"),
    ("Ben paid $100 for it.", "It sells for $90, 10% less. What is its price now?"),
    ("Anna wears a size 2.", "Anna is older than Becky. What size does Becky wear?"),
    ("The tallest tree is 150 feet tall.", "The oak stands beside a bench. How tall is the oak?"),
    ("70 percent of juniors are involved in sports.", "Half of the rest swim. How many swim?"),
]


def test_what_the_rest_counts_with_is_missed() -> None:
    """A cost where a profit is asked, a price of which a share is lost, what another is compared with, the share of what is asked about."""
    assert [words for words, behind in MISSED if not QuestionStatement("", words, behind).missed(factor=False)] == []
    assert [words for words, behind in NOT_MISSED if QuestionStatement("", words, behind).missed(factor=False)] == []


def test_nouns_end_where_their_phrase_ends() -> None:
    """The first plural noun behind a number is its noun, adjectives before it; the phrase is closed before a function word."""
    red = phrase_at("has 5 big red apples on it", 5)
    assert red is not None
    assert (red.noun, red.end, red.closed, red.plain) == ("apple", 20, True, False)
    assert phrase_at("has 5 and sings", 5) is None
    assert phrase_at("costs 5 as always", 7) is None
    assert [singular_of(word) for word in ("boxes", "cookies", "puppies", "knives", "sheep")] == [
        "box",
        "cookie",
        "puppy",
        "",
        "",
    ]


def test_owners_and_names() -> None:
    """The owner of a state is its subject; a word at the start of a sentence is no name of its own."""
    assert owner_of("Each box of tea holds 6 bags.") == "tea"
    assert owner_of("Ida has 6 bags.") == "Ida"
    assert owner_of("Ida juggles with 6 bags.") == ""
    assert names_of("Each day Ida sings. On Monday Ulf sings.") == {"Ida", "Ulf"}


def test_nothing_goes_from_within_a_pair() -> None:
    """Of a bag with 5 red and 9 black beads, the red ones cannot go: the black ones would lie beside the bag."""
    assert left_of("Ida has a bag that contains 5 beads") == set()
    text = "Ida has a bag that contains 5 red beads and nine black beads."
    first = mentions(text)[0]
    form = next(number.form for number in numbers_at(text, first.start, 5) if number.end == first.end)
    assert list(clauses_around(NumberContext(text, NumberPlace(("red",), 5, first.start, first.end, form)))) == []
