"""The choice among plausible alignments of two programs: a decision counts where all of them give it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from harness.domain import Status
from oracles.equivalence.ladder_decision import LadderDecision

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
    symmetric in the two inputs.
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
        if other.decision.status is not best.decision.status:
            return _undecided(left, right, best, other)
    if len(tried) < MOST_ALIGNMENTS and (alignments.listed or best.decision.status is Status.CONFIRMED):
        return best
    reason = f"more than {len(tried)} alignments of inputs of equal value are plausible"
    return replace(best, decision=LadderDecision(Status.UNKNOWN, "none", len(tried), reason=reason))


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
        f"{best.decision.reason or other.decision.reason}"
    )
    decision = LadderDecision(Status.UNKNOWN, "none", best.decision.checked, best.decision.unsupported, reason)
    return replace(best, decision=decision)
