"""Figures of the Agreement page: decisions by reviewer, day and error type, disputes, and words for coefficients."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING

from reports.review.agreement import Agreement, agreement, ratings
from reports.review.state.decisions import Decision

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reports.review.agreement import Coefficient
    from reports.review.state.decisions import LogEntry

RELIABLE, TENTATIVE = 0.8, 0.667
"""K. Krippendorff, Content Analysis, 2004: what alpha is to be relied on, and what allows tentative conclusions."""
_WORDS = ((0.8, "almost perfect"), (0.6, "substantial"), (0.4, "moderate"), (0.2, "fair"), (0.0, "slight"))
"""J. R. Landis, G. G. Koch, The measurement of observer agreement for categorical data, 1977."""


@dataclass(frozen=True, slots=True)
class ReviewerFigures:
    """What a reviewer's decisions in force add up to; `seconds` is the median of those that are no skips, `None` without any."""

    reviewer: str
    accepted: int
    rejected: int
    skipped: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class TypeAgreement:
    """How reviewers agree on the candidates of one type of error."""

    error_type: str
    found: Agreement


@dataclass(frozen=True, slots=True)
class Dispute:
    """A candidate in one version that reviewers judged differently, and what each of them decided, in order."""

    candidate_id: str
    version: str
    entries: tuple[LogEntry, ...]


@dataclass(frozen=True, slots=True)
class DailyDecisions:
    """How many decisions a reviewer took on a local day, skips left out."""

    day: str
    reviewer: str
    decisions: int


def by_reviewer(standing: Sequence[LogEntry]) -> list[ReviewerFigures]:
    """Return each reviewer's figures, by name."""
    own: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in standing:
        own[entry.reviewer].append(entry)
    figures = []
    for reviewer, entries in sorted(own.items()):
        kinds = Counter(one.ruling.decision for one in entries)
        seconds = [one.seconds for one in entries if one.ruling.decision is not Decision.SKIP]
        figures.append(
            ReviewerFigures(
                reviewer,
                accepted=kinds[Decision.ACCEPT],
                rejected=kinds[Decision.REJECT],
                skipped=kinds[Decision.SKIP],
                seconds=median(seconds) if seconds else None,
            )
        )
    return figures


def by_day(standing: Sequence[LogEntry]) -> list[DailyDecisions]:
    """Return how many decisions each reviewer took on each day, oldest first."""
    counts = Counter(
        (datetime.fromisoformat(one.at).astimezone().date().isoformat(), one.reviewer)
        for one in standing
        if one.ruling.decision is not Decision.SKIP
    )
    return [DailyDecisions(day, reviewer, number) for (day, reviewer), number in sorted(counts.items())]


def by_type(standing: Sequence[LogEntry], type_of: Callable[[str], str]) -> list[TypeAgreement]:
    """Return how reviewers agree on each type of error that two of them judged, the type judged most first."""
    judged = Counter((one.candidate_id, one.version) for one in standing if one.ruling.decision is not Decision.SKIP)
    types: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in standing:
        if judged[entry.candidate_id, entry.version] > 1:
            types[type_of(entry.candidate_id)].append(entry)
    found = [TypeAgreement(name, agreement(ratings(entries))) for name, entries in sorted(types.items())]
    return sorted(found, key=lambda one: -one.found.n)


def disputes(standing: Sequence[LogEntry]) -> list[Dispute]:
    """Return the candidates that reviewers judged differently, the last decided first."""
    judged: defaultdict[tuple[str, str], list[LogEntry]] = defaultdict(list)
    for entry in standing:
        if entry.ruling.decision is not Decision.SKIP:
            judged[entry.candidate_id, entry.version].append(entry)
    found = [
        Dispute(candidate_id, version, tuple(entries))
        for (candidate_id, version), entries in judged.items()
        if len({one.ruling.decision for one in entries}) > 1
    ]
    return sorted(found, key=lambda one: max(entry.at for entry in one.entries), reverse=True)


def kappa_words(one: Coefficient) -> str:
    """Return how a kappa is read: by the words of Landis and Koch, or why there is none."""
    if one.value is None:
        return one.why
    return next((words for least, words in _WORDS if one.value >= least), "less than chance would give")


def alpha_sentence(one: Coefficient) -> str:
    """Return how an alpha is read, with what its interval leaves open."""
    if one.value is None:
        return f"There is none: {one.why}."
    if one.value >= RELIABLE:
        read = "Reviewers mean the same by accepting: what they decide can be relied on"
    elif one.value >= TENTATIVE:
        read = "Good enough for tentative conclusions only"
    else:
        read = "Too low to rely on: reviewers do not mean the same by accepting; the disagreements below say where"
    if one.low is None:
        return f"{read}; {one.why}."
    if one.value >= TENTATIVE and one.low < TENTATIVE:
        return f"{read}, but the interval reaches below {TENTATIVE}: too few candidates to be sure."
    if one.value < TENTATIVE and one.high is not None and one.high >= TENTATIVE:
        return f"{read}. The interval reaches above {TENTATIVE}, though: more candidates would tell."
    return f"{read}."


def interval(one: Coefficient) -> str:
    """Write a coefficient with its interval: `0.72 (0.51 to 0.88)`."""
    if one.value is None:
        return "–"
    return f"{one.value:.2f}" + (f" ({one.low:.2f} to {one.high:.2f})" if one.low is not None else "")
