"""Line and word differences between a solution and a flawed solution."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, zip_longest

# Text is hostile. Beyond this many pairs of lines, lines are paired in order; beyond this many pairs of words, in a
# line or in all lines, the whole difference is marked.
MOST_LINE_PAIRS = 2_500
MOST_WORD_PAIRS, MOST_WORD_PAIRS_IN_ALL = 10_000, 200_000
_WORDS = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]+|\s+|.", re.DOTALL)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of a line, and whether the other solution lacks it."""

    text: str
    changed: bool


Pieces = tuple[TextPiece, ...]


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """A line of both solutions; a side is `None` if it lacks the line. Labels are `L1`, `L2`, …, `FA`."""

    before_label: str | None
    after_label: str | None
    before: Pieces | None
    after: Pieces | None

    @property
    def differs(self) -> bool:
        """Tell whether the two sides differ."""
        return self.before is None or self.after is None or any(piece.changed for piece in (*self.before, *self.after))


def compare(solution: str, flawed: str) -> list[ComparedLine]:
    """Return the paired lines of two solutions, with the words marked that the other solution lacks."""
    before, after = _labelled_lines(solution), _labelled_lines(flawed)
    answers = [(before.pop(), after.pop())] if before[-1][0] == after[-1][0] == "FA" else []
    pairs = _pairs([text for _, text in before], [text for _, text in after])
    paired = [
        (None if left is None else before[left], None if right is None else after[right]) for left, right in pairs
    ]
    compared, budget = list[ComparedLine](), MOST_WORD_PAIRS_IN_ALL
    for old, new in [*paired, *answers]:
        if old is None or new is None:
            sides: Sequence[Pieces | None] = [
                None if line is None else (TextPiece(line[1], changed=True),) for line in (old, new)
            ]
        else:
            sides, budget = _word_pieces(old[1], new[1], budget)
        compared.append(ComparedLine(old and old[0], new and new[0], sides[0], sides[1]))
    return compared


def _labelled_lines(solution: str) -> list[tuple[str, str]]:
    """Return the lines with their labels."""
    texts = solution.split("\n")
    labels = [f"L{place}" for place in range(1, len(texts) + 1)]
    if texts[-1].startswith("####"):
        labels[-1] = "FA"
    return list(zip(labels, texts, strict=True))


def _pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Yield the indices of lines of the same words but for numbers, in order, `None` for a line without a partner."""
    skeletons = [[_DIGITS.sub("0", text) for text in texts] for texts in (before, after)]
    if skeletons[0] == skeletons[1] or len(before) * len(after) > MOST_LINE_PAIRS:
        yield from zip_longest(range(len(before)), range(len(after)))
        return
    for _, start, end, other, last in SequenceMatcher(None, skeletons[0], skeletons[1], autojunk=False).get_opcodes():
        # The line after a missing one reads it, and has changed as well.
        missing = (end - start) - (last - other)
        yield from zip(
            [*[None] * max(0, -missing), *range(start, end)],
            [*[None] * max(0, missing), *range(other, last)],
            strict=True,
        )


def _word_pieces(before: str, after: str, budget: int) -> tuple[list[Pieces], int]:
    """Return the pieces of two lines, and how many pairs of words may still be compared."""
    left, right = _WORDS.findall(before), _WORDS.findall(after)
    shorter = min(len(left), len(right))
    start = next((place for place in range(shorter) if left[place] != right[place]), shorter)
    shorter -= start
    end = next((place for place in range(shorter) if left[-1 - place] != right[-1 - place]), shorter)
    old, new = left[start : len(left) - end], right[start : len(right) - end]
    blocks: list[tuple[int, int, int]] = []
    pairs = len(old) * len(new)
    if pairs <= min(MOST_WORD_PAIRS, budget):
        budget -= pairs
        blocks = list(SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    same_left = {place for a, _, size in blocks for place in range(start + a, start + a + size)}
    same_right = {place for _, b, size in blocks for place in range(start + b, start + b + size)}
    return [_pieces(left, start, end, same_left), _pieces(right, start, end, same_right)], budget


def _pieces(words: Sequence[str], start: int, end: int, same: set[int]) -> Pieces:
    """Join the words of a line, those from `start` to `end` before its end marked where they are not `same`."""
    marks = ((start <= place < len(words) - end and place not in same, word) for place, word in enumerate(words))
    return tuple(
        TextPiece("".join(word for _, word in group), changed=changed)
        for changed, group in groupby(marks, key=lambda mark: mark[0])
    )
