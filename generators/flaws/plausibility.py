"""The plausibility of a flawed solution, and the values with which no person would continue."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction

from generators.flaws.flawed_solution import FlawDiscardError, FlawDiscardReason
from generators.flaws.mutation_operator import Reason
from generators.flaws.solution.quantity_units import Absurdity, Quantity, absurdity
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import substituted
from harness.records.mutation import Plausibility
from harness.solution.trace import Trace, TraceEntry
from harness.text.number_forms import format_value

_BASE = 0.5
_FAR = 20
_COMPARED = frozenset(["as", "than", "times"])


def plausibility_of(
    source: FlawSource, trace: Trace, reasons: tuple[Reason, ...], edits: tuple[str, ...]
) -> Plausibility:
    """Weigh an operator's own reasons, the size and form of the answer, and what a person would still have to edit."""
    weighed = list(reasons)
    before, after = source.trace.answer.value, trace.answer.value
    if before and after:
        ratio = abs(float(after) / float(before))
        if ratio > _FAR or ratio * _FAR < 1:
            weighed.append(("the answer is of another size", -1.0))
        elif 2 * ratio >= 1 and ratio <= 2:
            weighed.append(("the answer is of the same size", 0.2))
    if after < 0 <= before:
        weighed.append(("the answer is negative", -0.6))
    if before.denominator == 1 != after.denominator:
        counted = source.units[source.final].quantity in {Quantity.COUNT, Quantity.NUMBER}
        weighed.append(("the answer is not a whole number", -0.7 if counted else -0.3))
    weighed += [(edit, -0.2) for edit in edits]
    score = _BASE + sum(weight for _, weight in weighed) / 2
    return Plausibility(round(min(max(score, 0.0), 1.0), 3), tuple(reason for reason, _ in weighed))


def refuse_absurd_values(
    source: FlawSource, trace: Trace, gone: Collection[str] = (), *, fractions: bool = False
) -> None:
    """Refuse a flawed solution of which a value leaves the range of its quantity; `gone` are variables that it does not work out.

    Compared with the correct solution are each changed step, an input of the question that a step reads as another number, and
    the answer. Where the error itself is a division by another quantity, `fractions` of things are no reason.

    Raises:
        FlawDiscardError: of the kind of the first such value, with the variable and the value.
    """
    for variable, after in _changes(source, trace, gone):
        reason = absurdity(source.units[variable], source.values[variable], after, source.described[variable])
        if reason is Absurdity.NOT_WHOLE and fractions:
            continue
        if reason is None and _exceeds_its_whole(source, trace, variable, after):
            reason = Absurdity.PART_OVER_WHOLE
        if reason is not None:
            raise FlawDiscardError(FlawDiscardReason[reason.name], f"{variable} = {format_value(after)}: {reason}")


def _changes(source: FlawSource, trace: Trace, gone: Collection[str]) -> Iterator[tuple[str, Exact]]:
    """Yield the variables that have another value in the flawed solution, or are read as another number, with that value."""
    for entry in trace.entries:
        before = source.trace.by_name[entry.variable]
        if entry.variable in gone:
            continue
        if entry.expression is not before.expression:
            yield from _misread(source, before, entry)
        if entry.value != before.value:
            yield entry.variable, entry.value
    if trace.result != source.final:
        yield source.final, trace.answer.value


def _misread(source: FlawSource, before: TraceEntry, after: TraceEntry) -> Iterator[tuple[str, Exact]]:
    """Yield an input of the question that a step reads as another number; well-known facts may be misremembered as anything."""
    if before.expression is None or after.expression is None:
        return
    for new, old in substituted(before.expression, after.expression).items():
        match old, new:
            case ir.Name(name), ir.Const(int() | Fraction() as value) if (
                not isinstance(value, bool)
                and name in source.values
                and source.trace.by_name[name].role.is_input
                and source.values[name] in source.question_values
            ):
                yield name, value


def _exceeds_its_whole(source: FlawSource, trace: Trace, variable: str, after: Exact) -> bool:
    """Tell whether a variable is a share of another one, such as 40% of the pupils, and has become more than that.

    `Half as many as` compares two quantities of which none is a part of the other.
    """
    match source.trace.by_name[variable].expression:
        case ir.Binary("*", ir.Name(first), ir.Name(second)):
            for whole, share in ((first, second), (second, first)):
                is_share = source.units[share].quantity is Quantity.SHARE and 0 < source.values[share] < 1
                if is_share and _COMPARED.isdisjoint(source.described[share].split()):
                    return source.values[whole] > 0 and after > trace.values.get(whole, source.values[whole])
    return False
