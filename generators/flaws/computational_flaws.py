"""The flawed solutions that the registered slips of computation make of a solution."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardReason
from generators.flaws.plausibility.plausibility import plausibility_of
from generators.flaws.plausibility.value_ranges import refuse_absurd_values
from generators.flaws.slip import SLIPS, ComputedResult, Slip, wrong_values
from generators.flaws.solution.quantity_units import DOLLARS
from generators.flaws.text.explanation import explain
from generators.flaws.text.solution_rewrite import (
    FlawDiscardError,
    FlawSourceText,
    changed_lines,
    changed_values,
    check_equations,
    flawed_answer,
    flawed_lines,
    random_of,
    render,
)
from generators.flaws.text.stale_numbers import check_stale_numbers
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.records.mutation import Mutation
from harness.solution.labels import ErrorType, Label
from harness.solution.solution_text import PlacedVariable
from harness.solution.trace import TraceEntry, propagate
from harness.text.number_forms import format_value


def computational_flaws(text: FlawSourceText, seed: int) -> Iterator[Flaw | DiscardedFlaw]:
    """Yield the flaws of each registered slip for each result of a solution."""
    source = text.source
    randoms = {slip.name: random_of(source, slip.name, seed) for slip in SLIPS}
    for entry in source.steps:
        computed = _stated_result(text, entry)
        label = entry.line or ""
        if computed is None:
            yield DiscardedFlaw("slip", label, entry.variable, FlawDiscardReason.NOT_STATED)
            continue
        for name, values in wrong_values(computed).items():
            for wrong in values:
                try:
                    yield _flaw(text, SLIPS.require(name), computed, wrong, randoms[name])
                except FlawDiscardError as discarded:
                    yield DiscardedFlaw(name, label, format_value(wrong), discarded.discard, discarded.detail)


def _stated_result(text: FlawSourceText, entry: TraceEntry) -> ComputedResult | None:
    """Return the result of a step as its line states it, `None` if the line does not state it."""
    line = text.lines[text.source.line_number(entry.variable) - 1].text
    forms = [part.form for part in line.parts if isinstance(part, PlacedVariable) and part.variable == entry.variable]
    if not forms or entry.expression is None:
        return None
    operator = ""
    operands: tuple[Exact, ...] = ()
    match entry.expression:
        case ir.Binary(operator, ir.Name(left), ir.Name(right)):
            operands = (text.source.values[left], text.source.values[right])
        case ir.Binary(operator, ir.Name(left), ir.Const(int() as right)) if not isinstance(right, bool):
            operands = (text.source.values[left], right)
        case _:
            operator = ""
    unit = text.source.units[entry.variable]
    return ComputedResult(entry.value, forms[0], unit, operator, operands, entry.expression, entry.variable)


def _flaw(text: FlawSourceText, slip: Slip, computed: ComputedResult, wrong: Exact, random: Random) -> Flaw:
    source, variable, right = text.source, computed.variable, computed.value
    try:
        trace = propagate(source.trace, variable, wrong)
    except (ProgramError, Refusal) as error:
        raise FlawDiscardError(FlawDiscardReason.FAILS, str(error)[:120]) from None
    if trace.answer.value == source.trace.answer.value:
        raise FlawDiscardError(FlawDiscardReason.SAME_ANSWER)
    changed = changed_values(source, trace)
    refuse_absurd_values(source, trace)
    first = source.line_number(variable) - 1
    numbers = changed_lines(text, first, changed)
    check_stale_numbers(text, first, trace.values)
    written = {number: render(text, number, trace.values) for number in numbers}
    check_equations(written, text, trace.values, wrong=first)
    right_text, wrong_text = computed.form.write(right), computed.form.write(wrong)
    if right_text is None or wrong_text is None or right_text == wrong_text:
        raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, format_value(wrong))
    label = f"L{first + 1}"
    dollars = source.units[variable] == DOLLARS and "$" in source.problem.solution
    dollar = "$" if dollars and not right_text.startswith("$") else ""
    facts = {
        "right": lambda: f"{dollar}{right_text}",
        "wrong": lambda: f"{dollar}{wrong_text}",
        "line": lambda: label,
    }
    return Flaw(
        source,
        slip.name,
        Label.of_error(ErrorType.COMPUTATIONAL, label, explain(slip.phrases, random, facts), text.lines[first].words),
        trace,
        flawed_lines(text, written),
        flawed_answer(source, trace),
        Mutation(slip.name, label, variable, format_value(right), format_value(wrong)),
        plausibility_of(source, trace, (), ()),
    )
