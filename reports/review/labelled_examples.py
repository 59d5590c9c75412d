"""The labelled examples that a seal of the review holds, and those that it sets aside, each with the reason."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.corpora.labelled_solutions import RejectedRecord, read_record
from harness.domain import Status
from harness.json_form import json_form
from harness.records.review import MOST_FINDINGS
from oracles.labels.audit.label_verdict import audit, refuse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.domain import Evidence, Verdict
    from harness.records.review import ExampleLine

ID_DIGITS = 16
DISAGREE = "reviewers label it differently"
REFUTED = "the audit refutes the label"


@dataclass(frozen=True, slots=True)
class SealedExamples:
    """The records of both files; those of `set_aside` hold the reason in `review.aside`."""

    examples: tuple[Mapping[str, Any], ...]
    set_aside: tuple[Mapping[str, Any], ...]


def sealed_examples(entries: Iterable[ExampleLine]) -> SealedExamples:
    """Return the examples in force by text: a label that the audit refutes, or that reviewers contradict, is set aside."""
    by_text: defaultdict[tuple[str, str], list[ExampleLine]] = defaultdict(list)
    for entry in entries:
        by_text[entry.question, entry.solution].append(entry)
    examples: list[dict[str, Any]] = []
    aside: list[dict[str, Any]] = []
    for _, same in sorted(by_text.items()):
        reason = _aside(same)
        (aside if reason else examples).append(_record(same, reason))
    return SealedExamples(tuple(examples), tuple(aside))


def audited_label(record: Mapping[str, Any]) -> Verdict:
    """Return the audit's verdict on a labelled solution, from its own text alone."""
    labelled = read_record(record, "example")
    return refuse(labelled, "example") if isinstance(labelled, RejectedRecord) else audit(labelled, None, "example")


def refuting(record: Mapping[str, Any]) -> tuple[Evidence, ...]:
    """Return the findings by which the audit refutes a labelled solution, none where it does not."""
    verdict = audited_label(record)
    return verdict.findings[:MOST_FINDINGS] if verdict.status is Status.REFUTED else ()


def finding_forms(findings: Iterable[Evidence]) -> list[dict[str, Any]]:
    """Return findings as an example keeps them."""
    return [
        {
            "kind": str(finding.cause),
            "where": finding.line,
            "message": f"found {finding.found}, expected {finding.expected}",
        }
        for finding in findings
    ]


def _aside(same: list[ExampleLine]) -> str:
    """Return why the examples of one text are set aside, empty if they are not."""
    if len({(entry.label.verdict, entry.label.error_type, entry.label.line) for entry in same}) > 1:
        return DISAGREE
    verdict = audited_label(same[0].record())
    return f"{REFUTED}: {verdict.reason}" if verdict.status is Status.REFUTED else ""


def _record(same: list[ExampleLine], reason: str) -> dict[str, Any]:
    first = same[0]
    review = {
        "aside": reason,
        "labels": [
            {
                "reviewer": entry.reviewer,
                "label": entry.label.record(),
                "judged": json_form(entry.judged),
                "override": entry.override,
                "decided_at": entry.at,
            }
            for entry in same
        ],
    }
    return {
        "example_id": f"example-{_digest(first.question, first.solution)}",
        "problem_id": f"pasted-{_digest(' '.join(first.question.split()))}",
        **first.record(),
        "review": review,
    }


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "backslashreplace")).hexdigest()[:ID_DIGITS]
