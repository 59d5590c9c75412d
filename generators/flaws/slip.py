"""Slips of computation: their type, their registry, and the wrong values that they propose for a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from generators.flaws.solution.quantity_units import Unit
from harness.domain import Exact
from harness.program import ir
from harness.registry import Registry
from harness.text.number_forms import NumberForm


@dataclass(frozen=True, slots=True)
class ComputedResult:
    """A result on its line: its value, how it is written there, and what it was computed from.

    `operator` is that of the outermost operation, empty where the expression is none of two operands; `operands` are
    the values of its two sides.
    """

    value: Exact
    form: NumberForm
    unit: Unit
    operator: str = ""
    operands: tuple[Exact, ...] = ()
    expression: ir.Expr = field(default_factory=lambda: ir.Const(None))
    variable: str = ""


@dataclass(frozen=True, slots=True)
class SlipExample:
    """The wrong values of a slip for a result, in order."""

    computed: ComputedResult
    wrong: tuple[Exact, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A registered slip.

    `propose` yields the wrong values in order, the likeliest first; `rank` decides which slip a value belongs to that
    several propose: the lowest, the most telling one. `phrases` say what happened, with `{right}` and `{wrong}`.
    """

    name: str
    rank: int
    propose: Callable[[ComputedResult], Iterable[Exact]]
    phrases: tuple[str, ...]
    examples: tuple[SlipExample, ...]


SLIPS: Registry[Slip] = Registry("generators.flaws.slips")


def slip(
    name: str, *, rank: int, phrases: tuple[str, ...], examples: tuple[SlipExample, ...]
) -> Callable[[Callable[[ComputedResult], Iterable[Exact]]], Slip]:
    """Register a function from a result to its wrong values as a slip."""

    def register(propose: Callable[[ComputedResult], Iterable[Exact]]) -> Slip:
        return SLIPS.add(Slip(name, rank, propose, phrases, examples))

    return register


def by_rank() -> list[Slip]:
    """Return the registered slips, the most telling first."""
    return sorted(SLIPS, key=lambda entry: (entry.rank, entry.name))


def wrong_values(computed: ComputedResult) -> Mapping[str, list[Exact]]:
    """Return the wrong values of a result by slip: no value twice, none that is the right one."""
    taken: set[Exact] = {computed.value}
    wrong: dict[str, list[Exact]] = {}
    for proposer in by_rank():
        for value in proposer.propose(computed):
            if value not in taken:
                taken.add(value)
                wrong.setdefault(proposer.name, []).append(value)
    return wrong
