"""Mutation operator: the last step is left out, and one of its operands is reported as the answer."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, alone_on_line, mutation_operator
from generators.flaws.plausibility import confusion_reasons
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.solution.labels import ErrorType


@mutation_operator(
    "skipped_final_step",
    MutationExample(
        "# L1\nprice = 4  # tickets cost $4\ntickets = 3  # 3 tickets\ncost = price * tickets\n"
        "# L2\npaid = 20  # paid with $20\nchange = paid - cost",
        ("answer = cost, without change",),
    ),
    error_type=ErrorType.SKIPPED_STEP,
    explanation="The last step is missing: {right}. The answer is {right_value}, not {wrong_value}.",
)
def skipped_final_step(source: FlawSource) -> Iterator[Mutant]:
    """Yield the solution without its last line, with one of the results that it would have read as the answer."""
    final = source.final
    *earlier, last = source.steps
    at_the_end = last.variable == final and source.line_number(final) == len(source.text.lines)
    if not at_the_end or not alone_on_line(source, final):
        return
    for entry in reversed(earlier):
        latest = entry is earlier[-1]
        other = entry.value != last.value and entry.variable not in source.coefficients
        if other and (latest or entry.variable in last.reads):
            reasons = confusion_reasons(source, final, final, entry.variable)
            if latest:
                reasons.append(("the result found last", 0.3))
            was, now = ir.Name(final), ir.Name(entry.variable)
            yield Mutant(final, was, now, result=entry.variable, omitted=True, reasons=tuple(reasons))
