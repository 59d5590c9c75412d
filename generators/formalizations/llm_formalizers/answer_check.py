"""Screening of an answer as UT-1 does it, and of a template as the form of its solution; the reason that the model is told when it is refused.

The reason never contains the gold answer, nor how far a value is from it.
"""

from dataclasses import dataclass

from harness.answers.gold_answer import match_gold, read_gold
from harness.domain import Problem, Response, Status
from harness.program.lifter import read_candidate
from harness.program.refusal import ProgramError, Refusal
from harness.solution.solution_text import read_text
from harness.solution.template import read_template
from harness.solution.trace import trace_program

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
        return _refutation(candidate.reason or "")
    try:
        template = read_template(response) if response.dialect == "template" else None
    except Refusal as refusal:
        return _refutation(str(refusal))
    if candidate.outcome.value is None:
        return _refutation(f"evaluated at its own values, it raises {candidate.outcome}", "raises")
    gold = None if problem.gold is None else read_gold(problem.gold, problem.solution)
    reached = None if gold is None else match_gold(candidate.outcome.value, gold).reached
    if reached is None:
        return Screening(Status.UNKNOWN)
    if not reached:
        value = _beginning(str(candidate.outcome), LONGEST_VALUE)
        return _refutation(f"evaluated at its own values, it gives {value}, which is not the answer", "wrong-answer")
    if template is None or not problem.solution:
        return Screening(Status.CONFIRMED)
    # Each line of a template must give back the line of the solution.
    try:
        mismatches = read_text(problem, template, trace_program(template.program)).mismatches
    except (ProgramError, Refusal) as error:
        return _refutation(str(error))
    if not mismatches:
        return Screening(Status.CONFIRMED)
    first = mismatches[0]
    given, expected = _beginning(first.given, LONGEST_LINE), _beginning(first.expected, LONGEST_LINE)
    return _refutation(
        f"other-line: {first.line} is not the line of the solution ({first.cause}): the template gives {given!r}, the solution says {expected!r}"
    )


def _beginning(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"


def _refutation(reason: str, kind: str = "") -> Screening:
    return Screening(Status.REFUTED, kind or reason.partition(":")[0], reason[:LONGEST_REASON])
