"""Tests of statement insertion: a statement is inserted where its meaning is unambiguous, or not at all."""

from generators.flaws.solution.example_solutions import example_source
from generators.variants.text.insertion import (
    asks,
    can_follow,
    inputs_below,
    is_already_stated,
    mentions_of,
    names_period,
    spans_time,
)
from generators.variants.variant_source import VariantSubject
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


def follows(sentence_number: int, statement: str, variable: str = "made", question: str = QUESTION) -> bool:
    """Tell whether a statement of a variable can stand behind a sentence of a problem."""
    problem = subject(question)
    given = mentions_of(problem, inputs_below(problem, variable)) or []
    return can_follow(problem.question, problem.question.sentences[sentence_number], statement, given)


def test_a_statement_does_not_follow_a_sentence_that_goes_on() -> None:
    """Where the sentence counts something else behind, only words of its own numbers make clear what is meant."""
    on = "Mia has 4 boxes. Each box holds 12 pens but she lost 9 pens. How many pens has she left?"
    assert not follows(1, "Mia has 48 pens in all.", question=on)
    assert not follows(1, "She packs 48 pens.", question=on)
    assert follows(1, "The boxes held 48 pens.", question=on)


def test_a_total_is_of_all_that_was_told() -> None:
    """A total behind a number that is no part of it would be heard as of that too."""
    early = "Mia lost 9 pens. She had 4 boxes. Each box held 12 pens. How many pens has she left?"
    assert not follows(2, "Mia packed 48 pens in total.", question=early)
    assert follows(2, "The boxes held 48 pens.", question=early)


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
    assert follows(1, statement, question=text) is heard


def test_two_people_make_a_pronoun_unclear() -> None:
    """Of Mia and Ida, `she` may be either."""
    text = (
        "Now Mia meets Ida with 4 boxes. Each of the boxes holds 12 pens. She and Ida lost 9 pens. How many are left?"
    )
    assert not follows(1, "She packs 48 pens.", question=text)
    assert follows(1, "Mia packs 48 pens.", question=text)


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
    priced = subject("The computer's cost is $700 and the lamp costs $20. What do they cost?").question
    assert is_already_stated(priced, "The computer cost $720.")


def test_what_comes_of_a_period_names_it() -> None:
    """Twelve pens a day are no twelve pens in nine days."""
    code = "# L1\na_day = 12 # 12 pens a day\ndays = 9 # 9 days\nmade = a_day * days\n# L2\nhalf = made / 2"
    problem = subject("Mia packs 12 pens a day for 9 days. She sells half of the pens. How many?", code)
    assert spans_time(problem, "made")
    assert not spans_time(problem, "half")
    assert names_period("In 9 days she packs 108 pens.")
    assert not names_period("She packs 108 pens.")
