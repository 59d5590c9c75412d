"""Edits of the text of a question, and the positions of its numbers after the edits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from harness.constraint_system import Fact


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
            if not end <= edit.start <= edit.end or self.original[edit.start : edit.end] != edit.before:
                raise ValueError(
                    f"{edit} is no edit of {self.original[edit.start : edit.end][:60]!r} behind place {end}"
                )
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
                shift += len(edit.after) - (edit.end - edit.start)
            elif edit.start < end:
                return None
        return start + shift, end + shift

    def moved_fact(self, fact: Fact) -> Fact:
        """Return a fact with the span where it stands now."""
        return fact if fact.span is None else replace(fact, span=self.moved(*fact.span))

    def inserted(self, edit: QuestionEdit, start: int, end: int) -> tuple[int, int]:
        """Return where a span of an edit's `after` stands now."""
        shift = sum(len(earlier.after) - (earlier.end - earlier.start) for earlier in self.edits if earlier < edit)
        return edit.start + shift + start, edit.start + shift + end

    def inserted_span(self, edit: QuestionEdit) -> tuple[int, int]:
        """Return where the whole of an edit's `after` stands now."""
        return self.inserted(edit, 0, len(edit.after))
