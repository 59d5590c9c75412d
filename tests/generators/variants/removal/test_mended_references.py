"""Tests of what becomes of references to a sentence that is removed, and of which sentences a reader would miss."""

from __future__ import annotations

import pytest

from generators.flaws.solution.example_solutions import example_source
from generators.variants.question.question_edit import EditedQuestion
from generators.variants.removal.dispensable_statements import QuestionStatement
from generators.variants.removal.mended_references import mending
from generators.variants.removal.underspecification import is_base_of_rest, is_missed_base
from generators.variants.variant_source import VariantSubject

NAMES = (("Ida", "She", "her"), ("Ulf", "He", "his"))
THINGS = ("pens", "mugs", "melons")


@pytest.mark.parametrize(("name", "pronoun", "owner"), NAMES)
@pytest.mark.parametrize("things", THINGS)
def test_a_pronoun_becomes_the_name_that_went(name: str, pronoun: str, owner: str, things: str) -> None:
    """The first pronoun behind the removed sentence is the name; an owner's is the name's genitive."""
    first = f"{name} has 40 {things}. "
    for rest, mended in (
        (f"{pronoun} gives away 9 {things}. How many {things} are left?", f"{name} gives away 9"),
        (f"{owner.title()} sister takes 9 {things}. How many {things} are left?", f"{name}'s sister takes 9"),
    ):
        edits = mending(f"{first}{rest}", 0, len(first))
        assert edits is not None
        text = EditedQuestion(f"{first}{rest}", edits).text.removeprefix(first)
        assert text.startswith(mended)


@pytest.mark.parametrize(
    "rest",
    [
        "It falls, and 9 pens break. How many pens are left?",
        "They give away 9 pens. How many pens are left?",
        "She gives 9 to Tom. How many pens are left?",
        "Another 9 pens break. How many pens are left?",
        "9 of them break. How many pens are left?",
        "Ola pays a friend to keep them. How many pens are left?",
        "A box takes twice as many pens and costs $9. How many boxes are full?",
        "A box of pens costs $2 less. What does a box cost?",
    ],
)
def test_what_refers_otherwise_is_not_mended(rest: str) -> None:
    """A thing, a group, a number without its noun and an ordinal of a list keep their sentence."""
    first = "Ida has 40 pens. "
    assert mending(f"{first}{rest}", 0, len(first)) is None


@pytest.mark.parametrize(
    "rest",
    [
        "Ulf has 9 more pens than Ida. How many pens do they have?",
        "Ida gives Ulf 9 pens. How many pens has she left?",
        "Ida has 4 times as many mugs as pens. How many mugs has she?",
    ],
)
def test_nothing_is_mended_where_the_name_still_stands_before_its_pronoun(rest: str) -> None:
    """The first sentence goes, and the next one names the same person."""
    first = "Ida has 40 pens. "
    assert mending(f"{first}{rest}", 0, len(first)) == ()


def test_a_pronoun_of_two_persons_is_not_mended() -> None:
    """Nobody is chosen of two names, or of a name and a pronoun of the other gender."""
    for first in ("Ida and Ulf have 40 pens. ", "Ida has 40 pens from his shop. "):
        assert mending(f"{first}She sells 9 pens. How many pens are left?", 0, len(first)) is None


def subject_of(steps: str) -> VariantSubject:
    """Return a problem with the inputs 40, 9 and 3 and other steps."""
    code = f"# L1\nstart = 40  # 40 pens\ngone = 9  # 9 pens\nmore = 3  # 3 pens\n{steps}"
    text = "Ida has 40 pens. Ulf takes 9 pens. Tom brings 3 pens. How many pens are there?"
    return VariantSubject(example_source(code, text))


@pytest.mark.parametrize(
    ("steps", "missed"),
    [
        ("left = start - gone\n# L2\nend = left + more", {"start"}),
        ("left = start + gone\n# L2\nend = left + more", set()),
        ("left = start * gone\n# L2\nend = left + more", set()),
        ("left = start * gone\n# L2\nend = left / more", {"start", "gone", "more"}),
    ],
)
def test_only_what_something_is_taken_from_or_a_factor_of_everything_is_missed(steps: str, missed: set[str]) -> None:
    """A term of a sum leaves no trace where it goes, nor does a product that is only a term."""
    subject = subject_of(steps)
    places = subject.question.place_of
    assert {
        name for name in ("start", "gone", "more") if is_missed_base(subject, places[name], [places[name]])
    } == missed


WAITS = "Each of the kids waits 2 minutes for the swings and 9 minutes for the slide."


@pytest.mark.parametrize("first", ["There are 5 kids.", "5 kids play.", "The kids are 5."])
@pytest.mark.parametrize(
    ("rest", "last", "missed"),
    [
        (f"{WAITS} How many minutes longer is the longer wait?", "slide_minutes - swing_minutes", False),
        (
            "Each of the kids waits 2 minutes for the swings. How many seconds do they wait in all?",
            "swing_minutes * 60",
            True,
        ),
    ],
)
def test_what_is_told_of_each_has_an_answer_without_their_number(
    first: str, rest: str, last: str, missed: bool
) -> None:
    """Where numbers that are left are still added or compared, nobody has to ask how many there are."""
    code = "# L1\nkids = 5  # 5 kids\nswing_wait = 2  # 2 minutes\nswing_minutes = kids * swing_wait\n"
    if "slide" in last:
        code += "slide_wait = 9  # 9 minutes\nslide_minutes = kids * slide_wait\n"
    subject = VariantSubject(example_source(f"{code}# L2\nend = {last}", f"{first} {rest}"))
    place = subject.question.place_of["kids"]
    assert is_base_of_rest(subject, place, QuestionStatement("", first, rest), [place]) is missed
