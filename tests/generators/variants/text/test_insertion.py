"""Tests of statement insertion: a statement is inserted where its meaning is unambiguous, or not at all."""

from generators.flaws.solution.example_solutions import example_source
from generators.variants.text.insertion import (
    asks,
    can_follow,
    inputs_below,
    insertion,
    is_already_stated,
    mentions_of,
    names_period,
    sentence_before,
    spans_time,
    with_fact,
)
from generators.variants.text.quantity_statements import WrittenSentence
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Fact, FactSource
from harness.text.sentences import Sentence
from tests.cases import cases

CODE = (
    "# L1\nboxes = 4 # 4 boxes\nsize = 12 # 12 pens a box\nmade = boxes * size\n"
    "# L2\nlost = 9 # 9 pens lost\nleft = made - lost"
)
QUESTION = "Mia has 4 boxes. Each box holds 12 pens. She lost 9 pens. How many pens has she left?"


def subject(question: str = QUESTION, code: str = CODE) -> VariantSubject:
    """Return a problem."""
    return VariantSubject(example_source(code, question))


def place_of(problem: VariantSubject, variable: str, statement: str) -> str | None:
    """Return the sentence that a statement stands behind, `None` where it stands nowhere."""
    given = mentions_of(problem, inputs_below(problem, variable))
    sentence = sentence_before(problem.question, given) if given else None
    if given is None or sentence is None or not can_follow(problem.question, sentence, statement, given):
        return None
    return sentence.text


def test_a_statement_stands_behind_the_last_number_it_needs() -> None:
    """Not before it could be known, and not after something else has changed it."""
    assert place_of(subject(), "made", "Mia has 48 pens.") == "Each box holds 12 pens."
    assert place_of(subject(), "left", "Mia has 39 pens left.") == "She lost 9 pens."


def test_a_statement_never_stands_behind_the_question() -> None:
    """What the question itself gives is no ground for a sentence before it."""
    asked = "Mia has 4 boxes. How many pens has she if each box holds 12 pens and she lost 9 pens?"
    assert place_of(subject(asked), "made", "Mia has 48 pens.") is None


def test_a_statement_does_not_follow_a_sentence_that_goes_on() -> None:
    """Where the sentence counts something else behind, the statement would be heard as about that too."""
    on = "Mia has 4 boxes. Each box holds 12 pens but she lost 9 pens. How many pens has she left?"
    assert place_of(subject(on), "made", "Mia has 48 pens.") is None


def test_a_total_is_of_all_that_was_told() -> None:
    """A total behind a number that is no part of it would be heard as of that too."""
    early = "Mia lost 9 pens. She had 4 boxes. Each box held 12 pens. How many pens has she left?"
    assert place_of(subject(early), "made", "Mia packed 48 pens in total.") is None
    assert place_of(subject(early), "made", "The boxes held 48 pens.") == "Each box held 12 pens."


@cases(
    ("statement", "heard"),
    [
        ("She has 48 pens.", True),
        ("He has 48 pens.", False),
        ("They have 48 pens.", False),
        ("It holds 48 pens.", False),
        ("Mia put 48 pens in her boxes.", True),
    ],
)
def test_pronouns_must_have_somebody_to_mean(statement: str, heard: bool) -> None:
    """`She` is Mia; there is no `he`, and nobody are `they`."""
    text = "Mia has 4 boxes of hers. Each of her boxes holds 12 pens. She lost 9 pens. How many pens has she left?"
    assert (place_of(subject(text), "made", statement) is not None) is heard


def test_two_people_make_a_pronoun_unclear() -> None:
    """Of Mia and Ida, `she` may be either."""
    text = (
        "Now Mia meets Ida with 4 boxes. Each of the boxes holds 12 pens. She and Ida lost 9 pens. How many are left?"
    )
    assert place_of(subject(text), "made", "She packs 48 pens.") is None
    assert place_of(subject(text), "made", "Mia packs 48 pens.") is not None


def test_requests_ask_too() -> None:
    """Not only what ends in a question mark."""
    for text in ("How many?", "If Mia has 4 pens, calculate the price.", "Find it."):
        assert asks(Sentence(0, len(text), text))
    assert not asks(Sentence(0, 10, "Mia found 3 pens."))


def test_words_that_a_number_of_the_question_has_are_not_stated_again() -> None:
    """`Mia buys 48 pens` is heard as another number of pens where she buys 12 pens; a question would be answered."""
    question = subject("Mia buys 12 pens. How many pens does Ida sell?").question
    assert is_already_stated(question, "Mia buys 48 pens.")
    assert is_already_stated(question, "Ida sells 48 pens.")
    assert not is_already_stated(question, "Mia paints 48 pens.")


def test_what_comes_of_a_period_names_it() -> None:
    """Twelve pens a day are no twelve pens in nine days."""
    code = "# L1\na_day = 12 # 12 pens a day\ndays = 9 # 9 days\nmade = a_day * days\n# L2\nhalf = made / 2"
    problem = subject("Mia packs 12 pens a day for 9 days. She sells half of the pens. How many?", code)
    assert spans_time(problem, "made")
    assert not spans_time(problem, "half")
    assert names_period("In 9 days she packs 108 pens.")
    assert not names_period("She packs 108 pens.")


def test_facts_move_with_what_is_put_in() -> None:
    """Each fact's span, the new one's too, is where its number stands in the edited text."""
    problem = subject()
    sentence = problem.question.sentences[0]
    stated = WrittenSentence("She has 48 pens.", 8, 10)
    edit = insertion(sentence, stated)
    system = with_fact(problem, edit, stated, Fact("stated:made", "made", 48, FactSource.TEXT, stated.text))
    text = QUESTION[: edit.start] + edit.after + QUESTION[edit.start :]
    assert {fact.name: text[slice(*fact.span)] for fact in system.facts if fact.span} == {
        "fact:boxes": "4",
        "fact:size": "12",
        "fact:lost": "9",
        "stated:made": "48",
    }
