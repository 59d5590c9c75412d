"""Evidence from operands that come neither from the question nor an earlier line nor world knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.solution.labels import ErrorType
from harness.text.number_forms import format_value
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import HintKind
from sft.verifier.case import evidence
from sft.verifier.solution_steps import OperandSource, steps_of

if TYPE_CHECKING:
    from harness.domain import Exact
    from sft.samples.solution_judgement import Hint
    from sft.verifier.case import Case
    from sft.verifier.solution_steps import SolutionSteps

NOWHERE = HintKind(
    "operand from nowhere",
    ErrorType.INPUT_MISREPRESENTATION,
    "{where} uses {found}, which neither the problem nor a line before it gives.",
)
COPIED = HintKind(
    "result copied wrongly",
    ErrorType.COMPUTATIONAL,
    "{where} uses {found}, which no line before it states; {expected} is stated.",
)


@evidence("provenance")
def provenance(case: Case) -> Signal[Hint]:
    """Operands that neither the question nor an earlier line nor common knowledge gives; they have no feature: without them the verdicts are as good."""
    steps = steps_of(case.item)
    hints = []
    for number, step in enumerate(steps.steps):
        stated = {value for line in case.solution.statements[: step.place] for value in line.numbers}
        for operand in step.operands:
            if operand.source is OperandSource.NOWHERE and operand.value not in stated:
                near = _near(operand.value, steps, number)
                kind = NOWHERE if near is None else COPIED
                expected = "" if near is None else format_value(near)
                hints.append(kind.at(step.line, format_value(operand.value), expected))
    return Signal({}, tuple(hints))


def _near(value: Exact, steps: SolutionSteps, before: int) -> Exact | None:
    """Return an earlier result or a number of the question that differs by one character, or by two exchanged ones."""
    text = format_value(value)
    known = [step.value for step in steps.steps[:before] if step.value is not None]
    known += [mention.readings[0] for mention in steps.asked.mentions]
    return next((number for number in reversed(known) if len(text) > 1 and _slip(text, format_value(number))), None)


def _slip(written: str, other: str) -> bool:
    if written == other or abs(len(written) - len(other)) > 1 or len(other) < 2:
        return False
    if len(written) == len(other):
        places = [place for place in range(len(written)) if written[place] != other[place]]
        swapped = len(places) == 2 and written[places[0]] == other[places[1]] and written[places[1]] == other[places[0]]
        return len(places) == 1 or swapped
    long, short = (written, other) if len(written) > len(other) else (other, written)
    return any(long[:place] + long[place + 1 :] == short for place in range(len(long)))
