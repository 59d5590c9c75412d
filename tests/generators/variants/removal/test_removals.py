"""Tests of removed numbers and sentences: what is left reads well, and only a value that a reader misses goes."""

from random import Random

from generators.variants.operators.removed_information import removal_fault
from generators.variants.question_edit import EditedQuestion
from generators.variants.removal.number_removal import unsaid_number, vague_numbers
from generators.variants.values.redundant_numbers import recovery_reason
from generators.variants.variant_operator import VARIANT_OPERATORS, DiscardedVariant, VariantDiscard
from generators.variants.variant_source import VariantSubject
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source

LOSING = ("removed_number", "removed_sentence", "vague_quantity")


def problem(number: str, text: str) -> VariantSubject:
    """Return a problem of one sentence with one number, and its question."""
    code = f"# L1\ngiven = {number}  # {text}\nmore = given + 1\n# L2\nresult = more * 3"
    return VariantSubject(example_source(code, f"{text} How much is that?"))


def ways(number: str, text: str) -> set[str]:
    """Return the sentence without its number, and with vague words for it."""
    subject = problem(number, text)
    return {
        EditedQuestion(text, removal.edits).text
        for place in subject.question.places
        for removal in [unsaid_number(subject, place), *vague_numbers(subject, place)]
        if removal is not None and not recovery_reason(subject, place)
    }


@cases(
    ("number", "text", "expected"),
    [
        ("5", "Ida has 5 red apples.", "Ida has red apples."),
        ("9", "Ida is 9 years older than Ulf.", "Ida is older than Ulf."),
        ("9", "Ida can carry 9 bags of tea.", "Ida can carry bags of tea."),
        ("9", "Ida has 9 fewer pens than Ulf.", "Ida has fewer pens than Ulf."),
        ("8", "Ida sews for 8 hours.", "Ida sews for several hours."),
        ("7", "Ida spends $7 on glue.", "Ida spends some money on glue."),
        ("7", "Ida sells mugs at $7 each.", "Ida sells mugs at a certain price each."),
    ],
)
def test_what_is_left_fits_its_place(number: str, text: str, expected: str) -> None:
    """Nothing, or vague words that agree with the noun after the number and with the words before it."""
    assert expected in ways(number, text)


@cases(
    ("code", "question", "why"),
    [
        (
            "# L1\nducks = 40  # 40 ducks\nhens = 60  # 60 hens\ndouble = ducks * 2\n# L2\nlegs = double + hens",
            "Ida has 100 birds. Ulf feeds 40 ducks. Ida feeds 60 hens. How much is that?",
            VariantDiscard.RECOVERABLE,
        ),
        (
            "# L1\npens = 18  # 18 pens\nzero = pens - pens\n# L2\nhens = 29  # 29 hens\nresult = hens + zero",
            "Ida has 18 pens. Ulf has 29 hens. How many hens has he?",
            VariantDiscard.SAME_ANSWER,
        ),
        (
            "# L1\nprice = 13  # $13\npens = 28  # 28 pens\ncost = price * pens\n# L2\nmore = cost + 1",
            "Pens cost $13 each. How much do 28 pens cost?",
            VariantDiscard.GRAMMAR,
        ),
    ],
)
def test_what_gives_no_variant_says_why(code: str, question: str, why: VariantDiscard) -> None:
    """Other numbers that give the value, an answer without it, and a number that is asked about."""
    subject = VariantSubject(example_source(code, question))
    found = [result for name in LOSING for result in VARIANT_OPERATORS.require(name).variants(subject, Random(3))]
    assert why in {result.discard for result in found if isinstance(result, DiscardedVariant)}


def test_what_leaves_the_bare_question_is_not_removed() -> None:
    """Where no other sentence states a number, a text without the only one that does is no problem."""
    code = "# L1\nprice = 13  # $13\npens = 28  # 28 pens\ncost = price * pens\n# L2\nmore = cost + 1"
    subject = VariantSubject(example_source(code, "Pens cost $13 each. How much do 28 pens cost?"))
    assert removal_fault(subject, subject.question.sentences[0]) == "nothing is left to reckon with"
