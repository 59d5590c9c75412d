"""Tests of input places: the position of each input in a question, and the meaning of the other numbers."""

from fractions import Fraction

from hypothesis import given, strategies as st

from generators.variants.input_places import read_question
from harness.domain import Exact
from harness.solution.trace import TraceEntry, VariableRole
from tests.cases import cases, texts

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def given_as(variable: str, value: Exact, comment: str = "", *, known: bool = False) -> TraceEntry:
    """An input of a solution."""
    role = VariableRole.WORLD_KNOWLEDGE_INPUT if known else VariableRole.QUESTION_INPUT
    return TraceEntry(variable, value, role, "L1", comment=comment)


@cases(
    ("text", "value", "comment", "written"),
    [
        ("A farm has 48 goats.", 48, "48 goats", "48"),
        ("She lays a dozen eggs.", 12, "a dozen eggs", "a dozen"),
        ("He ate half of the pie.", HALF, "half of the pie", "half"),
        ("Ada has twice as many as Bo.", 2, "twice as many", "twice"),
        ("A coat is 25% off.", Fraction(1, 4), "25% off", "25%"),
        ("A coat is 25% off.", 25, "25% off", "25%"),
        ("He ran two and a half miles.", Fraction(5, 2), "two and a half miles", "two and a half"),
        ("An 8-foot pole broke.", 8, "8-foot pole", "8"),
    ],
)
def test_forms_of_places(text: str, value: Exact, comment: str, written: str) -> None:
    """Digits, words, shares, prices and measures are found as they are written."""
    question = read_question(text, [given_as("amount", value, comment)])
    place = question.place_of["amount"]
    assert text[place.start : place.end] == written
    assert place.value == value
    assert place.rewritable
    assert place.form.write(value) == written


def test_numerator_and_denominator_share_a_place() -> None:
    """The inputs 2 and 3 of `2/3` have one place, which can be removed and not rewritten."""
    text = "He sold 2/3 of the hay."
    inputs = [given_as("sold_numerator", 2, "2/3 of the hay"), given_as("sold_denominator", 3, "2/3 of the hay")]
    (place,) = read_question(text, inputs).places
    assert place.variables == ("sold_numerator", "sold_denominator")
    assert (place.value, place.rewritable) == (Fraction(2, 3), False)


def test_knowledge_takes_no_number_of_the_text() -> None:
    """Sixty minutes an hour are not the $60 of the question; `half` as a divisor may be called knowledge."""
    text = "He earns $60 and spends half of it."
    inputs = [given_as("minutes_per_hour", 60, known=True), given_as("half_divisor", 2, "half of it", known=True)]
    question = read_question(text, inputs)
    assert list(question.place_of) == ["half_divisor"]


PIECES = texts(
    """2 | two | $2 | 2% | 2/3 | half | a third | twice | dozen | of | the | one | figs | . | is | 2 1/2 | 2:3 | 2nd"""
)
VALUES = st.sampled_from([0, 1, 2, 3, 12, 24, HALF, THIRD, Fraction(2, 3), Fraction(1, 50), Fraction(5, 2)])


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.lists(st.tuples(VALUES, st.sampled_from(PIECES)), max_size=5))
def test_places_of_any_text(pieces: list[str], stated: list[tuple[Exact, str]]) -> None:
    """Every input has a place or none; places are apart, in order, and say their own value as the text does."""
    text = " ".join(pieces)
    inputs = [given_as(f"input_{number}", value, f"{comment} figs") for number, (value, comment) in enumerate(stated)]
    question = read_question(text, inputs)
    assert question.place_of.keys() | question.unlocated == {entry.variable for entry in inputs}
    assert not question.place_of.keys() & question.unlocated
    end = 0
    for place in question.places:
        assert end <= place.start < place.end
        written = place.form.write(place.value) if place.rewritable else place.form.named
        assert written == text[place.start : place.end]
        end = place.end
