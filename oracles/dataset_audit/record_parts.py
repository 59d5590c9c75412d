"""The parts of a record that can be audited, by any of their field names: its solutions, its label, its equation and its program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harness.corpora.labelled_solutions import (
    LONGEST_TEXT,
    MOST_LINES,
    LabelledSolution,
    LabelVerdict,
    RejectedRecord,
    RejectionReason,
    WorkedSolution,
    read_record,
    split_solution,
)
from harness.text.characters import kind_of

SOLUTIONS = ("answer", "solution", "gold_solution", "reference_solution", "reference")
"""The fields of solutions without a label; an `answer` that is only a value is none."""
PROGRAMS = ("smtlib", "program")
"""The fields of SMT-LIB 2 programs."""
NO_LABEL = (RejectionReason.NO_LABEL, RejectionReason.NO_SOLUTION)
LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class ProgramPart:
    """An SMT-LIB 2 program, and the term that the record's answer stands for, empty if it names none."""

    field: str
    text: str
    entailed: str = ""


@dataclass(frozen=True, slots=True)
class RecordParts:
    """A record as the audit reads it.

    `solutions` are worked solutions by the name of their field; `labelled` is the solution that has a label; `equation` and `answer`
    are texts, `None` where the record has none; `asked` is what the record asks, in single spaces; `problem` says why nothing can be read.
    """

    record_id: str
    row: int
    solutions: Mapping[str, WorkedSolution]
    labelled: LabelledSolution | None = None
    equation: str | None = None
    answer: str | None = None
    program: ProgramPart | None = None
    asked: str = ""
    problem: str = ""

    @property
    def empty(self) -> bool:
        """Tell whether nothing of the record can be checked by itself."""
        return not (self.solutions or self.labelled or self.program or (self.equation and self.answer))


def read_parts(record: Any, row: int, name: str) -> RecordParts:
    """Return the parts of a record that can be audited; `name` is its id if it states none."""
    if isinstance(record, Exception) or not isinstance(record, Mapping):
        found = "no JSON" if isinstance(record, Exception) else kind_of(record)
        return RecordParts(name, row, {}, problem=f"expected an object, found {found}")
    record_id = _id(record) or name
    read = read_record(dict(record), name)
    labelled = None if isinstance(read, RejectedRecord) else read
    problem = ""
    if isinstance(read, RejectedRecord) and not read.reason.startswith(NO_LABEL):
        problem = read.reason
    solutions = dict(_solutions(record))
    if labelled is not None and not labelled.edited:
        solutions.pop("solution", None)  # it is the labelled one
    if labelled is not None and labelled.stated.said is not LabelVerdict.FLAWED:
        solutions["solution"] = labelled.worked
    equation, answer = record.get("equation"), _answer(record)
    return RecordParts(
        record_id,
        row,
        solutions,
        labelled,
        equation if isinstance(equation, str) and equation.strip() else None,
        answer,
        _program(record),
        _asked(record),
        problem,
    )


def _solutions(record: Mapping[str, Any]) -> Iterator[tuple[str, WorkedSolution]]:
    """Yield the worked solutions by field; an answer that is a value in a line has none."""
    for field in SOLUTIONS:
        text = record.get(field)
        if not isinstance(text, str):
            continue
        worked = split_solution(text[:LONGEST_TEXT])
        value = field == "answer" and worked.answer is None and len(worked.lines) == 1 and "=" not in text
        if worked.lines and len(worked.lines) <= MOST_LINES and not value:
            yield field, worked


def _id(record: Mapping[str, Any]) -> str:
    for field in ("problem_id", "id", "sample_id", "task_id"):
        value = record.get(field)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            model = record.get("model")
            written = f"{value} ({model})" if isinstance(model, str) and model else str(value)
            return " ".join(written.split())[:LONGEST_NAME]
    return ""


def _answer(record: Mapping[str, Any]) -> str | None:
    """Return the answer of a record: the text after `####`, or the value itself."""
    answer = record.get("answer")
    if isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        return None
    return str(answer).rpartition("####")[2].strip()[:LONGEST_TEXT]


def _program(record: Mapping[str, Any]) -> ProgramPart | None:
    for field in PROGRAMS:
        text = record.get(field)
        if isinstance(text, str) and "(assert" in text:
            query, gold = record.get("query"), record.get("gold")
            term = query.get(gold) if isinstance(query, Mapping) and isinstance(gold, str) else None
            return ProgramPart(field, text, term if isinstance(term, str) else "")
    return None


def _asked(record: Mapping[str, Any]) -> str:
    """Return all that a record asks, or nothing if that is no text: two records that ask the same should have one answer."""
    parts = [record.get(field) for field in ("context", "question", "problem", "options")]
    texts = [" ".join(map(str, part)) if isinstance(part, list) else part for part in parts if part]
    return " ".join(" ".join(texts).split()) if all(isinstance(text, str) for text in texts) else ""


def stated_answer(record: Mapping[str, Any]) -> str:
    """Return the stated answer of a record, or that it has none, as one text; empty if the record does not say."""
    if record.get("answerable") is False:
        return "no answer"
    gold = record.get("gold")
    return gold if isinstance(gold, str) else _answer(record) or ""
