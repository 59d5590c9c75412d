"""Tests of input places in real problems: they keep the laws that hold for random problems."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from generators.variants.question.number_replacement import RewriteError, replacement_edits
from generators.variants.question.question_edit import EditedQuestion
from generators.variants.variant_source import VariantSubject
from harness.solution.trace import VariableRole
from harness.text.numbers import whole_as_int
from tests.generators.real_problems import real_sources

MOST = 120


@pytest.fixture(scope="module")
def real(shared_data: Path) -> list[VariantSubject]:
    """Return the problems of the first templates that are fit."""
    return list(map(VariantSubject, real_sources(shared_data, MOST, step=5)))


def test_most_real_inputs_are_located(real: list[VariantSubject]) -> None:
    """Nine of ten inputs have a place; places are in order and apart, and say what stands there."""
    asked = [
        (subject, entry.variable)
        for subject in real
        for entry in subject.source.inputs
        if entry.role is not VariableRole.WORLD_KNOWLEDGE_INPUT
    ]
    located = [(subject, name) for subject, name in asked if name in subject.question.place_of]
    assert len(located) >= len(asked) * 0.9
    for subject in real:
        end = 0
        for place in subject.question.places:
            assert end <= place.start < place.end
            assert place.write(place.value) == subject.question.text[place.start : place.end]
            end = place.end


def test_real_numbers_are_rewritten_there_and_back(real: list[VariantSubject]) -> None:
    """Another number and then the old one in the same form give the question again."""
    done = 0
    for subject in real:
        for place in subject.question.places:
            assert replacement_edits(subject.question.text, place, place.value) == ()
            for value in (place.value + 1, place.value * 2, whole_as_int(Fraction(place.value) / 2)):
                try:
                    edited = EditedQuestion(
                        subject.question.text, replacement_edits(subject.question.text, place, value)
                    )
                except RewriteError:
                    continue
                number = next(edit for edit in edited.edits if (edit.start, edit.end) == (place.start, place.end))
                start, end = edited.inserted(number, 0, len(number.after))
                moved = replace(place, value=value, start=start, end=end)
                assert (
                    EditedQuestion(edited.text, replacement_edits(edited.text, moved, place.value)).text
                    == edited.original
                )
                done += 1
    assert done > MOST
