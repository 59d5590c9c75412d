"""The parts of a record that can be audited, by any of their field names: its solutions, its label, its equation and its program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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
"""The fields of solutions without a label; an `answer` that is only a value is not one."""
ANSWERS = ("answer", "expected_answer", "final_answer")
"""The fields of the answer of a record, the first one that is there."""
PROGRAMS = ("smtlib", "program")
"""The fields of SMT-LIB 2 programs."""
NO_LABEL = (RejectionReason.NO_LABEL, RejectionReason.NO_SOLUTION)
LONGEST_NAME = 120
_BEFORE_MARK = re.compile(r" ([.,;:?!])")


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
    are texts, `None` where the record has none; `asked` is what the record asks, its case, spacing and end marks apart, and `stated_answer` the answer it
    states to that, or that there is none; `problem` says why nothing can be read.
    """

    record_id: str
    row: int
    solutions: Mapping[str, WorkedSolution] = field(default_factory=dict)
    labelled: LabelledSolution | None = None
    equation: str | None = None
    answer: str | None = None
    program: ProgramPart | None = None
    asked: str = ""
    stated_answer: str = ""
    problem: str = ""

    @property
    def empty(self) -> bool:
        """Tell whether nothing of the record can be checked by itself."""
        return not (self.solutions or self.labelled or self.program or (self.equation and self.answer))


def read_parts(record: Any, row: int, name: str) -> RecordParts:
    """Return the parts of a record that can be audited; `name` is its id if it states none."""
    name = name[:LONGEST_NAME]
    if not isinstance(record, Mapping):
        found = "no JSON" if isinstance(record, Exception) else kind_of(record)
        return RecordParts(name, row, problem=f"expected an object, found {found}")
    read = read_record(dict(record), name)
    labelled = None if isinstance(read, RejectedRecord) else read
    solutions = dict(_solutions(record))
    if labelled is not None and not labelled.edited:
        solutions.pop("solution", None)  # it is the labelled one
    if labelled is not None and labelled.stated.said is not LabelVerdict.FLAWED:
        solutions["solution"] = labelled.worked
    equation, answer, gold = record.get("equation"), _answer(record), record.get("gold")
    told = "no answer" if record.get("answerable") is False else gold if isinstance(gold, str) else answer or ""
    return RecordParts(
        _id(record) or name,
        row,
        solutions,
        labelled,
        equation if isinstance(equation, str) and equation.strip() else None,
        answer,
        _program(record),
        _asked(record),
        told,
        read.reason if isinstance(read, RejectedRecord) and not read.reason.startswith(NO_LABEL) else "",
    )


def _solutions(record: Mapping[str, Any]) -> Iterator[tuple[str, WorkedSolution]]:
    """Yield the worked solutions by field; an answer that is a value in a line has none."""
    for name in SOLUTIONS:
        text = record.get(name)
        if isinstance(text, str):
            worked = split_solution(text[:LONGEST_TEXT])
            value = name == "answer" and worked.answer is None and len(worked.lines) == 1 and "=" not in text
            if 0 < len(worked.lines) <= MOST_LINES and not value:
                yield name, worked


def _id(record: Mapping[str, Any]) -> str:
    for name in ("problem_id", "id", "sample_id", "task_id"):
        value = record.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            model = record.get("model")
            written = f"{value} ({model})" if isinstance(model, str) and model else str(value)
            return " ".join(written.split())[:LONGEST_NAME]
    return ""


def _answer(record: Mapping[str, Any]) -> str | None:
    """Return the answer of a record: the text after `####`, or the value itself."""
    answer = next((record[name] for name in ANSWERS if record.get(name) is not None), None)
    if isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        return None
    return str(answer).rpartition("####")[2].strip()[:LONGEST_TEXT]


def _program(record: Mapping[str, Any]) -> ProgramPart | None:
    for name in PROGRAMS:
        text = record.get(name)
        if isinstance(text, str) and "(assert" in text:
            query, gold = record.get("query"), record.get("gold")
            term = query.get(gold) if isinstance(query, Mapping) and isinstance(gold, str) else None
            return ProgramPart(name, text, term if isinstance(term, str) else "")
    return None


def _asked(record: Mapping[str, Any]) -> str:
    """Return all that a record asks, or nothing if that is no text: two records that ask the same should have one answer."""
    parts = [record.get(name) for name in ("context", "question", "problem", "options")]
    texts = [" ".join(map(str, part)) if isinstance(part, list) else part for part in parts if part]
    if not all(isinstance(text, str) for text in texts):
        return ""
    return _BEFORE_MARK.sub(r"\1", " ".join(" ".join(texts).casefold().split())).rstrip(".?! ")
