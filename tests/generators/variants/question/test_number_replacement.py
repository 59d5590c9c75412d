"""Tests of number replacement: the question stays correct English when one of its numbers changes."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from hypothesis import assume, given, strategies as st

from generators.variants.question.input_places import NumberPlace
from generators.variants.question.number_replacement import number_edit
from generators.variants.question.question_edit import EditedQuestion
from harness.domain import Exact
from harness.text.number_forms import written_number
from harness.text.numbers import mentions, whole_as_int


def place_in(text: str, value: Exact) -> NumberPlace:
    """The place of the first number of a text that can say a value."""
    for mention in mentions(text):
        found = written_number(text, mention, value)
        if found is not None and found.form is not None:
            return NumberPlace(("given",), value, found.start, found.end, found.form)
    message = f"{text!r} does not say {value}"
    raise ValueError(message)


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
