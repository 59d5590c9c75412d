"""What is every kind of evidence on a problem given, and where is it registered?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sft.signals import Kinds
from sft.validity.problem import ProblemText

if TYPE_CHECKING:
    from sft.validity.judgements import Finding
    from sft.validity.scores import ProblemScores


@dataclass(frozen=True, slots=True)
class ProblemCase:
    """A problem under judgement: as it is read, and as the model scored it, where a model did."""

    problem: ProblemText
    scores: ProblemScores | None = None

    @classmethod
    def of(cls, question: str, scores: ProblemScores | None = None) -> ProblemCase:
        """Return the case of a raw text."""
        return cls(ProblemText.of(question), scores)


PROBLEM_EVIDENCE: Kinds[ProblemCase, Finding] = Kinds("sft.validity.evidence")
problem_evidence = PROBLEM_EVIDENCE.register
"""Registers a function from a `ProblemCase` as a kind of evidence, as `sft.case.evidence` does."""
