"""The parts of a record that can be audited: its solutions, its label, its equation and its program."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.corpora.field_roles import FieldNames, Role, read_fields
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
from harness.corpora.record_layouts import no_record

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
    are texts, `None` where the record has none, `option` is the text of the option that the answer names; `asked` is what the record asks, its case, spacing and end marks apart, and `stated_answer` the answer it
    states to that, or that there is none; `problem` says why something cannot be read; `taken` names the fields of the parts.
    """

    record_id: str
    row: int
    solutions: Mapping[str, WorkedSolution] = field(default_factory=dict)
    labelled: LabelledSolution | None = None
    equation: str | None = None
    answer: str | None = None
    option: str = ""
    program: ProgramPart | None = None
    asked: str = ""
    stated_answer: str = ""
    problem: str = ""
    taken: Mapping[Role, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Tell whether nothing of the record can be checked by itself."""
        return not (self.solutions or self.labelled or self.program or (self.equation and self.answer))


def read_parts(record: Any, row: int, name: str, named: FieldNames) -> RecordParts:
    """Return the parts of a record that can be audited, by the fields that the user names; `name` is its id if it states none."""
    name = name[:LONGEST_NAME]
    if not isinstance(record, Mapping):
        return RecordParts(name, row, problem=no_record(record))
    fields = read_fields(record, named)
    read = read_record(dict(record), name, named=fields)
    labelled = None if isinstance(read, RejectedRecord) else read
    solutions = {field: worked for field, text in fields.solutions.items() if (worked := _worked_solution(text))}
    if labelled is not None and not labelled.edited:
        solutions.pop(fields.taken.get(Role.SOLUTION, ""), None)  # it is the labelled one
    if labelled is not None and labelled.stated.said is not LabelVerdict.FLAWED:
        solutions[labelled.layout.marks[0]] = labelled.worked
    gold = record.get("gold")
    unread = [*fields.unread.values()]
    if isinstance(read, RejectedRecord) and not read.reason.startswith(NO_LABEL):
        unread.append(read.reason)
    return RecordParts(
        _id(fields.identifier, record) or name,
        row,
        solutions,
        labelled,
        fields.equation or None,
        fields.answer[:LONGEST_TEXT] or None,
        fields.option,
        _program(record),
        _BEFORE_MARK.sub(r"\1", " ".join(f"{fields.question} {fields.options}".casefold().split())).rstrip(".?! ")
        if fields.question
        else "",
        "no answer" if record.get("answerable") is False else gold if isinstance(gold, str) else fields.answer,
        unread[0] if unread else "",
        fields.taken if labelled is None else labelled.taken,
    )


def _worked_solution(text: str) -> WorkedSolution | None:
    """Return a worked solution; `None` where the text is an answer alone, or is too long."""
    worked = split_solution(text[:LONGEST_TEXT])
    return worked if 0 < len(worked.lines) <= MOST_LINES else None


def _id(identifier: str, record: Mapping[str, Any]) -> str:
    model = record.get("model")
    written = f"{identifier} ({model})" if identifier and isinstance(model, str) and model else identifier
    return " ".join(written.split())[:LONGEST_NAME]


def _program(record: Mapping[str, Any]) -> ProgramPart | None:
    for name in PROGRAMS:
        text = record.get(name)
        if isinstance(text, str) and "(assert" in text:
            query, gold = record.get("query"), record.get("gold")
            term = query.get(gold) if isinstance(query, Mapping) and isinstance(gold, str) else None
            return ProgramPart(name, text, term if isinstance(term, str) else "")
    return None
