"""The case that every kind of evidence on a problem reads, and the registry of these kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sft.samples.evidence_registry import EvidenceRegistry
from sft.validator.problem_text import ProblemText

if TYPE_CHECKING:
    from sft.samples.problem_judgement import ProblemFinding


@dataclass(frozen=True, slots=True)
class ProblemCase:
    """A problem to be judged: its text."""

    problem: ProblemText

    @classmethod
    def of(cls, question: str) -> ProblemCase:
        """Return the case of a raw text."""
        return cls(ProblemText.of(question))


PROBLEM_EVIDENCE: EvidenceRegistry[ProblemCase, ProblemFinding] = EvidenceRegistry("sft.validator.evidence")
problem_evidence = PROBLEM_EVIDENCE.register
"""Registers a function from a `ProblemCase` as a kind of evidence, as `sft.verifier.case.evidence` does."""
