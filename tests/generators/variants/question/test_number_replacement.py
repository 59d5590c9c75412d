"""Tests of number replacement: the question stays correct English when one of its numbers changes."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from hypothesis import assume, given, strategies as st

from generators.formalizations.written_numbers import written_number
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.number_replacement import number_edit
from generators.variants.question.question_edit import EditedQuestion
from harness.domain import Exact
from harness.text.numbers import mentions, whole_as_int
from tests.cases import cases

HALF = Fraction(1, 2)


def place_in(text: str, value: Exact) -> NumberPlace:
    """The place of the first number of a text that can say a value."""
    for mention in mentions(text):
        found = written_number(text, mention, value)
        if found is not None and found.form is not None:
            return NumberPlace(("given",), value, found.start, found.end, found.form)
    message = f"{text!r} does not say {value}"
    raise ValueError(message)


@cases(
    ("text", "before", "after", "expected"),
    [
        ("She has 12 hens.", 12, 15, "She has 15 hens."),
        ("Twelve hens lay.", 12, 24, "Twenty-four hens lay."),
        ("It is an 8-foot pole.", 8, 11, "It is an 11-foot pole."),
        ("It costs $3.", 3, Fraction(7, 2), "It costs $3.50."),
        ("It costs $3.50.", Fraction(7, 2), 4, "It costs $4.00."),
        ("It costs 50 cents.", HALF, Fraction(3, 4), "It costs 75 cents."),
        ("He sold 25% of it.", Fraction(1, 4), Fraction(3, 5), "He sold 60% of it."),
        ("He ran 2 1/2 miles.", Fraction(5, 2), Fraction(13, 4), "He ran 3 1/4 miles."),
        ("She ate 2/3 of it.", Fraction(2, 3), HALF, "She ate 1/2 of it."),
        ("He left a $5 tip.", 5, 8, None),
        ("She has 12 hens.", 12, 1, None),
        ("She has 12 hens.", 12, 0, None),
        ("It costs $3.", 3, Fraction(10, 3), None),
        ("She has double that.", 2, 9, None),
    ],
)
def test_the_form_is_kept_or_the_edit_refused(text: str, before: Exact, after: Exact, expected: str | None) -> None:
    """What the form cannot say, or an article or a noun would have to agree with, is refused."""
    edit = number_edit(text, place_in(text, before), after)
    assert (None if edit is None else EditedQuestion(text, (edit,)).text) == expected


WHOLES = st.integers(2, 130)
SHARES = st.builds(Fraction, st.integers(1, 19), st.just(20))
PARTS = st.builds(lambda top, size: whole_as_int(Fraction(top, size + 1)), st.integers(1, 9), st.integers(1, 9)).filter(
    lambda part: part < 1
)
SENTENCES: dict[str, tuple[st.SearchStrategy[Exact], Callable[[Exact], str]]] = {
    "It has {} legs and a hat.": (WHOLES, str),
    "There are {} of them.": (WHOLES, str),
    "He took a {}-inch board.": (WHOLES.filter(lambda value: value not in {8, 11, 18} and not 80 <= value < 90), str),
    "He paid ${} for 1,200 pins.": (
        st.builds(Fraction, st.integers(1, 9999), st.just(100)),
        lambda value: f"{float(value):.2f}",
    ),
    "He walked {} hours on it.": (st.integers(2, 30), str),
    "She sold {}% of them.": (SHARES, lambda value: str(int(value * 100))),
    "She sold {} of them.": (PARTS, str),
}


@st.composite
def places(draw: st.DrawFn) -> tuple[str, NumberPlace, Exact]:
    """A sentence, the place of its number, and another value of the kind."""
    pattern = draw(st.sampled_from(sorted(SENTENCES)))
    values, write = SENTENCES[pattern]
    before: Exact = draw(values)
    text = pattern.format(write(before))
    return text, place_in(text, whole_as_int(before)), whole_as_int(draw(values))


@given(places())
def test_there_and_back(drawn: tuple[str, NumberPlace, Exact]) -> None:
    """Where the number moved to, the text says the new value; writing the old one in the same form gives the original."""
    text, place, value = drawn
    edit = number_edit(text, place, value)
    assume(edit is not None)
    assert edit is not None
    edited = EditedQuestion(text, (edit,))
    start, end = edited.inserted(edit, 0, len(edit.after))
    (mention,) = (mention for mention in mentions(edited.text) if mention.start <= start and end <= mention.end)
    found = written_number(edited.text, mention, value)
    assert found is not None
    assert (found.start, found.end) == (start, end)
    back = number_edit(edited.text, replace(place, value=value, start=start, end=end), place.value)
    assert back is not None
    assert EditedQuestion(edited.text, (back,)).text == text
