"""One comparison of two programs under an alignment, by each of the provers alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.domain import Status
from harness.program.refusal import Refusal
from oracles.equivalence.provers import smt
from oracles.equivalence.provers.alpha_equivalence import canonical_key
from oracles.equivalence.provers.normal_form import AlwaysUndefinedError, Normalizer, OpaqueAtoms, Quotient
from oracles.equivalence.provers.polynomials import ONE, TooLargeError, constant
from oracles.equivalence.provers.random_points import POINTS, NotPolynomialError, agreement_bound
from oracles.equivalence.provers.symbolic_paths import SymbolicPath, stays_int
from oracles.equivalence.scoped_decision import LadderDecision

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from harness.program.evaluation.terms import Operand
    from harness.program.ir import Program
    from oracles.equivalence.input_domain import InputDomain

    PathsOf = Callable[[Program, frozenset[int]], tuple[SymbolicPath, ...]]


@dataclass(slots=True)
class Comparison:
    """The two sides of one comparison, put over common variables: aligned pair number k is variable k.

    `paths_of` gives the paths of a program of which some inputs may be frozen, and raises `Refusal` where it has none.
    """

    paths_of: PathsOf
    left: Program
    right: Program
    pairs: tuple[tuple[int, int], ...]
    domains: tuple[InputDomain, ...]
    _sides: tuple[tuple[SymbolicPath, ...], tuple[SymbolicPath, ...]] | None = None
    _normalizers: tuple[Normalizer, Normalizer] | None = None

    def values(self, side: int) -> dict[int, int | Fraction]:
        """Return for each input of a side its variable number (an int) or its frozen value (a Fraction)."""
        program = (self.left, self.right)[side]
        values: dict[int, int | Fraction] = {
            index: Fraction(parameter.value) for index, parameter in enumerate(program.parameters)
        }
        values.update({pair[side]: number for number, pair in enumerate(self.pairs)})
        return values

    def sides(self) -> tuple[tuple[SymbolicPath, ...], tuple[SymbolicPath, ...]]:
        """Return the paths of both programs.

        Raises:
            Refusal: one of them has none.
        """
        if self._sides is None:
            frozen = [
                frozenset(index for index, value in self.values(side).items() if isinstance(value, Fraction))
                for side in (0, 1)
            ]
            self._sides = (self.paths_of(self.left, frozen[0]), self.paths_of(self.right, frozen[1]))
        return self._sides

    def _ints(self, side: int) -> frozenset[int]:
        """Return the inputs of a side that are Python ints at every point of the domain."""
        program, values = (self.left, self.right)[side], self.values(side)
        return frozenset(
            index
            for index, parameter in enumerate(program.parameters)
            if isinstance(parameter.value, int)
            and (isinstance(values[index], Fraction) or self.domains[int(values[index])].integral)
        )

    def normalizers(self) -> tuple[Normalizer, Normalizer]:
        """Return a normalizer for each side over common atoms."""
        if self._normalizers is None:
            positive = frozenset(number for number, domain in enumerate(self.domains) if domain.positive)
            integral = frozenset(number for number, domain in enumerate(self.domains) if domain.integral)
            lows = {number: domain.low for number, domain in enumerate(self.domains) if domain.low is not None}
            atoms = OpaqueAtoms()
            inputs = [
                {
                    index: value if isinstance(value, int) else Quotient(constant(value), ONE)
                    for index, value in self.values(side).items()
                }
                for side in (0, 1)
            ]
            self._normalizers = (
                Normalizer(inputs[0], atoms, integral, positive, lows),
                Normalizer(inputs[1], atoms, integral, positive, lows),
            )
        return self._normalizers

    def proof(self, seed: bytes) -> LadderDecision | None:
        """Decide without a solver: by normal forms, at random points, by renaming; `None` where none of them can.

        Raises:
            Refusal: a program has no paths, and the two are not the same but for names.
        """
        try:
            decision = self.by_form() or self.by_points(Random(seed))
        except Refusal:
            decision = self.by_renaming()
            if decision is None:
                raise
        return decision or self.by_renaming()

    def by_renaming(self) -> LadderDecision | None:
        """Confirm programs that are the same but for names."""
        first, second = (
            canonical_key(program, {pair[side]: number for number, pair in enumerate(self.pairs)})
            for side, program in enumerate((self.left, self.right))
        )
        return LadderDecision(Status.CONFIRMED, "renaming") if first == second else None

    def by_form(self) -> LadderDecision | None:
        """Confirm programs of one path each whose normal forms are equal, as are the zeros of what they divide by.

        Raises:
            Refusal: a program has no paths.
        """
        sides = self._values_alone()
        if sides is None:
            return None
        forms: list[Quotient] = []
        zeros: list[set[Hashable]] = []
        try:
            for (path, value), normalizer in zip(sides, self.normalizers(), strict=True):
                forms.append(normalizer.normal(value))
                zeros.append({key for divisor in path.divisors if (key := normalizer.divisor_key(divisor)) is not None})
            equal = zeros[0] == zeros[1] and forms[0].equals(forms[1])
        except (AlwaysUndefinedError, TooLargeError):
            return None
        return LadderDecision(Status.CONFIRMED, "normal-form") if equal else None

    def by_points(self, random: Random) -> LadderDecision | None:
        """Confirm polynomials that agree at random points.

        Raises:
            Refusal: a program has no paths.
        """
        sides = self._values_alone()
        if sides is None or any(path.divisors for path, _ in sides):
            return None
        try:
            bound = agreement_bound(sides[0][1], sides[1][1], self.values(0), self.values(1), random)
        except NotPolynomialError:
            return None
        if bound is None:
            return None
        return LadderDecision(Status.CONFIRMED, "schwartz-zippel", checked=POINTS, error_bound=bound)

    def _values_alone(self) -> tuple[tuple[SymbolicPath, Operand], tuple[SymbolicPath, Operand]] | None:
        """Return the only path of each side with its value, `None` where one has several or gives no value."""
        (left, *more), (right, *others) = self.sides()
        if more or others or left.value is None or right.value is None or not self.bounds_are_ints():
            return None
        return (left, left.value), (right, right.value)

    def is_smooth(self) -> bool:
        """Tell whether both programs are rational functions: without conditions, rounding, and loops of open length.

        Raises:
            Refusal: a program has no paths.
        """
        return all(len(paths) == 1 and paths[0].rational and not paths[0].bounds for paths in self.sides())

    def bounds_are_ints(self) -> bool:
        """Tell whether all bounds of loops are Python ints on the whole domain, as the paths take for granted."""
        return all(
            stays_int(bound, self._ints(side))
            for side, paths in enumerate(self.sides())
            for path in paths
            for bound in path.bounds
        )

    def by_solver(self) -> smt.SmtResult:
        """Ask the SMT solver.

        Raises:
            Refusal: a program has no paths.
        """
        if not self.bounds_are_ints():
            return smt.SmtResult(None, reason="the bound of a loop need not be an integer")
        return smt.compare_paths(*self.compared(), dict(enumerate(self.domains)))

    def compared(self) -> tuple[smt.ComparedProgram, smt.ComparedProgram]:
        """Return both sides as the solver is asked about them; errors as in `sides`."""
        left, right = self.sides()
        first, second = self.normalizers()
        return (
            smt.ComparedProgram(left, self.values(0), first),
            smt.ComparedProgram(right, self.values(1), second),
        )
