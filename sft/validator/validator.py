"""The validator: the class of a problem, its confidence, and the findings that decided."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from sft.samples.evidence_registry import flattened
from sft.samples.problem_judgement import ProblemJudgement
from sft.validator.case import PROBLEM_EVIDENCE, ProblemCase
from sft.validator.combiner import ProblemCombiner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.problem_judgement import ProblemFinding
    from sft.validator.scorer import ProblemScorer

TEXT = Path(__file__).parent / "text.json"
"""The combiner of what the text alone gives."""
COMBINER = "validator.json"
"""The combiner in the folder of an adapter, fitted on what its model says."""
MOST_FINDINGS = 8
MOST_REASONS = 2
NOTHING = ProblemJudgement(ProblemClass.UNDERSPECIFIED, 1.0, "There is no text.")
_BARE = {
    ProblemClass.SOLVABLE: "Nothing was found that is missing, and no two statements were found to disagree.",
    ProblemClass.CONTRADICTORY: "The statements are not likely to hold together, though no two were found that disagree.",
    ProblemClass.UNDERSPECIFIED: "Something that the answer needs is likely to be missing, though no word was found that shows it.",
}


@dataclass(frozen=True)
class Validator:
    """Judges problems by a combiner, and by a model where the combiner was fitted on what one said."""

    combiner: ProblemCombiner
    scorer: ProblemScorer | None = None

    def judge(self, questions: Sequence[str]) -> Iterator[ProblemJudgement]:
        """Yield a judgement on each raw text, in order; what cannot be judged is an answer too."""
        scores = [None] * len(questions) if self.scorer is None else self.scorer.score(questions)
        for question, score in zip(questions, scores, strict=True):
            yield self._judged(ProblemCase.of(question, score))

    def _judged(self, case: ProblemCase) -> ProblemJudgement:
        if not case.problem.text:
            return NOTHING
        signals = PROBLEM_EVIDENCE.signals_of(case)
        fitted = {name: signal for name, signal in signals.items() if name in self.combiner.evidence}
        shares = self.combiner.predict(flattened(fitted))
        verdict = max(shares, key=lambda problem_class: shares[problem_class])
        findings = [finding for signal in signals.values() for finding in signal.shown]
        findings.sort(key=lambda finding: finding.problem_class is not verdict)
        return ProblemJudgement(verdict, shares[verdict], reason_of(verdict, findings), tuple(findings[:MOST_FINDINGS]))


def reason_of(verdict: ProblemClass, findings: Sequence[ProblemFinding]) -> str:
    """Return the reason for a verdict: what speaks for it, else what was looked for in vain."""
    own = list(dict.fromkeys(finding.says for finding in findings if finding.problem_class is verdict))
    return " ".join(own[:MOST_REASONS]) or _BARE[verdict]


@cache
def text_validator() -> Validator:
    """Return the validator that reads the text alone.

    Raises:
        HarnessError: its combiner is not there.
    """
    return Validator(ProblemCombiner.load(TEXT))


def open_scorer(adapter: Path) -> ProblemScorer:
    """Return the scorer of the default preset's model with an adapter.

    Raises:
        HarnessError: there is no adapter in that folder, or the model is not on this machine.
    """
    from sft.models.base_model import load_with_adapter
    from sft.models.presets import DEFAULT
    from sft.validator.scorer import ProblemScorer

    loaded = load_with_adapter(DEFAULT, adapter)
    return ProblemScorer(loaded.model, loaded.tokenizer)


@cache
def hybrid_validator(folder: Path) -> Validator:
    """Return the validator that reads the text and asks the model of an adapter, whose folder holds its combiner.

    Raises:
        HarnessError: the adapter, its combiner or the model is not there.
    """
    return Validator(ProblemCombiner.load(folder / COMBINER), open_scorer(folder))
