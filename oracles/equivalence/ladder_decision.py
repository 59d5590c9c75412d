"""What the ladder decides for one alignment of two programs over given domains, before it is a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.domain import Counterexample, Status, WitnessKind
    from oracles.alignment.parameter_matching import Alignment
    from oracles.equivalence.input_domain import InputDomain


@dataclass(frozen=True, slots=True)
class LadderDecision:
    """What the ladder decided for one alignment over given domains."""

    status: Status
    method: str
    checked: int = 0
    unsupported: int = 0
    reason: str | None = None
    error_bound: str | None = None
    counterexample: Counterexample | None = None
    witness: WitnessKind | None = None


@dataclass(frozen=True, slots=True)
class ScopedDecision:
    """A decision with what it holds for: the alignment, and the domain of each aligned pair."""

    decision: LadderDecision
    alignment: Alignment
    domains: tuple[InputDomain, ...]
