"""The findings about an edited text: their kinds, their places in the text, and their order."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.domain import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

EXPLANATION = "explanation"
"""Where a finding is that speaks against the explanation, not against a line."""
LONGEST_FOUND = 120


class EditFindingKind(enum.StrEnum):
    """The kinds of finding: of words, numbers, equations, the answer, lines, the explanation, of any text."""

    STALE_WORD = "stale-word"
    CHANGED_NUMBER = "changed-number"
    ADDED_NUMBER = "added-number"
    LOST_NUMBER = "lost-number"
    FALSE_EQUATION = "false-equation"
    NO_FALSE_EQUATION = "no-false-equation"
    CHANGED_EQUATION = "changed-equation"
    LOST_EQUATION = "lost-equation"
    UNREAD_EQUATION = "unread-equation"
    ANSWER = "answer"
    ADDED_LINE = "added-line"
    REMOVED_LINE = "removed-line"
    SAME_AS_CORRECT = "same-as-correct"
    NO_EXPLANATION = "no-explanation"
    EXPLANATION_DISAGREES = "explanation-disagrees"
    CONTROL_CHARACTER = "control-character"
    TOO_LONG = "too-long"
    UNREADABLE_CANDIDATE = "unreadable-candidate"


@dataclass(frozen=True, slots=True)
class EditFinding:
    """An objection to a text; `where` is `L3` or `FA` in the edited text, or `explanation`.

    `start` to `end` are the characters of that text, both 0 where all of it is meant; `found` is the text found there,
    or the missing text. `message` is for a reviewer. REFUTED contradicts the label or the trace, UNKNOWN is for a
    person to judge.
    """

    kind: EditFindingKind
    where: str
    start: int
    end: int
    found: str
    message: str
    status: Status = Status.REFUTED


def finding(
    kind: EditFindingKind,
    where: str,
    found: str,
    message: str,
    *,
    span: tuple[int, int] = (0, 0),
    unknown: bool = False,
) -> EditFinding:
    """Return a finding, what was found shortened to 120 characters."""
    status = Status.UNKNOWN if unknown else Status.REFUTED
    return EditFinding(kind, where, *span, found[:LONGEST_FOUND], message, status)


def in_order(findings: Iterable[EditFinding], labels: Iterable[str]) -> tuple[EditFinding, ...]:
    """Sort findings in the order of the text, the explanation last; one of a kind is kept at each place."""
    places = {label: place for place, label in enumerate(labels)}
    once = {(one.kind, one.where, one.start, one.end, one.found): one for one in findings}
    return tuple(
        sorted(once.values(), key=lambda one: (places.get(one.where, len(places)), one.start, one.end, one.kind))
    )
