"""UT-3: the ladder of proofs and tests that decides whether two formalizations compute the same function."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from random import Random

from harness.domain import Counterexample, Exact, Status, Verdict, WitnessKind
from harness.program.evaluation.evaluator import MOST_STEPS, evaluate
from harness.program.ir import Program
from harness.program.lifter import Candidate
from harness.program.refusal import Refusal
from oracles.alignment.parameter_matching import AlignedPair, Alignment, Alignments
from oracles.alignment.word_overlap import is_terse
from oracles.equivalence.counterexample_search import PROOF_POINTS, CounterexampleSearch, float_step, moved_inputs
from oracles.equivalence.input_domain import InputDomain, joint_domain, measured_values, pair_name
from oracles.equivalence.other_units import at_fixed_points, free_inputs, in_one_unit, in_own_units, in_units_said
from oracles.equivalence.program_inputs import used_inputs
from oracles.equivalence.provers.comparison import Comparison, same_operations
from oracles.equivalence.provers.recurrences import recurrence_order
from oracles.equivalence.provers.smt import SmtResult
from oracles.equivalence.provers.symbolic_paths import SymbolicPath, paths_of
from oracles.equivalence.witness import nearest_witness

MOST_TERMS = (72, 12)
"""The most successive values of an input that a proof by recurrence tries: of the first input, of a second one at each of them."""
MOST_ALIGNMENTS = 64
"""The most plausible alignments that are tried; where there are more, the pair is UNKNOWN."""
_NOTHING_ALIGNED = Alignment((), 0.0)


@dataclass(frozen=True, slots=True)
class LadderDecision:
    """The decision of the ladder for one alignment, over a domain of each aligned pair.

    A refutation has its witness, counterexample and reason only once `explained` has searched for them: of the decisions on one
    pair, at most one is shown.
    """

    status: Status
    method: str
    checked: int = 0
    unsupported: int = 0
    reason: str | None = None
    counterexample: Counterexample | None = None
    witness: WitnessKind | None = None
    explanation: Callable[[], LadderDecision] | None = None
    alignment: Alignment = _NOTHING_ALIGNED
    domains: tuple[InputDomain, ...] = ()

    def explained(self) -> LadderDecision:
        """Return the decision with the nearest witness of a refutation, its counterexample and its reason."""
        if self.explanation is None:
            return self
        return replace(self.explanation(), alignment=self.alignment, domains=self.domains)

    def unknown(self, reason: str, method: str = "none") -> LadderDecision:
        """Return the decision as UNKNOWN."""
        return replace(self, status=Status.UNKNOWN, method=method, reason=reason, explanation=None)


@dataclass(slots=True)
class EquivalenceJudge:
    """Decides the pairs of one problem; keeps the paths of programs, which several pairs share.

    `on_solved` is called with each comparison that the SMT solver decides, and its answer.
    """

    problem_id: str
    seed: int = 0
    on_solved: Callable[[Comparison, SmtResult], None] | None = None
    _paths: dict[tuple[int, frozenset[int]], tuple[SymbolicPath, ...] | Refusal] = field(default_factory=dict)
    _programs: dict[int, Program] = field(default_factory=dict)
    _float_steps: dict[int, str | None] = field(default_factory=dict)

    def judge(self, left: Candidate, right: Candidate, alignments: Alignments) -> Verdict:
        """Decide a pair by the ladder, under the best alignment and then under those the words leave open."""
        unknown = Verdict("ut3", self.problem_id, left.response.model, right.response.model, Status.UNKNOWN, "none")
        if left.program is None or right.program is None or left.outcome is None or right.outcome is None:
            side, name = (left, "left") if left.outcome is None else (right, "right")
            return replace(unknown, unsupported=1, reason=f"{name}: {side.reason}")
        # Programs that differ on the problem's own values differ under every alignment.
        same = left.outcome.agrees(right.outcome)
        first, second, alignments = in_units_said(left.program, right.program, alignments)
        names, measured = (left.response.model, right.response.model), measured_values(alignments.question)
        pair = _Pair(self, first, second, names, same, measured)
        scope = pair.over_alignments(alignments) if same else pair.beyond_guesses(alignments.best)
        if scope.status is not Status.REFUTED:
            pair, scope = self._in_one_unit(pair, scope, alignments.question)
        elif same:
            scope = pair.without_fixed_points(scope)
        scope = pair.without_unlike(scope, alignments.by_value_alone) if same else scope
        decision = self._in_floats(pair, scope.explained())
        example = decision.counterexample
        if example is not None:
            inputs = in_own_units(in_own_units(example.inputs, left.program, first), right.program, second)
            example = replace(example, inputs=inputs)
        return replace(
            unknown,
            status=decision.status,
            method=decision.method,
            checked=decision.checked,
            unsupported=decision.unsupported,
            reason=decision.reason,
            domain=pair.domain_texts(scope),
            counterexample=example,
            witness=decision.witness,
            frozen=len(pair.left.parameters) + len(pair.right.parameters) - 2 * len(scope.domains),
        )

    def _in_one_unit(self, pair: _Pair, scope: LadderDecision, question: str) -> tuple[_Pair, LadderDecision]:
        """Return a pair and its decision with facts that the sides state in different units aligned.

        What is frozen on both sides decides nothing: two programs may be equal only while both keep to their own values.
        """
        free = free_inputs(pair.left, pair.right, scope.alignment)
        if not free.left or not free.right:
            return pair, scope
        tried = [
            (other := replace(pair, left=left, right=right), other.beyond_guesses(alignment))
            for left, right, alignment in in_one_unit(pair.left, pair.right, scope.alignment, question)
        ]
        if tried and all(own.status is Status.CONFIRMED for _, own in tried):
            pair, scope = tried[0]
            free = free_inputs(pair.left, pair.right, scope.alignment)
        if scope.status is Status.CONFIRMED and free.left and free.right:
            names = [
                ", ".join(program.parameters[index].name for index in indices)
                for program, indices in ((pair.left, free.left), (pair.right, free.right))
            ]
            scope = scope.unknown(f"differs in what it takes as given: {names[0]} on the left, {names[1]} on the right")
        return pair, scope

    def _in_floats(self, pair: _Pair, decision: LadderDecision) -> LadderDecision:
        """Return a decision, UNKNOWN where Python's floats part from the exact arithmetic that it rests on.

        Programs that do the same operations on the same inputs are equal in any arithmetic.
        """
        if decision.status is not Status.CONFIRMED or decision.method == "renaming":
            return decision
        for program, name in zip((pair.left, pair.right), pair.names, strict=True):
            if id(program) not in self._float_steps:
                self._float_steps[id(program)] = float_step(program)
                self._programs[id(program)] = program
            found = self._float_steps[id(program)]
            if found is not None and same_operations(pair.left, pair.right, decision.alignment.places):
                return replace(decision, method="renaming")
            if found is not None:
                reason = f"equal in exact arithmetic, but a step of {name} depends on the digits of a float: {found}"
                return decision.unknown(reason, decision.method)
        return decision

    def paths(self, program: Program, frozen: frozenset[int]) -> tuple[SymbolicPath, ...]:
        """Return the paths of a program, with as few inputs frozen as its loops and conditions allow; a `Refusal` where even that gives none."""
        self._programs[id(program)] = program  # an id stays of one program while that is kept
        known: tuple[SymbolicPath, ...] | Refusal = ()
        for fixed in dict.fromkeys((frozenset[int](), frozen)):
            key = (id(program), fixed)
            if key not in self._paths:
                try:
                    self._paths[key] = paths_of(program, fixed)
                except Refusal as refusal:
                    self._paths[key] = refusal
            known = self._paths[key]
            if not isinstance(known, Refusal):
                return known
        raise known if isinstance(known, Refusal) else ValueError(program)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two programs to decide; `same` tells whether they agree on the problem's own values."""

    judge: EquivalenceJudge
    left: Program
    right: Program
    names: tuple[str, str]
    same: bool
    measured: frozenset[Exact]
    """The values that the question states as money, lengths and other measures."""
    depth: int = 0
    """How many inputs have been given values by `_by_recurrence`."""

    # The scope: a decision rests on no guessed bound, and on no alignment that another plausible one contradicts.

    def domain_texts(self, scope: LadderDecision) -> dict[str, str]:
        """Return the domain of each aligned pair in words, with the types that the two sides give where they differ."""
        texts: dict[str, str] = {}
        for pair, domain in zip(scope.alignment.pairs, scope.domains, strict=True):
            first, second = self.left.parameters[pair.left], self.right.parameters[pair.right]
            note = "" if first.type == second.type else f" ({first.type} on the left, {second.type} on the right)"
            name = pair_name(first, second)
            number = sum(name == known.partition(" #")[0] for known in texts)
            texts[f"{name} #{number + 1}" if number else name] = f"{domain}{note}"
        return texts

    def beyond_guesses(self, alignment: Alignment) -> LadderDecision:
        """Decide under an alignment: CONFIRMED holds without the guessed bounds, REFUTED within them.

        Equality within them only, or a difference beyond them only, is UNKNOWN.
        """
        inputs = [(self.left.parameters[pair.left], self.right.parameters[pair.right]) for pair in alignment.pairs]
        domains = tuple(joint_domain(first, second) for first, second in inputs)
        certain = tuple(joint_domain(*own, guesses=False, measured=self.measured) for own in inputs)
        beyond = self.decision(alignment, certain)
        if certain == domains or beyond.status is Status.CONFIRMED:
            return beyond
        within = self.decision(alignment, domains)
        if within.status is Status.CONFIRMED or (within.status, beyond.status) == (Status.UNKNOWN, Status.REFUTED):
            guesses = " and ".join(
                f"{pair_name(*own)} is {guess}"
                for own, domain, sure in zip(inputs, domains, certain, strict=True)
                for guess in domain.beside(sure)
            )
            equal = "equal only" if within.status is Status.CONFIRMED else "no difference was found"
            reason = f"{equal} while {guesses}; beyond it: {beyond.explained().reason}"
            within = within.unknown(reason, within.method)
        return within

    def over_alignments(self, alignments: Alignments) -> LadderDecision:
        """Return the decision under the best alignment, UNKNOWN where another plausible alignment does not give it, too.

        A program that exchanges the roles of two inputs of equal value is equal to the other under the exchanged
        alignment: it may be CONFIRMED only if names, order and comments leave no such alignment open, or if both sides are
        symmetric in the two inputs.
        """
        best = self.beyond_guesses(alignments.best)
        status = best.status
        if status is Status.UNKNOWN:
            return best
        others: Iterator[Alignment] = alignments.alternatives()
        if status is Status.REFUTED:
            # What is equal under each alternative alone is equal under all of them together; what differs need not differ.
            others = itertools.chain(others, alignments.combinations())
        tried = list(itertools.islice(others, MOST_ALIGNMENTS))
        for alignment in tried:
            other = self.beyond_guesses(alignment)
            plausible = status is not Status.CONFIRMED or not self._is_implausible(best.alignment, alignment)
            if other.status is not status and plausible:
                return best.unknown(self._disagreement(best, other))
        if len(tried) < MOST_ALIGNMENTS and (alignments.listed or status is Status.CONFIRMED):
            return best
        return best.unknown(f"more than {len(tried)} alignments of inputs of equal value are plausible")

    def without_unlike(self, scope: LadderDecision, unlike: tuple[AlignedPair, ...]) -> LadderDecision:
        """Return a decision, UNKNOWN where it hangs on inputs that nothing but their value matches."""
        used = used_inputs(self.left), used_inputs(self.right)
        places = {(own.left, own.right) for own in unlike if own.left in used[0] and own.right in used[1]}
        if not places or scope.status is Status.UNKNOWN:
            return scope
        kept = tuple(own for own in scope.alignment.pairs if (own.left, own.right) not in places)
        if scope.status is Status.REFUTED:
            apart = self.beyond_guesses(replace(scope.alignment, pairs=kept))
            if apart.status is Status.REFUTED:
                return scope
        names = " and ".join(
            f"{self.left.parameters[left].name} with {self.right.parameters[right].name}"
            for left, right in sorted(places)
        )
        return scope.unknown(f"{scope.status.name} only if inputs that have the value alone in common are one: {names}")

    def without_fixed_points(self, scope: LadderDecision) -> LadderDecision:
        """Return a refutation, UNKNOWN where the two are equal if inputs of one value are the rest or the inverse of each other."""
        for right, alignment, names in at_fixed_points(self.left, self.right, scope.alignment):
            if replace(self, right=right).beyond_guesses(alignment).status is Status.CONFIRMED:
                return scope.unknown(f"equal if {names} are the rest or the inverse of each other, and not one")
        return scope

    def _is_implausible(self, confirming: Alignment, other: Alignment) -> bool:
        """Tell whether an alignment separates inputs of one name, or matches a used with an unused one, unlike the confirming one."""
        named = [
            {
                (first, second)
                for first, second in alignment.places
                if self.left.parameters[first].name == self.right.parameters[second].name
                and not is_terse(self.left.parameters[first])
            }
            for alignment in (confirming, other)
        ]
        if named[1] - confirming.places:
            return False
        if named[0] - other.places:
            return True
        used = used_inputs(self.left), used_inputs(self.right)
        return [
            any((pair.left in used[0]) is not (pair.right in used[1]) for pair in alignment.pairs)
            for alignment in (confirming, other)
        ] == [False, True]

    def _disagreement(self, best: LadderDecision, other: LadderDecision) -> str:
        """Return the reason why two plausible alignments decide nothing: which inputs each of them matches, and what it decides."""
        decisions = []
        for scope, lacking in ((best, other), (other, best)):
            moved = ", ".join(
                f"{self.left.parameters[first].name} = {self.right.parameters[second].name}"
                for first, second in sorted(scope.alignment.places - lacking.alignment.places)
            )
            decisions.append(f"{scope.status.name} if {moved}")
        why = best.explained().reason or other.explained().reason
        return f"two alignments of inputs of equal value are plausible and disagree: {'; '.join(decisions)}; {why}"

    # The rungs.

    def decision(self, alignment: Alignment, domains: tuple[InputDomain, ...]) -> LadderDecision:
        """Return the first decision of the ladder under one alignment over given domains."""
        return replace(self._first_decision(alignment, domains), alignment=alignment, domains=domains)

    def _first_decision(self, alignment: Alignment, domains: tuple[InputDomain, ...]) -> LadderDecision:
        seed = f"{self.judge.seed}:{self.judge.problem_id}".encode("utf-8", "surrogatepass")
        pairs = tuple((pair.left, pair.right) for pair in alignment.pairs)
        duel = CounterexampleSearch(self.left, self.right, pairs, domains, self.names)
        if not self.same:
            return _refutation(duel, duel.start, "evaluation")
        if not pairs:
            reason = "no input is aligned; only the problem's own values were compared"
            return LadderDecision(Status.UNKNOWN, "none", checked=1, reason=reason)
        comparison = Comparison(self.judge.paths, self.left, self.right, pairs, domains)
        try:
            proof = comparison.proof()
        except Refusal as refusal:
            return self._searched(duel, alignment, Random(seed), f"no proof: {refusal}")
        random = Random(seed)
        if proof is not None:
            # The values on the problem's own inputs are equal: they are a point beside those of the proof.
            if proof != "renaming" and comparison.is_smooth() and duel.bears_out(seed):
                return LadderDecision(Status.CONFIRMED, proof, checked=PROOF_POINTS + 1)
            return _proved(duel, random, proof)
        point = duel.evaluated_point(random)
        if point is not None:
            return _refutation(duel, point, "evaluation")
        result = comparison.by_solver()
        if self.judge.on_solved is not None and result.equal is not None:
            self.judge.on_solved(comparison, result)
        if result.equal:
            return _proved(duel, random, "smt")
        if result.point is not None:
            found = tuple(result.point[place] for place in range(len(pairs)))
            if duel.parts_at(found, most_steps=MOST_STEPS):
                return _refutation(duel, found, "smt")
        why = result.reason or "the solver’s model does not hold in exact evaluation"
        return self._searched(duel, alignment, random, f"no proof: {why}")

    def _searched(self, duel: CounterexampleSearch, alignment: Alignment, random: Random, why: str) -> LadderDecision:
        """Search for a counterexample where no prover decides at once; agreement on all points is no proof."""
        point = duel.evaluated_point(random)
        if point is not None:
            return _refutation(duel, point, "evaluation")
        checked = self._by_recurrence(alignment, tuple(duel.domains)) if duel.valued else 0
        if checked:
            return LadderDecision(Status.CONFIRMED, "recurrence", duel.checked + checked, duel.unsupported)
        point = duel.hypothesis_point(random)
        if point is not None:
            return _refutation(duel, point, "hypothesis")
        reason = f"agrees on {duel.checked} inputs; {why}"
        return LadderDecision(Status.UNKNOWN, "hypothesis", duel.checked, duel.unsupported, reason)

    def _by_recurrence(self, alignment: Alignment, domains: tuple[InputDomain, ...]) -> int:
        """Return at how many successive values of one whole input the pair is proved equal, 0 unless they prove it for all values.

        Both answers keep to linear recurrences in that input; where they agree at as many values as the orders together, they agree at all.
        """
        if len(MOST_TERMS) == self.depth:
            return 0
        for place, (pair, domain) in enumerate(zip(alignment.pairs, domains, strict=True)):
            ints = (self.left.parameters[pair.left].value, self.right.parameters[pair.right].value)
            # Of people typed as float, `range` and an index have no value.
            if not domain.integral or domain.low is None or not all(isinstance(own, int) for own in ints):
                continue
            low, terms = int(domain.low), 0
            for side, program in enumerate((self.left, self.right)):
                order = recurrence_order(program, (pair.left, pair.right)[side], low)
                terms += MOST_TERMS[0] + 1 if order is None else order
            if terms > MOST_TERMS[self.depth]:
                continue
            rest = replace(alignment, pairs=(*alignment.pairs[:place], *alignment.pairs[place + 1 :]))
            others = (*domains[:place], *domains[place + 1 :])
            if all(self._is_equal_at(pair, value, rest, others) for value in range(low, low + terms)):
                return terms
        return 0

    def _is_equal_at(
        self, pair: AlignedPair, value: int, alignment: Alignment, domains: tuple[InputDomain, ...]
    ) -> bool:
        """Tell whether the two are proved equal, and give values, while one pair of inputs has a value."""
        programs = []
        for index, program in ((pair.left, self.left), (pair.right, self.right)):
            given = replace(program.parameters[index], value=value)
            parameters = (*program.parameters[:index], given, *program.parameters[index + 1 :])
            programs.append(replace(program, parameters=parameters))
        try:
            left, right = map(evaluate, programs)
        except Refusal:
            return False
        if left.value is None or not left.agrees(right):
            return False
        fixed = replace(self, left=programs[0], right=programs[1], depth=self.depth + 1)
        return not domains or fixed.decision(alignment, domains).status is Status.CONFIRMED


