"""The marks that the verifier writes after each line, and the tokens of problem, lines and marks.

A mark follows every line: correct so far, or the class of the error made on the line. Training stops at the first error, so
the probability of a mark is that of a first error given that no line before was wrong: a discrete-time hazard. One pass
over a solution gives all marks.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from harness.solution.labels import FINAL_ANSWER, ErrorClass

if TYPE_CHECKING:
    from sft.samples.items import Item, Truth


class Mark(enum.StrEnum):
    """A mark after a line; in every known tokenizer, each word begins with a different token."""

    RIGHT = "right"
    COMPUTATIONAL = "arithmetic"
    CONCEPTUAL = "reasoning"
    SKIPPED = "missing"


CLASS_OF = {
    Mark.COMPUTATIONAL: ErrorClass.COMPUTATIONAL,
    Mark.CONCEPTUAL: ErrorClass.CONCEPTUAL,
    Mark.SKIPPED: ErrorClass.SKIPPED_STEP,
}
MARK_OF = {error_class: mark for mark, error_class in CLASS_OF.items()}
PROBLEM = "Problem: {}\nSolution:\n"
ANSWER = "FINAL ANSWER: {}"
ASKED = " //"
"""The text between a line and its mark."""
NO_LINES = "(nothing)"


class Tokenizer(Protocol):
    """The part of a tokenizer that is used."""

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """Return the ids of a text."""


class TargetKind(enum.IntEnum):
    """The kind of a training target; `GIVEN` tokens are no targets."""

    GIVEN = 0
    MARK = 1
    TEXT = 2
    TAIL = 3


@dataclass(frozen=True, slots=True)
class MarkedSequence:
    """Token ids, and the kind of target of each.

    `asked` are the positions whose next token is a mark, one for each place of the item, in order; `spans` are the ids of
    each place's own text, from and to.
    """

    ids: tuple[int, ...]
    kinds: tuple[TargetKind, ...]
    asked: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]


class MarkWriter:
    """Encodes items as tokens, piece by piece, so that no token spans two pieces.

    Raises:
        ValueError: two marks begin with the same token.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.marks = {mark: self._ids(f" {mark}") for mark in Mark}
        self.first = {mark: ids[0] for mark, ids in self.marks.items()}
        if len(set(self.first.values())) < len(Mark):
            raise ValueError("this tokenizer begins two marks with one token")
        self.ask, self.end = self._ids(ASKED), self._ids("\n")
        self.start = list(tokenizer.encode("", add_special_tokens=True))

    def _ids(self, text: str) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False)

    def prompt(self, item: Item) -> list[int]:
        """Return the ids of the problem, after the tokens that begin every text."""
        return self.start + self._ids(PROBLEM.format(item.question))

    def place(self, item: Item, name: str) -> list[int]:
        """Return the ids of a line or of the final answer."""
        content = item.answer if name == FINAL_ANSWER else item.lines[int(name[1:]) - 1]
        return self.text(content or "", name)

    def text(self, content: str, name: str) -> list[int]:
        """Return the ids of the content of a place; they do not depend on the item."""
        text = ANSWER.format(content) if name == FINAL_ANSWER else content
        return self._ids(text or NO_LINES)

    def write(self, item: Item, truth: Truth | None = None, *, tail: str = "") -> MarkedSequence:
        """Return a sequence that ends after the first error, or with the last place if there is no known error.

        If the line of a flawed solution is unknown, only the mark of the last place is a target. `tail` follows the last
        mark: the verdict in JSON.
        """
        ids = self.prompt(item)
        kinds = [TargetKind.GIVEN] * len(ids)
        asked, spans = [], []
        places = item.places()
        for name in places:
            text = self.place(item, name)
            spans.append((len(ids), len(ids) + len(text)))
            mark, is_target, sound = _mark(name, truth, last=name == places[-1])
            ids += text
            kinds += [TargetKind.TEXT if sound else TargetKind.GIVEN] * len(text)
            ids += self.ask
            kinds += [TargetKind.GIVEN] * len(self.ask)
            asked.append(len(ids) - 1)
            ids += self.marks[mark]
            kinds += [TargetKind.MARK if is_target else TargetKind.GIVEN] * len(self.marks[mark])
            ids += self.end
            kinds += [TargetKind.GIVEN] * len(self.end)
            if mark is not Mark.RIGHT:
                break
        if tail:
            written = self._ids(tail) + self.end
            ids += written
            kinds += [TargetKind.TAIL] * len(written)
        return MarkedSequence(tuple(ids), tuple(kinds), tuple(asked), tuple(spans))


def _mark(name: str, truth: Truth | None, *, last: bool) -> tuple[Mark, bool, bool]:
    """Return the mark of a place, whether it is a target, and whether the place's text is sound."""
    if truth is None:
        return Mark.RIGHT, False, False
    if not truth.flawed:
        return Mark.RIGHT, True, True
    mark = MARK_OF[truth.error_class or ErrorClass.CONCEPTUAL]
    if truth.line:
        return (mark, True, False) if name == truth.line else (Mark.RIGHT, True, True)
    return (mark, True, False) if last else (Mark.RIGHT, False, False)
