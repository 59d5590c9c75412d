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
# Lines that share fewer words are not paired; a pair scores more than two lines alone.
_ALIKE = 0.3
_PAIRED = 0.25


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
    before, after = _lines(solution), _lines(flawed)
    marker = _Marker()
    answers = [(before.pop(), after.pop())] if before[-1].label == after[-1].label == "FA" else []
    compared = [
        _compared(None if left is None else before[left], None if right is None else after[right], marker)
        for left, right in _pairs([line.text for line in before], [line.text for line in after])
    ]
    return [*compared, *(_compared(old, new, marker) for old, new in answers)]


@dataclass(frozen=True, slots=True)
class _Line:
    label: str
    text: str


def _lines(solution: str) -> list[_Line]:
    texts = solution.split("\n")
    last = len(texts) - 1
    return [
        _Line("FA" if place == last and text.startswith("####") else f"L{place + 1}", text)
        for place, text in enumerate(texts)
    ]


@dataclass(slots=True)
class _Marker:
    """Marks the words that differ in pairs of lines, up to a limit of comparisons."""

    left: int = MOST_WORD_PAIRS_IN_ALL

    def mark(self, before: str, after: str) -> tuple[Pieces, Pieces]:
        if before == after:  # as most lines are
            same_text = (TextPiece(before, changed=False),) if before else ()
            return same_text, same_text
        left, right = _WORDS.findall(before), _WORDS.findall(after)
        shorter = min(len(left), len(right))
        start = next((place for place in range(shorter) if left[place] != right[place]), shorter)
        shorter -= start
        end = next((place for place in range(shorter) if left[-1 - place] != right[-1 - place]), shorter)
        old, new = left[start : len(left) - end], right[start : len(right) - end]
        same = self._same(old, new)
        head, tail = ("".join(left[:start]), False), ("".join(left[len(left) - end :]), False)
        return (
            _joined([head, *_stretches(old, [(block[0], block[2]) for block in same]), tail]),
            _joined([head, *_stretches(new, [(block[1], block[2]) for block in same]), tail]),
        )

    def _same(self, old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int]]:
        """Return the common runs of words: their start in each list, and their length."""
        pairs = len(old) * len(new)
        if pairs > min(MOST_WORD_PAIRS, self.left):
            return []
        self.left -= pairs
        if not pairs:
            return []
        if (aligned := _aligned(old, new)) is not None:
            return aligned
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        return [(block.a, block.b, block.size) for block in matcher.get_matching_blocks() if block.size]


def _aligned(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int]] | None:
    """Return the common runs of two lists of equal length of which at least half of the words stand at the same places.

    That is the usual case, a line with other numbers, and takes a tenth of the time of the general one.
    """
    equal = [left == right for left, right in zip(old, new, strict=False)]
    if len(old) != len(new) or 2 * sum(equal) < len(equal):
        return None
    runs, start = [], 0
    for is_equal, places in groupby(equal):
        size = sum(1 for _ in places)
        if is_equal:
            runs.append((start, start, size))
        start += size
    return runs


def _compared(before: _Line | None, after: _Line | None, marker: _Marker) -> ComparedLine:
    if before is None:
        return ComparedLine(None, after.label if after else None, None, _alone(after))
    if after is None:
        return ComparedLine(before.label, None, _alone(before), None)
    return ComparedLine(before.label, after.label, *marker.mark(before.text, after.text))


def _alone(line: _Line | None) -> Pieces | None:
    return None if line is None else (TextPiece(line.text, changed=True),)


def _pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Yield the indices of the most similar pairing that keeps the order, `None` for a line without a partner."""
    skeletons = [[_DIGITS.sub("0", text) for text in texts] for texts in (before, after)]
    if skeletons[0] == skeletons[1] or len(before) * len(after) > MOST_LINE_PAIRS:
        yield from zip_longest(range(len(before)), range(len(after)))
        return
    words = [[frozenset(_WORDS.findall(text)) for text in texts] for texts in skeletons]
    worth = [[_similarity(left, right) for right in words[1]] for left in words[0]]
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for left in range(len(before) - 1, -1, -1):
        for right in range(len(after) - 1, -1, -1):
            paired = worth[left][right] + best[left + 1][right + 1]
            best[left][right] = max(paired, best[left + 1][right], best[left][right + 1])
    left = right = 0
    while left < len(before) and right < len(after):
        if best[left][right] == worth[left][right] + best[left + 1][right + 1]:
            yield left, right
            left, right = left + 1, right + 1
        elif best[left][right] == best[left + 1][right]:
            yield left, None
            left += 1
        else:
            yield None, right
            right += 1
    yield from ((place, None) for place in range(left, len(before)))
    yield from ((None, place) for place in range(right, len(after)))


def _similarity(left: frozenset[str], right: frozenset[str]) -> float:
    share = len(left & right) / (len(left | right) or 1)
    return _PAIRED + share if share >= _ALIKE else 0.0


def _stretches(words: Sequence[str], same: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    at = 0
    for place, size in same:
        yield "".join(words[at:place]), True
        yield "".join(words[place : place + size]), False
        at = place + size
    yield "".join(words[at:]), True


def _joined(stretches: Sequence[tuple[str, bool]]) -> Pieces:
    pieces: list[TextPiece] = []
    for text, changed in stretches:
        if pieces and text and pieces[-1].changed is changed:
            pieces[-1] = TextPiece(pieces[-1].text + text, changed=changed)
        elif text:
            pieces.append(TextPiece(text, changed=changed))
    return tuple(pieces)
