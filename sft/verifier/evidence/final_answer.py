"""Evidence from a final answer that the lines do not give."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from harness.answers.gold_answer import read_gold
from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from harness.text.quantity import read_quantity
from oracles.labels.audit.final_answer import same_number
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import HintKind
from sft.verifier.case import evidence

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Hint
    from sft.verifier.case import Case

NOWHERE = HintKind(
    "answer from nowhere",
    ErrorType.FINAL_ANSWER_SELECTION,
    "The final answer {found} is stated by no line; the last result is {expected}.",
    certainty=0.79,
)
EARLIER = HintKind(
    "answer of an earlier line",
    ErrorType.FINAL_ANSWER_SELECTION,
    "The final answer {found} is the result of an earlier line; the last result is {expected}.",
)
LONGEST_SHOWN = 60


@evidence("final_answer")
def final_answer(case: Case) -> Signal[Hint]:
    """The final answer compared with the last result and the earlier ones.

    It has no feature: where sources write the answer tells more of the source than of an error.
    """
    lines = case.solution.statements
    answer = None if case.item.answer is None else read_gold(case.item.answer)
    results = [result for line in lines for result in line.results if result is not None]
    if answer is None or not results:
        return Signal({})
    last = [number for number in (*lines[-1].numbers, *lines[-1].results, results[-1]) if number is not None]
    if any(same_number(answer.value, number) for number in last):
        return Signal({})
    # `3*40 = 120 minutes` and `2 hours`: the unit of the answer only converts.
    quantity = read_quantity(case.item.answer or "")
    if quantity is not None and quantity.unit and any(quantity.is_also(Fraction(number)) for number in last):
        return Signal({})
    before = [number for line in lines[:-1] for number in (*line.results, *line.numbers) if number is not None]
    earlier = any(same_number(answer.value, number) for number in before)
    # `It takes three days.`
    if not earlier and any(answer.value in mention.readings for line in lines for mention in mentions(line.text)):
        return Signal({})
    kind = EARLIER if earlier else NOWHERE
    return Signal({}, (kind.at(FINAL_ANSWER, (case.item.answer or "")[:LONGEST_SHOWN], format_value(results[-1])),))
