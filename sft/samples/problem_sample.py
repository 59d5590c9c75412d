"""A problem whose class is known: solvable, contradictory or underspecified."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.constraint_system import ProblemClass

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ProblemSample:
    """A problem, its class and why; `problem_id` is the problem it was made of, `twin` the one it differs least from."""

    sample_id: str
    problem_id: str
    question: str
    problem_class: ProblemClass
    reason: str
    source: str
    licence: str
    operator: str = ""
    tier: int | None = None
    twin: str = ""

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "sample_id": self.sample_id,
            "problem_id": self.problem_id,
            "question": self.question,
            "class_label": int(self.problem_class),
            "reason": self.reason,
            "source": self.source,
            "licence": self.licence,
            "operator": self.operator,
            "tier": self.tier,
            "twin": self.twin,
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> ProblemSample:
        """Return the sample of a JSON form that `record` gave."""
        return cls(
            record["sample_id"],
            record["problem_id"],
            record["question"],
            ProblemClass(record["class_label"]),
            record["reason"],
            record["source"],
            record["licence"],
            record["operator"],
            record["tier"],
            record["twin"],
        )
