"""Screening of an answer as UT-1 does it, and of a template as the form of its solution; the reason that the model is told when it is refused.

The reason never contains the gold answer, nor how far a value is from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.answers.gold_answer import match_gold, read_gold
from harness.domain import Problem, Response, Status
from harness.program.candidate import read_candidate
from harness.program.refusal import ProgramError, Refusal
from harness.solution.solution_text import read_text
from harness.solution.template import Template, read_template
from harness.solution.trace import trace_program

WRONG = "wrong-answer"
OTHER_LINE = "other-line"
RAISES = "raises"
LONGEST_VALUE = 60
LONGEST_LINE = 200
"""Characters of a line of a template, or of the solution, that a reason quotes."""
LONGEST_REASON = 600
"""A reason quotes names of the answer, which can be of any length."""


@dataclass(frozen=True, slots=True)
class Screening:
    """The verdict of UT-1 on an answer; where it is refuted, `kind` is a word for the cause and `reason` the text for its author."""

    status: Status
    kind: str = ""
    reason: str = ""


def screen_response(problem: Problem, response: Response) -> Screening:
    """Screen an answer as UT-1 does; one that was asked for as a template must also be one, of this solution."""
    candidate = read_candidate(response)
    if candidate.outcome is None:
        return _refused(candidate.reason or "")
    template = None
    if response.dialect == "template":
        try:
            template = read_template(response)
        except Refusal as refusal:
            return _refused(str(refusal))
    if candidate.outcome.value is None:
        return Screening(Status.REFUTED, RAISES, f"evaluated at its own values, it raises {candidate.outcome}")
    gold = None if problem.gold is None else read_gold(problem.gold, problem.solution)
    if gold is None:
        return Screening(Status.UNKNOWN)
    match = match_gold(candidate.outcome.value, gold)
    if match.reached is None:
        return Screening(Status.UNKNOWN)
    if match.reached:
        return _of_solution(problem, template) if template is not None else Screening(Status.CONFIRMED)
    value = str(candidate.outcome)
    value = value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}…"
    return Screening(Status.REFUTED, WRONG, f"evaluated at its own values, it gives {value}, which is not the answer")


def _of_solution(problem: Problem, template: Template) -> Screening:
    """Screen a template whose answer is right: each of its lines must give back the line of the solution, if there is one."""
    if not problem.solution:
        return Screening(Status.CONFIRMED)
    try:
        mismatches = read_text(problem, template, trace_program(template.program)).mismatches
    except (ProgramError, Refusal) as error:
        return _refused(str(error))
    if not mismatches:
        return Screening(Status.CONFIRMED)
    first = mismatches[0]
    given, expected = (
        text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…" for text in (first.given, first.expected)
    )
    return _refused(
        f"{OTHER_LINE}: {first.label} is not the line of the solution ({first.cause}): the template gives {given!r}, the solution says {expected!r}"
    )


def _refused(reason: str) -> Screening:
    return Screening(Status.REFUTED, reason.partition(":")[0], reason[:LONGEST_REASON])
