"""UT-3: the ladder of proofs and tests that decides whether two formalizations compute the same function."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.domain import Status, Verdict, WitnessKind
from harness.program.evaluation.evaluator import format_exact
from harness.program.refusal import Refusal
from oracles.equivalence import prime_field, smt
from oracles.equivalence.alignment_choice import decide_over_alignments
from oracles.equivalence.alpha_equivalence import canonical_key
from oracles.equivalence.counterexample_search import CounterexampleSearch
from oracles.equivalence.joint_domains import decide_beyond_guesses, described_domains
from oracles.equivalence.ladder_decision import LadderDecision, ScopedDecision
from oracles.equivalence.normal_form import AlwaysUndefinedError, Normalizer, OpaqueAtoms, Quotient
from oracles.equivalence.polynomials import ONE, TooLargeError, constant
from oracles.equivalence.symbolic_paths import SymbolicPath, paths_of, stays_int
from oracles.equivalence.witness import nearest_witness

if TYPE_CHECKING:
    from collections.abc import Hashable

    from harness.program.candidate import Candidate
    from harness.program.ir import Program
    from oracles.alignment.parameter_matching import Alignment, Alignments
    from oracles.equivalence.input_domain import InputDomain


@dataclass(slots=True)
class EquivalenceJudge:
    """Decides the pairs of one problem; keeps what several pairs share: paths, normal forms, atoms."""

    problem_id: str
    seed: int = 0
    _paths: dict[tuple[int, frozenset[int]], tuple[SymbolicPath, ...] | Refusal] = field(default_factory=dict)
    _programs: dict[int, Program] = field(default_factory=dict)

    def judge(self, left: Candidate, right: Candidate, alignments: Alignments) -> Verdict:
        """Decide a pair by the ladder, under the best alignment and then under those the words leave open."""
        names = (left.response.model, right.response.model)
        if left.program is None or right.program is None or left.outcome is None or right.outcome is None:
            which = "left" if left.outcome is None else "right"
            reason = left.reason if left.outcome is None else right.reason
            return Verdict(
                "ut3", self.problem_id, *names, Status.UNKNOWN, "none", unsupported=1, reason=f"{which}: {reason}"
            )
        programs = left.program, right.program

        def decide(alignment: Alignment) -> ScopedDecision:
            return decide_beyond_guesses(
                *programs, alignment, lambda domains: self._decide(left, right, alignment, domains, names)
            )

        # Programs that differ on the problem's own values differ under every alignment.
        same = left.outcome.agrees(right.outcome)
        scope = decide_over_alignments(*programs, alignments, decide) if same else decide(alignments.best)
        decision = scope.decision
        return Verdict(
            "ut3",
            self.problem_id,
            *names,
            decision.status,
            decision.method,
            decision.checked,
            decision.unsupported,
            decision.reason,
            decision.error_bound,
            domain=described_domains(*programs, scope),
            counterexample=decision.counterexample,
            witness=decision.witness,
            frozen=len(left.program.parameters) + len(right.program.parameters) - 2 * len(scope.domains),
        )

    def _decide(
        self,
        left: Candidate,
        right: Candidate,
        alignment: Alignment,
        domains: tuple[InputDomain, ...],
        names: tuple[str, str],
    ) -> LadderDecision:
        if left.program is None or right.program is None:
            message = "only programs are decided"
            raise ValueError(message)
        pairs = tuple((pair.left, pair.right) for pair in alignment.pairs)
        duel = CounterexampleSearch(left.program, right.program, pairs, domains, names)
        if not (left.outcome and right.outcome and left.outcome.agrees(right.outcome)):
            return _refuted(duel, duel.start, "evaluation")
        if not pairs:
            return LadderDecision(
                Status.UNKNOWN,
                "none",
                checked=1,
                reason="no input is aligned; only the problem's own values were compared",
            )
        random = Random(f"{self.seed}:{self.problem_id}:{names[0]}:{names[1]}".encode("utf-8", "surrogatepass"))
        comparison = _Comparison(self, left.program, right.program, pairs, domains)
        try:
            decision = comparison.by_form(random)
        except Refusal as refusal:
            if comparison.renamed():
                return LadderDecision(Status.CONFIRMED, "renaming", checked=1)
            return _searched(duel, random, f"no proof: {refusal}")
        if decision is None and comparison.renamed():
            decision = LadderDecision(Status.CONFIRMED, "renaming", checked=1)
        if decision is not None:
            return decision
        point = duel.small_point() or duel.random_point(random)
        if point is not None:
            return _refuted(duel, point, "evaluation")
        result = comparison.by_solver()
        if result is None:
            return _searched(duel, random, "no proof: a loop's length need not be an integer")
        if result.equal:
            return LadderDecision(Status.CONFIRMED, "smt", checked=duel.checked, unsupported=duel.unsupported)
        if result.point is not None:
            found = tuple(result.point[place] for place in range(len(pairs)))
            if duel.parts_at(found):
                return _refuted(duel, found, "smt")
        return _searched(
            duel, random, f"no proof: {result.reason or 'the solver’s model does not hold in exact evaluation'}"
        )

    def paths(self, program: Program, frozen: frozenset[int]) -> tuple[SymbolicPath, ...]:
        """Return the paths of a program, with as few inputs frozen as its loops and conditions allow.

        Raises:
            Refusal: the paths cannot be had even with the frozen inputs at their values.
        """
        refusal: Refusal | None = None
        for fixed in dict.fromkeys((frozenset[int](), frozen)):
            key = (id(program), fixed)
            if key not in self._paths:
                self._programs[id(program)] = program
                try:
                    self._paths[key] = paths_of(program, fixed)
                except Refusal as raised:
                    self._paths[key] = raised
            known = self._paths[key]
            if not isinstance(known, Refusal):
                return known
            refusal = known
        raise refusal or ValueError(program)


def _refuted(duel: CounterexampleSearch, point: tuple[Fraction, ...], method: str) -> LadderDecision:
    witness = nearest_witness(duel, point)
    example = duel.counterexample(witness.point)
    moved = [
        f"{name} = {value}"
        for (name, value), before in zip(example.inputs.items(), map(format_exact, duel.start), strict=True)
        if value != before
    ]
    where = f"with {', '.join(moved)}" if moved else "on the problem's own values"
    reason = f"{where}: {duel.names[0]} gives {example.left}, {duel.names[1]} gives {example.right}"
    if witness.kind is WitnessKind.EXTREME:
        reason += " (no sensible values near the problem's own show the difference)"
    return LadderDecision(
        Status.REFUTED,
        method,
        max(duel.checked, 1),
        duel.unsupported,
        reason,
        counterexample=example,
        witness=witness.kind,
    )


def _searched(duel: CounterexampleSearch, random: Random, why: str) -> LadderDecision:
    """Search for a counterexample where no prover decides; agreement on all points is no proof."""
    point = duel.small_point() or duel.random_point(random)
    if point is not None:
        return _refuted(duel, point, "evaluation")
    point = duel.hypothesis_point(random)
    if point is not None:
        return _refuted(duel, point, "hypothesis")
    return LadderDecision(
        Status.UNKNOWN, "hypothesis", duel.checked, duel.unsupported, reason=f"agrees on {duel.checked} inputs; {why}"
    )


@dataclass(slots=True)
class _Comparison:
    """The two sides of one comparison, put over common variables: aligned pair number k is variable k."""

    judge: EquivalenceJudge
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
            self._sides = (self.judge.paths(self.left, frozen[0]), self.judge.paths(self.right, frozen[1]))
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

    def renamed(self) -> bool:
        """Tell whether the programs are the same but for names."""
        sides = (self.left, self.right)
        first, second = (
            canonical_key(program, {pair[side]: number for number, pair in enumerate(self.pairs)})
            for side, program in enumerate(sides)
        )
        return first == second

    def normalizers(self) -> tuple[Normalizer, Normalizer]:
        """Return a normalizer for each side over common atoms."""
        if self._normalizers is None:
            positive = frozenset(number for number, domain in enumerate(self.domains) if domain.positive)
            integral = frozenset(number for number, domain in enumerate(self.domains) if domain.integral)
            atoms = OpaqueAtoms()
            inputs = [
                {
                    index: value if isinstance(value, int) else Quotient(constant(value), ONE)
                    for index, value in self.values(side).items()
                }
                for side in (0, 1)
            ]
            self._normalizers = (
                Normalizer(inputs[0], atoms, integral, positive),
                Normalizer(inputs[1], atoms, integral, positive),
            )
        return self._normalizers

    def by_form(self, random: Random) -> LadderDecision | None:
        """Decide by normal forms, or in a prime field where they grow too large; `None` where neither can."""
        left, right = self.sides()
        if len(left) != 1 or len(right) != 1:
            return None
        normalizers = self.normalizers()
        forms: list[Quotient] = []
        zeros: list[set[Hashable]] = []
        try:
            for side, (path,) in enumerate((left, right)):
                if path.value is None:
                    return None
                normalizer = normalizers[side]
                if not all(stays_int(bound, self._ints(side)) for bound in path.bounds):
                    return None
                forms.append(normalizer.normal(path.value))
                zeros.append({key for divisor in path.divisors if (key := normalizer.divisor_key(divisor)) is not None})
            if zeros[0] != zeros[1] or not forms[0].equals(forms[1]):
                return None
        except AlwaysUndefinedError:
            return None
        except TooLargeError:
            return self._in_field(left[0], right[0], random)
        return LadderDecision(Status.CONFIRMED, "normal-form", checked=1)

    def _in_field(self, left: SymbolicPath, right: SymbolicPath, random: Random) -> LadderDecision | None:
        """Compare two rational functions at random field points; divisors must be the same or none."""
        if left.divisors or right.divisors or left.value is None or right.value is None:
            return None
        try:
            result = prime_field.agree(left.value, right.value, self.values(0), self.values(1), random)
        except prime_field.NotRationalError:
            return None
        if not result.equal:
            return None
        return LadderDecision(
            Status.CONFIRMED, "schwartz-zippel", checked=result.points, error_bound=result.error_bound
        )

    def by_solver(self) -> smt.SmtResult | None:
        """Ask the SMT solver; `None` where the paths hold for loop bounds that are ints only."""
        left, right = self.sides()
        if any(path.bounds for path in (*left, *right)):
            return None
        first, second = self.normalizers()
        return smt.compare_paths(
            smt.ComparedProgram(left, self.values(0), first),
            smt.ComparedProgram(right, self.values(1), second),
            dict(enumerate(self.domains)),
        )
