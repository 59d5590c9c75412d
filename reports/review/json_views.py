"""JSON views of a candidate and of its audit, as the Review page displays them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypedDict

from harness.json_form import LONGEST_NAME, json_form, read_record
from harness.records.provenance import SourceProvenance
from harness.records.review import CandidateTexts
from harness.solution.labels import FINAL_ANSWER
from harness.text.characters import replace_surrogates
from oracles.labels.edits.audit import audit_edit
from oracles.labels.edits.candidate import labels_beside, labels_of, lines_of
from oracles.labels.edits.findings import EXPLANATION, EditFinding
from reports.review.candidates.candidates import Candidate
from reports.review.candidates.logical_change import change_of
from reports.views.solution_diff import ComparedLine, compare
from reports.views.source_phrases import provenance_phrase, support_phrase


class LineView(TypedDict):
    """One line of the flawed solution, which a person edits.

    `label` is `L3`, or `FA` for the last line `#### 72`, which is the `answer` line. `text` is the content of the field, `own`
    the candidate's text. `folded` lines come before the error and are not edited; `erroneous` marks the labelled line.
    """

    label: str
    text: str
    own: str
    folded: bool
    erroneous: bool
    answer: bool


class FactsView(TypedDict):
    """Facts about a candidate; `plausibility` is from 0 to 1, `tier` is `none` if it is unknown.

    `support` says in a few words, and `provenance` in a sentence, what its formalization rests on.
    """

    problem_id: str
    tier: str
    position: str
    error_class: str
    error_type: str
    operator: str
    model: str
    plausibility: float
    plausibility_reasons: list[str]
    support: str
    provenance: str


class CandidateView(TypedDict):
    """The data of a candidate that the page shows.

    `edits` are the reasons why a person has to edit it; `explanation` is the content of the field, `own_explanation` the
    candidate's explanation; `line` is the label of the erroneous line; `solution` has a `label` and a `text` for each line of
    the correct solution; `change` is a `LogicalChange`.
    """

    candidate_id: str
    version: str
    problem: str
    solution: list[dict[str, str]]
    line: str
    lines: list[LineView]
    explanation: str
    own_explanation: str
    correction: str
    change: dict[str, Any]
    edits: list[str]
    facts: FactsView


class FindingView(TypedDict):
    """A finding of the audit; `where` is `L3`, `FA` or `explanation`; a deleted line keeps its label.

    `start` and `end` count UTF-16 units, as JavaScript does, in the text of `where`; both are 0 for the whole text.
    `status` is `refuted` or `unknown`; `found` is the marked text, or the missing text.
    """

    kind: str
    where: str
    start: int
    end: int
    found: str
    message: str
    status: str


class AuditView(TypedDict):
    """The audit of the texts: `clean` without findings, `edited` if the texts differ from the candidate's.

    `diff` has the lines of the correct solution beside those of the texts, each a `ComparedLine`.
    """

    findings: list[FindingView]
    diff: list[dict[str, Any]]
    clean: bool
    edited: bool


def candidate_view(candidate: Candidate, texts: CandidateTexts) -> CandidateView:
    """Return the view of a candidate with texts in its fields: its own texts, or a draft.

    The result can be written as UTF-8: lone surrogates are replaced.
    """
    record, own = candidate.record, CandidateTexts.of_record(candidate.record)
    details, plausibility = record["label"]["error_details"], record["plausibility"]
    line = details["erroneous_line_number"]
    solution = lines_of(record["solution"])
    model = str(record.get("model") or "")[:LONGEST_NAME]
    provenance = None if record.get("provenance") is None else read_record(SourceProvenance, record["provenance"])
    view: CandidateView = {
        "candidate_id": candidate.candidate_id,
        "version": candidate.version,
        "problem": record["question"],
        "solution": [{"label": label, "text": text} for label, text in zip(labels_of(solution), solution, strict=True)],
        "line": line,
        "lines": _lines(texts, own, line),
        "explanation": texts.explanation,
        "own_explanation": own.explanation,
        "correction": details["correction"],
        "change": json_form(change_of(record)),
        "edits": list(record.get("edits", [])),
        "facts": {
            "problem_id": candidate.problem_id,
            "tier": candidate.tier,
            "position": candidate.position,
            "error_class": details["error_class"],
            "error_type": candidate.error_type,
            "operator": candidate.operator,
            "model": model,
            "plausibility": candidate.plausibility,
            "plausibility_reasons": list(plausibility["reasons"]),
            "support": support_phrase(provenance),
            "provenance": provenance_phrase(provenance, model),
        },
    }
    return replace_surrogates(view)  # type: ignore[no-any-return]  # the same shape with replaced surrogates


def audit_view(candidate: Candidate, texts: CandidateTexts) -> AuditView:
    """Return the audit of the texts, and their difference from the correct solution."""
    findings = audit_edit(candidate.record, texts.lines, texts.explanation)
    solution, own = "\n".join(lines_of(candidate.record["solution"])), CandidateTexts.of_record(candidate.record)
    places = dict(zip(labels_beside(own.lines, texts.lines), texts.lines, strict=True))
    view: AuditView = {
        "findings": [_finding(finding, places, texts.explanation) for finding in findings],
        "diff": [
            {**json_form(line), "differs": line.differs} for line in _difference(solution, "\n".join(texts.lines))
        ],
        "clean": not findings,
        "edited": texts != own,
    }
    return replace_surrogates(view)  # type: ignore[no-any-return]  # as above


def _lines(texts: CandidateTexts, own: CandidateTexts, line: str) -> list[LineView]:
    labels = labels_beside(own.lines, texts.lines)
    place = labels.index(line) if line in labels else len(labels)
    return [
        {
            "label": label,
            "text": text,
            "own": own.lines[number] if number < len(own.lines) else "",
            "folded": number < place,
            "erroneous": number == place,
            "answer": label == FINAL_ANSWER,
        }
        for number, (label, text) in enumerate(zip(labels, texts.lines, strict=True))
    ]


def _finding(finding: EditFinding, lines: Mapping[str, str], explanation: str) -> FindingView:
    text = explanation if finding.where == EXPLANATION else lines.get(finding.where, "")
    return {
        "kind": finding.kind.value,
        "where": finding.where,
        "start": _units(text[: finding.start]),
        "end": _units(text[: finding.end]),
        "found": finding.found,
        "message": finding.message,
        "status": finding.status.name.lower(),
    }


def _units(text: str) -> int:
    """Count the UTF-16 units of a text: two for a character beyond the first plane."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)


@lru_cache(maxsize=64)
def _difference(solution: str, flawed: str) -> list[ComparedLine]:
    return compare(solution, flawed)
