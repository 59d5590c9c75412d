"""The mark that the model gives to a problem, and the tokens of problem, mark and reason."""

from __future__ import annotations

import enum
import json
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from sft.models.line_marks import MarkedSequence, TargetKind
from sft.samples.solution_text import clean

if TYPE_CHECKING:
    from sft.models.line_marks import Tokenizer

LONGEST_QUESTION = 20_000
LONGEST_REASON = 400
MOST_TOKENS, LAST_TOKENS = 1_024, 256
"""A longer question is shortened to its beginning and its last 256 tokens, where most problems ask."""
PROBLEM = "Problem: {}\n"
ASKED = "This problem is"


class ProblemMark(enum.StrEnum):
    """A mark of a problem; in every known tokenizer, each word begins with a different token."""

    SOLVABLE = "solvable"
    CONTRADICTORY = "contradictory"
    INCOMPLETE = "incomplete"


MARK_OF = {
    ProblemClass.SOLVABLE: ProblemMark.SOLVABLE,
    ProblemClass.CONTRADICTORY: ProblemMark.CONTRADICTORY,
    ProblemClass.UNDERSPECIFIED: ProblemMark.INCOMPLETE,
}


class ProblemWriter:
    """Encodes problems as tokens, piece by piece, so that no token spans two pieces.

    Raises:
        ValueError: two marks begin with one token.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.marks = {problem_class: self._ids(f" {mark}") for problem_class, mark in MARK_OF.items()}
        self.first = {problem_class: ids[0] for problem_class, ids in self.marks.items()}
        if len(set(self.first.values())) < len(MARK_OF):
            raise ValueError("this tokenizer begins two marks with one token")
        self.ask, self.end = self._ids(ASKED), self._ids("\n")

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    def write(self, question: str, problem_class: ProblemClass | None = None, *, tail: str = "") -> MarkedSequence:
        """Return the problem and the request for its mark; with a class also its mark and the tail, as targets.

        `asked` holds the position before the mark, `spans` the span of the problem's own text.
        """
        text = self._ids(PROBLEM.format(clean(question[:LONGEST_QUESTION]).strip()))
        if len(text) > MOST_TOKENS:
            text = [*text[: MOST_TOKENS - LAST_TOKENS], *text[-LAST_TOKENS:]]
        text = [*self._tokenizer.encode("", add_special_tokens=True), *text]
        ids = [*text, *self.ask]
        kinds = [TargetKind.GIVEN] * len(ids)
        asked = len(ids) - 1
        if problem_class is not None:
            mark = self.marks[problem_class]
            ids += [*mark, *self.end]
            kinds += [TargetKind.MARK] * len(mark) + [TargetKind.GIVEN] * len(self.end)
        if tail:
            written = [*self._ids(tail), *self.end]
            ids += written
            kinds += [TargetKind.TAIL] * len(written)
        return MarkedSequence(tuple(ids), tuple(kinds), (asked,), ((0, len(text)),))


def tail_of(problem_class: ProblemClass, reason: str) -> str:
    """Return the text after the mark that a model learns: the class and the reason in JSON."""
    return json.dumps({"class": int(problem_class), "reason": reason[:LONGEST_REASON]}, ensure_ascii=False)
