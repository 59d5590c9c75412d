"""Which line of an edited text is which of the candidate's, and are lines missing, added, or changed before the error?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.equations.reader import LONGEST_LINE
from harness.labelled import LONGEST_TEXT, MOST_LINES
from harness.labels import FINAL_ANSWER
from oracles.audit.explanation import LONGEST_EXPLANATION
from oracles.editing.finding import EXPLANATION, EditFinding, FindingKind, finding
from oracles.editing.subject import labels_beside

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oracles.editing.subject import Subject

# What no keyboard writes: control characters, halves of pairs, and what turns the direction of a text.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff]")


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of the edited text, its label there, and the candidate's line that it was; `own` is where that stands."""

    label: str
    text: str
    was: str
    own: int

    @property
    def changed(self) -> bool:
        """Tell whether the person changed it."""
        return self.text != self.was


def pairs_of(subject: Subject, lines: Sequence[str]) -> list[Pair]:
    """Return the lines that both texts have, in order: the same first ones, the same last ones, and between them one by one."""
    labels = labels_beside(subject.lines, lines)
    ahead, behind = _same_ends(subject.lines, lines)
    both = min(len(subject.lines), len(lines)) - behind
    middle = min(both - ahead, len(lines) - behind - ahead)
    places = [(place, place) for place in range(ahead + middle)]
    places += [(len(subject.lines) - back, len(lines) - back) for back in range(behind, 0, -1)]
    return [Pair(labels[new], lines[new], subject.lines[own], own) for own, new in places]


def line_findings(subject: Subject, lines: Sequence[str]) -> Iterator[EditFinding]:
    """Yield lines that are missing, empty, new, or changed before the error."""
    labels = labels_beside(subject.lines, lines)
    ahead, behind = _same_ends(subject.lines, lines)
    shared = ahead + max(0, min(len(subject.lines), len(lines)) - behind - ahead)
    for place in range(shared, len(subject.lines) - behind):
        label = subject.labels[place]
        message = f"The candidate's {label} is missing: {_brief(subject.lines[place])}"
        yield finding(FindingKind.REMOVED_LINE, label, subject.lines[place], message)
    for place in range(shared, len(lines) - behind):
        yield finding(
            FindingKind.ADDED_LINE,
            labels[place],
            lines[place],
            "The candidate has no such line.",
            span=(0, len(lines[place])),
        )
    for pair in pairs_of(subject, lines):
        if not pair.changed:
            continue
        if not pair.text.strip() and pair.was.strip():
            yield finding(
                FindingKind.REMOVED_LINE, pair.label, pair.was, f"The line is empty; it was {_brief(pair.was)}"
            )
        elif pair.own < subject.place:
            message = f"The error is on {subject.line}; what stands before it stays as it was: {_brief(pair.was)}"
            yield finding(FindingKind.EARLIER_LINE, pair.label, pair.text, message)
        elif pair.own == subject.place and _plain(pair.text) == _plain(subject.counterpart):
            message = "This is the line of the correct solution: the error is gone."
            yield finding(FindingKind.SAME_AS_CORRECT, pair.label, pair.text, message)


def form_findings(subject: Subject, lines: Sequence[str], explanation: str) -> Iterator[EditFinding]:
    """Yield what no text may hold: control characters that the candidate has not, and more than anyone reads."""
    if len(lines) > MOST_LINES:
        message = f"{len(lines):,} lines; at most {MOST_LINES} are read."
        yield finding(FindingKind.TOO_LONG, FINAL_ANSWER, f"{len(lines):,} lines", message)
        return
    for label, text in zip(labels_beside(subject.lines, lines), lines, strict=True):
        yield from _form(label, text, LONGEST_LINE, subject.lines)
    yield from _form(EXPLANATION, explanation, LONGEST_EXPLANATION, (subject.explanation,))
    total = sum(map(len, lines)) + len(lines)
    if total > LONGEST_TEXT and all(len(line) <= LONGEST_LINE for line in lines):
        message = f"The solution has {total:,} characters; at most {LONGEST_TEXT:,} are read."
        yield finding(FindingKind.TOO_LONG, FINAL_ANSWER, f"{total:,} characters", message)


def _form(label: str, text: str, most: int, own: Sequence[str]) -> Iterator[EditFinding]:
    if len(text) > most:
        message = f"{len(text):,} characters; at most {most:,} are read."
        yield finding(FindingKind.TOO_LONG, label, f"{len(text):,} characters", message)
    control = next((one for one in _CONTROL.finditer(text) if not any(one[0] in line for line in own)), None)
    if control is not None:
        code = f"U+{ord(control[0]):04X}"
        what = "a line break, which would make two lines" if control[0] == "\n" else f"the invisible character {code}"
        yield finding(FindingKind.CONTROL_CHARACTER, label, code, f"There is {what}.", span=control.span())


def _same_ends(own: Sequence[str], lines: Sequence[str]) -> tuple[int, int]:
    """Count the lines that both texts begin with, and those that both end in."""
    shorter = min(len(own), len(lines))
    if len(own) == len(lines):
        return shorter, 0
    ahead = next((place for place in range(shorter) if own[place] != lines[place]), shorter)
    shorter -= ahead
    behind = next((back for back in range(shorter) if own[-1 - back] != lines[-1 - back]), shorter)
    return ahead, behind


def _plain(text: str) -> str:
    """Return a line without what nobody reads: spaces, capitals, the stop at its end."""
    return "".join(text.split()).rstrip(".").casefold()


def _brief(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"
