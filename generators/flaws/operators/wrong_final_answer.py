"""Mutation operator: an intermediate result is reported as the answer to the question."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.plausibility import confusion_reasons, telling_words
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.solution.labels import ErrorType


@mutation_operator(
    "wrong_final_answer",
    MutationExample(
        "# L1\nred = 5  # 5 red pens\ntwice = 2  # twice as many\nblue = red * twice\n# L2\npens = red + blue\n"
        "# L3\nprice = 3  # $3 each\npaid = price * pens",
        ("answer = pens", "answer = blue"),
        "How much are all the pens?",
    ),
    error_type=ErrorType.FINAL_ANSWER_SELECTION,
    explanation="The question asks {asked}. The answer is {right_value}; {wrong_value} is an intermediate result.",
)
def wrong_final_answer(source: FlawSource) -> Iterator[Mutant]:
    """Yield the solution with any other result as its answer, unless one of both is money and the other is known not to be."""
    final = source.final
    answer = source.trace.by_name[final]
    asked = telling_words(source.phrases.asked)
    for entry in reversed(source.steps):
        kinds = {source.units[final].quantity, source.units[entry.variable].quantity}
        unlike = Quantity.MONEY in kinds and len(kinds - {Quantity.NUMBER}) > 1
        if unlike or entry.variable in source.coefficients or entry.value == answer.value:
            continue
        reasons = confusion_reasons(source, final, final, entry.variable)
        if telling_words(entry.variable) & asked:
            reasons.append(("named in the question", 0.2))
        if entry.variable in answer.reads:
            reasons.append(("one step before the answer", 0.1))
        was, now = ir.Name(final), ir.Name(entry.variable)
        yield Mutant(final, was, now, result=entry.variable, reasons=tuple(reasons))
