"""Checks for words on the labelled line that still describe the computation before the change."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from harness.equations.line_reader import read_line
from harness.text.nouns import singular_noun
from harness.text.numbers import mentions
from harness.text.operation_words import operators
from oracles.labels.edits.findings import EditFinding, EditFindingKind, finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oracles.labels.edits.candidate import ReviewCandidate
    from oracles.labels.edits.line_pairs import LinePair

MOST_SHOWN = 20
_WORD = re.compile(r"[A-Za-z]+")
_DOING = {"+": "adding", "-": "subtracting", "*": "multiplying", "/": "dividing"}
_DOES = {"+": "adds", "-": "subtracts", "*": "multiplies", "/": "divides"}
Span = tuple[int, int]


def word_findings(subject: ReviewCandidate, pair: LinePair) -> Iterator[EditFinding]:
    """Yield the words of the labelled line that belong to the correct solution: UNKNOWN, since words may mean many things.

    They are those that the candidate itself says it still has to lose, those that say an operation that is gone, and those
    that the candidate put another word in place of.
    """
    found: dict[Span, str] = {}
    for word in subject.words:
        found |= {(start, end): _told(subject, pair.text[start:end]) for start, end in _stands(word, pair.text)}
    numbers = [
        (mention.start, mention.end)
        for mention in mentions(pair.text)
        if not subject.computed_from.isdisjoint(mention.readings)
    ]
    for match in _WORD.finditer(pair.text):
        if match[0].lower() in subject.rewording.gone and not _within(match.span(), (*numbers, *found)):
            found[match.span()] = _told(subject, match[0])
    for match, instead in _back(subject, pair):
        if not _within(match.span(), found):
            found[match.span()] = f"The candidate says {instead!r} where the correct solution says {match[0]!r}."
    for span, message in sorted(found.items())[:MOST_SHOWN]:
        written = pair.text[span[0] : span[1]]
        yield finding(EditFindingKind.STALE_WORD, pair.label, written, message, span=span, unknown=True)


def _told(subject: ReviewCandidate, word: str) -> str:
    edit = subject.edit
    if word.lower() not in subject.rewording.gone or edit is None or edit.before is None or edit.after is None:
        return f"The words still say {word!r}, which belongs to the correct solution."
    before, after = operators(edit.before), operators(edit.after)
    gone, come = (sorted(operations.keys() & _DOES.keys()) for operations in (before - after, after - before))
    speaks = " and ".join(_DOING[sign] for sign in gone)
    now = f"{' and '.join(_DOES[sign] for sign in come)} now" if come else "no longer does"
    return f"{word!r} still refers to {speaks}; the line {now}."


def _stands(word: str, text: str) -> list[Span]:
    """Return where a word stands as a whole, within equations only where it stands nowhere else."""
    pattern = re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", re.IGNORECASE)
    spans = [match.span() for match in pattern.finditer(text)]
    equations = [(equation.start, equation.end) for equation in read_line(text).equations]
    return [span for span in spans if not _within(span, equations)] or spans


def _within(span: Span, spans: Iterable[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in spans)


def _back(subject: ReviewCandidate, pair: LinePair) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the words that the candidate had put others in place of and that stand there again, with those others."""
    if not pair.changed:
        return
    correct, own = _WORD.findall(subject.counterpart), _WORD.findall(pair.was)
    if len(correct) != len(own):
        return
    swapped = {
        old.lower(): new
        for old, new in zip(correct, own, strict=True)
        if old.lower() != new.lower() and singular_noun(old.lower()) != singular_noun(new.lower())
    }
    before = Counter(word.lower() for word in own)
    for match in _WORD.finditer(pair.text):
        word = match[0].lower()
        if word in swapped:
            before[word] -= 1
            if before[word] < 0:
                yield match, swapped[word]
