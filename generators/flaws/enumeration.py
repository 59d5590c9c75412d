"""Enumeration of all flawed solutions of one source, from slips and from mutation operators, without duplicates."""

from collections.abc import Iterator
from dataclasses import replace

from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardError, FlawDiscardReason
from generators.flaws.line_rewrite import RewrittenLines, mutated_lines, rendered_lines
from generators.flaws.mutation_operator import OPERATORS, Mutant, MutationOperator, evaluate_mutant, rounded_mutant
from generators.flaws.plausibility import Reason, plausibility_of, refuse_absurd_values
from generators.flaws.slip import SLIPS, ComputedResult, Slip, wrong_values
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import value_of
from harness.program.expression_nodes import changed_part
from harness.program.refusal import ProgramError, Refusal
from harness.program.syntax.unparser import unparse
from harness.records.mutation import ChangedPart, Mutation
from harness.solution.expression_text import calculation_text, worked_equation
from harness.solution.labels import FINAL_ANSWER, ErrorType, Label
from harness.solution.solution_text import PlacedVariable
from harness.solution.trace import Trace, TraceEntry, propagate
from harness.text.names import with_names
from harness.text.number_forms import format_value

_MENDED_BY_ROUNDING = frozenset({FlawDiscardReason.UNWRITABLE, FlawDiscardReason.NOT_WHOLE})
"""The reasons that an endless decimal gives, of which dollars or hours have hundredths."""


def flaws_of(source: FlawSource) -> Iterator[Flaw | DiscardedFlaw]:
    """Yield the flawed solutions of a source, slips first, operator by operator, and the changes that gave none.

    No two have the same text: a text that several operators give belongs to the first. Errors as in `FlawSource.lines`.
    """
    seen: set[str] = set()
    for flaw in (*_computational_flaws(source), *_conceptual_flaws(source)):
        if isinstance(flaw, Flaw):
            if flaw.text in seen:
                yield DiscardedFlaw(flaw.operator, flaw.label.line, flaw.change.after, FlawDiscardReason.DUPLICATE)
                continue
            seen.add(flaw.text)
        yield flaw


def _computational_flaws(source: FlawSource) -> Iterator[Flaw | DiscardedFlaw]:
    for entry in (step for step in source.steps if step.variable not in source.simplified):
        computed = _stated_result(source, entry)
        label = entry.line or ""
        if computed is None:
            yield DiscardedFlaw("slip", label, entry.variable, FlawDiscardReason.NOT_STATED)
            continue
        for name, values in wrong_values(computed).items():
            for wrong in values:
                try:
                    yield _computational_flaw(source, SLIPS.require(name), computed, wrong)
                except FlawDiscardError as discarded:
                    yield DiscardedFlaw(name, label, format_value(wrong), discarded.discard, discarded.detail)


def _stated_result(source: FlawSource, entry: TraceEntry) -> ComputedResult | None:
    """Return the result of a step as its line states it, `None` if the line does not state it."""
    values = source.values
    line = source.lines[source.line_number(entry.variable) - 1].text
    forms = [part.form for part in line.parts if isinstance(part, PlacedVariable) and part.variable == entry.variable]
    if not forms:
        return None
    computed = ComputedResult(entry.value, forms[0], variable=entry.variable)
    match entry.expression:
        case ir.Binary(operator, ir.Name(left), ir.Name() | ir.Const() as right):
            other = value_of(right, values)
            return computed if other is None else replace(computed, operator=operator, operands=(values[left], other))
    return computed


def _computational_flaw(source: FlawSource, slip: Slip, computed: ComputedResult, wrong: Exact) -> Flaw:
    variable = computed.variable
    try:
        trace = propagate(source.trace, variable, wrong)
    except (ProgramError, Refusal) as error:
        raise FlawDiscardError(FlawDiscardReason.FAILS, str(error)) from None
    _check_answer(source, trace)
    refuse_absurd_values(source, trace)
    rewritten = rendered_lines(source, source.line_number(variable) - 1, trace.values)
    worked = worked_equation(source.expression(variable), source.values, computed.value)
    because = f"{slip.cause}: {worked}, not {format_value(wrong)}."
    correction = source.lines[rewritten.first].words
    label = Label.of_error(ErrorType.COMPUTATIONAL, f"L{rewritten.first + 1}", because, correction)
    results = format_value(computed.value), format_value(wrong)
    change = Mutation(slip.name, label.line, variable, *results, ChangedPart(*results))
    return _flaw(source, label, trace, rewritten, change)


def _check_answer(source: FlawSource, trace: Trace) -> None:
    if trace.answer.value == source.trace.answer.value:
        raise FlawDiscardError(FlawDiscardReason.SAME_ANSWER)