def _proved(duel: CounterexampleSearch, random: Random, method: str) -> LadderDecision:
    """Return the decision of a proof with the number of points on which evaluation confirms it; a proof that it contradicts is dropped."""
    point = duel.evaluated_point(random)
    if point is not None:
        return _refutation(duel, point, "evaluation")
    if not duel.valued:
        reason = "no proof: evaluation gives no value at any point that was tried"
        return LadderDecision(Status.UNKNOWN, "none", duel.checked, duel.unsupported, reason)
    return LadderDecision(Status.CONFIRMED, method, duel.checked, duel.unsupported)


def _refutation(duel: CounterexampleSearch, point: tuple[Fraction, ...], method: str) -> LadderDecision:
    decision = LadderDecision(Status.REFUTED, method, max(duel.checked, 1), duel.unsupported)
    return replace(decision, explanation=partial(_explained_refutation, duel, point, method))


def _explained_refutation(duel: CounterexampleSearch, point: tuple[Fraction, ...], method: str) -> LadderDecision:
    witness = nearest_witness(duel, point)
    example = duel.counterexample(witness.point)
    if duel.agrees_in_floats(witness.point):
        reason = f"differs in exact arithmetic only: {duel.names[0]} gives {example.left}, {duel.names[1]} {example.right}; Python's floats give the same"
        return LadderDecision(Status.UNKNOWN, method, max(duel.checked, 1), duel.unsupported, reason)
    where = moved_inputs(example.inputs, witness.point, duel.start)
    reason = f"{where}: {duel.names[0]} gives {example.left}, {duel.names[1]} gives {example.right}"
    if witness.kind is WitnessKind.EXTREME:
        reason += " (no sensible value of one input near its own shows the difference)"
    decision = LadderDecision(Status.REFUTED, method, max(duel.checked, 1), duel.unsupported, reason)
    return replace(decision, counterexample=example, witness=witness.kind)
