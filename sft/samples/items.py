"""A solution to be judged (item), and solutions and problems whose judgement is known (samples)."""

import enum
import json
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field

from harness.constraint_system import ProblemClass
from harness.corpora.labelled_solutions import split_solution
from harness.json_form import Boolean, Integer, Number, json_form, read_record
from harness.solution.labels import CORRECT, FINAL_ANSWER, FLAWED, ErrorClass, named_error_type

CORRECT_KIND, UNKNOWN_ERROR = "correct", "unknown_error"


class Trust(enum.StrEnum):
    """Why a sample may train, the strongest reason first; a dataset's card says what each means."""

    GIVEN = "given"
    REVIEWED = "reviewed"
    LABELLED = "labelled by a reviewer"
    DIAGNOSED = "diagnosed by an oracle"
    CLEAN = "unreviewed, clean"
    WIDENED = "unreviewed, widened"


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that was not read: `L201`, `FA` or `question`, and the reason.

    `beyond` tells that it exceeds a limit of the reader, so that nothing is known of it; otherwise an equation in it is in a
    form that the reader does not understand.
    """

    line: str
    reason: str
    beyond: bool = True

    def record(self) -> dict[str, str]:
        """Return the JSON form."""
        return {"line": self.line, "reason": self.reason}


def beyond_limits(unread: tuple[UnreadLine, ...]) -> str:
    """Return why a solution cannot be judged, naming the first line that exceeds a limit; empty if none does."""
    beyond = [line for line in unread if line.beyond]
    if not beyond:
        return ""
    first = f"{beyond[0].line} was not read: {beyond[0].reason}"
    return first if len(beyond) == 1 else f"{first}; {len(beyond) - 1} more lines were not read"


@dataclass(frozen=True, slots=True)
class Item:
    """A problem and its solution: `lines` are L1, L2, …, without the final answer.

    `annotated` are the same lines with their `<<5*7=35>>` annotations, for readers of equations. `answer` is the text of
    the final answer, `None` without one; `before` is the number of lines before it, fewer than all if lines follow.
    `unread` are the lines, and the question, that exceed the limits and are missing from the other fields. `reference` is the text
    of a correct solution to the same problem, `gold` its right answer alone; they are empty if none is given.
    """

    question: str
    lines: tuple[str, ...]
    annotated: tuple[str, ...]
    answer: str | None
    before: int
    unread: tuple[UnreadLine, ...] = ()
    reference: str = ""
    gold: str = ""

    @property
    def empty(self) -> bool:
        """Tell whether the solution has no line and no final answer."""
        return not (any(self.lines) or self.answer or self.unread)

    def places(self) -> tuple[str, ...]:
        """Return the names of the places to judge, in order: `L1`, `L2`, …, and `FA` if there is an answer."""
        names = tuple(f"L{number}" for number in range(1, len(self.lines) + 1))
        return names if self.answer is None else (*names, FINAL_ANSWER)


def error_details(error_type: str, line: str, explanation: str, alias: str, correction: str) -> dict[str, str]:
    """Return the JSON form of an error; an empty alias or correction is left out."""
    known = {name: text for name, text in (("alias", alias), ("correction", correction)) if text}
    return {"error_type": error_type, "erroneous_line_number": line, "explanation": explanation, **known}


@dataclass(frozen=True, slots=True)
class Truth:
    """The known label of a solution; if only the answer was checked, only `flawed` is known.

    `error_type` is the fine type of the taxonomy or empty; `line` is a name such as `L3` or `FA`, or empty if unknown.
    `correction` is how the line should read, empty if unknown.
    """

    flawed: Boolean
    error_class: ErrorClass | None = None
    error_type: str = ""
    line: str = ""
    explanation: str = ""
    correction: str = ""

    @property
    def alias(self) -> str:
        """Return the name of the type in the publication that the taxonomy comes from, empty where it has no other."""
        error_type = named_error_type(self.error_type)
        return (error_type.alias or "") if error_type is not None else ""

    def record(self) -> dict[str, Any]:
        """Return the JSON form, the same that a verifier must write."""
        if not self.flawed:
            return {"verdict": CORRECT, "error_details": None}
        kind = self.error_type or str(self.error_class or "")
        details = error_details(kind, self.line, self.explanation, self.alias, self.correction)
        return {"verdict": FLAWED, "error_details": details}


@dataclass(frozen=True, slots=True)
class Sample:
    """A solution with a known label, and its origin.

    `solution` is the text with a final line `#### 5`; samples of one `problem_id` stay in one split; `source` is a stage or
    a file, `licence` the licence of its texts; `operator` names the maker of the error; `reference` is the correct solution
    that the sample was made from, empty if unknown. `doubt` is the objection to a sample that no person reviewed. `oracle` is
    the model of the oracle that it rests on, `clique_size` how many formalizations agree with it (0 without a formalization stage, `None`
    if it is not recorded), `confidence` their score, `p_right` the probability that the oracle is right. `weight` is how much the sample counts in the loss of `oracle-factory train`.
    `diagnosis` is what its label was made from, of a solution that an oracle judged: the `strength` of the label, the `oracle`, the status and the certificate.
    """

    sample_id: str
    problem_id: str
    question: str
    solution: str
    truth: Truth
    source: str
    licence: str
    operator: str = ""
    tier: Integer | None = None
    reference: str = ""
    trust: Trust = Trust.GIVEN
    doubt: str = ""
    oracle: str = ""
    clique_size: Integer | None = None
    confidence: Number | None = None
    p_right: Number | None = None
    weight: Number = 1.0
    diagnosis: Annotated[dict[str, Any] | None, Field(exclude_if=lambda diagnosis: diagnosis is None)] = None

    def record(self) -> dict[str, Any]:
        """Return the JSON form, in which the fields of the truth stand among those of the sample, and the position after the tier."""
        form: dict[str, Any] = {}
        for name, value in json_form(self).items():
            form |= value if name == "truth" else {name: value}
            form |= {"position": self.position} if name == "tier" else {}
        return {**form, "alias": self.truth.alias}

    @property
    def position(self) -> str:
        """Return the place of the error: `first`, `middle` or `last` of the lines, `answer`, `none` or `unknown`."""
        if not self.truth.flawed or not self.truth.line:
            return "unknown" if self.truth.flawed else "none"
        if self.truth.line == FINAL_ANSWER:
            return "answer"
        if self.truth.line == "L1":
            return "first"
        # A file of other people may name a line that is not there.
        between = range(2, len(split_solution(self.solution).lines))
        return "middle" if self.truth.line in {f"L{number}" for number in between} else "last"

    @property
    def strength(self) -> str:
        """Return the strength of a label that an oracle gave, empty for others."""
        return str((self.diagnosis or {}).get("strength", ""))

    @property
    def certificate(self) -> str:
        """Return the certificate of a label that is proved as JSON, with the inputs that show the error; empty for others."""
        stated = self.diagnosis or {}
        witness = {"witness": stated["witness"]} if stated.get("witness") else {}
        shown = {**(stated.get("certificate") or {}), **witness}
        return json.dumps(shown, ensure_ascii=False) if shown else ""

    @property
    def kind(self) -> str:
        """Return the class that is balanced: `correct`, the class of the error, or `unknown_error`."""
        return str(self.truth.error_class or UNKNOWN_ERROR) if self.truth.flawed else CORRECT_KIND

    @property
    def type(self) -> str:
        """Return the fine type of the error, or the class."""
        return self.truth.error_type or self.kind

    def corrected(self, name: str) -> Self:
        """Return the correct solution that it was made from, under a name."""
        right = Truth(flawed=False)
        solution = self.reference
        return replace(self, sample_id=name, solution=solution, truth=right, operator="", reference="")

    @classmethod
    def of_record(cls, record: Any) -> Self:
        """Return the sample of a JSON form that `record` gave; errors as in `read_record`."""
        return read_record(cls, {**record, "truth": record} if isinstance(record, dict) else record)


@dataclass(frozen=True, slots=True)
class ProblemSample:
    """A problem, its class (0 contradictory, 1 solvable, 2 underspecified) and the `reason` for it.

    `operator` names the edit that made it, `twin` the sample that it differs least from. The class of an edited problem is proved, and
    its making leaves nothing to edit, so that it is trusted. The other fields are those of a `Sample`.
    """

    sample_id: str
    problem_id: str
    question: str
    problem_class: Annotated[ProblemClass, Field(alias="class_label")]
    reason: str
    source: str
    licence: str
    operator: str = ""
    tier: Integer | None = None
    twin: str = ""
    trust: Trust = Trust.CLEAN
    oracle: str = ""
    clique_size: Integer | None = None
    confidence: Number | None = None
    p_right: Number | None = None
    weight: Number = 1.0
    solution: ClassVar[str] = ""
    """A problem is judged without a solution, and has no error."""
    position: ClassVar[str] = "none"

    @property
    def kind(self) -> str:
        """Return the class that is balanced, such as `solvable`."""
        return self.problem_class.word

    @property
    def type(self) -> str:
        """Return the class and the operator."""
        return f"{self.kind}/{self.operator}"

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return json_form(self)
