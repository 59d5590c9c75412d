"""Tests of joined clauses: a sentence or a condition without one of them is the one that its other clauses make."""

from __future__ import annotations

from itertools import product

from generators.variants.question.question_edit import EditedQuestion
from generators.variants.removal.joined_clauses import joined_clauses, joined_conditions
from harness.text.sentences import sentences_of
from tests.cases import cases

CLAUSES = ("Ida has 4 boxes", "each box holds 6 mugs", "a mug costs $3", "Ulf pays for the glue")
ASKED = (("If {}, how many mugs are there?", True), ("How many mugs are there if {}?", True), ("{}.", False))


def joined(clauses: tuple[str, ...]) -> str:
    """Return clauses with commas and `and`, as a sentence joins them."""
    return " and ".join(clauses) if len(clauses) < 3 else ", ".join([*clauses[:-1], f"and {clauses[-1]}"])


def texts() -> list[tuple[str, set[str]]]:
    """Return sentences and conditions of two to four clauses, each with what it is without one of them."""
    found = []
    for (frame, _), count in product(ASKED, range(2, len(CLAUSES) + 1)):
        rests = {joined(CLAUSES[:number] + CLAUSES[number + 1 : count]) for number in range(count)}
        found.append((written(frame, joined(CLAUSES[:count])), {written(frame, rest) for rest in rests}))
    return found


def written(frame: str, said: str) -> str:
    """Return a sentence that says clauses, with a capital at its start."""
    text = frame.format(said)
    return text[0].upper() + text[1:]


@cases(("text", "left"), texts())
def test_the_other_clauses_are_joined_as_if_they_were_alone(text: str, left: set[str]) -> None:
    """Commas and `and` stand where they stand in a sentence of the remaining clauses."""
    (sentence,) = sentences_of(text)
    found = joined_conditions(text, sentence) if sentence.asks else joined_clauses(text, sentence)
    assert {EditedQuestion(text, clause.edits).text.replace(", and ", " and ") for clause in found} == {
        rest.replace(", and ", " and ") for rest in left
    }


@cases(
    "text",
    [
        "If Ida has as many pens as Ann and Bob have, how many pens are there?",
        "If Ida has 4 pens because Ann has 5 pens and Bob has 6 pens, how many pens are there?",
        "If Ida has 4 pens and 5 mugs, how many things are there?",
        "Ida has 4 pens, which cost $3 and she has 5 mugs.",
    ],
)
def test_what_is_no_clause_of_its_own_is_not_parted(text: str) -> None:
    """Two persons of one verb, reasons and things that share a verb stay together."""
    (sentence,) = sentences_of(text)
    assert not list(joined_conditions(text, sentence) if sentence.asks else joined_clauses(text, sentence))
