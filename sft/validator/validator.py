"""The validator: the class of a problem, its confidence, and the findings that decided."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.constraint_system import ProblemClass
from harness.text.language import unread_language
from sft.fitted.model import FittedModel
from sft.fitted.prior import shifted
from sft.samples.evidence_registry import flattened
from sft.samples.problem_judgement import ProblemFinding, ProblemJudgement
from sft.validator.problem_text import PROBLEM_EVIDENCE, ProblemText

TEXT = Path(__file__).parent / "text.json"
"""The fitted weights of the evidence."""
MOST_FINDINGS = 8
MOST_REASONS = 2
NOTHING = ProblemJudgement(ProblemClass.UNDERSPECIFIED, 1.0, "There is no text.")
_BARE = {
    ProblemClass.SOLVABLE: "No missing information and no contradicting statements were found.",
    ProblemClass.CONTRADICTORY: "The statements probably contradict each other, but no contradicting pair was found.",
    ProblemClass.UNDERSPECIFIED: "Information that the answer needs is probably missing, but no missing part was found.",
}


@dataclass(frozen=True)
class Validator:
    """Judges problems by fitted weights of the evidence in their text."""

    model: FittedModel
    unsolvable: float | None = None
    """The share of problems without an answer among those that are judged, by default that of the fit."""

    @property
    def at_once(self) -> int:
        """Return how many problems are best judged at once."""
        return 1

    def judge(self, questions: Sequence[str]) -> Iterator[ProblemJudgement]:
        """Yield a judgement on each raw text, in order; an empty text is judged underspecified."""
        return (self._judgement(ProblemText.of(question)) for question in questions)

    def _judgement(self, problem: ProblemText) -> ProblemJudgement:
        if not problem.text:
            return NOTHING
        if reason := unread_language(problem.text):
            return ProblemJudgement.unjudged(f"The text was not read: {reason}.")
        signals = PROBLEM_EVIDENCE.signals_of(problem)
        known = {name: signal for name, signal in signals.items() if name in self.model.evidence}
        shares = self.shares_of(flattened(known))
        verdict = max(shares, key=lambda problem_class: shares[problem_class])
        findings = [finding for signal in signals.values() for finding in signal.shown]
        findings.sort(key=lambda finding: finding.problem_class is not verdict)
        return ProblemJudgement(verdict, shares[verdict], reason_of(verdict, findings), tuple(findings[:MOST_FINDINGS]))

    def shares_of(self, features: Mapping[str, float]) -> dict[ProblemClass, float]:
        """Return the probability of each class; they sum to one; raises `HarnessError` where a feature is missing, unknown or not a finite number."""
        rows = self.model.probabilities(self.model.rows_of([features]))
        moved = rows if self.unsolvable is None else shifted(rows, self.model.prior, self.unsolvable)
        classes = (ProblemClass[name.upper()] for name in self.model.classes)
        return dict(zip(classes, map(float, moved[0]), strict=True))


def reason_of(verdict: ProblemClass, findings: Sequence[ProblemFinding]) -> str:
    """Return the reason for a verdict: the findings for it, otherwise a general sentence."""
    own = list(dict.fromkeys(finding.says for finding in findings if finding.problem_class is verdict))
    return " ".join(own[:MOST_REASONS]) or _BARE[verdict]


@cache
def text_validator() -> Validator:
    """Return the validator of the package."""
    return Validator(FittedModel.of_file(TEXT))
