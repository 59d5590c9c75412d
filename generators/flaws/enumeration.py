"""Enumeration of all flawed solutions of one source, from slips and from mutation operators, without duplicates."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardError, FlawDiscardReason
from generators.flaws.mutation_operator import OPERATORS, Mutant, MutationOperator
from generators.flaws.plausibility import plausibility_of, refuse_absurd_values
from generators.flaws.slip import SLIPS, ComputedResult, Slip, wrong_values
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.step_nodes import evaluate_mutant, rounded_mutant
from generators.flaws.text.explanation import explanation, node_text
from generators.flaws.text.line_rewrite import RewrittenLines, check_equations, flawed_answer, rendered_lines
from generators.flaws.text.solution_lines import FlawSourceText, read_source_text
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.records.mutation import Mutation
from harness.solution.expression_text import calculation_text, equation_text
from harness.solution.labels import FINAL_ANSWER, ErrorType, Label
from harness.solution.solution_text import PlacedVariable
from harness.solution.trace import Trace, TraceEntry, propagate
from harness.text.number_forms import format_value

_MENDED_BY_ROUNDING = frozenset({FlawDiscardReason.UNWRITABLE, FlawDiscardReason.NOT_WHOLE})
"""The reasons that an endless decimal gives, of which dollars or hours have hundredths."""


def flaws_of(source: FlawSource) -> Iterator[Flaw | DiscardedFlaw]:
    """Yield the flawed solutions of a source, slips first, operator by operator, and the changes that gave none.

    No two have the same text: a text that several operators give belongs to the first.

    Raises:
        UnfitError: the solution itself states a false equation.
    """
    text = read_source_text(source)
    seen: set[str] = set()
    for flaw in (*_computational_flaws(text), *_conceptual_flaws(text)):
        if isinstance(flaw, Flaw):
            if flaw.text in seen:
                yield DiscardedFlaw(flaw.operator, flaw.label.line, flaw.change.after, FlawDiscardReason.DUPLICATE)
                continue
            seen.add(flaw.text)
        yield flaw


def _computational_flaws(text: FlawSourceText) -> Iterator[Flaw | DiscardedFlaw]:
    """Yield the flaws of each registered slip for each result of a solution."""
    for entry in text.source.steps:
        computed = _stated_result(text, entry)
        label = entry.line or ""
        if computed is None:
            yield DiscardedFlaw("slip", label, entry.variable, FlawDiscardReason.NOT_STATED)
            continue
        for name, values in wrong_values(computed).items():
            for wrong in values:
                try:
                    yield _computational_flaw(text, SLIPS.require(name), computed, wrong)
                except FlawDiscardError as discarded:
                    yield DiscardedFlaw(name, label, format_value(wrong), discarded.discard, discarded.detail)


def _stated_result(text: FlawSourceText, entry: TraceEntry) -> ComputedResult | None:
    """Return the result of a step as its line states it, `None` if the line does not state it."""
    values = text.source.values
    line = text.lines[text.source.line_number(entry.variable) - 1].text
    forms = [part.form for part in line.parts if isinstance(part, PlacedVariable) and part.variable == entry.variable]
    if not forms or entry.expression is None:
        return None
    computed = ComputedResult(entry.value, forms[0], text.source.units[entry.variable], variable=entry.variable)
    match entry.expression:
        case ir.Binary(operator, ir.Name(left), ir.Name(right)):
            return computed.computed_from(operator, values[left], values[right])
        case ir.Binary(operator, ir.Name(left), ir.Const(int() as right)) if not isinstance(right, bool):
            return computed.computed_from(operator, values[left], right)
    return computed


def _computational_flaw(text: FlawSourceText, slip: Slip, computed: ComputedResult, wrong: Exact) -> Flaw:
    source, variable = text.source, computed.variable
    try:
        trace = propagate(source.trace, variable, wrong)
    except (ProgramError, Refusal) as error:
        raise FlawDiscardError(FlawDiscardReason.FAILS, str(error)[:120]) from None
    if trace.answer.value == source.trace.answer.value:
        raise FlawDiscardError(FlawDiscardReason.SAME_ANSWER)
    refuse_absurd_values(source, trace)
    first = source.line_number(variable) - 1
    rewritten = rendered_lines(text, first, trace.values)
    check_equations(rewritten, text, wrong=first)
    right_text, wrong_text = computed.form.write(computed.value), computed.form.write(wrong)
    if right_text is None or wrong_text is None or right_text == wrong_text:
        raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, format_value(wrong))
    worked = equation_text(source.expression(variable), source.values, computed.value)
    because = f"{slip.cause}: {worked}, not {format_value(wrong)}."
    label = f"L{first + 1}"
    return Flaw(
        source,
        slip.name,
        Label.of_error(ErrorType.COMPUTATIONAL, label, because, text.lines[first].words),
        trace,
        rewritten.all_lines(text),
        flawed_answer(source, trace),
        Mutation(slip.name, label, variable, format_value(computed.value), format_value(wrong)),
        plausibility_of(source, trace, (), ()),
    )


def _conceptual_flaws(text: FlawSourceText) -> Iterator[Flaw | DiscardedFlaw]:
    """Yield the flaws of each registered mutation operator for a solution."""
    for operator in OPERATORS:
        for mutant in operator.mutants(text.source):
            flaw = _attempt(text, operator, mutant)
            if isinstance(flaw, DiscardedFlaw) and flaw.discard in _MENDED_BY_ROUNDING:
                rounded = rounded_mutant(text.source, mutant)
                flaw = flaw if rounded is None else _attempt(text, operator, rounded)
            yield flaw


def _attempt(text: FlawSourceText, operator: MutationOperator, mutant: Mutant) -> Flaw | DiscardedFlaw:
    source, trace = text.source, None
    try:
        trace = evaluate_mutant(source, mutant)
        return _conceptual_flaw(text, operator, mutant, trace)
    except FlawDiscardError as discarded:
        label = source.trace.by_name[mutant.variable].line or ""
        change = f"{mutant.variable}: {node_text(source, mutant.was)} -> {node_text(source, mutant.now)}"
        return DiscardedFlaw(operator.name, label, change, discarded.discard, discarded.detail, trace)


def _conceptual_flaw(text: FlawSourceText, operator: MutationOperator, mutant: Mutant, trace: Trace) -> Flaw:
    source = text.source
    if trace.answer.value == source.trace.answer.value:
        raise FlawDiscardError(FlawDiscardReason.SAME_ANSWER)
    refuse_absurd_values(source, trace, {mutant.variable} if mutant.gone else (), fractions=mutant.fractions)
    if mutant.result is not None:
        label, rewritten = FINAL_ANSWER, _lines_with_another_answer(text, mutant)
        last = text.lines[-1].words
        correction = last if mutant.omitted else f"#### {source.problem.gold}"
    else:
        number, rewritten = _lines_with_mutant(text, mutant, trace)
        # The lines after the one left out stand one higher.
        label, correction = f"L{number + 1 - mutant.gone}", text.lines[number].words
    check_equations(rewritten, text)
    because = explanation(source, mutant, trace, operator.explanation)
    before, after = _calculations(source, mutant, trace)
    return Flaw(
        source,
        operator.name,
        Label.of_error(mutant.error_type or operator.error_type, label, because, correction),
        trace,
        rewritten.all_lines(text),
        flawed_answer(source, trace),
        Mutation(operator.name, label, mutant.variable, before, after),
        plausibility_of(source, trace, mutant.reasons, rewritten.edits),
        rewritten.edits,
    )


def _calculations(source: FlawSource, mutant: Mutant, trace: Trace) -> tuple[str, str]:
    """Return the calculation of the changed step before and after, or what stands in its place."""
    if mutant.result is not None and not mutant.omitted:
        return format_value(source.trace.answer.value), format_value(trace.answer.value)
    before = calculation_text(source.expression(mutant.variable), source.values)
    if mutant.reader is not None:
        return before, "nothing"
    if mutant.expression is not None:
        return before, calculation_text(mutant.expression, trace.values)
    return before, format_value(trace.answer.value if mutant.rewired is None else source.values[mutant.rewired])


def _lines_with_another_answer(text: FlawSourceText, mutant: Mutant) -> RewrittenLines:
    """Return the lines as they are, without the last one where the mutant omits it."""
    last = len(text.lines) - 1
    omitted = _own_line(text, mutant.variable) if mutant.omitted else None
    if omitted not in {None, last}:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, "the last line works out something else, too")
    if not text.stated_on.get(str(mutant.result), frozenset()) - {omitted}:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, str(mutant.result))
    return RewrittenLines({}, omitted)


def _lines_with_mutant(text: FlawSourceText, mutant: Mutant, trace: Trace) -> tuple[int, RewrittenLines]:
    """Return the line of the error, from zero, and the lines with another expression, or without a step and its line."""
    source, variable = text.source, mutant.variable
    if not mutant.gone:
        first = source.line_number(variable) - 1
        if not text.lines[first].states(variable):
            raise FlawDiscardError(FlawDiscardReason.NOT_STATED, variable)
        if trace.values[variable] == source.values[variable]:
            raise FlawDiscardError(FlawDiscardReason.SAME_ANSWER, variable)
        return first, rendered_lines(text, first, trace.values, mutant=mutant)
    omitted = _own_line(text, variable)
    readers = source.readers(variable)
    if not readers:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, "no step reads it")
    first = source.line_number(readers[0].variable) - 1
    if not text.lines[first].states(variable):
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, variable)
    if mutant.reader is None:
        values = {**trace.values, variable: source.values[str(mutant.rewired)]}
        return first, rendered_lines(text, first, values, gone=variable, omitted=omitted)
    elsewhere = text.stated_on[variable] - {omitted, first}
    if elsewhere or not text.lines[first].states(mutant.reader):
        raise FlawDiscardError(FlawDiscardReason.STALE, f"L{min(elsewhere, default=first) + 1}")
    return first, rendered_lines(text, first, trace.values, gone=variable, omitted=omitted, mutant=mutant)


def _own_line(text: FlawSourceText, variable: str) -> int:
    """Return the line of a step that works out nothing else, from zero.

    Raises:
        FlawDiscardError: it works out something else, too.
    """
    number = text.source.line_number(variable)
    if sum(text.source.line_number(entry.variable) == number for entry in text.source.steps) > 1:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, "its line works out something else, too")
    return number - 1
