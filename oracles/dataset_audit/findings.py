"""The findings of the audit of a data set, and its counts."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.json_form import json_form
from harness.result_display import Result


class FindingKind(enum.StrEnum):
    """The kinds of finding."""

    FALSE_EQUATION = "false-equation"
    """A line states an equation that holds in no plausible sense."""
    WRONG_LABEL = "wrong-label"
    """The label of a solution contradicts its text."""
    ANOTHER_ANSWER = "equation-gives-another-answer"
    """The equation of a record has another value than its answer."""
    SOLUTION_ANSWER = "solution-gives-another-answer"
    """A solution ends in another answer than its record states."""
    UNSTATED_ANSWER = "answer-of-no-line"
    """A solution, each line of which was read, ends in an answer that is no result of its last line: an earlier number, or one of no line."""
    TWO_ANSWERS = "same-question-another-answer"
    """Two records ask the same in the same words, whatever their case and spacing, and state different answers."""
    BROKEN_PROGRAM = "broken-program"
    """A solver cannot run the program."""
    CONTRADICTORY_PROGRAM = "contradictory-program"
    """The assertions of the program contradict each other, so that it entails everything."""
    NOT_ENTAILED = "answer-not-entailed"
    """The program does not entail the answer of its record."""


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One finding: its record, the place in it, the text found there, and the text expected."""

    record_id: str
    """The record's own id, or the names of folder and file and its number from zero."""
    row: int
    """The line of the file that holds the record, from one."""
    place: str
    """`L3` or `FA` for the third line or the final answer of the solution, else the name of a field."""
    kind: FindingKind
    """The kind of the finding."""
    found: str
    """The text found there, such as `8*3 = 240`."""
    expected: str = ""
    """The correct text, such as `8*3 = 24`; empty where it is not known."""


@dataclass(frozen=True, slots=True)
class UnreadRecord:
    """A record in which nothing could be checked, and why."""

    record_id: str
    """The record."""
    row: int
    """The line of the file that holds it, from one."""
    reason: str
    """Why nothing could be checked."""


@dataclass(frozen=True, slots=True, repr=False)
class DatasetAudit(Result):
    """The findings in a data set, in the order of its records, and how much was read."""

    records: int
    """Records of the file."""
    solutions: int
    """Solutions whose equations were read."""
    equations: int
    """Equations that were checked."""
    unread_lines: int
    """Lines with an equation that could not be read or judged."""
    labels: int
    """Labels that were checked."""
    programs: int
    """SMT-LIB 2 programs that the solvers were given."""
    questions: int
    """Questions with an answer, which were compared with each other."""
    findings: tuple[AuditFinding, ...]
    """The findings, in the order of the records."""
    unread: tuple[UnreadRecord, ...]
    """Records in which nothing could be checked, or not everything."""
    fields: str = ""
    """The fields that were taken for the parts of the records, such as `question from Body and Question`."""

    @property
    def summary(self) -> str:
        """Return the counts of records, findings and records that were not read whole."""
        unread = f", {len(self.unread):,} not read whole" if self.unread else ""
        return f"{self.records:,} records, {len(self.findings):,} findings{unread}"

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each finding."""
        return [json_form(finding) for finding in self.findings]
