"""What is a problem whose class is known: solvable, contradictory or underspecified?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

CLASSES = {1: "solvable", 0: "contradictory", 2: "underspecified"}
"""The class of each label of the variant stage."""
LABELS = {name: label for label, name in CLASSES.items()}


@dataclass(frozen=True, slots=True)
class ProblemSample:
    """A problem, its class and why; `problem_id` is the problem it was made of, `twin` the one it differs least from."""

    sample_id: str
    problem_id: str
    question: str
    kind: str
    reasoning: str
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
            "class": self.kind,
            "label": LABELS[self.kind],
            "reasoning": self.reasoning,
            "source": self.source,
            "licence": self.licence,
            "operator": self.operator,
            "tier": self.tier,
            "twin": self.twin,
        }

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> ProblemSample:
        """Return the sample of a JSON form that `record` gave."""
        return cls(
            record["sample_id"],
            record["problem_id"],
            record["question"],
            record["class"],
            record["reasoning"],
            record["source"],
            record["licence"],
            record["operator"],
            record["tier"],
            record["twin"],
        )
