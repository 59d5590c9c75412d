"""The records of a review's export: decisions and drafts of reviewers, and the examples that they labelled."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import Field, JsonValue

from harness.json_form import LONGEST_NAME, Name, Number, Prose
from harness.solution.labels import CORRECT, ErrorType

MOST_FINDINGS = 200

_Id = Annotated[str, Field(min_length=1, max_length=500)]
_Person = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")]
_Line = Annotated[str, Field(pattern=r"^(|FA|L[1-9][0-9]{0,2})$")]
_Verdict = Literal["Correct", "Flawed"]
_Seconds = Annotated[Number, Field(ge=0, le=1e9, allow_inf_nan=False)]
_Uid = Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{1,64}$")]


class Decision(enum.StrEnum):
    """A reviewer's decision on a candidate."""

    ACCEPT = "accept"
    REJECT = "reject"
    SKIP = "skip"


class RejectReason(enum.StrEnum):
    """Why a reviewer rejects a candidate; `OTHER` needs a note."""

    IMPLAUSIBLE = "implausible"
    NOT_WRONG = "not_wrong"
    TWO_ERRORS = "two_errors"
    UNREADABLE = "unreadable"
    WRONG_LABEL = "wrong_label"
    OTHER = "other"

    @property
    def words(self) -> str:
        """Return the words that the page shows."""
        return _WORDS[self]


_WORDS = {
    RejectReason.IMPLAUSIBLE: "nobody would write this",
    RejectReason.NOT_WRONG: "it is not wrong",
    RejectReason.TWO_ERRORS: "more than one error",
    RejectReason.UNREADABLE: "it cannot be read",
    RejectReason.WRONG_LABEL: "the label has the wrong line or type",
    RejectReason.OTHER: "another reason",
}


@dataclass(frozen=True, slots=True)
class CandidateTexts:
    """The texts that a person edits."""

    lines: tuple[Prose, ...]
    """The lines of the flawed solution, the last line `#### 72` included."""
    explanation: Prose
    """Why it is wrong."""

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the texts of a candidate's record."""
        return cls(tuple(record["flawed_solution"].split("\n")), record["label"]["error_details"]["explanation"])


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionLine:
    """An entry of the log: a decision, or the undo of one."""

    kind: Literal["decision"] = "decision"
    uid: _Uid
    candidate_id: _Id
    version: _Id
    reviewer: _Person
    """Who decided."""
    session: Prose
    """The session of the reviewer."""
    decision: Decision
    """The decision."""
    undoes: _Uid | None
    """The entry that is undone; null for a decision."""
    texts: CandidateTexts
    """The texts as the reviewer left them."""
    original: CandidateTexts
    """The texts of the candidate."""
    findings: Annotated[tuple[dict[str, JsonValue], ...], Field(max_length=MOST_FINDINGS)]
    """The findings of the audit in the texts."""
    override: Prose
    """Why the candidate is accepted in spite of the findings."""
    reason: RejectReason | None
    """Why the candidate is rejected."""
    note: Prose
    """The reviewer's note."""
    seconds: _Seconds
    at: Prose


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftLine:
    """Texts that a reviewer typed and has not decided on."""

    kind: Literal["draft"] = "draft"
    candidate_id: _Id
    version: _Id
    reviewer: _Person
    """Who typed them."""
    texts: CandidateTexts
    """The texts."""
    seconds: _Seconds
    at: Prose


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleLabel:
    """The label that a person gives a solution."""

    verdict: _Verdict
    """Whether it is right."""
    error_type: ErrorType | None = None
    """The type of the error; null if the person names none, and for a correct solution."""
    line: _Line = ""
    """The line of the error, `L2`, or `FA` for the final answer; empty for a correct solution."""
    explanation: Prose = ""
    """Why it is wrong; empty for a correct solution."""

    def record(self) -> dict[str, Any]:
        """Return the label in the form that labelled data sets have."""
        if self.verdict == CORRECT:
            return {"verdict": self.verdict, "error_details": None}
        details = {
            "error_type": "" if self.error_type is None else str(self.error_type),
            "erroneous_line_number": self.line,
            "explanation": self.explanation,
        }
        return {"verdict": self.verdict, "error_details": details}

    def of_solution(self, question: str, solution: str) -> dict[str, Any]:
        """Return a solution with this label in the form that labelled data sets have."""
        name = "solution" if self.verdict == CORRECT else "flawed_solution"
        return {"question": question, name: solution, "label": self.record()}


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineAnswer:
    """The judgement of an engine on the same solution."""

    engine: Name
    verdict: _Verdict | None
    """Its verdict; null where it gave none."""
    error_type: Name = ""
    """The type or the class of the error that it named."""
    line: _Line = ""
    """The line that it named."""
    confidence: Annotated[Number, Field(ge=0, le=1)] = 0.0
    """How sure it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleLine:
    """A solution that a person labelled on the Verify page, or the withdrawal of one."""

    kind: Literal["example"] = "example"
    uid: _Uid
    reviewer: _Person
    """Who labelled it."""
    undoes: _Uid | None
    """The example that is withdrawn; null for an example."""
    question: Prose
    """The problem."""
    solution: Prose
    """The solution, a line a step, the final answer after `####`."""
    label: ExampleLabel
    """The person's label of it."""
    judged: EngineAnswer
    """The engine's judgement, with which the person disagrees."""
    findings: Annotated[tuple[dict[str, JsonValue], ...], Field(max_length=MOST_FINDINGS)]
    """The findings of the audit about the label."""
    override: Prose
    """Why the label is right in spite of the findings."""
    at: Prose

    def record(self) -> dict[str, Any]:
        """Return the labelled solution in the form that labelled data sets have."""
        return self.label.of_solution(self.question, self.solution)
