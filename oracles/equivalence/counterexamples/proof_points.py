"""The points at which evaluation confirms a proof about two smooth programs, computed once for each program."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.program.refusal import Refusal
from oracles.equivalence.counterexamples.counterexample_search import outcome_of, random_value, typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.domain import Exact
    from harness.program.ir import Program
    from oracles.equivalence.input_domain import InputDomain

# Two rational functions that differ anywhere differ at nearly all points, so that few points show it.
POINTS = 2
_TOPS = (31, 17, 53, 11, 37, 97, 7, 73, 41, 13, 61, 19, 89, 23, 47, 29)


@dataclass(slots=True)
class ProofPoints:
    """The points for each list of domains in one problem, and the results of each program there."""

    seed: int
    _batteries: dict[tuple[InputDomain, ...], _Battery] = field(default_factory=dict)

    def bear_out(
        self, left: Program, right: Program, pairs: Sequence[tuple[int, int]], domains: tuple[InputDomain, ...]
    ) -> bool:
        """Tell whether two programs can be evaluated at all points, give values there, and the same values.

        The caller keeps the programs alive as long as this object.
        """
        battery = self._batteries.get(domains)
        if battery is None:
            battery = _Battery(tuple(_point(domains, self.seed + number) for number in range(POINTS)))
            self._batteries[domains] = battery
        first = battery.values(left, tuple([pair[0] for pair in pairs]))
        return None not in first and first == battery.values(right, tuple([pair[1] for pair in pairs]))


@dataclass(slots=True)
class _Battery:
    """The points of one list of domains with the values of each program there, by its identity and its aligned inputs."""

    points: tuple[tuple[Fraction, ...], ...]
    known: dict[tuple[int, tuple[int, ...]], tuple[Exact | None, ...]] = field(default_factory=dict)

    def values(self, program: Program, places: tuple[int, ...]) -> tuple[Exact | None, ...]:
        key = (id(program), places)
        if key not in self.known:
            self.known[key] = tuple(_value(program, places, point) for point in self.points)
        return self.known[key]


def _point(domains: tuple[InputDomain, ...], seed: int) -> tuple[Fraction, ...]:
    """Return a point of which no two inputs have the same value, as far as their domains allow."""
    point = []
    for place, domain in enumerate(domains):
        top = _TOPS[(seed + place) % len(_TOPS)]
        value = Fraction(top) if domain.integral else Fraction(top, 8)
        point.append(value if value in domain else random_value(domain, top, Random(seed + place)))
    return tuple(point)


def _value(program: Program, places: tuple[int, ...], point: tuple[Fraction, ...]) -> Exact | None:
    inputs = [parameter.value for parameter in program.parameters]
    try:
        for place, value in zip(places, point, strict=True):
            inputs[place] = typed(value, program.parameters[place])
        return outcome_of(program, inputs).value
    except Refusal:
        return None
