"""A candidate as the Review page shows it, the audit of a person's texts, and the record with these texts."""

import copy
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from harness.json_form import LONGEST_NAME, json_form, read_record, with_digest
from harness.records.provenance import SourceProvenance
from harness.records.review import CandidateTexts
from harness.solution.labels import FINAL_ANSWER
from harness.text.characters import replace_surrogates
from oracles.labels.edited_text import EXPLANATION, EditFinding, audit_edit, labels_beside, labels_of
from oracles.proofs.flaw_text import lines_of
from reports.review.candidates import Candidate
from reports.review.logical_change import change_of
from reports.views.phrases import provenance_phrase, support_phrase
from reports.views.solution_diff import compare

View = dict[str, Any]
"""JSON that can be written as UTF-8: lone surrogates are replaced."""
_compared_lines = lru_cache(maxsize=64)(compare)


def candidate_view(candidate: Candidate, texts: CandidateTexts) -> View:
    """Return a candidate with texts in its fields: its own texts, or a draft.

    `lines` are the fields of the flawed solution: `text` is the content, `own` the candidate's text; `folded` lines come before
    the error and are not edited, `erroneous` marks the labelled line, `answer` the line of the final answer. `edits` are the reasons
    why a person has to edit it, `change` is a `LogicalChange`; the facts `support` and `provenance` say what its formalization rests on.
    """
    record, own = candidate.record, CandidateTexts.of_record(candidate.record)
    details, plausibility = record["label"]["error_details"], record["plausibility"]
    line = details["erroneous_line_number"]
    solution = lines_of(record["solution"])
    model = str(record.get("model") or "")[:LONGEST_NAME]
    provenance = None if record.get("provenance") is None else read_record(SourceProvenance, record["provenance"])
    view = {
        "candidate_id": candidate.candidate_id,
        "version": candidate.version,
        "problem": record["question"],
        "solution": [{"label": label, "text": text} for label, text in zip(labels_of(solution), solution, strict=True)],
        "line": line,
        "lines": _fields(texts, own, line),
        "explanation": texts.explanation,
        "own_explanation": own.explanation,
        "correction": details["correction"],
        "change": json_form(change_of(record)),
        "edits": list(record.get("edits", [])),
        "facts": {
            **{name: getattr(candidate, name) for name in ("problem_id", "tier", "position", "error_type", "operator")},
            "error_class": details["error_class"],
            "model": model,
            "plausibility": candidate.plausibility,
            "plausibility_reasons": list(plausibility["reasons"]),
            "support": support_phrase(provenance),
            "provenance": provenance_phrase(provenance, model),
        },
    }
    return replace_surrogates(view)  # type: ignore[no-any-return]  # the same shape


def audit_view(candidate: Candidate, texts: CandidateTexts) -> View:
    """Return the audit of the texts: the `findings`, and `diff`, the lines of the correct solution beside those of the texts.

    A finding names the line or `explanation` that it is `where`; `start` and `end` count UTF-16 units, as JavaScript does, in that text,
    and are both 0 for the whole text; `found` is the marked text, or the missing text.
    """
    findings = audit_edit(candidate.record, texts.lines, texts.explanation)
    solution, own = "\n".join(lines_of(candidate.record["solution"])), CandidateTexts.of_record(candidate.record)
    places = dict(zip(labels_beside(own.lines, texts.lines), texts.lines, strict=True))
    compared = _compared_lines(solution, "\n".join(texts.lines))
    view = {
        "findings": [_finding(finding, places, texts.explanation) for finding in findings],
        "diff": [{**json_form(line), "differs": line.differs} for line in compared],
        "clean": not findings,
        "edited": texts != own,
    }
    return replace_surrogates(view)  # type: ignore[no-any-return]  # as above


def edited_record(record: Mapping[str, Any], texts: CandidateTexts) -> dict[str, Any]:
    """Return a copy of a candidate's record with a person's lines and explanation, marked as needing no edit.

    The certificate, the type, the line, the correction and the id stay: a person changes the words, not the error. Its `review` holds
    the texts that it was made with, by which these are checked again.
    """
    original = CandidateTexts.of_record(record)
    new = copy.deepcopy(dict(record))
    new["flawed_solution"] = "\n".join(texts.lines)
    new["label"]["error_details"]["explanation"] = texts.explanation
    new["needs_edit"] = False
    new["edits"] = []
    new["review"] = {"edited": texts != original, "original": json_form(original)}
    return with_digest(new)


def _fields(texts: CandidateTexts, own: CandidateTexts, line: str) -> list[View]:
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


def _finding(finding: EditFinding, lines: Mapping[str, str], explanation: str) -> View:
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
    """Return the number of UTF-16 units of a text: two for a character beyond the first plane."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)
