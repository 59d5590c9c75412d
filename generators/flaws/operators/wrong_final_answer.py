"""Mutation operator: an intermediate result is reported as the answer to the question."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.quantity_confusion import confusion_reasons, words_of
from generators.flaws.knowledge.quantity_roles import question_words
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.names import variable_phrase

_PHRASES = explanation_phrases("wrong_final_answer")
EXAMPLES = (
    MutationExample(
        "# L1\nprice = 4  # tickets cost $4\ntickets = 3  # 3 tickets\ncost = price * tickets\n"
        "# L2\npaid = 20  # paid with $20\nchange = paid - cost",
        (("change", "answer = cost"),),
    ),
    MutationExample(
        "# L1\nred = 5  # 5 red pens\ntwice = 2  # twice as many\nblue = red * twice\n# L2\npens = red + blue\n"
        "# L3\nprice = 3  # $3 each\npaid = price * pens",
        (("paid", "answer = pens"), ("paid", "answer = blue")),
        "How much are all the pens?",
    ),
    MutationExample(
        "# L1\na = 6\nb = 2\nfirst = a * b\n# L2\nc = 5\nsecond = c + b\n# L3\nd = 3\nthird = second - d\n# L4\nfourth = first + third",
        (("fourth", "answer = third"), ("fourth", "answer = first"), ("fourth", "answer = second")),
    ),
)


@mutation_operator("wrong_final_answer", error_type=ErrorType.FINAL_ANSWER_SELECTION, examples=EXAMPLES)
def wrong_final_answer(source: FlawSource) -> Iterator[Mutant]:
    """Yield the solution with any other result as its answer, unless the unit of that result plainly differs."""
    final = source.final
    answer = source.trace.by_name[final]
    question = question_words(source)
    for entry in reversed(source.steps):
        if entry.value == answer.value or not _could_be(source, final, entry.variable):
            continue
        reasons = confusion_reasons(source, final, final, entry.variable)
        if words_of(entry.variable) & question:
            reasons.append(("named in the question", 0.2))
        if entry.variable in answer.reads:
            reasons.append(("one step before the answer", 0.1))
        yield Mutant(
            final,
            variable_phrase(final),
            variable_phrase(entry.variable),
            _PHRASES["phrases"],
            result=entry.variable,
            reasons=tuple(reasons),
        )


def _could_be(source: FlawSource, final: str, variable: str) -> bool:
    """Tell whether both are money or neither is; no other unit is read off a text with such certainty."""
    kinds = {source.units[final].quantity, source.units[variable].quantity}
    return variable != final and (Quantity.MONEY not in kinds or len(kinds - {Quantity.NUMBER}) == 1)
