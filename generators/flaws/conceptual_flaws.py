"""The flawed solutions that the registered mutation operators make of a solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardReason
from generators.flaws.mutants.mutant_evaluation import evaluate_mutant, rounded_mutant
from generators.flaws.mutation_operator import OPERATORS, Mutant, MutationOperator
from generators.flaws.plausibility.plausibility import plausibility_of
from generators.flaws.plausibility.value_ranges import refuse_absurd_values
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.explanation import explain
from generators.flaws.text.line_edits import edit_line, says_still
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
    states_variable,
)
from generators.flaws.text.stale_numbers import check_stale_numbers
from harness.program import ir
from harness.program.expression_nodes import names_left_out, substituted
from harness.records.mutation import Mutation
from harness.solution.expression_text import calculation_text, equation_text
from harness.solution.labels import FINAL_ANSWER, Label
from harness.solution.phrases.explanation_phrases import NOTHING
from harness.solution.trace import Trace
from harness.text.names import variable_phrase
from harness.text.number_forms import format_value

_MENDED_BY_ROUNDING = frozenset({FlawDiscardReason.UNWRITABLE, FlawDiscardReason.NOT_WHOLE})
"""The reasons that an endless decimal gives, of which dollars or hours have hundredths."""


def conceptual_flaws(text: FlawSourceText, seed: int) -> Iterator[Flaw | DiscardedFlaw]:
    """Yield the flaws of each registered mutation operator for a solution."""
    source = text.source
    for operator in OPERATORS:
        random = random_of(source, operator.name, seed)
        for mutant in operator.mutants(source):
            made = _attempt(text, operator, mutant, random)
            if isinstance(made, DiscardedFlaw) and made.discard in _MENDED_BY_ROUNDING:
                rounded = rounded_mutant(source, mutant)
                made = made if rounded is None else _attempt(text, operator, rounded, random)
            yield made


def _attempt(text: FlawSourceText, operator: MutationOperator, mutant: Mutant, random: Random) -> Flaw | DiscardedFlaw:
    trace = None
    try:
        trace = evaluate_mutant(text.source, mutant)
        return _flaw(text, operator, mutant, trace, random)
    except FlawDiscardError as discarded:
        label = text.source.trace.by_name[mutant.variable].line or ""
        change = f"{mutant.variable}: {mutant.was} -> {mutant.now}"
        return DiscardedFlaw(operator.name, label, change, discarded.discard, discarded.detail, trace)


@dataclass(frozen=True, slots=True)
class _RewrittenLines:
    """The rewritten lines by their number in the source, the line of the error, and its correction.

    `omitted` is a line left out. `worded` is a line with other words than before; `certain` tells whether its equations
    are known to be true without reading it. `edits` are the corrections left to a person.
    """

    lines: Mapping[int, str]
    label: str
    correction: str
    omitted: int | None = None
    edits: tuple[str, ...] = ()
    worded: int | None = None
    certain: bool = False


def _flaw(text: FlawSourceText, operator: MutationOperator, mutant: Mutant, trace: Trace, random: Random) -> Flaw:
    source = text.source
    if trace.answer.value == source.trace.answer.value:
        raise FlawDiscardError(FlawDiscardReason.SAME_ANSWER)
    gone = {mutant.variable} if mutant.rewired is not None or mutant.reader is not None or mutant.omitted else set()
    refuse_absurd_values(source, trace, gone, fractions=mutant.fractions)
    if mutant.result is not None:
        written = _other_answer(text, mutant)
    elif mutant.rewired is not None:
        written = _without_step(text, mutant, mutant.rewired, trace)
    elif mutant.reader is not None:
        written = _without_term(text, mutant, mutant.reader, trace)
    else:
        written = _with_expression(text, mutant, trace)
    values = {**trace.values, mutant.variable: trace.values[mutant.rewired]} if mutant.rewired else trace.values
    uncertain = {
        number: words for number, words in written.lines.items() if number != written.worded or not written.certain
    }
    check_equations(uncertain, text, values, wrong=None, worded=written.worded)
    facts = _facts(source, mutant, trace, written.label)
    kind = mutant.error_type or operator.error_type
    return Flaw(
        source,
        operator.name,
        Label.of_error(kind, written.label, explain(mutant.phrases, random, facts, source.names), written.correction),
        trace,
        flawed_lines(text, written.lines, written.omitted),
        flawed_answer(source, trace),
        Mutation(operator.name, written.label, mutant.variable, *_change_texts(source, mutant, trace)),
        plausibility_of(source, trace, mutant.reasons, written.edits),
        written.edits,
    )


def _change_texts(source: FlawSource, mutant: Mutant, trace: Trace) -> tuple[str, str]:
    """Return the calculation of the changed step before and after, or its replacement."""
    if mutant.result is not None and not mutant.omitted:
        return format_value(source.trace.answer.value), format_value(trace.answer.value)
    before = calculation_text(source.expression(mutant.variable), source.values)
    if mutant.reader is not None:
        return before, NOTHING
    if mutant.expression is not None:
        return before, calculation_text(mutant.expression, trace.values)
    return before, format_value(trace.answer.value if mutant.rewired is None else source.values[mutant.rewired])


def _facts(source: FlawSource, mutant: Mutant, trace: Trace, label: str) -> dict[str, Callable[[], str]]:
    entry, values = source.trace.by_name[mutant.variable], trace.values
    wrong_value = trace.answer.value if mutant.rewired is None else source.values[mutant.rewired]
    if mutant.expression is not None and mutant.reader is None:
        wrong_value = values[mutant.variable]

    gone = "" if mutant.rewired is None and mutant.reader is None and not mutant.omitted else mutant.variable

    def right() -> str:
        return equation_text(source.expression(mutant.variable), source.values, entry.value)

    def wrong() -> str:
        if mutant.expression is None or mutant.reader is not None:
            return format_value(wrong_value)
        return equation_text(mutant.expression, values, wrong_value)

    return {
        "was": lambda: source.phrases.named(mutant.was, gone),
        "now": lambda: source.phrases.named(mutant.now),
        "said": lambda: _misread_input(source, mutant),
        "limit": lambda: _limiting(source, mutant),
        "asked": lambda: source.phrases.asked,
        "right": right,
        "wrong": wrong,
        "right_value": lambda: format_value(entry.value),
        "wrong_value": lambda: format_value(wrong_value),
        "line": lambda: label,
    }


def _limiting(source: FlawSource, mutant: Mutant) -> str:
    """Return the phrase of the only variable that a mutant does without, what it names as changed without one."""
    before = source.expression(mutant.variable)
    names = names_left_out(before, mutant.expression) if mutant.expression is not None else ()
    return source.phrases.phrase(names[0]) if len(names) == 1 else source.phrases.named(mutant.was)


def _misread_input(source: FlawSource, mutant: Mutant) -> str:
    """Return the phrase of the only variable in whose place a mutant reads something else, what it names as changed without one."""
    replaced = (
        substituted(source.expression(mutant.variable), mutant.expression) if mutant.expression is not None else {}
    )
    names = [old.name for old in replaced.values() if isinstance(old, ir.Name)]
    return source.phrases.phrase(names[0]) if names else mutant.was


def _other_answer(text: FlawSourceText, mutant: Mutant) -> _RewrittenLines:
    """Return the lines with another value as the answer, without the last line where the mutant omits it."""
    source = text.source
    last = len(text.lines) - 1
    if not text.stated_on.get(str(mutant.result), frozenset()) - ({last} if mutant.omitted else set()):
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, str(mutant.result))
    if not mutant.omitted:
        return _RewrittenLines({}, FINAL_ANSWER, f"#### {source.problem.gold}")
    own = source.line_number(mutant.variable) - 1
    if own != last or sum(source.line_number(entry.variable) - 1 == last for entry in source.steps) > 1:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, "the last line works out something else, too")
    return _RewrittenLines({}, FINAL_ANSWER, text.lines[last].words, omitted=last)


def _without_step(text: FlawSourceText, mutant: Mutant, instead: str, trace: Trace) -> _RewrittenLines:
    """Return the lines without that of a step, whose readers read the variable `instead`."""
    source, gone = text.source, mutant.variable
    omitted = source.line_number(gone) - 1
    if sum(source.line_number(entry.variable) - 1 == omitted for entry in source.steps) > 1:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, "its line works out something else, too")
    readers = source.readers(gone)
    if not readers:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, "no step reads it")
    first = source.line_number(readers[0].variable) - 1
    values = {**trace.values, gone: source.values[instead]}
    changed = [name for name in source.values if values[name] != source.values[name]]
    numbers = [number for number in changed_lines(text, omitted, [*changed, gone]) if number != omitted]
    if min(numbers, default=first) < first:
        raise FlawDiscardError(FlawDiscardReason.EARLIER, f"L{min(numbers) + 1}")
    check_stale_numbers(text, omitted, values, skipped={omitted})
    if not states_variable(text.lines[first].text, gone):
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, gone)
    written = {number: render(text, number, values) for number in numbers}
    edits = () if source.units[gone].fits(source.units[instead]) else (f"{variable_phrase(instead)} has another unit",)
    # The lines after the one left out stand one higher.
    return _RewrittenLines(written, f"L{first}", text.lines[first].words, omitted, edits)


def _without_term(text: FlawSourceText, mutant: Mutant, reader: str, trace: Trace) -> _RewrittenLines:
    """Return the lines without that of a step, and another expression on the line of its one reader."""
    source, gone = text.source, mutant.variable
    omitted, first = source.line_number(gone) - 1, source.line_number(reader) - 1
    if sum(source.line_number(entry.variable) - 1 == omitted for entry in source.steps) > 1:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, "its line works out something else, too")
    line = text.lines[first]
    if not states_variable(line.text, gone) or not states_variable(line.text, reader):
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, gone)
    elsewhere = text.stated_on[gone] - {omitted, first}
    if elsewhere:
        raise FlawDiscardError(FlawDiscardReason.STALE, f"L{min(elsewhere) + 1}")
    edited = edit_line(text, line, replace(mutant, variable=reader))
    if states_variable(edited.line, gone):
        raise FlawDiscardError(FlawDiscardReason.STALE, f"L{first + 1}")
    changed = [name for name in changed_values(source, trace) if name != gone]
    numbers = [number for number in changed_lines(text, first, changed) if number != first]
    check_stale_numbers(text, omitted, trace.values, skipped={omitted})
    written = {number: render(text, number, trace.values) for number in numbers}
    written[first] = render(text, first, {**trace.values, **edited.misread}, edited.line)
    if says_still(line, reader, written[first]):
        raise FlawDiscardError(FlawDiscardReason.NOT_SHOWN, reader)
    # The lines after the one left out stand one higher.
    return _RewrittenLines(written, f"L{first}", line.words, omitted, edited.edits, first)


def _with_expression(text: FlawSourceText, mutant: Mutant, trace: Trace) -> _RewrittenLines:
    """Return the lines with another expression on the line of a step, and new values from there on."""
    source, variable = text.source, mutant.variable
    first = source.line_number(variable) - 1
    line = text.lines[first]
    if not states_variable(line.text, variable):
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, variable)
    if trace.values[variable] == source.values[variable]:
        raise FlawDiscardError(FlawDiscardReason.SAME_ANSWER, variable)
    edited = edit_line(text, line, mutant)
    numbers = changed_lines(text, first, changed_values(source, trace))
    check_stale_numbers(text, first, trace.values)
    written = {number: render(text, number, trace.values) for number in numbers if number != first}
    written[first] = render(text, first, {**trace.values, **edited.misread}, edited.line)
    if written[first] == line.words or says_still(line, variable, written[first]):
        raise FlawDiscardError(FlawDiscardReason.NOT_SHOWN, variable)
    claims = text.claims[first]
    whole = trace.values[variable].denominator == 1 and trace.values[variable] >= 0
    certain = whole and claims is not None and claims.follow(variable, edited.written)
    return _RewrittenLines(written, f"L{first + 1}", line.words, edits=edited.edits, worded=first, certain=certain)
