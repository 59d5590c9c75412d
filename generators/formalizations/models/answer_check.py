"""Screening of an answer as UT-1 does it, and the reason that the model is told when it is refused.

The reason never contains the gold answer, nor how far a value is from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.corpora.gold_answer import match_gold, read_gold
from harness.domain import Problem, Response, Status
from harness.program.candidate import read_candidate
from harness.program.refusal import Refusal
from harness.solution.template import read_template

WRONG = "wrong-answer"
RAISES = "raises"
LONGEST_VALUE = 60
LONGEST_REASON = 300
"""A reason quotes names of the answer, which can be of any length."""


@dataclass(frozen=True, slots=True)
class Screening:
    """What UT-1 says of an answer; where it is refuted, `kind` is a word for why and `reason` what its author is told."""

    status: Status
    kind: str = ""
    reason: str = ""


def screen_response(problem: Problem, response: Response) -> Screening:
    """Screen an answer as UT-1 does; one that was asked for as a template must also be one."""
    candidate = read_candidate(response)
    if candidate.outcome is None:
        return _refused(candidate.reason or "")
    if response.dialect == "template":
        try:
            read_template(response)
        except Refusal as refusal:
            return _refused(str(refusal))
    if candidate.outcome.value is None:
        return Screening(Status.REFUTED, RAISES, f"evaluated at its own values, it raises {candidate.outcome}")
    gold = None if problem.gold is None else read_gold(problem.gold, problem.solution)
    if gold is None:
        return Screening(Status.UNKNOWN)
    if match_gold(candidate.outcome.value, gold).reached:
        return Screening(Status.CONFIRMED)
    value = str(candidate.outcome)
    value = value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}…"
    return Screening(Status.REFUTED, WRONG, f"evaluated at its own values, it gives {value}, which is not the answer")


def _refused(reason: str) -> Screening:
    return Screening(Status.REFUTED, reason.partition(":")[0], reason[:LONGEST_REASON])
