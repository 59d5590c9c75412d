"""Base classes for the figures of stages that make records: problems, operators, and discards by reason."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from reports.views.artefacts import SealedStage
    from reports.views.flaw_phrases import DiscardReason


@dataclass(slots=True)
class OperatorFigures:
    """What one operator did not make: what was refused a certificate, and what was discarded by reason."""

    name: str
    refused: int = 0
    discarded: Counter[str] = field(default_factory=Counter)

    def discards(self, reason_of: Callable[[str], DiscardReason]) -> str:
        """Write in a line how much was discarded for which reason, the commonest first."""
        return ", ".join(f"{count:,} {reason_of(why).brief}" for why, count in ranked(self.discarded))


def ranked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return names and their counts, the commonest first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


AnyOperator = TypeVar("AnyOperator", bound=OperatorFigures)


@dataclass(slots=True)
class StageFigures(ABC, Generic[AnyOperator]):
    """The figures of a stage: its problems, those of which something was made, and its operators by name."""

    problems: int = 0
    fruitful: int = 0
    operators: dict[str, AnyOperator] = field(default_factory=dict)
    sources: dict[str, int] = field(default_factory=dict)
    unfit: dict[str, int] = field(default_factory=dict)

    @abstractmethod
    def new_operator(self, name: str) -> AnyOperator:
        """Return an operator that made nothing so far."""

    def operator(self, name: str) -> AnyOperator:
        """Return an operator by name."""
        found = self.operators.get(name)
        if found is None:
            found = self.operators[name] = self.new_operator(name)
        return found

    def finish(self, stage: SealedStage, discarded: Iterable[Mapping[str, Any]]) -> None:
        """Count what was discarded and refused, and what the manifest says of sources, once all records are added."""
        self.problems = sum(1 for _ in stage.problems())
        for one in discarded:
            self.operator(one["operator"]).discarded[one["why"]] += 1
        last = None
        for verdict in stage.trace_verdicts():
            self.operator(verdict["left"]).refused += len(verdict.get("findings") or ())
            # The verdicts of a problem stand together.
            if verdict["status"] == "CONFIRMED" and verdict["problem_id"] != last:
                last = verdict["problem_id"]
                self.fruitful += 1
        counts: dict[str, Any] = stage.manifest.get("counts") or {}
        # A problem without a source is among the unfit.
        self.sources = {name: count for name, count in (counts.get("sources") or {}).items() if name != "none"}
        self.unfit = counts.get("unfit") or {}

    @property
    def refused(self) -> int:
        """Return how much was refused a certificate."""
        return sum(operator.refused for operator in self.operators.values())

    def discarded(self) -> Counter[str]:
        """Return how much was discarded for each reason."""
        return sum((operator.discarded for operator in self.operators.values()), Counter())
