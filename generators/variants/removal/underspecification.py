"""Values that leave the answer of an edited question open, and whether a reader would miss a number at all."""

from collections.abc import Iterator, Sequence

from generators.variants.input_places import NumberPlace
from generators.variants.insertion.stated_facts import LIMIT_PREFIX
from generators.variants.values.nearby_values import SIMPLE_PARTS, values_like
from generators.variants.variant_source import VariantSubject, values_of
from harness.constraint_system import ConstraintSystem
from harness.domain import Exact, Values
from harness.program import ir


def witnesses(subject: VariantSubject, system: ConstraintSystem, places: Sequence[NumberPlace]) -> tuple[Values, ...]:
    """Return values of the free variables, the problem's own and others nearby, that give different answers.

    One of the places must matter: the answer changes with its value, whichever of its variables the text there gives. Nothing
    is returned where none does, or where no other values lie within all bounds.
    """
    own = {name: subject.values[name] for name in system.free}
    values = _allowed_values(system, own)
    if not own or values is None or values[system.answer] != subject.values[system.answer]:
        return ()
    for place in places:
        if own.keys() >= {*place.variables}:
            others = [_other(subject, system, own, names) for names in _choices(place)]
            if None not in others and others[0] is not None:
                return own, others[0]
    return ()


def _choices(place: NumberPlace) -> Iterator[tuple[str, ...]]:
    """Yield the variables of a place together, and each alone, since the number may be meant for one of them only."""
    if place.rewritable or len(place.variables) == 1:
        yield place.variables
    if len(place.variables) > 1:
        yield from ((name,) for name in place.variables)


def _other(subject: VariantSubject, system: ConstraintSystem, own: Values, names: tuple[str, ...]) -> Values | None:
    """Return values of the free variables with others for some, preferably such that all that was whole stays whole."""
    old, spare = subject.values, None
    for value in _alternatives(subject, names[0]):
        free = {**own, **dict.fromkeys(names, value)}
        values = _allowed_values(system, free)
        if values is None or values[system.answer] == old[system.answer]:
            continue
        if not all(value > 0 or old.get(name, value) <= 0 for name, value in values.items()):
            continue
        if all(values[name].denominator == 1 for name in values if name in old and old[name].denominator == 1):
            return free
        spare = spare or free
    return spare


def _allowed_values(system: ConstraintSystem, free: Values) -> Values | None:
    values = values_of(system, free)
    if values is None or system.violated(values) is not None:
        return None
    # `more than 13` does not allow the limit itself.
    named = ((bound.variable, bound.limit) for bound in system.bounds if isinstance(bound.limit, str))
    stated = (pair for pair in named if any(name.startswith(LIMIT_PREFIX) for name in pair))
    at_limit = any(values[name] == values[limit] for name, limit in stated)
    return None if at_limit else values


def _alternatives(subject: VariantSubject, name: str) -> list[Exact]:
    """Return other values that a located variable could as well have, those near its own first."""
    value, place = subject.values[name], subject.question.place_of[name]
    likely = SIMPLE_PARTS if 0 < value < 1 else values_like(value, place.form, subject.units[name])
    near = sorted({*likely} - {value}, key=lambda other: (abs(other - value), other))
    return [*near, *(value * factor for factor in (2, 3, 4, 5) if value > 1)]


def leaves_answer(subject: VariantSubject, gone: Sequence[NumberPlace]) -> bool:
    """Tell whether a reader of a question without some of its numbers could work out an answer from all others that mattered.

    A term of a sum that is gone, what is taken from something, or how often something is repeated leaves no trace: the rest
    has an answer, too. A reader asks for a quantity that others are taken from, are a share of or multiply.
    """
    answer = subject.system.answer
    used = _used_inputs(subject, ir.Name(answer), {name for place in gone for name in place.variables})
    others = {name for place in subject.question.places if place not in gone for name in place.variables}
    needed = {name for name in others if answer in subject.source.trace.descendants(name)}
    return used is not None and bool(used & others) and needed <= used


def _used_inputs(subject: VariantSubject, node: ir.Expr, lost: set[str]) -> set[str] | None:
    """Return the inputs from which an expression can be worked out without lost ones, `None` where it cannot."""
    match node:
        case ir.Name(name):
            entry = subject.source.trace.by_name[name]
            if entry.expression is None:
                return None if name in lost else {name}
            used, repeated = _used_inputs(subject, entry.expression, lost), _multiplicand(subject, name)
            return _used_inputs(subject, repeated, lost) if used is None and repeated is not None else used
        case ir.Binary("+" | "-" as operator, left, right):
            first, other = _used_inputs(subject, left, lost), _used_inputs(subject, right, lost)
            if first is not None and other is not None:
                return first | other
            return other if first is None and operator == "+" else first
    every = [_used_inputs(subject, ir.Name(name), lost) for name in ir.names_in_order(node)]
    return None if None in every else set().union(*(used for used in every if used is not None))


def _multiplicand(subject: VariantSubject, name: str) -> ir.Name | None:
    """Return the operand of a product or quotient that is of the same kind as the result: what one of `2 flights a day` takes."""
    match subject.source.expression(name):
        case ir.Binary("*" | "/" as operator, ir.Name() as left, ir.Name() as right):
            unit, operands = subject.units[name], (left, right) if operator == "*" else (left,)
            alike = [operand for operand in operands if unit.noun and subject.units[operand.name] == unit]
            return alike[0] if len(alike) == 1 else None
    return None
