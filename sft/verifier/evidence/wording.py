"""Evidence from the words of problem and line that call for other operations."""

from math import log

from harness.solution.labels import ErrorType
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import Hint, HintKind
from sft.verifier.case import Case, evidence
from sft.verifier.solution_steps import steps_of
from sft.verifier.wording_model import doubts

_SENTENCE = "{where} computes {found}, where the words call for {expected}."
UNCALLED = HintKind("operation the words do not call for", ErrorType.OPERATOR_SWAP, _SENTENCE)
SURE = 0.95


@evidence("wording")
def wording(case: Case) -> Signal[Hint]:
    """The surprise of the operations."""
    steps = steps_of(case.item)
    doubted = doubts(steps)
    surprise = [-log(doubt.stated_probability) for doubt in doubted]
    features = {"surprise_max": max(surprise, default=0.0), "surprise_sum": sum(surprise)}
    hints = []
    for doubt in doubted:
        if doubt.expected_probability >= SURE:
            found = f"{doubt.stated} ({doubt.stated_probability:.1%})"
            expected = f"{doubt.expected} ({doubt.expected_probability:.0%})"
            hints.append(UNCALLED.at(steps.steps[doubt.step].line, found, expected))
    return Signal(features, tuple(hints))
