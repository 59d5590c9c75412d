"""What does the kind of each quantity ask of its value, and which words say of what kind it is?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.flaws.units import Quantity
from harness.constraints import Bound, Kind
from harness.program import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generators.problems.subject import Subject
    from harness.solution.trace import Entry


def bounds_of(subject: Subject) -> tuple[Bound, ...]:
    """Return what the kinds of a problem's quantities ask, as far as the problem itself meets it."""
    return tuple(bound for entry in subject.source.trace.entries for bound in _bounds(subject, entry))


def _bounds(subject: Subject, entry: Entry) -> Iterator[Bound]:
    unit, name, value = subject.units[entry.variable], entry.variable, entry.value
    if unit.quantity is Quantity.COUNT and value.denominator == 1:
        yield Bound(f"whole:{name}", name, Kind.WHOLE, f"{unit.noun or 'things'} are counted")
    if value >= 0 and unit.quantity in {Quantity.COUNT, Quantity.MONEY, Quantity.TIME, Quantity.MEASURE}:
        yield Bound(f"not-negative:{name}", name, Kind.NOT_NEGATIVE, f"{unit.noun or unit.quantity} of something")
    if unit.quantity is Quantity.SHARE and 0 <= value <= 1:
        yield Bound(f"not-negative:{name}", name, Kind.NOT_NEGATIVE, "a share of something")
        yield Bound(f"at-most-all:{name}", name, Kind.AT_MOST, "a share is at most all of it", 1)
    match entry.expression:
        case ir.Binary("-", ir.Name(whole), ir.Name(part)) if value >= 0 and subject.units[whole].fits(
            subject.units[part]
        ):
            yield Bound(f"part:{name}", part, Kind.AT_MOST, f"{part} is taken from {whole}", whole)
