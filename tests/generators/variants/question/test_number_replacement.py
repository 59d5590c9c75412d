"""Tests of number replacement: the question stays correct English when one of its numbers changes."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, strategies as st

from generators.formalizations.written_numbers import written_number
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.number_replacement import RewriteError, replacement_edits
from generators.variants.question.question_edit import EditedQuestion
from harness.domain import Exact
from harness.text.numbers import mentions, whole_as_int
from tests.cases import cases

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def place_in(text: str, value: Exact) -> NumberPlace:
    """The place of the first number of a text that can say a value."""
    for mention in mentions(text):
        found = written_number(text, mention, value)
        if found is not None and found.form is not None:
            return NumberPlace(("given",), value, found.start, found.end, found.form)
    message = f"{text!r} does not say {value}"
    raise ValueError(message)


def rewriting(text: str, before: Exact, after: Exact) -> str:
    """A text with another value."""
    return EditedQuestion(text, replacement_edits(text, place_in(text, before), after)).text


@cases(
    ("text", "before", "after", "expected"),
    [
        ("She has 12 hens.", 12, 15, "She has 15 hens."),
        ("Twelve hens lay.", 12, 24, "Twenty-four hens lay."),
        ("It is an 8-foot pole.", 8, 9, "It is a 9-foot pole."),
        ("He left a $5 tip.", 5, 8, "He left an $8 tip."),
        ("He left an 80% tip.", Fraction(4, 5), Fraction(1, 5), "He left a 20% tip."),
        ("She walks for 3 hours.", 3, 1, "She walks for 1 hour."),
        ("It is 4 feet long.", 4, 1, "It is 1 foot long."),
        ("It holds 3 kg of it.", 3, 1, "It holds 1 kg of it."),
        ("A 3-hour talk began.", 3, 1, "A 1-hour talk began."),
        ("It costs $3.", 3, Fraction(7, 2), "It costs $3.50."),
        ("It costs $3.50.", Fraction(7, 2), 4, "It costs $4.00."),
        ("It costs 50 cents.", HALF, Fraction(3, 4), "It costs 75 cents."),
        ("He sold 25% of it.", Fraction(1, 4), Fraction(3, 5), "He sold 60% of it."),
        ("He ate half of it.", HALF, THIRD, "He ate one-third of it."),
        ("He ate a third of it.", THIRD, Fraction(1, 8), "He ate an eighth of it."),
        ("She has twice as many.", 2, 4, "She has four times as many."),
        ("He ran 2 1/2 miles.", Fraction(5, 2), Fraction(13, 4), "He ran 3 1/4 miles."),
        ("She ate 2/3 of it.", Fraction(2, 3), HALF, "She ate 1/2 of it."),
    ],
)
def test_rewriting(text: str, before: Exact, after: Exact, expected: str) -> None:
    """The form is kept, and article, unit and capital agree with the new number."""
    assert rewriting(text, before, after) == expected


@cases(
    ("text", "before", "after"),
    [
        ("She has 12 hens.", 12, 1),
        ("She walks the 3 hours.", 3, 1),
        ("There are 3 hours left.", 3, 1),
        ("She has 12 hens.", 12, Fraction(25, 2)),
        ("She has 12 hens.", 12, 0),
        ("It costs $3.", 3, Fraction(10, 3)),
        ("It costs 50 cents.", HALF, Fraction(3, 2)),
        ("He sold 25% of it.", Fraction(1, 4), Fraction(6, 5)),
        ("He ate half his lunch.", HALF, THIRD),
        ("She has twice as many.", 2, 1),
        ("She has double that.", 2, 9),
        ("It is a 8-foot pole.", 8, 9),
    ],
)
def test_refusals(text: str, before: Exact, after: Exact) -> None:
    """What the form cannot say, or the sentence would not agree with, is refused."""
    with pytest.raises(RewriteError):
        rewriting(text, before, after)


def test_a_fixed_place_is_refused() -> None:
    """A place that is not rewritable keeps its number."""
    place = replace(place_in("Half of it fell.", HALF), value=2, rewritable=False)
    with pytest.raises(RewriteError, match="not rewritten"):
        replacement_edits("Half of it fell.", place, 3)


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
    "He walked {} hours on it.": (st.integers(1, 30), str),
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
    if " 1 hours" in text:
        text = text.replace("hours", "hour")
    return text, place_in(text, whole_as_int(before)), whole_as_int(draw(values))


@given(places())
def test_the_own_value_is_no_edit(drawn: tuple[str, NumberPlace, Exact]) -> None:
    """Writing the value that stands there changes nothing."""
    text, place, _ = drawn
    assert replacement_edits(text, place, place.value) == ()


@given(places())
def test_there_and_back(drawn: tuple[str, NumberPlace, Exact]) -> None:
    """Where the number moved to, the text says the new value; writing the old one in the same form gives the original."""
    text, place, value = drawn
    assume(value != place.value)
    try:
        edited = EditedQuestion(text, replacement_edits(text, place, value))
    except RewriteError:
        assume(False)
    (number,) = (edit for edit in edited.edits if (edit.start, edit.end) == (place.start, place.end))
    start, end = edited.inserted(number, 0, len(number.after))
    (mention,) = (mention for mention in mentions(edited.text) if mention.start <= start and end <= mention.end)
    found = written_number(edited.text, mention, value)
    assert found is not None
    assert (found.start, found.end) == (start, end)
    moved = replace(place, value=value, start=start, end=end)
    assert EditedQuestion(edited.text, replacement_edits(edited.text, moved, place.value)).text == text
