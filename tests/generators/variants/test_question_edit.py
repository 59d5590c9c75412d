"""Tests of question edits: the text after the edits, the new positions of unchanged words, and correct English after one number changes."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, strategies as st

from generators.variants.input_places import NumberPlace
from generators.variants.question_edit import EditedQuestion, QuestionEdit, number_edit
from harness.domain import Exact
from harness.text.number_forms import number_notation
from harness.text.numbers import mentions, whole_as_int


@st.composite
def edited_texts(draw: st.DrawFn) -> EditedQuestion:
    """A text with edits in order that do not overlap."""
    text = draw(st.text("ab 1", max_size=24))
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    spans = zip(places[::2], places[1::2], strict=False)
    return EditedQuestion(
        text, tuple(QuestionEdit(start, end, text[start:end], draw(st.text("xyz", max_size=4))) for start, end in spans)
    )


@given(edited_texts())
def test_undoing_edits(edited: EditedQuestion) -> None:
    """The same edits backwards give the original."""
    back = []
    for edit in edited.edits:
        start, end = edited.inserted(edit, 0, len(edit.after))
        back.append(QuestionEdit(start, end, edit.after, edit.before))
    assert EditedQuestion(edited.text, tuple(back)).text == edited.original


@given(edited_texts(), st.data())
def test_words_apart_from_edits_only_move(edited: EditedQuestion, data: st.DataObject) -> None:
    """A span that no edit touches reads the same where it moved to; one that an edit touches has no place."""
    start = data.draw(st.integers(0, len(edited.original)))
    end = data.draw(st.integers(start, len(edited.original)))
    moved = edited.moved(start, end)
    touched = any(edit.start < end and start < edit.end for edit in edited.edits)
    assert (moved is None) == touched
    if moved is not None:
        assert edited.text[moved[0] : moved[1]] == edited.original[start:end]


@pytest.mark.parametrize(
    "edits",
    [
        (QuestionEdit(0, 2, "xx", "y"),),
        (QuestionEdit(3, 4, "d", ""), QuestionEdit(0, 1, "a", "")),
        (QuestionEdit(0, 2, "ab", ""), QuestionEdit(1, 3, "bc", "")),
        (QuestionEdit(2, 1, "", ""),),
    ],
)
def test_edits_of_another_text_or_out_of_order(edits: tuple[QuestionEdit, ...]) -> None:
    """Edits that say what does not stand there, overlap or are out of order are refused."""
    with pytest.raises(ValueError, match="is not an edit of"):
        EditedQuestion("abcd", edits)


def place_in(text: str, value: Exact) -> NumberPlace:
    """The place of the first number of a text that can say a value."""
    for mention in mentions(text):
        found = number_notation(text, mention, value)
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
    found = number_notation(edited.text, mention, value)
    assert found is not None
    assert (found.start, found.end) == (start, end)
    back = number_edit(edited.text, replace(place, value=value, start=start, end=end), place.value)
    assert back is not None
    assert EditedQuestion(edited.text, (back,)).text == text
