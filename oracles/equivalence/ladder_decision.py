"""The decision of the ladder for one alignment of two programs over given domains, before it is a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.domain import Counterexample, Status, WitnessKind
    from oracles.alignment.parameter_matching import Alignment
    from oracles.equivalence.input_domain import InputDomain


@dataclass(frozen=True, slots=True)
class LadderDecision:
    """The decision of the ladder for one alignment over given domains.

    A refutation has its witness, its counterexample and its reason only once `explained` has searched for them: of the
    decisions on one pair, at most one is shown.
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
