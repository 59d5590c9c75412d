"""The passages of a solution that would be stale if it were written for other values."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact, Values
from harness.program import ir
from harness.solution.solution_text import PlacedVariable, UnexplainedNumber
from harness.text.number_forms import NumberKind
from harness.text.numbers import is_ordinal, mentions

_HARMLESS = frozenset({1, 100})


@dataclass(frozen=True)
class SolutionWording:
    """The words of a solution, which can be written with other values as far as they follow."""

    source: FlawSource

    def stale(self, values: Values) -> str | None:
        """Return what of the solution would not follow other values, one for each variable; `None` if all follows."""
        own = self.source.values
        for name, how in sorted(self.held.items()):
            if values[name] != own[name]:
                return f"{name}: {how}"
        parted = (pair for pair in self.coinciding if own[pair[0]] * values[pair[1]] != values[pair[0]] * own[pair[1]])
        return next((f"{first} and {other} were told by one number" for first, other in parted), None)

    @cached_property
    def held(self) -> Mapping[str, str]:
        """Return the variables whose values are fixed by words of the solution, and how.

        A number left in the words may stand for a variable; a rounded one, or one such as `half`, does not follow.
        """
        source, held = self.source, dict[str, str]()
        for line in source.text.lines:
            for part in line.parts:
                if isinstance(part, PlacedVariable) and (part.form.rounded or part.form.kind is NumberKind.NAMED):
                    how = "rounded" if part.form.rounded else f"written {part.form.named!r}"
                    held.setdefault(part.variable, f"{how} on {line.label}")
            for literal in line.literals:
                for name in _meanings(literal, source):
                    held.setdefault(name, f"{literal.text!r} stays on {line.label}")
        return held

    @cached_property
    def coinciding(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs of variables of the text that have one value, or a share and what it is in hundredths.

        Where they part, the words may give the one's number to the other.
        """
        values = self.source.values
        placed = [part for line in self.source.text.lines for part in line.parts if isinstance(part, PlacedVariable)]
        names = list(dict.fromkeys(part.variable for part in placed))
        hundredths = {part.variable for part in placed if part.form.scale == 100 or "%" in part.form.after}
        hundredths |= {name for name in names if values[name].denominator != 1}
        pairs: list[tuple[str, str]] = []
        for first, other in permutations(names, 2):
            share = values[first] * 100 == values[other] != 0 and not hundredths.isdisjoint((first, other))
            if share or (values[first] == values[other] and first < other):
                pairs.append((first, other))
        return tuple(pairs)


def _meanings(literal: UnexplainedNumber, source: FlawSource) -> tuple[str, ...]:
    """Return the variables that a number left in the words may stand for: all, where nothing explains it."""
    if literal.candidates:
        return literal.candidates
    readings = {reading for mention in mentions(literal.text) for reading in mention.readings[:1]}
    explained = bool(readings) and readings <= constants_of(source) | _HARMLESS
    return () if explained or is_ordinal(literal.text) else tuple(source.values)


def constants_of(source: FlawSource) -> frozenset[Exact]:
    """Return the numbers that stand in the steps of a solution as they are."""
    return ir.numbers_in(tuple(source.expression(entry.variable) for entry in source.steps))