def _flaw(
    source: FlawSource, label: Label, trace: Trace, rewritten: RewrittenLines, change: Mutation, *reasons: Reason
) -> Flaw:
    """Return the flaw, its answer written as the gold answer is written."""
    answer = source.answer_form.write(trace.answer.value)
    if answer is None:
        raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, f"#### {trace.answer.value}")
    plausibility = plausibility_of(source, trace, reasons, rewritten.edits)
    kept = (pair for pair in enumerate(source.lines) if pair[0] != rewritten.omitted)
    lines = tuple(rewritten.lines.get(number, line.words) for number, line in kept)
    return Flaw(source, change.mutation_type, label, trace, lines, answer, change, plausibility, rewritten.edits)


def _conceptual_flaws(source: FlawSource) -> Iterator[Flaw | DiscardedFlaw]:
    for operator in OPERATORS:
        for mutant in operator.mutants(source):
            flaw = _attempt(source, operator, mutant)
            if isinstance(flaw, DiscardedFlaw) and flaw.discard in _MENDED_BY_ROUNDING:
                rounded = rounded_mutant(source, mutant)
                flaw = flaw if rounded is None else _attempt(source, operator, rounded)
            yield flaw


def _attempt(source: FlawSource, operator: MutationOperator, mutant: Mutant) -> Flaw | DiscardedFlaw:
    trace = None
    try:
        trace = evaluate_mutant(source, mutant)
        return _conceptual_flaw(source, operator, mutant, trace)
    except FlawDiscardError as discarded:
        label = source.trace.by_name[mutant.variable].line or ""
        change = f"{mutant.variable}: {_node_text(source, mutant.was)} -> {_node_text(source, mutant.now)}"
        return DiscardedFlaw(operator.name, label, change, discarded.discard, discarded.detail, trace)


def _conceptual_flaw(source: FlawSource, operator: MutationOperator, mutant: Mutant, trace: Trace) -> Flaw:
    variable = mutant.variable
    _check_answer(source, trace)
    refuse_absurd_values(source, trace, variable if mutant.gone else "", fractions=mutant.fractions)
    rewritten = mutated_lines(source, mutant, trace)
    answers = mutant.result is not None and not mutant.omitted
    correction = f"#### {source.problem.gold}" if answers else source.lines[rewritten.first].words
    # The lines after the one left out stand one higher.
    line = f"L{rewritten.first + 1 - mutant.gone}" if mutant.result is None else FINAL_ANSWER
    because = _explanation(source, mutant, trace, operator.explanation)
    label = Label.of_error(mutant.error_type or operator.error_type, line, because, correction)
    before = calculation_text(source.expression(variable), source.values)
    after = format_value(trace.answer.value if mutant.rewired is None else source.values[mutant.rewired])
    if answers:
        before = format_value(source.trace.answer.value)
    elif mutant.expression is not None:
        after = calculation_text(mutant.expression, trace.values)
    change = Mutation(operator.name, line, variable, before, after, _changed_part(source, mutant))
    return _flaw(source, label, trace, rewritten, change, *mutant.reasons)


def _changed_part(source: FlawSource, mutant: Mutant) -> ChangedPart:
    """Return the operator, variable or number that a mutant changes; of a step that is left out, the variable in its place."""
    if mutant.expression is not None:
        parts = changed_part(source.expression(mutant.variable), mutant.expression)
    else:
        parts = mutant.variable, mutant.rewired or mutant.result or ""
    return ChangedPart(*(part if isinstance(part, str) else unparse(part) for part in parts))


def _node_text(source: FlawSource, node: ir.Expr | str) -> str:
    """Return a node as a reader sees it: a variable by its phrase, another expression in numbers, words as they are."""
    match node:
        case str():
            return node
        case ir.Name(name) if name in source.values:
            read = source.trace.by_name[name].expression
            if isinstance(read, ir.Unary):
                return _node_text(source, read.operand)
            return source.phrases.phrase(name)
    return calculation_text(node, source.values)


def _explanation(source: FlawSource, mutant: Mutant, trace: Trace, template: str) -> str:
    """Return the explanation of a mutant, its own template in the place of its operator's; proper names have their capitals."""
    variable, new = mutant.variable, mutant.expression
    right, wrong = source.values[variable], trace.values.get(variable, trace.answer.value)
    if mutant.rewired is not None or mutant.result is not None:
        wrong = trace.answer.value if mutant.rewired is None else source.values[mutant.rewired]
    calculated = new is not None and not isinstance(new, ir.Name | ir.Const)
    facts = {
        "was": _node_text(source, mutant.was),
        "now": _node_text(source, mutant.now),
        "right": worked_equation(mutant.right or source.expression(variable), source.values, right),
        "wrong": worked_equation(new, trace.values, wrong) if new is not None and calculated else format_value(wrong),
        "right_value": format_value(right),
        "wrong_value": format_value(wrong),
        "asked": source.phrases.asked,
    }
    text = with_names((mutant.cause or template).format_map(facts), source.names)
    return text[0].upper() + text[1:]
