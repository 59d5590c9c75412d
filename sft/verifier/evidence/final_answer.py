"""Evidence from a final answer that the lines do not give."""

from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.text.number_forms import format_value
from oracles.labels.audit.final_answer import contradicted_answer
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import Hint, HintKind
from sft.verifier.case import Case, evidence

CERTAINTY = 0.76
"""Of people's solutions and those of four models 12 flawed and 3 correct ones have a final answer that contradicts the lines; one is added to each."""
_TYPE = ErrorType.FINAL_ANSWER_SELECTION
_UNSTATED = "The final answer {found} is stated by no line; the last result is {expected}."
_STATED = "The final answer {found} is the result of an earlier line; the last result is {expected}."
NOWHERE = HintKind("answer from nowhere", _TYPE, _UNSTATED, certainty=CERTAINTY)
EARLIER = HintKind("answer of an earlier line", _TYPE, _STATED, certainty=CERTAINTY)
LONGEST_SHOWN = 60


@evidence("final_answer")
def final_answer(case: Case) -> Signal[Hint]:
    """The final answer compared with the last result and the earlier ones.

    It has no feature: where sources write the answer tells more of the source than of an error.
    """
    found = contradicted_answer(case.solution)
    if found is None:
        return Signal({})
    kind = EARLIER if found.earlier else NOWHERE
    return Signal({}, (kind.at(FINAL_ANSWER, (case.item.answer or "")[:LONGEST_SHOWN], format_value(found.result)),))
