"""Evidence from the final answer, compared with the last result and with the kind of answer that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.corpora.gold_answer import read_gold
from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from oracles.labels.audit.final_answer import same_number
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import HintKind
from sft.verifier.case import evidence
from sft.verifier.solution.solution_steps import steps_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

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
_FEATURES = (
    *("missing", "unread", "off_last", "earlier", "nowhere", "number_of_question", "largest", "smallest"),
    *("result_again", "last_place"),
)


def _in_words(value: Fraction, lines: Sequence[str]) -> bool:
    """Tell whether a line states a value in words."""
    return any(value in mention.readings for line in lines for mention in mentions(line))


@evidence("final_answer")
def final_answer(case: Case) -> Signal[Hint]:
    """The final answer compared with the last result, the earlier results and the question."""
    steps = steps_of(case.item)
    lines = case.solution.statements
    answer = None if case.item.answer is None else read_gold(case.item.answer)
    features = dict.fromkeys(_FEATURES, 0.0)
    if answer is None or not lines:
        features["missing"] = case.item.answer is None
        features["unread"] = case.item.answer is not None
        return Signal(features)
    value = answer.value
    results = [result for line in lines for result in line.results if result is not None]
    last = [number for number in (*lines[-1].numbers, *lines[-1].results) if number is not None]
    ends = any(same_number(value, number) for number in last) or (bool(results) and same_number(value, results[-1]))
    before = any(
        same_number(value, number)
        for line in lines[:-1]
        for number in (*line.results, *line.numbers)
        if number is not None
    )
    readings = [reading for mention in steps.asked.mentions for reading in mention.readings]
    features["off_last"] = not ends
    features["earlier"] = not ends and before
    features["nowhere"] = not ends and not before
    features["number_of_question"] = value in readings
    features["largest"] = bool(results) and value == max(results)
    features["smallest"] = bool(results) and value == min(results)
    features["result_again"] = value in results[:-1]
    features["last_place"] = case.item.before < len(lines)
    hints: tuple[Hint, ...] = ()
    if not ends and not before and results and _in_words(value, [line.text for line in lines]):
        # `It takes three days.`
        ends = before = True
        features["off_last"] = features["nowhere"] = 0.0
    if not ends and results:
        kind = EARLIER if before else NOWHERE
        hints = (kind.at(FINAL_ANSWER, (case.item.answer or "")[:LONGEST_SHOWN], format_value(results[-1])),)
    return Signal(features, hints)
