"""The fields and answers of a candidate that annotation programs exchange, by the names of their questions."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.errors import HarnessError
from harness.records.review import CandidateTexts, Decision, DecisionLine, DraftLine, RejectReason
from reports.review.candidates.logical_change import change_of
from reports.review.exchange.export_selection import ExportedCandidate
from reports.review.exchange.judgement_merge import ImportedJudgement, Refusal, RefusalReason
from reports.review.state.review_state import check_note, check_texts

FIELDS = {
    "question": "Problem",
    "solution": "Correct solution",
    "change": "What was changed",
    "flawed_solution": "Flawed solution",
    "explanation": "Explanation",
}
"""The texts that a reviewer reads, with their headings; the last two are edited."""
EDITED = ("flawed_solution", "explanation")


class StrictRecord(BaseModel):
    """A part of a record of another program, read strictly."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


Record = TypeVar("Record", bound=StrictRecord)


def fields_of(exported: ExportedCandidate) -> dict[str, str]:
    """Return the texts of a candidate, by the names of `FIELDS`."""
    record, own = exported.candidate.record, exported.own
    texts = (record["question"], record["solution"], change_of(record).sentence, "\n".join(own.lines), own.explanation)
    return dict(zip(FIELDS, texts, strict=True))


def facts_of(exported: ExportedCandidate) -> dict[str, Any]:
    """Return the facts of a candidate by which reviewers filter, and the version of its record."""
    candidate = exported.candidate
    names = ("version", "problem_id", "tier", "position", "error_type", "operator", "needs_edit")
    return {name: getattr(candidate, name) for name in names}


def answers_of(line: DecisionLine | DraftLine) -> dict[str, str]:
    """Return a reviewer's answer to each question; a text is empty if there is no answer."""
    edited = dict(zip(EDITED, ("\n".join(line.texts.lines), line.texts.explanation), strict=True))
    if isinstance(line, DraftLine):
        return edited
    said = {"reason": str(line.reason or ""), "override": line.override, "note": line.note}
    return {"decision": str(line.decision), **edited, **said}


def read_strictly(record_class: type[Record], record: Any, where: str) -> Record | Refusal:
    """Return a record of another program, or its refusal if it has another form."""
    try:
        return record_class.model_validate(record)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return Refusal(RefusalReason.MALFORMED, where, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")


def judgement_of(
    answers: Mapping[str, str],
    where: str,
    *,
    candidate_id: str,
    version: str,
    reviewer: str,
    decision: str | None,
    seconds: float = 0.0,
) -> ImportedJudgement | Refusal:
    """Return the judgement of a reviewer's answers, a draft without a `decision`; or why it is refused."""
    override, note = answers.get("override", ""), answers.get("note", "")
    try:
        judgement = ImportedJudgement(
            where=where,
            candidate_id=candidate_id,
            version=version,
            reviewer=reviewer,
            decision=None if decision is None else Decision(decision),
            texts=CandidateTexts(tuple(answers["flawed_solution"].split("\n")), answers["explanation"]),
            override=override,
            reason=RejectReason(answers["reason"]) if answers.get("reason") else None,
            note=note,
            seconds=seconds,
        )
        check_texts(judgement.texts)
        check_note(override, note)
    except (ValueError, HarnessError) as error:
        return Refusal(RefusalReason.MALFORMED, where, str(error)[:200])
    return judgement
