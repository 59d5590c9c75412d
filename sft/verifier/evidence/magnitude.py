"""Evidence from implausible results: below zero, a fraction, or far from the given numbers."""

from __future__ import annotations

from fractions import Fraction
from math import log10
from typing import TYPE_CHECKING

from harness.answers.gold_answer import read_gold
from harness.solution.labels import ErrorType
from harness.text.number_forms import format_value
from harness.text.quantity import CURRENCIES
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import HintKind
from sft.verifier.case import evidence
from sft.verifier.solution_steps import steps_of

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Hint
    from sft.verifier.case import Case


NEGATIVE = HintKind("result below zero", ErrorType.OPERAND_SWAP, "{where} arrives at {found}, below zero.")
LARGEST = 10**12
LEAST = 1e-6


@evidence("magnitude")
def magnitude(case: Case) -> Signal[Hint]:
    """Negative and fractional results, and results far from the size of what is given."""
    steps = steps_of(case.item)
    hints = []
    negative = 0
    for step in steps.steps:
        if step.value is None:
            continue
        if step.value < 0:
            negative += 1
            hints.append(NEGATIVE.at(step.line, format_value(step.value)))
    answer = None if case.item.answer is None else read_gold(case.item.answer)
    last = case.solution.statements[-1:] if answer else ()
    ends = [
        Fraction(result) for line in last for result in line.results if result is not None and result.denominator == 1
    ]
    # `3*15=45 cents` and `$0.45` are one amount.
    value = None if answer is None else next(filter(answer.quantity.is_also, ends), answer.value)
    # A fraction that is written as one is meant; a price has cents: one with its sign, and one with two decimals where the question has decimals too.
    signs, decimal = set(CURRENCIES), any("." in mention.text for mention in steps.asked.mentions)
    priced = decimal and answer is not None and answer.quantity.places == 2 and not signs.isdisjoint(case.item.question)
    meant = priced or (
        answer is not None
        and (answer.quantity.unit[-1:] in signs or not {"/", "\\"}.isdisjoint(case.item.answer or ""))
    )
    whole = value is None or meant or value.denominator == 1
    given = [abs(Fraction(mention.readings[0])) for mention in steps.asked.mentions if mention.readings[0]]
    size = _log(value)
    features = {
        "negative": negative,
        "answer_negative": value is not None and value < 0,
        "answer_zero": value == 0,
        "answer_partial": not whole,
        "answer_size": size,
        "answer_over_largest": size - _log(max(given, default=Fraction(1))),
        "answer_under_smallest": size - _log(min(given, default=Fraction(1))),
        "answer_recurring": value is not None and _recurring(value),
        "recurring": sum(
            step.equation.left.value is not None and _recurring(Fraction(step.equation.left.value))
            for step in steps.steps
        ),
        "decimals": max((_decimals(step.value) for step in steps.steps if step.value is not None), default=0),
        "same_result": len(steps.steps) - len({step.value for step in steps.steps}),
    }
    return Signal(features, tuple(hints))


def _log(value: Fraction | None) -> float:
    return 0.0 if not value else log10(max(LEAST, float(min(abs(value), Fraction(LARGEST)))))


def _recurring(value: Fraction) -> bool:
    bottom = value.denominator
    for prime in (2, 5):
        while bottom % prime == 0 and bottom > 1:
            bottom //= prime
    return bottom > 1


def _decimals(value: Fraction | int) -> int:
    return next((places for places in range(6) if (value * 10**places).denominator == 1), 6)
