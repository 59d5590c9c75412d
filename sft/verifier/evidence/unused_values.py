"""Evidence from numbers of the question and results that are never used, or are used too often."""

from collections import Counter
from math import log

from harness.solution.labels import FINAL_ANSWER, ErrorType
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import Hint, HintKind
from sft.verifier.case import Case, evidence
from sft.verifier.solution_steps import OperandSource, steps_of
from sft.verifier.wording_model import called_for

_NEVER = "The solution never uses {found}, which the problem gives."
_NOT_AFTER = "{where} arrives at {found}, which nothing after it uses."
NUMBER = HintKind("unused number of the question", ErrorType.FAILURE_TO_UPDATE_STATE, _NEVER, placed=False)
RESULT = HintKind("unused result", ErrorType.WRONG_REFERENCE_GROUP, _NOT_AFTER)
CALLED_FOR = 0.9
LEAST = 1e-6


@evidence("unused")
def unused(case: Case) -> Signal[Hint]:
    """Numbers of the question and results that nothing uses."""
    steps = steps_of(case.item)
    asked = steps.asked
    text = {number for line in case.solution.statements for number in line.numbers}
    chances = called_for(steps)
    serious = [place for place in chances if not asked.idle(place)]
    absent = [place for place in serious if text.isdisjoint(asked.mentions[place].readings)]
    # Without an answer of its own a solution may give several in its last line.
    giving = steps.steps[-1].place if steps.steps and case.item.answer is None else -1
    dangling = [place for place in steps.dangling() if steps.steps[place].place != giving]
    operands = [operand for step in steps.steps for operand in step.operands]
    uses = Counter(operand.value for operand in operands if operand.source is OperandSource.QUESTION)
    given = Counter(mention.readings[0] for mention in asked.mentions)
    uses_of_step = Counter(operand.made[-1] for operand in operands if operand.source is OperandSource.RESULT)
    odds = [-log(max(LEAST, 1 - chances[place])) for place in chances]
    features = {
        "numbers": len(serious),
        "called_for_max": max(odds, default=0.0),
        "results": len(dangling),
        "overused": sum(max(0, count - given[value]) for value, count in uses.items() if value in given),
        "results_again": sum(count - 1 for count in uses_of_step.values()),
    }
    hints = [
        NUMBER.at(FINAL_ANSWER, asked.mentions[place].text, f"{chances[place]:.0%} of such numbers are used")
        for place in absent
        if chances[place] >= CALLED_FOR
    ]
    hints += [RESULT.at(steps.steps[place].line, str(steps.steps[place].value)) for place in dangling]
    return Signal(features, tuple(hints))
