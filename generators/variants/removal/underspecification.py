"""The constraints that an edited question still states, whether a reader would miss a number, and values that leave its answer open."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import EditedQuestion
from generators.variants.values.nearby_values import SIMPLE_PARTS, neighbors_of
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ConstraintSystem, Fact
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.program.refusal import ProgramError, Refusal
from harness.text.number_forms import PLAIN, NumberKind
from harness.text.sentences import sentences_of

_MORE_THAN = re.compile(r"(?: [a-z-]+){0,4} than ")
_TOTAL = re.compile(r"\b(?:total|in all|altogether|all together|combined)\b", re.IGNORECASE)


def system_without(
    subject: VariantSubject,
    edited: EditedQuestion,
    gone: frozenset[str],
    restated: Mapping[str, tuple[int, int]] | None = None,
) -> ConstraintSystem | None:
    """Return what an edited text states: the constraints without the facts about the `gone` variables.

    `restated` are the spans in the edited text of values that an edit rewrites. `None` if an edit touched another fact.
    """
    facts: list[Fact] = []
    sentences = sentences_of(edited.text)
    for fact in subject.system.facts:
        if fact.variable in gone:
            continue
        if fact.span is None:
            facts.append(fact)
            continue
        span = (restated or {}).get(fact.variable) or edited.moved(*fact.span)
        if span is None:
            return None
        words = next((sentence.text for sentence in sentences if sentence.start <= span[0] < sentence.end), fact.words)
        facts.append(replace(fact, span=span, words=words))
    system = replace(subject.system, facts=tuple(facts))
    known = {*system.variables}
    bounds = [bound for bound in system.bounds if bound.variable in known]
    bounds = [bound for bound in bounds if not isinstance(bound.limit, str) or bound.limit in known]
    return replace(system, bounds=tuple(bounds))


def witnesses(
    subject: VariantSubject, system: ConstraintSystem, places: Sequence[NumberPlace]
) -> tuple[Mapping[str, Exact], ...]:
    """Return values of the free variables, the problem's own and others nearby, that give different answers.

    One of the places must matter: the answer changes with its value, whichever of its variables the text there gives. Nothing
    is returned where none does, or where no other values lie within all bounds.
    """
    own = {name: subject.values[name] for name in system.free}
    values = _completed(system, own)
    if not own or values is None or values[system.answer] != subject.values[system.answer]:
        return ()
    for place in places:
        if own.keys() >= {*place.variables}:
            others = [_other(subject, system, own, place, names) for names in _choices(place)]
            if None not in others and others[0] is not None:
                return own, others[0]
    return ()


def _choices(place: NumberPlace) -> Iterator[tuple[str, ...]]:
    """Yield the variables of a place together, and each alone, since the number may be meant for one of them only."""
    if place.rewritable or len(place.variables) == 1:
        yield place.variables
    if len(place.variables) > 1:
        yield from ((name,) for name in place.variables)


def _other(
    subject: VariantSubject,
    system: ConstraintSystem,
    own: Mapping[str, Exact],
    place: NumberPlace,
    names: tuple[str, ...],
) -> Mapping[str, Exact] | None:
    """Return values of the free variables with others for some, preferably such that all that was whole stays whole."""
    answer, old = subject.values[system.answer], subject.values
    spare: Mapping[str, Exact] | None = None
    for value in _alternatives(subject, place, names[0]):
        free = {**own, **dict.fromkeys(names, value)}
        values = _completed(system, free)
        if values is None or values[system.answer] == answer:
            continue
        if not all(value > 0 or old[name] <= 0 for name, value in values.items()):
            continue
        if all(values[name].denominator == 1 for name in values if old[name].denominator == 1):
            return free
        spare = spare or free
    return spare


def _completed(system: ConstraintSystem, free: Mapping[str, Exact]) -> Mapping[str, Exact] | None:
    try:
        values = system.complete(free)
    except (Refusal, ProgramError):
        return None
    return values if system.violated(values) is None else None


def _alternatives(subject: VariantSubject, place: NumberPlace, name: str) -> list[Exact]:
    """Return other values that a variable of a place could as well have, those near its own first."""
    value, unit = subject.values[name], subject.units[name]
    if 0 < value < 1:
        return sorted({*SIMPLE_PARTS} - {value}, key=lambda part: (abs(part - value), part))
    form = place.form if place.rewritable and place.form.kind is not NumberKind.NAMED else PLAIN
    near = neighbors_of(value, form, unit, {value}, same_length=False)
    near.sort(key=lambda other: (abs(other - value), other))
    return [*near, *(value * factor for factor in (2, 3, 4, 5))]


def leaves_answer(subject: VariantSubject, gone: Sequence[NumberPlace]) -> bool:
    """Tell whether a reader of a question without some of its numbers could work out an answer from all others that mattered.

    A term of a sum that is gone, what is taken from something, or how often something is repeated leaves no trace: the rest
    has an answer, too. A reader asks for a quantity that others are taken from, are a share of, multiply or exceed.
    """
    used = _used_inputs(subject, ir.Name(subject.system.answer), {name for place in gone for name in place.variables})
    others = {name for place in subject.question.places if place not in gone for name in place.variables}
    needed = {name for name in others if subject.system.answer in subject.source.trace.descendants(name)}
    return _leaves_sum(subject, gone) or (used is not None and bool(used & others) and needed <= used)


def _used_inputs(subject: VariantSubject, node: ir.Expr, lost: set[str]) -> set[str] | None:
    """Return the inputs from which an expression can be worked out without lost ones, `None` where it cannot."""
    match node:
        case ir.Name(name):
            entry = subject.source.trace.by_name[name]
            if entry.expression is None:
                return None if name in lost else {name}
            repeated = _repeated(subject, name)
            used = _used_inputs(subject, entry.expression, lost)
            return _used_inputs(subject, repeated, lost) if used is None and repeated is not None else used
        case ir.Binary(operator, left, right):
            first, other = _used_inputs(subject, left, lost), _used_inputs(subject, right, lost)
            if first is not None and other is not None:
                return first | other
            kept = first if other is None else other
            vanishes = operator == "+" or (operator == "-" and other is None)
            return kept if vanishes and kept is not None and not _compares(subject, kept) else None
    every = [_used_inputs(subject, ir.Name(name), lost) for name in ir.names_in_order(node)]
    return None if None in every else set().union(*(used for used in every if used is not None))


def _repeated(subject: VariantSubject, name: str) -> ir.Name | None:
    """Return the operand of a product or quotient that is of the same kind as the result: what one of `2 flights a day` takes."""
    match subject.source.expression(name):
        case ir.Binary("*" | "/" as operator, ir.Name() as left, ir.Name() as right):
            unit, operands = subject.units[name], (left, right) if operator == "*" else (left,)
            alike = [operand for operand in operands if unit.noun and subject.units[operand.name] == unit]
            return alike[0] if len(alike) == 1 else None
    return None


def _compares(subject: VariantSubject, names: Collection[str]) -> bool:
    """Tell whether a number says by how much one thing exceeds another, `5 more games than`."""
    places = [place for name in names if (place := subject.question.place_of.get(name)) is not None]
    return len(names) == len(places) == 1 and _MORE_THAN.match(subject.question.text, places[0].end) is not None


def _leaves_sum(subject: VariantSubject, gone: Sequence[NumberPlace]) -> bool:
    """Tell whether a total is asked for, and the rest has two amounts of its unit that no step adds: a reader may add them.

    `He has 130 ounces of milk and 60 ounces of syrup. How many ounces will he drink in total?`, once nobody tells what a glass takes.
    """
    question, unit = subject.question, subject.units[subject.system.answer]
    if not any(_TOTAL.search(sentence.text) for sentence in question.sentences if sentence.asks):
        return False
    amounts = [
        name
        for place in question.places
        for name in place.variables
        if place not in gone and subject.units[name] == unit and not _compares(subject, (name,))
    ]
    added = any(
        isinstance(node, ir.Binary) and node.operator == "+" and not {*amounts}.isdisjoint(ir.names_in_order(node))
        for step in subject.system.steps
        for _, node in nodes(step.expression)
    )
    return len(amounts) > 1 and not added
