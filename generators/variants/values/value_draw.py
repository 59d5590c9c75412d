"""Random sampling of new values for the inputs of a problem so that all computed values stay plausible."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from random import Random

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.values.nearby_values import values_like
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import allows
from harness.domain import Exact, Values, decimal_places
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from harness.text.lexicon import english
from harness.text.numbers import whole_as_int

MOST_TRIES = 16
"""How many values are tried for an input each time that it is drawn."""
ROUNDS = 2
LARGEST_RATIO = 5
"""The factor by which a computed value may change."""
LARGEST_DENOMINATOR, MOST_DECIMALS = 12, 4
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
        old = self.subject.values
        values, same = dict(old), dict[Exact, list[str]]()
        for name in self.variables:
            same.setdefault(old[name], []).append(name)
        order = list(same.values())
        for _ in range(ROUNDS):
            random.shuffle(order)
            for names in order:
                if values[names[0]] == old[names[0]]:
                    values = self._new_values(names, values, random) or values
        return values if values != old else None

    def _sensible(self, values: Values) -> bool:
        """Tell whether values, one for each variable, are sensible where the problem's own stood.

        A larger one of two quantities of a unit stays larger, so that a kept limit stays kept.
        """
        old, units = self.subject.values, self.subject.units
        for name, value in values.items():
            if not is_plausible(units[name], old[name], value, given=name in self._inputs):
                return False
        ordered = all(values[small] < values[large] for small, large in self._size_order)
        return ordered and self._is_apart(values) and all(allows(bound, values) for bound in self.subject.system.bounds)

    def _new_values(self, names: list[str], values: dict[str, Exact], random: Random) -> dict[str, Exact] | None:
        """Return the values with another one for inputs of one value, and what follows from it."""
        name = random.choice(names)
        place = self.subject.question.place_of[name]
        likely = values_like(place.value, place.form, self.subject.units[name])
        for value in random.sample(likely, min(MOST_TRIES, len(likely))):
            changed = values | dict.fromkeys(names, value)
            try:
                for entry in self.subject.source.steps:
                    expression = self.subject.source.expression(entry.variable)
                    changed[entry.variable] = whole_as_int(evaluate_expression(expression, changed))
            except (Refusal, ProgramError):
                continue
            if self._sensible(changed):
                return changed
        return None

    def _is_apart(self, values: Values) -> bool:
        """Tell whether no input has come to have the value of something else."""
        old, seen = self.subject.values, dict[Exact, str]()
        for name, value in values.items():
            other = seen.setdefault(value, name)
            if old[other] != old[name] and not self._inputs.isdisjoint((name, other)):
                return False
        changed = (value for name, value in values.items() if name in self._inputs and value != old[name])
        return self._taken_values.isdisjoint(changed)

    @cached_property
    def _inputs(self) -> frozenset[str]:
        return frozenset(entry.variable for entry in self.subject.source.inputs)

    @cached_property
    def _taken_values(self) -> frozenset[Exact]:
        """Return what the numbers of the question that stay can mean."""
        question, drawn = self.subject.question, set(self.variables)
        spans = {(place.start, place.end) for place in question.places if not drawn.isdisjoint(place.variables)}
        stay = (mention for mention in question.mentions if (mention.start, mention.end) not in spans)
        return frozenset(reading for mention in stay for reading in mention.readings)

    @cached_property
    def _size_order(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs of variables of one unit, the smaller first."""
        values, units = self.subject.values, self.subject.units
        sized = (pair for pair in permutations(values, 2) if values[pair[0]] < values[pair[1]])
        return tuple((small, large) for small, large in sized if units[small].fits(units[large]))


def is_plausible(unit: Unit, old: Exact, new: Exact, *, given: bool = True) -> bool:
    """Tell whether a value can stand where another one did, by itself: of its kind, as simple, and of its size.

    What is not one does not become one, so that nouns and verbs still agree; a value that is not `given` stays of its size.
    """
    if new == old:
        return True
    if [new > 0, new == 0, new == 1, 0 < new < 1] != [old > 0, old == 0, old == 1, 0 < old < 1]:
        return False
    limits = [100] if unit.quantity is Quantity.SHARE else _LIMITS.get(unit.noun, [])
    if not _is_as_simple(unit, old, new) or any(new > limit >= old for limit in limits):
        return False
    before, after = abs(Fraction(old)), abs(Fraction(new))
    return given or max(before, after) <= LARGEST_RATIO * min(before, after)


def _is_as_simple(unit: Unit, old: Exact, new: Exact) -> bool:
    if new.denominator in {1, old.denominator}:
        return True
    if old.denominator == 1:
        return False
    before, after = decimal_places(old), decimal_places(new)
    if before is None or before > MOST_DECIMALS:
        return new.denominator <= max(LARGEST_DENOMINATOR, old.denominator)
    return after is not None and after <= max(before, 2 if unit.quantity is Quantity.MONEY else 0)
