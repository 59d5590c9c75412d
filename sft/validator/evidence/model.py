"""Evidence from the language model: the probability of each class, and the likelihood of the text."""

from __future__ import annotations

import math

from harness.constraint_system import ProblemClass
from harness.errors import HarnessError
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence

FLOOR = 1e-6
SURE = 0.5


@problem_evidence("model", needs_scores=True)
def model(case: ProblemCase) -> Signal[ProblemFinding]:
    """The model's probabilities of the classes, and its likelihood of the text."""
    scores = case.scores
    if scores is None:
        raise HarnessError("the evidence 'model' needs a model's scores, and there are none")
    odds = {
        problem_class: math.log(max(share, FLOOR) / max(1 - share, FLOOR))
        for problem_class, share in scores.marks.items()
    }
    features = {f"odds_{problem_class.name.lower()}": odds[problem_class] for problem_class in ProblemClass}
    features |= {"loglik": scores.loglik, "least": scores.least}
    findings = tuple(
        ProblemFinding(
            "model",
            problem_class,
            case.problem.asked[:120],
            f"The model gives {problem_class.name.lower()} {share:.2f}.",
        )
        for problem_class, share in scores.marks.items()
        if share > SURE and problem_class is not ProblemClass.SOLVABLE
    )
    return Signal(features, findings)
