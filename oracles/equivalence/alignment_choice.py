"""The choice among plausible alignments of two programs: a decision counts where all of them give it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from harness.domain import Status
from oracles.alignment.word_overlap import is_terse
from oracles.equivalence.ladder_decision import LadderDecision
from oracles.equivalence.used_inputs import used_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.program.ir import Program
    from oracles.alignment.parameter_matching import Alignment, Alignments
    from oracles.equivalence.ladder_decision import ScopedDecision

MOST_ALIGNMENTS = 64
"""The most plausible alignments that are tried; where there are more, the pair is UNKNOWN."""


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
            return _undecided(left, right, best, other)
    if len(tried) < MOST_ALIGNMENTS and (alignments.listed or best.decision.status is Status.CONFIRMED):
        return best
    reason = f"more than {len(tried)} alignments of inputs of equal value are plausible"
    return replace(best, decision=LadderDecision(Status.UNKNOWN, "none", len(tried), reason=reason))


def _is_implausible(left: Program, right: Program, confirming: Alignment, other: Alignment) -> bool:
    """Tell whether an alignment breaks a match of names, or of used inputs, that the confirming alignment keeps."""
    if _one_name(left, right, other) - confirming.places:
        return False
    if _one_name(left, right, confirming) - other.places:
        return True
    used = used_inputs(left), used_inputs(right)
    unequal = [
        any((pair.left in used[0]) is not (pair.right in used[1]) for pair in alignment.pairs)
        for alignment in (confirming, other)
    ]
    return unequal == [False, True]


def _one_name(left: Program, right: Program, alignment: Alignment) -> frozenset[tuple[int, int]]:
    """Return the aligned pairs that have one name, a name of initials aside."""
    return frozenset(
        (pair.left, pair.right)
        for pair in alignment.pairs
        if left.parameters[pair.left].name == right.parameters[pair.right].name
        and not is_terse(left.parameters[pair.left])
    )


def _undecided(left: Program, right: Program, best: ScopedDecision, other: ScopedDecision) -> ScopedDecision:
    chosen = {(pair.left, pair.right) for pair in best.alignment.pairs}
    kept = {(pair.left, pair.right) for pair in other.alignment.pairs}
    decisions = []
    for scope, lacked in ((best, kept), (other, chosen)):
        moved = [
            f"{left.parameters[pair.left].name} = {right.parameters[pair.right].name}"
            for pair in scope.alignment.pairs
            if (pair.left, pair.right) not in lacked
        ]
        decisions.append(f"{scope.decision.status.name} if {', '.join(moved)}")
    reason = (
        f"two alignments of inputs of equal value are plausible and disagree: {'; '.join(decisions)}; "
        f"{best.decision.explained().reason or other.decision.explained().reason}"
    )
    decision = LadderDecision(Status.UNKNOWN, "none", best.decision.checked, best.decision.unsupported, reason)
    return replace(best, decision=decision)
