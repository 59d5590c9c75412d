"""Random sampling of new values for the inputs of a problem so that all computed values stay plausible."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, permutations
from math import gcd
from random import Random

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.values.value_candidates import candidates, decimals_of
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import allows
from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from harness.text.lexicon import word_lists
from harness.text.nouns import singular_noun
from harness.text.numbers import whole_as_int

MOST_TRIES = 16
"""How many values are tried for an input each time that it is drawn."""
ROUNDS = 2
LARGEST_RATIO = 5
"""The factor by which a computed value may change."""
_LIMITS: dict[str, tuple[int, ...]] = {
    noun: tuple(limits) for noun, limits in word_lists(__file__).mapping("limits").items()
}
"""Up to where a value of a unit may grow: the first limit that its old value keeps."""
_RATIO = re.compile(r" ?: ?| to ")
_NOUN = re.compile(r"[ -]([a-z]+)")
_OPERATIONS: dict[str, Callable[[Exact, Exact], Exact]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


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
            acceptable(self._unit(name), old[name], values[name]) for name in values if values[name] != old[name]
        ) and self._fits(values)

    def _change(self, names: tuple[str, ...], values: dict[str, Exact], random: Random) -> None:
        name = random.choice(names)
        old = self.subject.values[name]
        for value in candidates(self.subject.question.place_of[name], self._unit(name), random, MOST_TRIES):
            if not all(acceptable(self._unit(variable), old, value) for variable in names):
                continue
            changed = self._worked(names, value, values)
            if changed is not None and self._fits(trial := {**values, **changed}):
                values.update(trial)
                return

    def _worked(self, names: tuple[str, ...], value: Exact, values: Mapping[str, Exact]) -> dict[str, Exact] | None:
        """Return the values that change with inputs of one value, `None` where a value becomes absurd."""
        changed: dict[str, Exact] = dict.fromkeys(names, value)
        scope = {**values, **changed}
        for step, (evaluate, unit) in self._groups[names].items():
            try:
                result = evaluate(scope)
            except (Refusal, ProgramError, ZeroDivisionError):
                return None
            if not acceptable(unit, self.subject.values[step], result, worked=True):
                return None
            changed[step] = scope[step] = result
        return changed

    def _fits(self, values: Mapping[str, Exact]) -> bool:
        return (
            self._apart(values)
            and all(values[small] < values[large] for small, large in self._order)
            and all(gcd(int(values[name]), int(values[other])) == 1 for name, other in self._ratios)
            and all((values[name] > side) == (self.subject.values[name] > side) for name, side in self._sides)
            and all(allows(bound, values) for bound in self.subject.system.bounds)
        )

    def _apart(self, values: Mapping[str, Exact]) -> bool:
        """Tell whether no input has come to have the value of something else."""
        old = self.subject.values
        seen: dict[Exact, str] = {}
        for name, value in values.items():
            other = seen.setdefault(value, name)
            if other != name and old[other] != old[name] and not self._inputs.isdisjoint((name, other)):
                return False
        changed = (value for name, value in values.items() if name in self._inputs and value != old[name])
        return self._taken.isdisjoint(changed)

    def _unit(self, name: str) -> Unit:
        return self.subject.units[name]

    @cached_property
    def _inputs(self) -> frozenset[str]:
        return frozenset(entry.variable for entry in self.subject.source.inputs)

    @cached_property
    def _taken(self) -> frozenset[Exact]:
        """Return what the numbers of the question that stay can mean."""
        spans = {(place.start, place.end) for place in self.subject.question.places if self._moves(place.variables)}
        stay = (mention for mention in self.subject.question.mentions if (mention.start, mention.end) not in spans)
        return frozenset(reading for mention in stay for reading in mention.readings)

    def _moves(self, names: Collection[str]) -> bool:
        return any(name in self.variables for name in names)

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
            dollars = text.endswith("$", 0, mention.start)
            noun = _NOUN.match(text, mention.end)
            for name in self._moving:
                unit = self._unit(name)
                counted = noun is not None and singular_noun(noun[1]) == unit.noun
                if (unit.quantity is Quantity.MONEY) if dollars else counted:
                    sides.append((name, mention.readings[0]))
        return tuple(sides)

    @cached_property
    def _ratios(self) -> tuple[tuple[str, str], ...]:
        """Return the inputs that make a ratio in lowest terms, `2:3` or `a ratio of 2 to 3`, which stays so."""
        text, values = self.subject.question.text, self.subject.values
        return tuple(
            (place.variables[0], other.variables[0])
            for place, other in pairwise(self.subject.question.places)
            if _RATIO.fullmatch(text, place.end, other.start)
            and values[place.variables[0]].denominator == values[other.variables[0]].denominator == 1
            and gcd(int(values[place.variables[0]]), int(values[other.variables[0]])) == 1
        )

    @cached_property
    def _moving(self) -> frozenset[str]:
        """Return the inputs that are drawn and what follows from them."""
        return frozenset(self.variables).union(*self._groups.values())

    @cached_property
    def _groups(self) -> dict[tuple[str, ...], dict[str, tuple[Callable[[Mapping[str, Exact]], Exact], Unit]]]:
        """Return the inputs that are drawn, those of one value together, with the steps that follow, in order."""
        source = self.subject.source
        by_value: dict[Exact, list[str]] = {}
        for name in self.variables:
            by_value.setdefault(self.subject.values[name], []).append(name)
        groups = {}
        for names in by_value.values():
            reached = {step for name in names for step in source.trace.descendants(name)}
            groups[tuple(names)] = {
                entry.variable: (compiled_of(source.expression(entry.variable)), self._unit(entry.variable))
                for entry in source.steps
                if entry.variable in reached
            }
        return groups


def compiled_of(expression: ir.Expr) -> Callable[[Mapping[str, Exact]], Exact]:
    """Return a function that gives the value of an expression from those of its variables.

    It returns and raises the same as the evaluator, but `ZeroDivisionError` for a division by zero.
    """
    match expression:
        case ir.Name(name):
            return operator.itemgetter(name)
        case ir.Const(int() | Fraction() as value) if not isinstance(value, bool):
            return lambda _: value
        case ir.Binary("+" | "-" | "*" as symbol, left, right):
            apply, first, other = _OPERATIONS[symbol], compiled_of(left), compiled_of(right)
            return lambda values: whole_as_int(apply(first(values), other(values)))
        case ir.Binary("/", left, right):
            top, bottom = compiled_of(left), compiled_of(right)
            return lambda values: _quotient(top(values), bottom(values))
    return lambda values: evaluated(expression, values)


def _quotient(top: Exact, bottom: Exact) -> Exact:
    if isinstance(top, int) and isinstance(bottom, int) and bottom and top % bottom == 0:
        return top // bottom
    return whole_as_int(Fraction(top) / bottom)


def evaluated(expression: ir.Expr, values: Mapping[str, Exact]) -> Exact:
    """Return the value of an expression, whole numbers as an int; errors as in `evaluate_expression`."""
    return whole_as_int(evaluate_expression(expression, values))


def acceptable(unit: Unit, old: Exact, new: Exact, *, worked: bool = False) -> bool:
    """Tell whether a value can stand where another one did, by itself: of its kind, as simple, and of its size.

    What is not one does not become one, so that nouns and verbs still agree; `worked` values may move further.
    """
    if new == old:
        return True
    if (new > 0) != (old > 0) or (new == 0) != (old == 0) or (new == 1) != (old == 1):
        return False
    if not _as_simple(unit, old, new) or (0 < old < 1) != (0 < new < 1):
        return False
    limits = (100,) if unit.quantity is Quantity.SHARE else _LIMITS.get(unit.noun, ())
    if any(new > limit >= old for limit in limits):
        return False
    if not worked or not old:
        return True
    before, after, most = old * old, new * new, LARGEST_RATIO * LARGEST_RATIO
    return before <= most * after and after <= most * before


def _as_simple(unit: Unit, old: Exact, new: Exact) -> bool:
    if new.denominator in {1, old.denominator}:
        return True
    if old.denominator == 1:
        return False
    before, after = decimals_of(old), decimals_of(new)
    if before is None:
        return new.denominator <= max(12, old.denominator)
    return after is not None and after <= max(before, 2 if unit.quantity is Quantity.MONEY else 0)
