"""The answer of a validator on a problem."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from harness.constraint_system import ProblemClass
from harness.result_display import Result, Results

LONGEST_REASON = 600
LONGEST_WORDS = 200


PROBLEM_CLASSES = (ProblemClass.SOLVABLE, ProblemClass.CONTRADICTORY, ProblemClass.UNDERSPECIFIED)
"""The classes in the order in which they are asked for and counted."""


@dataclass(frozen=True, slots=True)
class ProblemFinding:
    """An observation in a problem that speaks for a class: `found` are its words.

    `says` is a sentence that a reader can check against the text.
    """

    kind: str
    problem_class: ProblemClass
    found: str
    says: str

    def record(self) -> dict[str, str]:
        """Return the JSON form."""
        return {
            "kind": self.kind,
            "speaks_for": self.problem_class.word,
            "found": self.found[:LONGEST_WORDS],
            "says": self.says[: LONGEST_WORDS * 2],
        }


@dataclass(frozen=True, slots=True, repr=False)
class ProblemJudgement(Result):
    """A validator's answer on one problem.

    `confidence` is the probability, from 0 to 1, that the class is right; `evidence` holds the findings for all classes,
    those for the verdict first. The class is `None` where nothing was judged; `reason` says why. `valid` is as in a `Judgement`.
    """

    problem_class: ProblemClass | None
    confidence: float
    reason: str
    evidence: tuple[ProblemFinding, ...] = ()
    valid: bool = True

    @classmethod
    def unjudged(cls, reason: str) -> Self:
        """Return that nothing was judged, and why."""
        return cls(None, 0.0, reason)

    @property
    def summary(self) -> str:
        """Return the verdict with its confidence and reason."""
        verdict = "not judged" if self.problem_class is None else f"{self.problem_class.word}, {self.confidence:.2f}"
        return f"{verdict}: {self.reason}"

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row, without the evidence."""
        return [{name: value for name, value in self.record().items() if name != "evidence"}]

    def record(self) -> dict[str, Any]:
        """Return the JSON form, in which `class_label` belongs to the verdict."""
        return {
            "verdict": None if self.problem_class is None else self.problem_class.word,
            "class_label": None if self.problem_class is None else int(self.problem_class),
            "reason": self.reason[:LONGEST_REASON],
            "confidence": round(self.confidence, 4),
            "evidence": [finding.record() for finding in self.evidence],
        }


@dataclass(frozen=True, repr=False)
class ProblemJudgements(Results[ProblemJudgement]):
    """The judgements on several problems, in their order."""

    judgements: tuple[ProblemJudgement, ...]

    @property
    def summary(self) -> str:
        """Return the counts of classes."""
        counts = Counter("not judged" if own.problem_class is None else own.problem_class.word for own in self)
        return f"{len(self):,} problems, {', '.join(f'{count:,} {name}' for name, count in counts.most_common())}"
