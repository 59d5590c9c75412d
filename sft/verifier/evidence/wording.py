"""Evidence from the words of problem and line that call for other operations, other numbers or another ending."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from harness.solution.labels import ErrorType
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import HintKind
from sft.verifier.case import evidence
from sft.verifier.solution_steps import steps_of
from sft.verifier.wording_model import doubts, endings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sft.samples.solution_judgement import Hint
    from sft.verifier.case import Case

UNCALLED = HintKind(
    "operation the words do not call for",
    ErrorType.OPERATOR_SWAP,
    "{where} computes {found}, where the words call for {expected}.",
)
SURE = 0.95


@evidence("wording")
def wording(case: Case) -> Signal[Hint]:
    """The surprise of the operations and of the end of the solution."""
    steps = steps_of(case.item)
    doubted = doubts(steps)
    surprise = sorted((-log(doubt.stated_probability) for doubt in doubted), reverse=True)
    last = [-log(doubt.stated_probability) for doubt in doubted if doubt.step == len(steps.steps) - 1]
    ends = endings(steps)
    features = {
        "surprise_max": _at(surprise, 0),
        "surprise_second": _at(surprise, 1),
        "surprise_mean": sum(surprise) / max(1, len(surprise)),
        "surprise_sum": sum(surprise),
        "surprise_last": max(last, default=0.0),
        "surprise_first": max((-log(doubt.stated_probability) for doubt in doubted if doubt.step == 0), default=0.0),
        "margin_max": max(
            (log(max(1e-6, doubt.expected_probability) / doubt.stated_probability) for doubt in doubted), default=0.0
        ),
        "end_last": ends[-1] if ends else 0.5,
        "end_before": max(ends[:-1], default=0.0),
        "end_odds": _odds(ends[-1]) if ends else 0.0,
    }
    hints = tuple(
        UNCALLED.at(
            steps.steps[doubt.step].line,
            f"{doubt.stated} ({doubt.stated_probability:.1%})",
            f"{doubt.expected} ({doubt.expected_probability:.0%})",
        )
        for doubt in doubted
        if doubt.expected_probability >= SURE
    )
    return Signal(features, hints)


def _odds(share: float) -> float:
    share = min(1 - 1e-6, max(1e-6, share))
    return log(share / (1 - share))


def _at(values: Sequence[float], place: int) -> float:
    return values[place] if place < len(values) else 0.0
