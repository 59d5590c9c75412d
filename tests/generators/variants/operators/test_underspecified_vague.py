"""Tests of vague quantities and removed numbers: the words fit their place, and only a value that is missed goes."""

from __future__ import annotations

from random import Random

from generators.flaws.solution.example_solutions import example_source
from generators.variants.operators.removed_number import removed_number
from generators.variants.operators.vague_quantity import vague_quantity
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal
from generators.variants.variant_source import VariantSubject
from tests.cases import cases


def proposals(code: str, question: str, draws: int = 30) -> list[VariantProposal]:
    """Return what the operators make of a problem in several draws."""
    subject = VariantSubject(example_source(code, question))
    found = [
        variant
        for seed in range(draws)
        for operator in (vague_quantity, removed_number)
        for variant in operator.variants(subject, Random(seed))
    ]
    return [variant for variant in found if isinstance(variant, VariantProposal)]


def variants(code: str, question: str) -> set[str]:
    """Return the texts of the underspecified problems."""
    return {proposal.text for proposal in proposals(code, question) if proposal.twin is None}


def discards(code: str, question: str) -> set[tuple[str, VariantDiscard]]:
    """Return what was not made, and why."""
    subject = VariantSubject(example_source(code, question))
    found = [*vague_quantity.variants(subject, Random(0)), *removed_number.variants(subject, Random(0))]
    return {
        (discarded.what.strip(), discarded.discard) for discarded in found if isinstance(discarded, DiscardedVariant)
    }


def ways(number: str, text: str) -> set[str]:
    """Return the texts in which the one number of a sentence is said vaguely."""
    code = f"# L1\ngiven = {number}  # {text}\nmore = given + 1\n# L2\nresult = more * 3"
    return variants(code, f"{text} How much is that?")


@cases(
    ("number", "text", "expected"),
    [
        ("5", "Ida has 5 red apples.", "Ida has red apples. How much is that?"),
        ("5", "Five boys sing.", "Boys sing. How much is that?"),
        ("5", "Ida buys a 5-pound bag.", "Ida buys a bag. How much is that?"),
        ("5", "A group of 5 people sings.", "A group of people sings. How much is that?"),
        ("5", "Ida feeds the 5 goats.", "Ida feeds the goats. How much is that?"),
        ("5", "Ida calls her 5 cousins and a clown.", "Ida calls her cousins and a clown. How much is that?"),
        ("4", "Ida buys another 4 pens.", "Ida buys a few more pens. How much is that?"),
        ("4", "Ida runs every 4 days.", "Ida runs every few days. How much is that?"),
        ("8", "Ida sews for 8 hours.", "Ida sews for several hours. How much is that?"),
        ("8", "Ida eats 8 of them.", "Ida eats several of them. How much is that?"),
        ("3", "Ida has three times as many hens as Ulf.", "Ida has more hens than Ulf. How much is that?"),
        (
            "3",
            "Ida has three times as many hens as Ulf.",
            "Ida has several times as many hens as Ulf. How much is that?",
        ),
        ("9", "Ida is 9 years older than Ulf.", "Ida is older than Ulf. How much is that?"),
        ("9", "Ida has 9 fewer pens than Ulf.", "Ida has fewer pens than Ulf. How much is that?"),
        ("0.25", "Ida eats 1/4 of the plums.", "Ida eats a certain fraction of the plums. How much is that?"),
        ("0.5", "Ida eats half of the plums.", "Ida eats some of the plums. How much is that?"),
        ("25", "Ida eats 25% of the plums.", "Ida eats a certain percentage of the plums. How much is that?"),
        ("20", "Ida gets a 20% increase.", "Ida gets an increase. How much is that?"),
        ("7", "Ida spends $7 on glue.", "Ida spends some money on glue. How much is that?"),
        ("7", "Ida earns $7 an hour.", "Ida earns a certain amount an hour. How much is that?"),
        ("7", "Ida sells mugs at $7 each.", "Ida sells mugs at a certain price each. How much is that?"),
        ("7", "Ida has $7 more than Ulf.", "Ida has more than Ulf. How much is that?"),
    ],
)
def test_vague_words_fit_their_place(number: str, text: str, expected: str) -> None:
    """Vague words agree with the noun behind the number and with the words before it."""
    assert expected in ways(number, text)


@cases(
    ("number", "text"),
    [
        ("5", "Ida walks a 5 mile trail."),
        ("5", "Ida is 5 years old."),
        ("5", "Ida has exactly 5 pens."),
        ("5", "Ida needs more than 5 pens."),
        ("5", "Ida lives in room 5 of the inn."),
        ("5", "Ida walks at an average of 5 miles."),
        ("1", "Ida has 1 pen."),
        ("7", "Ida sleeps 7 days a week."),
        ("12", "A year has 12 months."),
        ("4", "Ida's dog has 4 legs."),
        ("3", "Ida meets 3 friends, Ulf, Ola and Per."),
        ("3", "Ida has 3 hens: a red, a white and a grey."),
        ("5", "Ida has a $5 bill."),
        ("5", "Ida gets half an hour off and 5 to 7 pens."),
    ],
)
def test_nothing_is_made_where_words_do_not_fit_or_the_reader_knows(number: str, text: str) -> None:
    """A number that can neither go nor become vague, or that is known without being told, stays."""
    assert ways(number, text) == set()


def test_what_is_asked_is_not_made_vague() -> None:
    """A number in what the question asks about stays; one in its condition becomes vague words, and does not only go."""
    code = "# L1\nprice = 3  # $3\npens = 8  # 8 pens\ncost = price * pens\n# L2\nmore = cost + 1"
    asked = "Pens cost $3 each. How much do 8 pens cost?"
    assert {text for text in variants(code, asked) if "8" not in text} == set()
    condition = "Pens cost $3 each. How much does Ida pay if she buys 8 pens?"
    assert any("if she buys" in text and "8" not in text for text in variants(code, condition))
    assert not any("if she buys pens" in text for text in variants(code, condition))


def test_an_unused_number_that_gives_the_value_discards_it() -> None:
    """Where 40 of 100 birds are ducks and 60 are hens, neither the 40 nor the 60 is missed."""
    code = "# L1\nducks = 40  # 40 ducks\nhens = 60  # 60 hens\ndouble = ducks * 2\n# L2\nlegs = double + hens"
    question = "Of 100 birds, 40 ducks swim and 60 hens walk. How much is that?"
    assert variants(code, question) == set()
    assert ("40", VariantDiscard.RECOVERABLE) in discards(code, question)


def test_a_value_that_does_not_matter_discards_it() -> None:
    """Without effect on the answer, a vague value leaves the problem solvable."""
    code = "# L1\npens = 8  # 8 pens\nzero = pens - pens\n# L2\nhens = 9  # 9 hens\nresult = hens + zero"
    question = "Ida has 8 pens and 9 hens. How many hens has she?"
    assert ("8", VariantDiscard.SAME_ANSWER) in discards(code, question)
