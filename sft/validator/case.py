"""The case that every kind of evidence on a problem reads, the scores of a model in it, and the registry of these kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sft.samples.evidence_registry import EvidenceRegistry
from sft.validator.problem_text import ProblemText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.constraint_system import ProblemClass
    from sft.samples.problem_judgement import ProblemFinding


@dataclass(frozen=True, slots=True)
class ProblemScores:
    """The probability of each class's mark among the three marks, and the likelihood of the text.

    `loglik` is the mean log-probability of the text's tokens, in nats, `least` the lowest log-probability of a token.
    """

    marks: Mapping[ProblemClass, float]
    loglik: float
    least: float


@dataclass(frozen=True, slots=True)
class ProblemCase:
    """A problem to be judged: its text, and the scores of a model, `None` without a model."""

    problem: ProblemText
    scores: ProblemScores | None = None

    @classmethod
    def of(cls, question: str, scores: ProblemScores | None = None) -> ProblemCase:
        """Return the case of a raw text."""
        return cls(ProblemText.of(question), scores)


PROBLEM_EVIDENCE: EvidenceRegistry[ProblemCase, ProblemFinding] = EvidenceRegistry("sft.validator.evidence")
problem_evidence = PROBLEM_EVIDENCE.register
"""Registers a function from a `ProblemCase` as a kind of evidence, as `sft.verifier.case.evidence` does."""
