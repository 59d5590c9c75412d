"""Figures of the Agreement page: decisions by reviewer, day and error type, disputes, and words for coefficients."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING

from harness.records.review import Decision, DecisionLine
from reports.review.agreement import Agreement, agreement, ratings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reports.review.agreement import Coefficient

RELIABLE, TENTATIVE = 0.8, 0.667
"""K. Krippendorff, Content Analysis, 2004: the least alpha of reliable data, and of data that allow tentative conclusions."""
_WORDS = ((0.8, "almost perfect"), (0.6, "substantial"), (0.4, "moderate"), (0.2, "fair"), (0.0, "slight"))
"""J. R. Landis, G. G. Koch, The measurement of observer agreement for categorical data, 1977."""


@dataclass(frozen=True, slots=True)
class ReviewerFigures:
    """Totals of a reviewer's decisions in force; `seconds` is the median time of the decisions that are not skips, or `None`."""

    reviewer: str
    accepted: int
    rejected: int
    skipped: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class TypeAgreement:
    """Agreement of reviewers on the candidates of one type of error."""

    error_type: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Dispute:
    """A version of a candidate that reviewers judged differently, with their decisions in order."""

    candidate_id: str
    version: str
    entries: tuple[DecisionLine, ...]


@dataclass(frozen=True, slots=True)
class DailyDecisions:
    """The number of decisions of a reviewer on a local day, without skips."""

    day: str
    reviewer: str
    decisions: int


def by_reviewer(standing: Sequence[DecisionLine]) -> list[ReviewerFigures]:
    """Return each reviewer's figures, by name."""
    own: defaultdict[str, list[DecisionLine]] = defaultdict(list)
    for entry in standing:
        own[entry.reviewer].append(entry)
    figures = []
    for reviewer, entries in sorted(own.items()):
        kinds = Counter(entry.decision for entry in entries)
        seconds = [entry.seconds for entry in entries if entry.decision is not Decision.SKIP]
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


def by_day(standing: Sequence[DecisionLine]) -> list[DailyDecisions]:
    """Return the number of decisions of each reviewer on each day, oldest first."""
    counts = Counter(
        (datetime.fromisoformat(entry.at).astimezone().date().isoformat(), entry.reviewer)
        for entry in standing
        if entry.decision is not Decision.SKIP
    )
    return [DailyDecisions(day, reviewer, number) for (day, reviewer), number in sorted(counts.items())]


def by_type(standing: Sequence[DecisionLine], type_of: Callable[[str], str]) -> list[TypeAgreement]:
    """Return the agreement on each type of error that two reviewers judged, the most judged type first."""
    judged = Counter((entry.candidate_id, entry.version) for entry in standing if entry.decision is not Decision.SKIP)
    types: defaultdict[str, list[DecisionLine]] = defaultdict(list)
    for entry in standing:
        if judged[entry.candidate_id, entry.version] > 1:
            types[type_of(entry.candidate_id)].append(entry)
    agreements = [TypeAgreement(name, agreement(ratings(entries))) for name, entries in sorted(types.items())]
    return sorted(agreements, key=lambda row: -row.agreement.n)


def disputes(standing: Sequence[DecisionLine]) -> list[Dispute]:
    """Return the candidates that reviewers judged differently, the latest decision first."""
    judged: defaultdict[tuple[str, str], list[DecisionLine]] = defaultdict(list)
    for entry in standing:
        if entry.decision is not Decision.SKIP:
            judged[entry.candidate_id, entry.version].append(entry)
    disagreements = [
        Dispute(candidate_id, version, tuple(entries))
        for (candidate_id, version), entries in judged.items()
        if len({entry.decision for entry in entries}) > 1
    ]
    return sorted(disagreements, key=lambda dispute: max(entry.at for entry in dispute.entries), reverse=True)


def kappa_words(coefficient: Coefficient) -> str:
    """Return the words of Landis and Koch for a kappa, or why it is undefined."""
    if coefficient.value is None:
        return coefficient.why
    return next((words for least, words in _WORDS if coefficient.value >= least), "less than chance would give")


def alpha_sentence(coefficient: Coefficient) -> str:
    """Return an interpretation of an alpha and of its interval."""
    if coefficient.value is None:
        return f"Alpha is undefined: {coefficient.why}."
    if coefficient.value >= RELIABLE:
        sentence = "Reviewers use the same standard; their decisions are reliable"
    elif coefficient.value >= TENTATIVE:
        sentence = "Good enough for tentative conclusions only"
    else:
        sentence = "Too low to rely on: reviewers use different standards; see the disagreements below"
    if coefficient.low is None:
        return f"{sentence}; {coefficient.why}."
    if coefficient.value >= TENTATIVE and coefficient.low < TENTATIVE:
        return f"{sentence}, but the interval reaches below {TENTATIVE}: too few candidates to be sure."
    if coefficient.value < TENTATIVE and coefficient.high is not None and coefficient.high >= TENTATIVE:
        return f"{sentence}. However, the interval reaches above {TENTATIVE}: judge more candidates to be sure."
    return f"{sentence}."


def interval(coefficient: Coefficient) -> str:
    """Write a coefficient with its interval: `0.72 (0.51 to 0.88)`."""
    if coefficient.value is None:
        return "–"
    return f"{coefficient.value:.2f}" + (
        f" ({coefficient.low:.2f} to {coefficient.high:.2f})" if coefficient.low is not None else ""
    )
