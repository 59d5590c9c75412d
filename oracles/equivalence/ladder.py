"""UT-3: the ladder of proofs and tests that decides whether two formalizations compute the same function."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from harness.domain import Status, Verdict, WitnessKind
from harness.program.evaluation.evaluator import format_exact
from harness.program.evaluation.limits import MOST_STEPS as EVALUATION_STEPS
from harness.program.refusal import Refusal
from oracles.equivalence.counterexamples.counterexample_search import PROOF_POINTS, CounterexampleSearch
from oracles.equivalence.counterexamples.witness import nearest_witness
from oracles.equivalence.provers.comparison import Comparison
from oracles.equivalence.provers.symbolic_paths import SymbolicPath, paths_of
from oracles.equivalence.scoped_decision import (
    LadderDecision,
    ScopedDecision,
    decide_beyond_guesses,
    decide_over_alignments,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from harness.program.candidate import Candidate
    from harness.program.ir import Program
    from oracles.alignment.parameter_matching import Alignment, Alignments
    from oracles.equivalence.input_domain import InputDomain
    from oracles.equivalence.provers.smt import SmtResult


@dataclass(slots=True)
class EquivalenceJudge:
    """Decides the pairs of one problem; keeps what several pairs share: paths, normal forms, atoms.

    `on_solved` is called with each comparison that the SMT solver decides, and its answer.
    """

    problem_id: str
    seed: int = 0
    on_solved: Callable[[Comparison, SmtResult], None] | None = None
    _paths: dict[tuple[int, frozenset[int]], tuple[SymbolicPath, ...] | Refusal] = field(default_factory=dict)
    _programs: dict[int, Program] = field(default_factory=dict)

    @property
    def _seed(self) -> bytes:
        return f"{self.seed}:{self.problem_id}".encode("utf-8", "surrogatepass")

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
        decision = scope.decision.explained()
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
            domain=scope.domain_texts(*programs),
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
        self._programs.update({id(program): program for program in (left.program, right.program)})
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
        comparison = Comparison(self.paths, left.program, right.program, pairs, domains)
        try:
            decision = comparison.proof(self._seed)
        except Refusal as refusal:
            return _searched(duel, Random(self._seed), f"no proof: {refusal}")
        if decision is not None:
            smooth = decision.method != "renaming" and comparison.is_smooth()
            # The values on the problem's own inputs are equal: they are a point beside those of the proof.
            if smooth and duel.bears_out(self._seed):
                return replace(decision, checked=decision.checked or PROOF_POINTS + 1)
            return _proved(duel, Random(self._seed), decision)
        random = Random(self._seed)
        point = duel.small_point() or duel.random_point(random)
        if point is not None:
            return _refuted(duel, point, "evaluation")
        result = comparison.by_solver()
        if self.on_solved is not None and result.equal is not None:
            self.on_solved(comparison, result)
        if result.equal:
            return _proved(duel, random, LadderDecision(Status.CONFIRMED, "smt"))
        if result.point is not None:
            found = tuple(result.point[place] for place in range(len(pairs)))
            if duel.parts_at(found, most_steps=EVALUATION_STEPS):
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
                try:
                    self._paths[key] = paths_of(program, fixed)
                except Refusal as raised:
                    self._paths[key] = raised
            known = self._paths[key]
            if not isinstance(known, Refusal):
                return known
            refusal = known
        raise refusal or ValueError(program)


def _proved(duel: CounterexampleSearch, random: Random, decision: LadderDecision) -> LadderDecision:
    """Return a proof with the number of points on which evaluation confirms it; a proof that it contradicts is dropped."""
    point = duel.small_point() or duel.random_point(random)
    if point is not None:
        return _refuted(duel, point, "evaluation")
    if not duel.valued:
        reason = "no proof: evaluation gives no value at any point that was tried"
        return LadderDecision(Status.UNKNOWN, "none", duel.checked, duel.unsupported, reason)
    return replace(decision, checked=decision.checked or duel.checked, unsupported=duel.unsupported)


def _refuted(duel: CounterexampleSearch, point: tuple[Fraction, ...], method: str) -> LadderDecision:
    explanation = partial(_explained, duel, point, method)
    return LadderDecision(Status.REFUTED, method, max(duel.checked, 1), duel.unsupported, explanation=explanation)


def _explained(duel: CounterexampleSearch, point: tuple[Fraction, ...], method: str) -> LadderDecision:
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
