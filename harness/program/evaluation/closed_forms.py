"""Closed forms of variables after a loop, from one round of it on unknowns for what they held before the round.

A variable to which each round adds is the sum of what it gains. Values in round k are kept as the coefficients of 1, k, k(k - 1)/2, … , the binomial
coefficients of k: the sum of one over all rounds before the k-th is the next. See R. L. Graham, D. E. Knuth, O. Patashnik, *Concrete Mathematics*
(1994), section 5.3.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from harness.program.evaluation.linear_unknowns import LinearExpression, Operation

MOST_POWERS = 6


@dataclass(slots=True)
class LoopRounds:
    """The rounds of a loop: `before` gives what each unknown held before the first round, `index` is the number of a round from 0 on."""

    before: Mapping[str, Any]
    index: str
    operation: Operation

    def closed(self, after: Mapping[str, LinearExpression], count: Any) -> dict[str, Any]:
        """Return the values after `count` rounds of the unknowns that have a closed form.

        `after` gives what each holds after a round, in the unknowns and the index. One to which no round adds holds what the last round left, if there is
        surely one: a number of rounds that depends on the round of an outer loop may be 0.
        """
        grown: dict[str, list[Any]] = {
            self.index + " " * power: [0] * (power + 1) + [1] for power in range(MOST_POWERS)
        }
        waiting = {name: value for name, value in after.items() if dict(value.coefficients).get(name) == 1}
        while True:
            gains = ((name, self._in_round(value, grown, name)) for name, value in waiting.items())
            name, gain = next(((name, gain) for name, gain in gains if gain is not None), ("", []))
            if not name:
                break
            grown[name] = [self.before[name], *gain]
            del waiting[name]
        values = {name: self._at(own, count) for name, own in grown.items() if not name.endswith(" ")}
        for name in () if isinstance(count, LinearExpression) else after.keys() - values.keys():
            last = self._in_round(after[name], grown)
            if last is not None:
                values[name] = self._at(last, self.operation("-", count, 1))
        return values

    def _in_round(self, value: LinearExpression, grown: Mapping[str, list[Any]], own: str = "") -> list[Any] | None:
        """Return the coefficients of a value in round k, its part `own` aside; `None` where an unknown is not known there."""
        outer, total = [], [0]
        for name, factor in value.coefficients:
            if name in grown:
                total += [0] * (len(grown[name]) - len(total))
                for place, part in enumerate(grown[name]):
                    total[place] = self._sum(total[place], self._product(factor, part))
            elif name in self.before:
                if name != own:
                    return None
            else:
                outer.append((name, factor))
        total[0] = self._sum(total[0], LinearExpression(tuple(outer), value.constant).settled())
        return total

    def _at(self, coefficients: list[Any], number: Any) -> Any:
        """Return the value in the round of a number."""
        total, chosen = coefficients[0], number
        for place, coefficient in enumerate(coefficients[1:], start=1):
            total = self._sum(total, self._product(coefficient, chosen))
            if place < len(coefficients) - 1:
                following = self._product(self.operation("-", number, place), Fraction(1, place + 1))
                chosen = self._product(chosen, following)
        return total

    def _sum(self, left: Any, right: Any) -> Any:
        return right if _is_int(left, 0) else left if _is_int(right, 0) else self.operation("+", left, right)

    def _product(self, left: Any, right: Any) -> Any:
        if _is_int(left, 0) or _is_int(right, 0):
            return 0
        return right if _is_int(left, 1) else left if _is_int(right, 1) else self.operation("*", left, right)


def index_product(left: LinearExpression, right: LinearExpression, operation: Operation) -> LinearExpression | None:
    """Return the product of two polynomials in the number of a round, `None` where they have other unknowns or a high degree.

    The name of the number ends with a space, that of its n-th binomial coefficient with n.
    """
    names = {name for side in (left, right) for name, _ in side.coefficients}
    index = min(names)
    if any(name.rstrip() != index.rstrip() or not name.endswith(" ") for name in names):
        return None
    total: dict[int, Any] = {}
    sides = [[("", side.constant), *side.coefficients] for side in (left, right)]
    for (first, factor), (second, other) in product(*sides):
        low, high = sorted((first.count(" "), second.count(" ")))
        for power in range(high, low + high + 1):
            part = operation("*", operation("*", factor, other), comb(power, high) * comb(high, power - low))
            total[power] = operation("+", total[power], part) if power in total else part
    constant = total.pop(0)
    if max(total) > MOST_POWERS:
        return None
    return LinearExpression(
        tuple((index.rstrip() + " " * power, part) for power, part in sorted(total.items())), constant
    )


def state_before(name: str) -> LinearExpression:
    """Return the unknown for what a variable holds before a round; a float it may be, so that no sum with it counts as an int."""
    return LinearExpression(((name, 1),), Fraction(0))


def _is_int(value: Any, number: int) -> bool:
    return type(value) is int and value == number
