"""One comparison of two programs under an alignment, by each of the provers alone."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from harness.program.ir import Program
from harness.program.refusal import Refusal
from oracles.equivalence.input_domain import InputDomain
from oracles.equivalence.provers import smt
from oracles.equivalence.provers.alpha_equivalence import canonical_key
from oracles.equivalence.provers.normal_form import AlwaysUndefinedError, Normalizer, OpaqueAtoms, Quotient
from oracles.equivalence.provers.polynomials import ONE, TooLargeError, constant
from oracles.equivalence.provers.symbolic_paths import SymbolicPath, stays_int

if TYPE_CHECKING:
    PathsOf = Callable[[Program, frozenset[int]], tuple[SymbolicPath, ...]]


@dataclass
class Comparison:
    """The two sides of one comparison, put over common variables: aligned pair number k is variable k.

    `paths_of` gives the paths of a program of which some inputs may be frozen, and raises `Refusal` where it has none, as all
    methods do but `by_renaming`.
    """

    paths_of: PathsOf
    left: Program
    right: Program
    pairs: tuple[tuple[int, int], ...]
    domains: tuple[InputDomain, ...]

    @cached_property
    def sides(self) -> tuple[smt.ComparedProgram, smt.ComparedProgram]:
        """Return the paths of both programs, and their inputs as variables or frozen values."""

        def compared(side: int) -> smt.ComparedProgram:
            program = (self.left, self.right)[side]
            values: dict[int, int | Fraction] = {
                index: Fraction(parameter.value) for index, parameter in enumerate(program.parameters)
            }
            values.update({pair[side]: number for number, pair in enumerate(self.pairs)})
            frozen = frozenset(index for index, value in values.items() if isinstance(value, Fraction))
            return smt.ComparedProgram(self.paths_of(program, frozen), values)

        return compared(0), compared(1)

    def proof(self) -> str | None:
        """Return the method of a proof without a solver: `normal-form`, `renaming`, or `None` where neither proves the two equal."""
        try:
            if self.by_form():
                return "normal-form"
        except Refusal:
            if not self.by_renaming():
                raise
            return "renaming"
        return "renaming" if self.by_renaming() else None

    def by_renaming(self) -> bool:
        """Tell whether the programs are the same but for names."""
        return same_operations(self.left, self.right, self.pairs)

    def by_form(self) -> bool:
        """Tell whether both programs, of one path each, have one normal form and divide by zero at the same inputs."""
        paths = [side.paths for side in self.sides]
        if any(len(own) != 1 or own[0].value is None for own in paths) or not self._bounds_are_ints():
            return False
        zeros: list[set[Hashable]] = []
        normalizers = self._normalizers()
        try:
            for normalizer, own in zip(normalizers, paths, strict=True):
                keys = map(normalizer.divisor_key, own[0].divisors)
                zeros.append({key for key in keys if key is not None})
        except (AlwaysUndefinedError, TooLargeError):
            return False
        return zeros[0] == zeros[1] and bool(self._agreeing_paths(normalizers))

    def _normalizers(self) -> list[Normalizer]:
        """Return the normalizers of both sides, over common atoms."""
        numbered = list(enumerate(self.domains))
        positive = frozenset(number for number, domain in numbered if domain.positive)
        integral = frozenset(number for number, domain in numbered if domain.integral)
        lows = {number: domain.low for number, domain in numbered if domain.low is not None}
        atoms = OpaqueAtoms()
        inputs: list[dict[int, int | Quotient]] = [
            {
                index: value if isinstance(value, int) else Quotient(constant(value), ONE)
                for index, value in side.values.items()
            }
            for side in self.sides
        ]
        return [Normalizer(own, atoms, integral, positive, lows) for own in inputs]

    def _agreeing_paths(self, normalizers: list[Normalizer]) -> set[tuple[int, int]]:
        """Return the places of a path of the left and one of the right whose values have one normal form, where both are defined."""
        agreeing = set()
        left, right = (enumerate(side.paths) for side in self.sides)
        for (place, first), (other, second) in itertools.product(left, right):
            if first.value is not None and second.value is not None:
                with contextlib.suppress(AlwaysUndefinedError, TooLargeError):
                    if normalizers[0].normal(first.value).equals(normalizers[1].normal(second.value)):
                        agreeing.add((place, other))
        return agreeing

    def is_smooth(self) -> bool:
        """Tell whether both programs are rational functions: without conditions, rounding, and loops of open length."""
        sides = [side.paths for side in self.sides]
        return all(len(paths) == 1 and paths[0].rational and not paths[0].bounds for paths in sides)

    def _bounds_are_ints(self) -> bool:
        """Tell whether all bounds of loops are Python ints on the whole domain, as the paths take for granted."""
        for program, side in zip((self.left, self.right), self.sides, strict=True):
            ints = frozenset(
                index
                for index, value in side.values.items()
                if isinstance(program.parameters[index].value, int)
                and (isinstance(value, Fraction) or self.domains[value].integral)
            )
            if not all(stays_int(bound, ints) for path in side.paths for bound in path.bounds):
                return False
        return True

    def by_solver(self) -> smt.SmtResult:
        """Return whether z3 finds the two equal on their domain, and where they differ."""
        if not self._bounds_are_ints():
            return smt.SmtResult(None, reason="the bound of a loop need not be an integer")
        agreeing = self._agreeing_paths(self._normalizers())
        return smt.compare_paths(*self.sides, dict(enumerate(self.domains)), agreeing)


def same_operations(left: Program, right: Program, pairs: Collection[tuple[int, int]]) -> bool:
    """Tell whether two programs do the same operations on aligned inputs: they are then equal in any arithmetic."""
    first, second = (
        canonical_key(program, {pair[side]: number for number, pair in enumerate(pairs)})
        for side, program in enumerate((left, right))
    )
    return first == second
