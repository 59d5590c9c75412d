"""Evidence from implausible results: a count below zero, or a fraction of a thing."""

from fractions import Fraction

from harness.answers.gold_answer import read_gold
from harness.solution.labels import ErrorType
from harness.text.number_forms import format_value
from harness.text.quantity import CURRENCIES
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import Hint, HintKind
from sft.verifier.case import Case, evidence
from sft.verifier.solution_steps import steps_of

NEGATIVE = HintKind("result below zero", ErrorType.OPERAND_SWAP, "{where} arrives at {found}, below zero.")


@evidence("magnitude")
def magnitude(case: Case) -> Signal[Hint]:
    """Negative results, and a final answer that is negative or a fraction where the question asks how many things there are."""
    steps = steps_of(case.item)
    hints = tuple(
        NEGATIVE.at(step.line, format_value(step.value))
        for step in steps.steps
        if step.value is not None and step.value < 0
    )
    answer = None if case.item.answer is None else read_gold(case.item.answer)
    last = case.solution.statements[-1:] if answer else ()
    results = [result for line in last for result in line.results if result is not None]
    ends = [Fraction(result) for result in results if result.denominator == 1]
    # `3*15=45 cents` and `$0.45` are one amount.
    value = None if answer is None else next(filter(answer.quantity.is_also, ends), answer.value)
    # A fraction that is written as one is meant; a price has cents: one with its sign, and one with two decimals where the question has decimals too.
    signs, decimal = set(CURRENCIES), any("." in mention.text for mention in steps.asked.mentions)
    priced = decimal and answer is not None and answer.quantity.places == 2 and not signs.isdisjoint(case.item.question)
    meant = priced or (
        answer is not None
        and (answer.quantity.unit[-1:] in signs or not {"/", "\\"}.isdisjoint(case.item.answer or ""))
    )
    count = value if steps.asked.counts else None
    whole = count is None or meant or count.denominator == 1
    features = {"answer_negative": count is not None and count < 0, "answer_partial": not whole}
    return Signal(features, hints)
