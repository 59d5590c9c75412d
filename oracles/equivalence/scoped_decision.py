"""Decisions of the ladder and their scope: they rest on no guessed bound, and on no alignment that another plausible one contradicts."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.domain import Status
from harness.program.evaluation.evaluator import format_exact
from oracles.alignment.word_overlap import is_terse
from oracles.equivalence.input_domain import joint_domain, pair_name
from oracles.equivalence.used_inputs import used_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.domain import Counterexample, WitnessKind
    from harness.program.ir import Program
    from oracles.alignment.parameter_matching import Alignment, Alignments
    from oracles.equivalence.input_domain import InputDomain

MOST_ALIGNMENTS = 64
"""The most plausible alignments that are tried; where there are more, the pair is UNKNOWN."""


@dataclass(frozen=True, slots=True)
class LadderDecision:
    """The decision of the ladder for one alignment over given domains.

    A refutation has its witness, counterexample and reason only once `explained` has searched for them: of the decisions on one
    pair, at most one is shown.
    """

    status: Status
    method: str
    checked: int = 0
    unsupported: int = 0
    reason: str | None = None
    error_bound: str | None = None
    counterexample: Counterexample | None = None
    witness: WitnessKind | None = None
    explanation: Callable[[], LadderDecision] | None = None

    def explained(self) -> LadderDecision:
        """Return the decision with the nearest witness of a refutation, its counterexample and its reason."""
        return self if self.explanation is None else self.explanation()


@dataclass(frozen=True, slots=True)
class ScopedDecision:
    """A decision with its scope: the alignment, and the domain of each aligned pair."""

    decision: LadderDecision
    alignment: Alignment
    domains: tuple[InputDomain, ...]

    def domain_texts(self, left: Program, right: Program) -> dict[str, str]:
        """Return the domain of each aligned pair in words, with the types that the two sides give where they differ."""
        texts: dict[str, str] = {}
        for pair, domain in zip(self.alignment.pairs, self.domains, strict=True):
            first, second = left.parameters[pair.left], right.parameters[pair.right]
            note = "" if first.type == second.type else f" ({first.type} on the left, {second.type} on the right)"
            name = pair_name(first, second)
            number = sum(name == known.partition(" #")[0] for known in texts)
            texts[f"{name} #{number + 1}" if number else name] = f"{domain}{note}"
        return texts


def decide_beyond_guesses(
    left: Program,
    right: Program,
    alignment: Alignment,
    decide: Callable[[tuple[InputDomain, ...]], LadderDecision],
) -> ScopedDecision:
    """Decide a pair so that neither CONFIRMED nor REFUTED rests on a guessed bound.

    CONFIRMED holds without the guessed bounds, REFUTED within them. Equality within them only, or a difference beyond
    them only, is UNKNOWN.
    """
    inputs = [(left.parameters[pair.left], right.parameters[pair.right]) for pair in alignment.pairs]
    domains = tuple(joint_domain(first, second) for first, second in inputs)
    certain = tuple(domain.without_guess() for domain in domains)
    beyond = decide(certain)
    if certain == domains or beyond.status is Status.CONFIRMED:
        return ScopedDecision(beyond, alignment, certain)
    within = decide(domains)
    if within.status is Status.CONFIRMED or (within.status, beyond.status) == (Status.UNKNOWN, Status.REFUTED):
        guesses = " and ".join(
            f"{pair_name(first, second)} is at most {format_exact(domain.high)}"
            for (first, second), domain in zip(inputs, domains, strict=True)
            if domain.guessed and domain.high is not None
        )
        equal = "equal only" if within.status is Status.CONFIRMED else "no difference was found"
        reason = f"{equal} while {guesses}, a bound guessed from its name; beyond it: {beyond.explained().reason}"
        within = LadderDecision(Status.UNKNOWN, within.method, within.checked, within.unsupported, reason)
    return ScopedDecision(within, alignment, domains)


def decide_over_alignments(
    left: Program, right: Program, alignments: Alignments, decide: Callable[[Alignment], ScopedDecision]
) -> ScopedDecision:
    """Return the decision under the best alignment, UNKNOWN where another plausible alignment does not give it, too.

    A program that exchanges the roles of two inputs of equal value is equal to the other under the exchanged
    alignment: it may be CONFIRMED only if names, order and comments leave no such alignment open, or if both sides are
    symmetric in the two inputs. No alignment is plausible beside a confirming one if it separates inputs of one name, or
    matches an input that changes the result with one that cannot reach it.
    """
    best = decide(alignments.best)
    if best.decision.status is Status.UNKNOWN:
        return best
    others: Iterator[Alignment] = alignments.alternatives()
    if best.decision.status is Status.REFUTED:
        # What is equal under each alternative alone is equal under all of them together; what differs need not differ.
        others = itertools.chain(others, alignments.combinations())
    tried = list(itertools.islice(others, MOST_ALIGNMENTS))
    for alignment in tried:
        other = decide(alignment)
        if other.decision.status is not best.decision.status and not (
            best.decision.status is Status.CONFIRMED and _is_implausible(left, right, best.alignment, alignment)
        ):
            reason = _disagreement(left, right, best, other)
            decision = best.decision
            return replace(
                best, decision=LadderDecision(Status.UNKNOWN, "none", decision.checked, decision.unsupported, reason)
            )
    if len(tried) < MOST_ALIGNMENTS and (alignments.listed or best.decision.status is Status.CONFIRMED):
        return best
    reason = f"more than {len(tried)} alignments of inputs of equal value are plausible"
    return replace(best, decision=LadderDecision(Status.UNKNOWN, "none", len(tried), reason=reason))


def _is_implausible(left: Program, right: Program, confirming: Alignment, other: Alignment) -> bool:
    """Tell whether an alignment breaks a match of names, or of used inputs, that the confirming alignment keeps."""
    named = [
        {
            place
            for place in alignment.places
            if left.parameters[place[0]].name == right.parameters[place[1]].name
            and not is_terse(left.parameters[place[0]])
        }
        for alignment in (confirming, other)
    ]
    if named[1] - confirming.places:
        return False
    if named[0] - other.places:
        return True
    used = used_inputs(left), used_inputs(right)
    unequal = [
        any((pair.left in used[0]) is not (pair.right in used[1]) for pair in alignment.pairs)
        for alignment in (confirming, other)
    ]
    return unequal == [False, True]


def _disagreement(left: Program, right: Program, best: ScopedDecision, other: ScopedDecision) -> str:
    """Return the reason why two plausible alignments decide nothing: which inputs each of them matches, and what it decides."""
    decisions = []
    for scope, lacking in ((best, other), (other, best)):
        moved = ", ".join(
            f"{left.parameters[first].name} = {right.parameters[second].name}"
            for first, second in sorted(scope.alignment.places - lacking.alignment.places)
        )
        decisions.append(f"{scope.decision.status.name} if {moved}")
    why = best.decision.explained().reason or other.decision.explained().reason
    return f"two alignments of inputs of equal value are plausible and disagree: {'; '.join(decisions)}; {why}"
