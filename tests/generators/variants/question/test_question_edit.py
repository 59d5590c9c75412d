"""Tests of question edits: the text after the edits, and the new positions of unchanged words."""

import pytest
from hypothesis import given, strategies as st

from generators.variants.question.question_edit import EditedQuestion, QuestionEdit


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
