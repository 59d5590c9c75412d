"""Edits of the text of a question, the positions of its numbers after the edits, the facts that the edits change, and the replacement of one number by another."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from generators.variants.input_places import NumberPlace
from harness.constraint_system import Bound, Fact
from harness.domain import Exact, Values
from harness.text.nouns import article_agrees
from harness.text.number_forms import PLAIN, NumberForm, NumberKind, numbers_at
from harness.text.numbers import NumberMention

LONGEST_WORDS = 100
"""The largest number that is usual in words."""


@dataclass(frozen=True, slots=True, order=True)
class QuestionEdit:
    """What stands from `start` to `end` of the question, `before`, becomes `after`; an insertion has no `before`."""

    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True)
class EditedQuestion:
    """A text and its edits, in order, none of which overlap."""

    original: str
    edits: tuple[QuestionEdit, ...]

    def __post_init__(self) -> None:
        """Check that the edits are in order, apart from each other, and of this text."""
        end = 0
        for edit in self.edits:
            words = self.original[edit.start : edit.end]
            if not end <= edit.start <= edit.end or words != edit.before:
                raise ValueError(f"{edit} is not an edit of {words[:60]!r} after place {end}")
            end = edit.end

    @cached_property
    def text(self) -> str:
        """Return the text after the edits."""
        parts, end = [], 0
        for edit in self.edits:
            parts += [self.original[end : edit.start], edit.after]
            end = edit.end
        return "".join([*parts, self.original[end:]])

    def moved(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where a span of the original stands now, `None` where an edit touched it."""
        shift = 0
        for edit in self.edits:
            if edit.end <= start:
                shift += len(edit.after) - len(edit.before)
            elif edit.start < end:
                return None
        return start + shift, end + shift

    def replaced(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where the words stand now that replace a span of the original, `None` where no edit covers it."""
        edit = next((edit for edit in self.edits if edit.start <= start and end <= edit.end), None)
        return None if edit is None else self.inserted(edit, 0, len(edit.after))

    def place_of(self, number: StatedNumber) -> tuple[int, int] | None:
        """Return where a stated number stands now."""
        span = number.start, number.end
        return self.moved(*span) if number.edit is None else self.inserted(number.edit, *span)

    def inserted(self, edit: QuestionEdit, start: int, end: int) -> tuple[int, int]:
        """Return where a span of an edit's `after` stands now."""
        shift = edit.start + sum(len(earlier.after) - len(earlier.before) for earlier in self.edits if earlier < edit)
        return shift + start, shift + end


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A fact whose number stands from `start` to `end` of what an edit writes, or of the question where no edit does."""

    fact: Fact
    edit: QuestionEdit | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """Edits of a question, in order, the variables that their places no longer give, the new values of inputs, and the facts and bounds that they state."""

    edits: tuple[QuestionEdit, ...]
    gone: frozenset[str] = frozenset()
    values: Values = field(default_factory=dict)
    stated: tuple[StatedNumber, ...] = ()
    bounds: tuple[Bound, ...] = ()

    @property
    def constraint_names(self) -> tuple[str, ...]:
        """Return the names of the facts and bounds that it states."""
        return (*(number.fact.name for number in self.stated), *(bound.name for bound in self.bounds))

    def is_apart(self, other: QuestionChange) -> bool:
        """Tell whether the edits of two changes do not touch, and no fact or bound of theirs has one name."""
        pairs = ((edit, two) for edit in self.edits for two in other.edits)
        apart = all(edit.end < two.start or two.end < edit.start for edit, two in pairs)
        return apart and {*self.constraint_names}.isdisjoint(other.constraint_names)

    def __or__(self, other: QuestionChange) -> QuestionChange:
        edits = tuple(sorted({*self.edits, *other.edits}))
        values = {**self.values, **other.values}
        stated, bounds = self.stated + other.stated, self.bounds + other.bounds
        return QuestionChange(edits, self.gone | other.gone, values, stated, bounds)


def number_edit(text: str, place: NumberPlace, value: Exact) -> QuestionEdit | None:
    """Return the edit that lets a place of a text say a value in its form.

    `None` where the form cannot say the value, or where an article or a noun would have to agree with it.
    """
    written = place.form.write(value) if place.rewritable and value > 0 and 1 not in {value, place.value} else None
    if written is None or not article_agrees(text[max(0, place.start - 5) : place.start], written):
        return None
    return QuestionEdit(place.start, place.end, text[place.start : place.end], written)


def other_form(text: str, mention: NumberMention) -> NumberForm | None:
    """Return the form that says a number in words where digits stand, in digits where words do; `None` where neither does well."""
    value = mention.readings[0]
    forms = [number.form for number in numbers_at(text, mention.start, value) if number.end == mention.end]
    begins = text[max(0, mention.start - 2) : mention.start].strip() in {"", ".", "?", "!"}
    if not forms or begins:
        return None
    if forms[0].kind is NumberKind.WORDS:
        return PLAIN
    return NumberForm(NumberKind.WORDS) if forms[0].kind is NumberKind.NUMERAL and value <= LONGEST_WORDS else None
