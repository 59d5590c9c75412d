"""The diagnosis of a solution by the oracle of its problem."""

import enum
from dataclasses import dataclass
from typing import Any

from harness.domain import Counterexample
from harness.json_form import json_form
from harness.solution.labels import ErrorType


class DiagnosisStatus(enum.StrEnum):
    """What is known of a solution, and how."""

    RIGHT_PROVED = "right, proved"
    """Its program equals the oracle for all inputs."""
    RIGHT_BY_VALUE = "right by value"
    """Its answer is the oracle's, and nothing that is read is false."""
    WRONG_PROVED = "wrong, diagnosed with a proof"
    """One change of one line makes it compute the oracle for all inputs."""
    WRONG_LOCATED = "wrong, located"
    """The line has the first result that no right way has."""
    WRONG_UNLOCATED = "wrong, unlocated"
    """The answer is not the oracle's; no line is named."""
    UNKNOWN = "unknown"
    """There is no oracle, or the solution gives no answer that is read."""

    @property
    def is_wrong(self) -> bool:
        """Tell whether the solution is wrong."""
        return self in {self.WRONG_PROVED, self.WRONG_LOCATED, self.WRONG_UNLOCATED}

    @property
    def is_right(self) -> bool:
        """Tell whether the solution is right."""
        return self in {self.RIGHT_PROVED, self.RIGHT_BY_VALUE}


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proof of a diagnosis: a program over the inputs of the oracle that is proved equal to it.

    For a wrong solution, the program is the solution with one change, and `written` is the solution as it stands.
    """

    program: str
    method: str
    written: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one line that makes a wrong solution right: what was, what it should be, and the type of the error."""

    line: str
    error_type: ErrorType
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the oracle says of a solution.

    `confidence` is never above the probability that the oracle is right. `line` is `L1`, `L2`, … or `FA`, empty where none is named;
    `expected` is what the oracle computes there. `others` are other single changes that make the solution right. `witness` are inputs
    at which the solution as written differs from the oracle. `reason` says why nothing is known.
    """

    status: DiagnosisStatus
    confidence: float
    line: str = ""
    error_type: ErrorType | None = None
    found: str = ""
    expected: str = ""
    correction: str = ""
    certificate: Certificate | None = None
    witness: Counterexample | None = None
    others: tuple[Change, ...] = ()
    reason: str = ""

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return json_form(self)
