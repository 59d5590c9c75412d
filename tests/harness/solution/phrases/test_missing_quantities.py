"""Tests of the phrases for what an edited problem no longer says: indirect questions made of the clause of the number."""

from pathlib import Path
from random import Random

from hypothesis import given, settings, strategies as st

from harness.corpora.problems import load_corpus
from harness.solution.phrases.missing_quantities import LONGEST, ONE_OF_NUMBERS, missing_phrase
from harness.text.numbers import mentions
from tests.cases import cases


def phrase_of(marked: str) -> str | None:
    """Return the phrase of the number in brackets, which are not in the question."""
    start, end = marked.index("["), marked.index("]") - 1
    return missing_phrase(marked.replace("[", "", 1).replace("]", "", 1), start, end)


@cases(
    ("marked", "phrase"),
    [
        (
            "There are [14] students in the class. How many pens do they have?",
            "how many students there are in the class",
        ),
        ("Ida weighs [70] pounds when she starts. How much is that?", "how many pounds Ida weighs"),
        ("She gives [1/4] of that to a friend. How much is left?", "what part of that she gives to a friend"),
        ("He loses [10%] of his body weight. What does he weigh?", "what percentage of his body weight he loses"),
        ("A pencil costs $2, while a pen costs $[3.50]. What do both cost?", "how much a pen costs"),
        ("She buys 3 pens and [4] pencils. How many things is that?", "how many pencils she buys"),
        ("Kim made [47] more than that. How many is that?", "how many more than that Kim made"),
        ("Kim made [7] more cakes than Bo. How many did she make?", "how many more cakes than Bo Kim made"),
        ("Tom is [6] years older than Amy. How old is he?", "how many years older than Amy Tom is"),
        ("If the elder son is [40] years old, how old is Bo?", "how old the elder son is"),
        ("If each box holds [6] mugs, how many mugs are there?", "how many mugs each box holds"),
        ("In the past week he slept [6] hours. Was it enough?", "how many hours he slept in the past week"),
        ("On Monday, Ida sells [47] pens. How many are left?", "how many pens Ida sells on Monday"),
        ("[100] people decided to sing. How many were silent?", "how many people decided to sing"),
        ("Mr. Lee read [twice] as many books as Ann. How many?", "how many times as many books as Ann Mr. Lee read"),
        ("They sat in rows with [20] seats in each row. How many seats?", "how many seats there are in each row"),
        ("Dan has $ [7]. He spends $ 3. How much is left?", "how much Dan has"),
        ("During the Ark and Tex game they cut prices and sold [9] shirts. How many?", "how many shirts there are"),
        ("Willie has 70 euros. Normally [5] euros is worth 1 dollar. How many?", "one of the numbers of euros"),
        ("Doug has put out [20] fires for the week. How many?", "how many fires Doug has put out for the week"),
        ("They traveled [21] kilometers in that time. How fast?", "how many kilometers they traveled"),
        ("A glass can hold up to [250] milliliters of juice. What?", "how many milliliters of juice a glass can hold"),
        ("She sells jugs at $[6] each. How much does she earn?", None),
        ("The store offers a $[1] discount. What is the price?", None),
        ("He starts at [7]:00. When does he stop?", None),
    ],
)
def test_a_missing_number_is_named_by_the_question_that_it_answers(marked: str, phrase: str | None) -> None:
    """In the words of its clause, and not at all where the clause is not plain."""
    assert phrase_of(marked) == phrase


def is_plain(phrase: str, question: str) -> bool:
    """Tell whether a phrase has no number, no quotation mark and no word that neither the question nor the frame has."""
    frame = {"how", "many", "much", "what", "part", "percentage", "times", "there", "are", *ONE_OF_NUMBERS.split()}
    words = {word.strip(".,?!") for word in question.lower().split()} | frame
    foreign = [word for word in phrase.lower().split() if word.strip(".,?!") not in words]
    return (
        not mentions(phrase.removeprefix(ONE_OF_NUMBERS))
        and '"' not in phrase
        and len(phrase) <= LONGEST
        and not foreign
    )


def test_phrases_have_the_words_of_the_question_only(shared_data: Path) -> None:
    """On real problems: no number is given away, no word is made up, and more than two in five numbers have a phrase."""
    problems = Random(7).sample(load_corpus(str(shared_data / "gsm8k" / "train.jsonl")), 150)
    told = total = 0
    for problem in problems:
        for mention in mentions(problem.question):
            phrase = missing_phrase(problem.question, mention.start, mention.end)
            total, told = total + 1, told + (phrase is not None)
            assert phrase is None or is_plain(phrase, problem.question), (phrase, problem.question)
    assert told > 0.4 * total


@given(st.text(alphabet="ab AB.,?$%-/15[]’é\n", max_size=60), st.integers(0, 60), st.integers(0, 4))
@settings(max_examples=150)
def test_any_text_is_named_or_not(text: str, start: int, length: int) -> None:
    """Whatever the text and the place: a phrase without a number, or none."""
    phrase = missing_phrase(text, start, start + length)
    assert phrase is None or not mentions(phrase.removeprefix(ONE_OF_NUMBERS))
