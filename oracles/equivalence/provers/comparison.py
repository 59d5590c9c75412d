"""One comparison of two programs under an alignment, by each of the provers alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.program.evaluation.values import Operand
from harness.program.ir import Program
from harness.program.refusal import Refusal
from oracles.equivalence.input_domain import InputDomain
from oracles.equivalence.provers import smt
from oracles.equivalence.provers.alpha_equivalence import canonical_key
from oracles.equivalence.provers.normal_form import AlwaysUndefinedError, Normalizer, OpaqueAtoms, Quotient
from oracles.equivalence.provers.polynomials import ONE, TooLargeError, constant
from oracles.equivalence.provers.random_points import POINTS, NotPolynomialError, agreement_bound
from oracles.equivalence.provers.symbolic_paths import SymbolicPath, stays_int

if TYPE_CHECKING:
    PathsOf = Callable[[Program, frozenset[int]], tuple[SymbolicPath, ...]]


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof that two programs are equal, with the number of points and the error bound of one at random points."""

    method: str
    checked: int = 0
    error_bound: str | None = None


@dataclass(slots=True)
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
    _sides: tuple[smt.ComparedProgram, smt.ComparedProgram] | None = None

    def sides(self) -> tuple[smt.ComparedProgram, smt.ComparedProgram]:
        """Return the paths of both programs, their inputs as variables or frozen values, and normalizers over common atoms."""
        if self._sides is None:
            numbered = list(enumerate(self.domains))
            positive = frozenset(number for number, domain in numbered if domain.positive)
            integral = frozenset(number for number, domain in numbered if domain.integral)
            lows = {number: domain.low for number, domain in numbered if domain.low is not None}
            atoms = OpaqueAtoms()

            def compared(side: int) -> smt.ComparedProgram:
                program = (self.left, self.right)[side]
                values: dict[int, int | Fraction] = {
                    index: Fraction(parameter.value) for index, parameter in enumerate(program.parameters)
                }
                values.update({pair[side]: number for number, pair in enumerate(self.pairs)})
                inputs = {
                    index: value if isinstance(value, int) else Quotient(constant(value), ONE)
                    for index, value in values.items()
                }
                frozen = frozenset(index for index, value in values.items() if isinstance(value, Fraction))
                normalizer = Normalizer(inputs, atoms, integral, positive, lows)
                return smt.ComparedProgram(self.paths_of(program, frozen), values, normalizer)

            self._sides = (compared(0), compared(1))
        return self._sides

    def proof(self, seed: bytes) -> Proof | None:
        """Return a proof without a solver: by normal forms, at random points, by renaming; `None` where none of them can."""
        try:
            proof = self.by_form() or self.by_points(Random(seed))
        except Refusal:
            proof = self.by_renaming()
            if proof is None:
                raise
        return proof or self.by_renaming()

    def by_renaming(self) -> Proof | None:
        """Return the proof that the programs are the same but for names, `None` where they are not."""
        return Proof("renaming") if same_operations(self.left, self.right, self.pairs) else None

    def by_form(self) -> Proof | None:
        """Return the proof that both programs, of one path each, have one normal form and divide by zero at the same inputs; else `None`."""
        values = self._values_alone()
        if values is None:
            return None
        forms: list[Quotient] = []
        zeros: list[set[Hashable]] = []
        try:
            for side, value in zip(self.sides(), values, strict=True):
                if side.normalizer is None:
                    return None
                forms.append(side.normalizer.normal(value))
                keys = map(side.normalizer.divisor_key, side.paths[0].divisors)
                zeros.append({key for key in keys if key is not None})
            equal = zeros[0] == zeros[1] and forms[0].equals(forms[1])
        except (AlwaysUndefinedError, TooLargeError):
            return None
        return Proof("normal-form") if equal else None

    def by_points(self, random: Random) -> Proof | None:
        """Return the proof that two polynomials agree at random points, with the bound of its error; else `None`."""
        values, (left, right) = self._values_alone(), self.sides()
        if values is None or left.paths[0].divisors or right.paths[0].divisors:
            return None
        try:
            bound = agreement_bound(*values, left.values, right.values, random)
        except NotPolynomialError:
            return None
        return None if bound is None else Proof("schwartz-zippel", POINTS, bound)

    def _values_alone(self) -> tuple[Operand, Operand] | None:
        """Return the value of the only path of each side, `None` where one has several or gives no value."""
        left, right = (side.paths for side in self.sides())
        if len(left) != 1 or len(right) != 1 or not self._bounds_are_ints():
            return None
        first, second = left[0].value, right[0].value
        return None if first is None or second is None else (first, second)

    def is_smooth(self) -> bool:
        """Tell whether both programs are rational functions: without conditions, rounding, and loops of open length."""
        sides = [side.paths for side in self.sides()]
        return all(len(paths) == 1 and paths[0].rational and not paths[0].bounds for paths in sides)

    def _bounds_are_ints(self) -> bool:
        """Tell whether all bounds of loops are Python ints on the whole domain, as the paths take for granted."""
        for program, side in zip((self.left, self.right), self.sides(), strict=True):
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
        return smt.compare_paths(*self.sides(), dict(enumerate(self.domains)))


def same_operations(left: Program, right: Program, pairs: Collection[tuple[int, int]]) -> bool:
    """Tell whether two programs do the same operations on aligned inputs: they are then equal in any arithmetic."""
    first, second = (
        canonical_key(program, {pair[side]: number for number, pair in enumerate(pairs)})
        for side, program in enumerate((left, right))
    )
    return first == second
