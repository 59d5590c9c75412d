"""JSON views of a candidate and of its audit, as the Review page displays them."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypedDict

from harness.json_form import LONGEST_NAME
from harness.solution.labels import FINAL_ANSWER
from oracles.labels.edits.audit import audit_edit
from oracles.labels.edits.candidate import labels_beside, labels_of, lines_of
from oracles.labels.edits.findings import EXPLANATION, EditFinding
from reports.review.candidates.candidates import Candidate, CandidateTexts
from reports.review.candidates.logical_change import ValueChange, change_of
from reports.views.solution_diff import ComparedLine, Pieces, compare


class LineView(TypedDict):
    """One line of the flawed solution, which a person edits.

    `label` is `L3`, or `FA` for the last line `#### 72`, which is the `answer` line. `text` is what the field holds, `own` the
    candidate's text, to go back to. `folded` lines stand before the error and are not edited; `erroneous` is the labelled line.
    """

    label: str
    text: str
    own: str
    folded: bool
    erroneous: bool
    answer: bool


class SolutionLine(TypedDict):
    """One line of the correct solution; `label` as in `LineView`."""

    label: str
    text: str


class ValueView(TypedDict):
    """A value that the change made another: `after` is `None` where its step is left out.

    `name` is its variable in words, `line` the line of the correct solution that states it (empty where none does); `before` and
    `after` are numbers as a solution writes them.
    """

    name: str
    variable: str
    line: str
    before: str
    after: str | None


class ChangeView(TypedDict):
    """What was changed: one sentence, the values of that step, and what follows from it."""

    sentence: str
    line: str
    values: list[ValueView]
    follows: list[ValueView]


class FactsView(TypedDict):
    """What a reviewer may want to know of a candidate; `plausibility` is from 0 to 1, a `tier` is `none` without one."""

    problem_id: str
    tier: str
    position: str
    error_class: str
    error_type: str
    operator: str
    model: str
    plausibility: float
    plausibility_reasons: list[str]


class CandidateView(TypedDict):
    """All that the page shows before anything is typed.

    `edits` are the reasons why a person has to read this one, none where nothing speaks against it; `explanation` is what the
    field holds, `own_explanation` the candidate's; `line` is the label of the erroneous line.
    """

    candidate_id: str
    version: str
    problem: str
    solution: list[SolutionLine]
    line: str
    lines: list[LineView]
    explanation: str
    own_explanation: str
    correction: str
    change: ChangeView
    edits: list[str]
    facts: FactsView


class FindingView(TypedDict):
    """What speaks against a text; `where` is `L3`, `FA` or `explanation`, of a line that is gone the label it had.

    `start` and `end` count UTF-16 units, as JavaScript does, in the text that `where` names; both are 0 where the whole is meant.
    `status` is `refuted` or `unknown`; `found` is the text marked, or what is missing.
    """

    kind: str
    where: str
    start: int
    end: int
    found: str
    message: str
    status: str


class PieceView(TypedDict):
    """A stretch of a line, and whether the other solution lacks it."""

    text: str
    changed: bool


class DiffLine(TypedDict):
    """A line of the correct solution against one of the edited text; a side that lacks it is `None`."""

    before_label: str | None
    after_label: str | None
    before: list[PieceView] | None
    after: list[PieceView] | None
    differs: bool


class AuditView(TypedDict):
    """What the audit says of the texts as they stand: `clean` without findings, `edited` where they are not the candidate's."""

    findings: list[FindingView]
    diff: list[DiffLine]
    clean: bool
    edited: bool


def candidate_view(candidate: Candidate, texts: CandidateTexts) -> CandidateView:
    """Return what the page shows of a candidate, its fields filled with texts: its own, or a draft of a person's.

    Whatever a record holds, the result is JSON that can be written as UTF-8: halves of surrogate pairs are replaced.
    """
    record, own = candidate.record, CandidateTexts.of_record(candidate.record)
    details, plausibility = record["label"]["error_details"], record["plausibility"]
    line = details["erroneous_line_number"]
    solution = lines_of(record["solution"])
    change = change_of(record)
    shown: CandidateView = {
        "candidate_id": candidate.candidate_id,
        "version": candidate.version,
        "problem": record["question"],
        "solution": [{"label": label, "text": text} for label, text in zip(labels_of(solution), solution, strict=True)],
        "line": line,
        "lines": _lines(texts, own, line),
        "explanation": texts.explanation,
        "own_explanation": own.explanation,
        "correction": details["correction"],
        "change": {
            "sentence": change.sentence,
            "line": change.line,
            "values": [_value(one) for one in change.values],
            "follows": [_value(one) for one in change.follows],
        },
        "edits": list(record.get("edits", [])),
        "facts": {
            "problem_id": candidate.problem_id,
            "tier": candidate.tier,
            "position": candidate.position,
            "error_class": details["error_class"],
            "error_type": candidate.error_type,
            "operator": candidate.operator,
            "model": str(record.get("model") or "")[:LONGEST_NAME],
            "plausibility": candidate.plausibility,
            "plausibility_reasons": list(plausibility["reasons"]),
        },
    }
    return _whole(shown)  # type: ignore[no-any-return]  # the same shape, its texts made whole


def audit_view(candidate: Candidate, texts: CandidateTexts) -> AuditView:
    """Return what the audit says of the texts, and how they differ from the correct solution."""
    findings = audit_edit(candidate.record, texts.lines, texts.explanation)
    solution, own = "\n".join(lines_of(candidate.record["solution"])), CandidateTexts.of_record(candidate.record)
    places = dict(zip(labels_beside(own.lines, texts.lines), texts.lines, strict=True))
    shown: AuditView = {
        "findings": [_finding(one, places, texts.explanation) for one in findings],
        "diff": [_compared(line) for line in _difference(solution, "\n".join(texts.lines))],
        "clean": not findings,
        "edited": texts != own,
    }
    return _whole(shown)  # type: ignore[no-any-return]  # as above


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


def _value(one: ValueChange) -> ValueView:
    return {"name": one.name, "variable": one.variable, "line": one.line, "before": one.before, "after": one.after}


def _finding(one: EditFinding, lines: Mapping[str, str], explanation: str) -> FindingView:
    text = explanation if one.where == EXPLANATION else lines.get(one.where, "")
    return {
        "kind": one.kind.value,
        "where": one.where,
        "start": _units(text[: one.start]),
        "end": _units(text[: one.end]),
        "found": one.found,
        "message": one.message,
        "status": one.status.name.lower(),
    }


def _units(text: str) -> int:
    """Count the UTF-16 units of a text: two for a character beyond the first plane."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)


@lru_cache(maxsize=64)
def _difference(solution: str, flawed: str) -> list[ComparedLine]:
    return compare(solution, flawed)


def _compared(line: ComparedLine) -> DiffLine:
    return {
        "before_label": line.before_label,
        "after_label": line.after_label,
        "before": _pieces(line.before),
        "after": _pieces(line.after),
        "differs": line.differs,
    }


def _pieces(pieces: Pieces | None) -> list[PieceView] | None:
    return None if pieces is None else [{"text": piece.text, "changed": piece.changed} for piece in pieces]


_HALVES = re.compile("[\ud800-\udfff]")


def _whole(value: Any) -> Any:
    """Replace halves of surrogate pairs, which no UTF-8 text can hold, in all texts of a JSON value."""
    if isinstance(value, str):
        return value if value.isascii() else _HALVES.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {key: _whole(one) for key, one in value.items()}
    return [_whole(one) for one in value] if isinstance(value, list) else value
