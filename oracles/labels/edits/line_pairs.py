"""The pairing of edited lines with the candidate's lines, and checks for missing, added or early changed lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from harness.corpora.labelled_solutions import LONGEST_TEXT, MOST_LINES
from harness.equations.line_reader import LONGEST_LINE
from harness.solution.labels import FINAL_ANSWER
from oracles.labels.audit.explanation import LONGEST_EXPLANATION
from oracles.labels.edits.candidate import labels_beside
from oracles.labels.edits.findings import EXPLANATION, EditFinding, EditFindingKind, finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oracles.labels.edits.candidate import ReviewCandidate

# Characters that no keyboard writes: control characters, halves of pairs, and marks that change the direction of a
# text.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff]")

MOST_GAPS = 40


@dataclass(frozen=True, slots=True)
class LinePair:
    """A line of the edited text, its label there, and the candidate's line that it was; `own` is where that stands."""

    label: str
    text: str
    was: str
    own: int

    @property
    def changed(self) -> bool:
        """Tell whether the person changed it."""
        return self.text != self.was


def pairs_of(subject: ReviewCandidate, lines: Sequence[str]) -> list[LinePair]:
    """Return the lines that both texts have, in order; of texts with as many lines each is the line in its place."""
    labels = labels_beside(subject.lines, lines)
    return [LinePair(labels[new], lines[new], subject.lines[own], own) for own, new in _places(subject.lines, lines)]


def line_findings(subject: ReviewCandidate, lines: Sequence[str]) -> Iterator[EditFinding]:
    """Yield lines that are missing, empty, new, or changed before the error."""
    labels = labels_beside(subject.lines, lines)
    places = _places(subject.lines, lines)
    both, known = {own for own, _ in places}, {new for _, new in places}
    for place, text in enumerate(subject.lines):
        if place not in both:
            label = subject.labels[place]
            message = f"The candidate's {label} is missing: {_brief(text)}"
            yield finding(EditFindingKind.REMOVED_LINE, label, text, message)
    for place, text in enumerate(lines):
        if place not in known:
            message = "The candidate has no such line."
            yield finding(EditFindingKind.ADDED_LINE, labels[place], text, message, span=(0, len(text)))
    for pair in pairs_of(subject, lines):
        if not pair.changed:
            continue
        if not pair.text.strip() and pair.was.strip():
            yield finding(
                EditFindingKind.REMOVED_LINE, pair.label, pair.was, f"The line is empty; it was {_brief(pair.was)}"
            )
        elif pair.own < subject.place:
            message = f"The error is on {subject.line}; what stands before it stays as it was: {_brief(pair.was)}"
            yield finding(EditFindingKind.EARLIER_LINE, pair.label, pair.text, message)
        elif pair.own == subject.place and _plain(pair.text) == _plain(subject.counterpart):
            message = "This is the line of the correct solution: the error is gone."
            yield finding(EditFindingKind.SAME_AS_CORRECT, pair.label, pair.text, message)


def form_findings(subject: ReviewCandidate, lines: Sequence[str], explanation: str) -> Iterator[EditFinding]:
    """Yield forbidden content of a text: control characters that the candidate lacks, and text beyond the limits."""
    if len(lines) > MOST_LINES:
        message = f"{len(lines):,} lines; at most {MOST_LINES} are read."
        yield finding(EditFindingKind.TOO_LONG, FINAL_ANSWER, f"{len(lines):,} lines", message)
        return
    for label, text in zip(labels_beside(subject.lines, lines), lines, strict=True):
        yield from _form(label, text, LONGEST_LINE, subject.lines)
    yield from _form(EXPLANATION, explanation, LONGEST_EXPLANATION, (subject.explanation,))
    total = sum(map(len, lines)) + len(lines)
    if total > LONGEST_TEXT and all(len(line) <= LONGEST_LINE for line in lines):
        message = f"The solution has {total:,} characters; at most {LONGEST_TEXT:,} are read."
        yield finding(EditFindingKind.TOO_LONG, FINAL_ANSWER, f"{total:,} characters", message)


def _form(label: str, text: str, most: int, own: Sequence[str]) -> Iterator[EditFinding]:
    if len(text) > most:
        message = f"{len(text):,} characters; at most {most:,} are read."
        yield finding(EditFindingKind.TOO_LONG, label, f"{len(text):,} characters", message)
    control = next((match for match in _CONTROL.finditer(text) if not any(match[0] in line for line in own)), None)
    if control is not None:
        code = f"U+{ord(control[0]):04X}"
        what = "a line break, which would make two lines" if control[0] == "\n" else f"the invisible character {code}"
        yield finding(EditFindingKind.CONTROL_CHARACTER, label, code, f"There is {what}.", span=control.span())


def _places(own: Sequence[str], lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return which line of the candidate is which of the edited text.

    Of texts of different length, the lines of one gap are new or gone: the gap after which most characters are the same.
    """
    count = min(len(own), len(lines))
    back = [(len(own) - count + place, len(lines) - count + place) for place in range(count)]
    if len(own) == len(lines) or count > MOST_GAPS:
        return [(place, place) for place in range(count)]
    same = [
        [SequenceMatcher(None, own[first], lines[second], autojunk=False).quick_ratio() for first, second in pairs]
        for pairs in ([(place, place) for place in range(count)], back)
    ]
    gap = max(range(count + 1), key=lambda place: sum(same[0][:place]) + sum(same[1][place:]))
    return [*((place, place) for place in range(gap)), *back[gap:]]


def _plain(text: str) -> str:
    """Return a line without spaces, capitals and the full stop at its end."""
    return "".join(text.split()).rstrip(".").casefold()


def _brief(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"
