"""The core types of the project: problem, response, parameter, verdict, evidence and counterexample."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

Exact = int | Fraction
"""An exact rational; `Fraction` marks what Python would hold in a float."""


class Status(enum.IntEnum):
    """A three-valued verdict, ordered; UNKNOWN never reads as agreement."""

    REFUTED = 0
    UNKNOWN = 1
    CONFIRMED = 2


class Provenance(enum.StrEnum):
    """Where an input value comes from."""

    QUESTION = "question"
    WORLD_KNOWLEDGE = "world_knowledge"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Problem:
    """A word problem; `gold` is the text after `####`, `None` where the corpus gives none."""

    problem_id: str
    question: str
    solution: str
    gold: str | None
    tier: int | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What a model said when asked to formalize a problem, fences and chatter included; `tier` is what the record states."""

    problem_id: str
    model: str
    text: str
    dialect: str | None = None
    tier: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """An input of a formalization with its default value and what the model wrote about it."""

    name: str
    value: Exact
    type: str
    provenance: Provenance
    comment: str
    line: int

    @property
    def text(self) -> str:
        """The words that carry the meaning: the name's words, then the comment."""
        words = self.name.replace("_", " ").strip()
        return f"{words}: {self.comment}" if self.comment else words


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Inputs, keyed `left` or `left|right` by parameter name, on which two programs part.

    `left` and `right` are what each side gives: an exact value or the name of an exception.
    """

    inputs: Mapping[str, str]
    left: str
    right: str

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"inputs": dict(self.inputs), "left": self.left, "right": self.right}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks against a claim on one line of a solution: the kind of fault, what was found, what was expected."""

    line: str
    cause: str
    found: str
    expected: str

    def record(self) -> dict[str, str]:
        """Return the JSON form."""
        return {"line": self.line, "cause": self.cause, "found": self.found, "expected": self.expected}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one claim: what was decided, how, on how much, and what speaks against it.

    `checked` counts the comparisons it rests on, `unsupported` those that could not be made.
    """

    claim: str
    problem_id: str
    left: str
    right: str | None
    status: Status
    method: str
    checked: int = 0
    unsupported: int = 0
    reason: str | None = None
    error_bound: str | None = None
    domain: Mapping[str, str] | None = None
    counterexample: Counterexample | None = None
    alignment: Mapping[str, Any] | None = field(default=None)
    findings: tuple[Evidence, ...] = ()

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return what identifies the claim among all claims of a run."""
        return (self.claim, self.problem_id, self.left, self.right or "")

    def record(self) -> dict[str, Any]:
        """Return the JSON form that `verdicts.jsonl` holds; `findings` only where there are any."""
        record = {
            "claim": self.claim,
            "problem_id": self.problem_id,
            "left": self.left,
            "right": self.right,
            "status": self.status.name,
            "method": self.method,
            "checked": self.checked,
            "unsupported": self.unsupported,
            "reason": self.reason,
            "error_bound": self.error_bound,
            "domain": None if self.domain is None else dict(self.domain),
            "counterexample": None if self.counterexample is None else self.counterexample.record(),
            "alignment": None if self.alignment is None else dict(self.alignment),
        }
        return {**record, "findings": [one.record() for one in self.findings]} if self.findings else record

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Verdict:
        """Return the verdict of a JSON form."""
        example = record["counterexample"]
        return cls(
            **{
                **record,
                "status": Status[record["status"]],
                "counterexample": None
                if example is None
                else Counterexample(example["inputs"], example["left"], example["right"]),
                "findings": tuple(Evidence(**one) for one in record.get("findings", ())),
            }
        )
