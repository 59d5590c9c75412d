"""The labels of the levels that are answered by one label: their words, their numbers, and what each means."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from harness.solution.labels import ErrorClass


class Level(enum.StrEnum):
    """The task of a row, from the verdict alone to the whole object; `validator` is a task of its own, on problems."""

    VERDICT = "1"
    PAIR = "2"
    CLASS = "3"
    CLASS_WITH_SKIPPED = "4"
    WHERE = "5"
    MAX = "max"
    VALIDATOR = "validator"


class LabelForm(enum.StrEnum):
    """How the labels of levels 1 to 4 are written: as words, or as numbers."""

    WORDS = "words"
    NUMERIC = "numeric"


@dataclass(frozen=True, slots=True)
class LevelLabel:
    """A label: `flawed` solutions have a class from level 2 on. `meaning` describes it in a prompt."""

    word: str
    flawed: bool
    error_class: ErrorClass | None
    meaning: str


_CORRECT = LevelLabel(word="correct", flawed=False, error_class=None, meaning="nothing is wrong")
_FLAWED = LevelLabel(word="flawed", flawed=True, error_class=None, meaning="a step or the answer is wrong")
_CLASSES = {
    error_class: LevelLabel(word=str(error_class), flawed=True, error_class=error_class, meaning=meaning)
    for error_class, meaning in (
        (ErrorClass.CONCEPTUAL, "a step calculates the wrong thing, however well"),
        (ErrorClass.COMPUTATIONAL, "a calculation is set up rightly and its result is wrong"),
        (ErrorClass.SKIPPED_STEP, "a step that the answer needs is missing"),
    )
}
_PAIR = (_CLASSES[ErrorClass.CONCEPTUAL], _CLASSES[ErrorClass.COMPUTATIONAL])
LABELS: dict[Level, tuple[LevelLabel, ...]] = {
    Level.VERDICT: (_CORRECT, _FLAWED),
    Level.PAIR: _PAIR,
    Level.CLASS: (_CORRECT, *_PAIR),
    Level.CLASS_WITH_SKIPPED: (_CORRECT, *_PAIR, _CLASSES[ErrorClass.SKIPPED_STEP]),
}
"""The labels of each level; the number of a label is its place, from zero."""


def written_labels(level: Level, form: LabelForm) -> tuple[str, ...]:
    """Return the labels of a level as an answer writes them, in the order of `LABELS`."""
    labels = LABELS[level]
    return tuple(label.word if form is LabelForm.WORDS else str(number) for number, label in enumerate(labels))


def described_labels(level: Level, form: LabelForm) -> str:
    """Return a line for each label of a level, with its meaning."""
    written = written_labels(level, form)
    named = (label.meaning if form is LabelForm.WORDS else f"{label.word}, {label.meaning}" for label in LABELS[level])
    return "\n".join(f"{mark}: {meaning}" for mark, meaning in zip(written, named, strict=True))


def label_of(level: Level, form: LabelForm, *, flawed: bool, error_class: ErrorClass | None) -> str | None:
    """Return the label of a solution at a level, `None` if the level has no label for it."""
    for label, written in zip(LABELS[level], written_labels(level, form), strict=True):
        if label.flawed == flawed and (label.error_class is error_class or (level is Level.VERDICT)):
            return written
    return None


@dataclass(frozen=True, slots=True)
class ReadLabel:
    """A label that an answer names; `exact` tells whether the answer is the label alone."""

    label: LevelLabel
    exact: bool


def read_label(level: Level, form: LabelForm, text: str) -> ReadLabel | None:
    """Return the label that an answer names first, `None` if it names none."""
    written = dict(zip(written_labels(level, form), LABELS[level], strict=True))
    bare = text.strip()
    if bare in written:
        return ReadLabel(written[bare], exact=True)
    named = re.search(rf"(?<![\w.])(?:{'|'.join(map(re.escape, written))})(?![\w.]*\w)", bare, re.IGNORECASE)
    return None if named is None else ReadLabel(written[named.group().lower()], exact=False)
