"""Tests of removed clauses and sentences: what is left reads well, lacks a needed value and refers to nothing that went."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from generators.flaws.solution.example_solutions import example_source
from generators.variants.operators.removed_sentence import removed_sentence
from generators.variants.removal.underspecification import leaves_answer, leaves_sum
from generators.variants.variant_proposal import VariantProposal
from generators.variants.variant_source import VariantSubject

if TYPE_CHECKING:
    from generators.variants.variant_operator import VariantOperator

MUGS = (
    "# L1\nboxes = 4  # 4 boxes of mugs\nper_box = 6  # each box holds 6 mugs\nmugs = boxes * per_box\n"
    "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken"
)
STATED_AGAIN = re.compile(
    r" (?:To be clear,|Note that|Keep in mind that) [^.]*\.|(?:,| \() ?(?:given|assuming|assume) [^.?)]*\)?"
)


def subject_of(code: str, question: str) -> VariantSubject:
    """Return a problem of code and question."""
    return VariantSubject(example_source(code, question))


def proposals(operator: VariantOperator, code: str, question: str) -> list[VariantProposal]:
    """Return what an operator makes of a problem in several draws."""
    subject = subject_of(code, question)
    found = [variant for seed in range(40) for variant in operator.variants(subject, Random(seed))]
    return [variant for variant in found if isinstance(variant, VariantProposal)]


def texts(operator: VariantOperator, code: str, question: str, *, twins: bool = False) -> set[str]:
    """Return the texts of the variants without the number that they state again, or the texts of their near-twins."""
    return {
        proposal.text if twins else STATED_AGAIN.sub("", proposal.text)
        for proposal in proposals(operator, code, question)
        if (proposal.twin is not None) is twins
    }


MUGS_ASKED = "Ida carries 4 boxes of mugs. Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?"


def test_a_rate_goes_as_a_sentence_and_its_twin_says_it_elsewhere() -> None:
    """The boxes are still there, so that what each holds is missed; the twin says it in other words or before the question."""
    made = texts(removed_sentence, MUGS, MUGS_ASKED)
    assert made == {
        "Ida carries 4 boxes of mugs. On the way, 5 mugs break. How many mugs are whole?",
        "Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
    }
    twins = texts(removed_sentence, MUGS, MUGS_ASKED, twins=True)
    start, end = "Ida carries 4 boxes of mugs.", "On the way, 5 mugs break."
    assert {
        f"{start} {end} Note that each box holds 6 mugs. How many mugs are whole?",
        f"{start} Note that each box holds 6 mugs. {end} How many mugs are whole?",
    } <= twins


@pytest.mark.parametrize(
    ("code", "question"),
    [
        (
            MUGS.replace("broken", "sold"),
            "Ida carries 4 boxes of mugs. Each box holds 6 mugs. It sells 5 of them. How many mugs are left?",
        ),
        (
            "# L1\nhad = 9  # 9 pens\ngot = 5  # got 5 more\nall = had + got\n# L2\nlost = 2  # lost 2\nleft = all - lost",
            "Ida has 9 pens. Ida buys 5 more pens. Ida loses 2 of the pens. How many pens has Ida?",
        ),
        (
            "# L1\njars = 3  # 3 jars\neach = 7  # 7 beans in each\nmore = jars * each\n# L2\nhad = 9  # 9 beans\nall = had + more",
            "Ida has 9 beans. Ida also finds 3 jars with 7 beans in each jar. How many beans has Ida?",
        ),
    ],
)
def test_what_nobody_would_miss_or_what_the_rest_refers_to_stays(code: str, question: str) -> None:
    """Without an event, another problem would be left that has an answer; a pronoun must keep what it means."""
    assert texts(removed_sentence, code, question) == set()


def test_the_rest_leaves_an_answer_where_only_a_term_went() -> None:
    """3 jars with 7 beans each may go together and leave 9 beans; the 7 alone leave 3 jars without use."""
    code = "# L1\njars = 3  # 3 jars\neach = 7  # 7 beans in each\nmore = jars * each\n# L2\nhad = 9  # 9 beans\nall = had + more"
    subject = subject_of(
        code, "Ida has 9 beans. Ida also finds 3 jars with 7 beans in each jar. How many beans has Ida?"
    )
    places = {place.variables[0]: place for place in subject.question.places}
    assert leaves_answer(subject, places["each"], [places["jars"], places["each"]])
    assert not leaves_answer(subject, places["each"], [places["each"]])


GLASSES = (
    "# L1\nmilk = 120  # 120 ounces of milk\nsyrup = 60  # 60 ounces of syrup\nmilk_per_glass = 6  # 6 ounces of milk a glass\n"
    "syrup_per_glass = 2  # 2 ounces of syrup a glass\nglasses_by_milk = milk / milk_per_glass\n"
    "glasses_by_syrup = syrup / syrup_per_glass\nglasses = min(glasses_by_milk, glasses_by_syrup)\n"
    "# L2\nsize = 8  # 8 ounces a glass\nounces = glasses * size  # ounces"
)


@pytest.mark.parametrize(
    "asked", ["How many ounces in total does Ida get?", "How many ounces does she make altogether?"]
)
def test_amounts_that_a_reader_may_add_are_an_answer(asked: str) -> None:
    """120 and 60 ounces come to 180 where nobody tells what a glass takes and a total is asked for."""
    question = f"Each glass holds 6 ounces of milk and 2 ounces of syrup. Ida fills glasses of 8 ounces. She has 120 ounces of milk and 60 ounces of syrup. {asked}"
    subject = subject_of(GLASSES, question)
    gone = [place for place in subject.question.places if place.start < 60]
    assert leaves_sum(subject, gone)
    assert not leaves_sum(subject_of(GLASSES, question.replace(" in total", "").replace(" altogether", "")), gone)
    assert not any("Each glass holds" not in text for text in texts(removed_sentence, GLASSES, question))
