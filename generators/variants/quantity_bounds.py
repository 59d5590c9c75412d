"""The bounds that the kinds of a problem's quantities set on their values."""

from collections.abc import Iterable, Mapping
from contextlib import suppress

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from harness.constraint_system import Bound, BoundKind
from harness.program import ir
from harness.solution.trace import TraceEntry
from harness.text.lexicon import english
from harness.text.units import DAYS, TIMES, factor, singular_unit

_LISTS = english("variants")
AMOUNTS = frozenset({Quantity.COUNT, Quantity.TIME, Quantity.MEASURE, Quantity.MONEY})
_SUMMED = _LISTS.pattern("summed", r"\b", r"\b")


def bounds_of(entries: Iterable[TraceEntry], question: LocatedQuestion, units: Mapping[str, Unit]) -> tuple[Bound, ...]:
    """Return the bounds that a problem's quantities meet by their kinds.

    Amounts are not negative, unless something was taken away or compared; hours a day, days a week and the like are at most as
    many as there are.
    """
    bounds = []
    for entry in entries:
        name, place = entry.variable, question.place_of.get(entry.variable)
        subtracted = isinstance(entry.expression, ir.Binary) and entry.expression.operator == "-"
        if not subtracted and entry.value >= 0 and units[name].quantity in AMOUNTS | {Quantity.SHARE}:
            bounds.append(not_negative(name, units[name]))
        most = None if place is None else _most_of_cycle(question, place)
        if most is not None and entry.value <= most:
            words = f"there cannot be more than {most}"
            bounds.append(Bound(f"at-most-all:{name}", name, BoundKind.AT_MOST, words, most))
    return tuple(bounds)


def not_negative(name: str, unit: Unit) -> Bound:
    """Return the bound of a variable that cannot be less than none."""
    words = f"{unit.noun or 'what'} cannot be less than none"
    return Bound(f"not-negative:{name}", name, BoundKind.NOT_NEGATIVE, words)


def _most_of_cycle(question: LocatedQuestion, place: NumberPlace) -> int | None:
    """Return the most that a number of hours a day, days a week or minutes an hour can be, `None` for other numbers.

    There is none where it is that of several together, `30 hours a day in total`.
    """
    words = question.text[place.end : place.end + 60].split()[:3]
    if len(words) < 3 or _SUMMED.search(question.words_at(place.start, place.end)):
        return None
    small, joint, large = singular_unit(words[0]), words[1], singular_unit(words[2].rstrip(".,;:?!"))
    if joint not in _LISTS.words("each") or not {small, large} <= TIMES:
        return None
    with suppress(KeyError):
        return max(DAYS[large]) if small == "day" and large in DAYS else factor(small, large)
    return None
