"""Random sampling of new values for the inputs of a problem so that all computed values stay plausible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from random import Random

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.values.nearby_values import candidates
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import allows
from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import TraceEntry
from harness.text.lexicon import english
from harness.text.nouns import phrase_at
from harness.text.numbers import whole_as_int

MOST_TRIES = 16
"""How many values are tried for an input each time that it is drawn."""
ROUNDS = 2
LARGEST_RATIO = 5
"""The factor by which a computed value may change."""
LARGEST_DENOMINATOR = 12
_LIMITS: dict[str, list[int]] = english("variants").mapping("limits")
"""Up to where a value of a unit may grow: the first limit that its old value keeps."""


@dataclass(frozen=True)
class ValueSampler:
    """Draws new values for some inputs of a problem; the other inputs keep theirs, and computed values follow.

    Inputs of one value are drawn together and have one value again.
    """

    subject: VariantSubject
    variables: tuple[str, ...]

    def values(self, random: Random) -> dict[str, Exact] | None:
        """Return a value for every variable, at least one input changed; `None` where no value tried would do.

        Inputs change one after the other, each to a value that leaves the whole problem sensible.
        """
        values = dict(self.subject.values)
        order = list(self._groups)
        for _ in range(ROUNDS):
            random.shuffle(order)
            for names in order:
                if values[names[0]] == self.subject.values[names[0]]:
                    self._change(names, values, random)
        return values if values != self.subject.values else None

    def sensible(self, values: Mapping[str, Exact]) -> bool:
        """Tell whether values, one for each variable, are sensible where the problem's own stood."""
        old = self.subject.values
        return all(
            is_plausible(self._unit(name), old[name], values[name]) for name in values if values[name] != old[name]
        ) and self._fits(values)

    def _change(self, names: tuple[str, ...], values: dict[str, Exact], random: Random) -> None:
        name = random.choice(names)
        old = self.subject.values[name]
        for value in candidates(self.subject.question.place_of[name], self._unit(name), random, MOST_TRIES):
            if not all(is_plausible(self._unit(variable), old, value) for variable in names):
                continue
            changed = self._worked(names, value, values)
            if changed is not None and self._fits(trial := {**values, **changed}):
                values.update(trial)
                return

    def _worked(self, names: tuple[str, ...], value: Exact, values: Mapping[str, Exact]) -> dict[str, Exact] | None:
        """Return the values that change with inputs of one value, `None` where a value becomes absurd."""
        changed: dict[str, Exact] = dict.fromkeys(names, value)
        scope = {**values, **changed}
        for entry in self._groups[names]:
            name = entry.variable
            try:
                result = evaluated(self.subject.source.expression(name), scope)
            except (Refusal, ProgramError):
                return None
            if not is_plausible(self._unit(name), self.subject.values[name], result, worked=True):
                return None
            changed[name] = scope[name] = result
        return changed

    def _fits(self, values: Mapping[str, Exact]) -> bool:
        old = self.subject.values
        return (
            self._is_apart(values)
            and all(values[small] < values[large] for small, large in self._order)
            and all((values[name] > side) == (old[name] > side) for name, side in self._sides)
            and all(allows(bound, values) for bound in self.subject.system.bounds)
        )

    def _is_apart(self, values: Mapping[str, Exact]) -> bool:
        """Tell whether no input has come to have the value of something else."""
        old, inputs = self.subject.values, self._inputs
        seen: dict[Exact, str] = {}
        for name, value in values.items():
            other = seen.setdefault(value, name)
            if other != name and old[other] != old[name] and not inputs.isdisjoint((name, other)):
                return False
        changed = (value for name, value in values.items() if name in inputs and value != old[name])
        return self._taken.isdisjoint(changed)

    def _unit(self, name: str) -> Unit:
        return self.subject.units[name]

    @cached_property
    def _inputs(self) -> frozenset[str]:
        return frozenset(entry.variable for entry in self.subject.source.inputs)

    @cached_property
    def _taken(self) -> frozenset[Exact]:
        """Return what the numbers of the question that stay can mean."""
        question, drawn = self.subject.question, set(self.variables)
        spans = {(place.start, place.end) for place in question.places if not drawn.isdisjoint(place.variables)}
        stay = (mention for mention in question.mentions if (mention.start, mention.end) not in spans)
        return frozenset(reading for mention in stay for reading in mention.readings)

    @cached_property
    def _order(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs of variables of one unit, the smaller first, of which one may change.

        So a larger value stays larger, a kept limit stays kept, and an exceeded one stays exceeded.
        """
        values, moving = self.subject.values, self._moving
        return tuple(
            (small, large)
            for small, large in permutations(values, 2)
            if values[small] < values[large]
            and not moving.isdisjoint((small, large))
            and self._unit(small).fits(self._unit(large))
        )

    @cached_property
    def _sides(self) -> tuple[tuple[str, Exact], ...]:
        """Return the variables with the numbers of their unit that give no input, on whose side they stay."""
        text, sides = self.subject.question.text, []
        for mention in self.subject.question.loose:
            phrase = phrase_at(text, mention.end)
            for name in self._moving:
                unit = self._unit(name)
                if text.endswith("$", 0, mention.start):
                    alike = unit.quantity is Quantity.MONEY
                else:
                    alike = phrase is not None and phrase.noun == unit.noun
                if alike:
                    sides.append((name, mention.readings[0]))
        return tuple(sides)

    @cached_property
    def _moving(self) -> frozenset[str]:
        """Return the inputs that are drawn and what follows from them."""
        following = (entry.variable for entries in self._groups.values() for entry in entries)
        return frozenset(self.variables).union(following)

    @cached_property
    def _groups(self) -> dict[tuple[str, ...], tuple[TraceEntry, ...]]:
        """Return the inputs that are drawn, those of one value together, with the steps that follow, in order."""
        source = self.subject.source
        by_value: dict[Exact, list[str]] = {}
        for name in self.variables:
            by_value.setdefault(self.subject.values[name], []).append(name)
        groups = {}
        for names in by_value.values():
            reached = {step for name in names for step in source.trace.descendants(name)}
            groups[tuple(names)] = tuple(entry for entry in source.steps if entry.variable in reached)
        return groups


def evaluated(expression: ir.Expr, values: Mapping[str, Exact]) -> Exact:
    """Return the value of an expression, whole numbers as an int; errors as in `evaluate_expression`."""
    return whole_as_int(evaluate_expression(expression, values))


def is_plausible(unit: Unit, old: Exact, new: Exact, *, worked: bool = False) -> bool:
    """Tell whether a value can stand where another one did, by itself: of its kind, as simple, and of its size.

    What is not one does not become one, so that nouns and verbs still agree; `worked` values may move further.
    """
    if new == old:
        return True
    if (new > 0) != (old > 0) or (new == 0) != (old == 0) or (new == 1) != (old == 1):
        return False
    if not _is_as_simple(unit, old, new) or (0 < old < 1) != (0 < new < 1):
        return False
    limits = [100] if unit.quantity is Quantity.SHARE else _LIMITS.get(unit.noun, [])
    if any(new > limit >= old for limit in limits):
        return False
    if not worked or not old:
        return True
    before, after, most = old * old, new * new, LARGEST_RATIO * LARGEST_RATIO
    return before <= most * after and after <= most * before


def _is_as_simple(unit: Unit, old: Exact, new: Exact) -> bool:
    if new.denominator in {1, old.denominator}:
        return True
    if old.denominator == 1:
        return False
    before, after = _decimals_of(old), _decimals_of(new)
    if before is None:
        return new.denominator <= max(LARGEST_DENOMINATOR, old.denominator)
    return after is not None and after <= max(before, 2 if unit.quantity is Quantity.MONEY else 0)


def _decimals_of(value: Exact) -> int | None:
    """Return how many decimals a value takes, `None` where they are more than four or do not end."""
    return next((places for places in range(5) if 10**places % value.denominator == 0), None)
