"""Edits of the text of a question, and the positions of its numbers after the edits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


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
                    f"{edit} is not an edit of {self.original[edit.start : edit.end][:60]!r} after place {end}"
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
                shift += len(edit.after) - len(edit.before)
            elif edit.start < end:
                return None
        return start + shift, end + shift

    def replaced(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where the words stand now that replace a span of the original, `None` where no edit covers it."""
        edit = next((edit for edit in self.edits if edit.start <= start and end <= edit.end), None)
        return None if edit is None else self.inserted(edit, 0, len(edit.after))

    def inserted(self, edit: QuestionEdit, start: int, end: int) -> tuple[int, int]:
        """Return where a span of an edit's `after` stands now."""
        shift = edit.start + sum(len(earlier.after) - len(earlier.before) for earlier in self.edits if earlier < edit)
        return shift + start, shift + end
