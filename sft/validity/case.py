"""What is every kind of evidence on a problem given, what does it return, and how does it become known?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.registry import Registry
from sft.validity.problem import ProblemText

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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


@dataclass(frozen=True, slots=True)
class ProblemSignal:
    """What one kind of evidence gives of a case: numbers for the fitted model, and what can be shown.

    The names of `features` are the same for every case, whatever it holds; none is missing and none is infinite.
    """

    features: Mapping[str, float]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ProblemEvidence:
    """A kind of evidence; `needs_scores` marks one that reads what a model said."""

    name: str
    read: Callable[[ProblemCase], ProblemSignal]
    needs_scores: bool = False
    about: str = field(default="")


PROBLEM_EVIDENCE: Registry[ProblemEvidence] = Registry("sft.validity.evidence")


def problem_evidence(
    name: str, *, needs_scores: bool = False
) -> Callable[[Callable[[ProblemCase], ProblemSignal]], Callable[[ProblemCase], ProblemSignal]]:
    """Register a kind of evidence under its name; the first line of its docstring says what it is."""

    def register(read: Callable[[ProblemCase], ProblemSignal]) -> Callable[[ProblemCase], ProblemSignal]:
        about = (read.__doc__ or "").strip().partition("\n")[0]
        PROBLEM_EVIDENCE.add(ProblemEvidence(name, read, needs_scores, about))
        return read

    return register
