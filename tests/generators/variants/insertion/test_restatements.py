"""Tests of restatements: a sentence repeats an input with the same meaning."""

from random import Random

from generators.variants.insertion.restatements import restatements
from generators.variants.question.input_places import LocatedQuestion, read_question
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.numbers import mentions
from tests.cases import cases

ASKED = " How many are there?"


def question_of(text: str, comment: str, value: int) -> LocatedQuestion:
    """Return a question with one located input."""
    return read_question(text, (TraceEntry("given", value, VariableRole.QUESTION_INPUT, "L1", None, comment),))


def said_again(text: str, comment: str, value: int) -> set[str]:
    """Return the sentences that say the input again, over some seeds."""
    question = question_of(text, comment, value)
    place = question.place_of["given"]
    found: set[str] = set()
    for seed in range(40):
        for restatement in restatements(question, place, "given", Random(seed)):
            written = restatement.statement.write(value)
            assert written is not None
            assert [mention.readings[0] for mention in mentions(written.text) if mention.start == written.start] == [
                value
            ]
            found.add(written.text)
    return found


@cases(
    ("text", "comment", "sentence"),
    [
        (
            "There are 12 pens in a box, and the box is blue.",
            "12 pens in a box",
            "To be clear, there are 12 pens in a box.",
        ),
        ("Ann has 12 pens and Tom has 9 pens.", "12 pens of Ann", "To be clear, Ann has 12 pens."),
        (
            "Ann sold 12 pens. She is nice.",
            "12 pens sold",
            "Remember that Ann sold 12 pens.",
        ),
    ],
)
def test_an_input_is_said_again(text: str, comment: str, sentence: str) -> None:
    """After words that announce it, or as a reminder."""
    assert sentence in said_again(text + ASKED, comment, 12)


@cases(
    "text",
    [
        "If Ann has 12 pens, she sells them.",
        "Ann has about 12 pens.",
        "12 pens are sold.",
        "Ann has 12-inch pens.",
        "Ann has 12 and a half pens.",
        "Ann has 12 pens (and a box).",
        "Ann has 12 pens, Tom has 9 pens, Ida has 8 pens.",
        "They have 12 pens.",
        'Ann said "I have 12 pens."',
        "Find the price of 12 pens.",
    ],
)
def test_what_would_mean_something_else_is_not_said_again(text: str) -> None:
    """Conditions, estimates, parts of names and sentences without a subject of their own."""
    question = question_of(text + ASKED, "12 pens", 12)
    place = question.place_of.get("given")
    assert place is None or not list(restatements(question, place, "given", Random(0)))


def test_two_people_do_not_become_one() -> None:
    """Of `Ann and Tom found`, `Tom found` is no clause."""
    again = said_again("Ann and Tom found 12 pens. The pens are blue." + ASKED, "12 pens", 12)
    assert again
    assert all("Ann and Tom" in text for text in again)


@cases("text", ["Each box holds 12 pens.", "Ann gave him 12 pens.", "On Monday there were 12 pens left."])
def test_a_whole_sentence_does_not_stand_right_after_itself(text: str) -> None:
    """With nothing between the two, it is not said at all."""
    assert not any(sentence.endswith(text[1:]) for sentence in said_again(text + ASKED, "12 pens", 12))


@cases("verb", ["has", "holds", "keeps", "stores", "carries"])
def test_what_may_have_changed_since_is_no_reminder(verb: str) -> None:
    """After `Tom takes 5 of them`, Ann may well have another number of pens."""
    text = f"Ann {verb} 12 pens, and Ida is there. Tom takes 5 of them."
    again = said_again(text + ASKED, "12 pens", 12)
    assert again == {f"To be clear, Ann {verb} 12 pens."}
    reminded = said_again(text.replace(verb, "sold") + ASKED, "12 pens", 12)
    assert any(not variant.startswith("To be clear") for variant in reminded)
