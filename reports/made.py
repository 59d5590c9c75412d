"""What do the flawed solutions of a run amount to, operator by operator?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reports.records import ERROR_CLASSES, POSITIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.artefacts import SealedStage
    from reports.records import Flaw


@dataclass(slots=True)
class Operator:
    """What one operator made: flawed solutions by error type, those that need an edit, and changes discarded by reason.

    `refused` flawed solutions were given no certificate, and are not among the flaws.
    """

    name: str
    error_class: str = ""
    types: Counter[str] = field(default_factory=Counter)
    edits: int = 0
    refused: int = 0
    discarded: Counter[str] = field(default_factory=Counter)

    @property
    def flaws(self) -> int:
        """Return how many flawed solutions it made."""
        return self.types.total()

    @property
    def error_type(self) -> str:
        """Return the type of most of its flawed solutions, empty where it made none."""
        return max(sorted(self.types), key=lambda name: self.types[name], default="")


Stratum = tuple[str, int | None, str]


@dataclass(slots=True)
class Made:
    """The figures of a mutation stage; strata are class, tier and position."""

    problems: int = 0
    fruitful: int = 0
    operators: dict[str, Operator] = field(default_factory=dict)
    strata: Counter[Stratum] = field(default_factory=Counter)
    sources: dict[str, int] = field(default_factory=dict)
    unfit: dict[str, int] = field(default_factory=dict)

    def add(self, flaw: Flaw) -> None:
        """Count a flawed solution."""
        details = flaw["label"]["error_details"]
        operator = self._operator(flaw["operator"])
        operator.types[details["error_type"]] += 1
        operator.error_class = details["error_class"]
        operator.edits += flaw["needs_edit"]
        self.strata[details["error_class"], flaw["tier"], flaw["position"]] += 1

    def complete(self, stage: SealedStage) -> None:
        """Count what was discarded and refused, and what the manifest says of sources, once all flaws are added."""
        self.problems = sum(1 for _ in stage.problems())
        for change in stage.discarded():
            self._operator(change["operator"]).discarded[change["why"]] += 1
        last = None
        for verdict in stage.trace_verdicts():
            operator = self._operator(verdict["left"])
            operator.refused += len(verdict.get("findings") or ())
            # The verdicts of a problem stand together.
            if verdict["status"] == "CONFIRMED" and verdict["problem_id"] != last:
                last = verdict["problem_id"]
                self.fruitful += 1
        counts: dict[str, Any] = stage.manifest.get("counts") or {}
        # A problem without a source is among the unfit.
        self.sources = {name: count for name, count in (counts.get("sources") or {}).items() if name != "none"}
        self.unfit = counts.get("unfit") or {}

    def _operator(self, name: str) -> Operator:
        found = self.operators.get(name)
        if found is None:
            found = self.operators[name] = Operator(name)
        return found

    @property
    def flaws(self) -> int:
        """Return how many flawed solutions there are."""
        return sum(operator.flaws for operator in self.operators.values())

    @property
    def edits(self) -> int:
        """Return how many of them need a person's edit."""
        return sum(operator.edits for operator in self.operators.values())

    def by_type(self) -> Iterator[tuple[str, list[Operator]]]:
        """Yield the error types, class by class and each with its operators; what made nothing comes last, without one."""
        types: dict[tuple[int, str, str], list[Operator]] = {}
        for operator in self.operators.values():
            types.setdefault((*_place(operator.error_class), operator.error_type), []).append(operator)
        for (_, _, error_type), operators in sorted(types.items(), key=lambda item: item[0]):
            yield error_type, sorted(operators, key=lambda operator: (-operator.flaws, operator.name))

    def discarded(self) -> Counter[str]:
        """Return how many changes were discarded for each reason."""
        return sum((operator.discarded for operator in self.operators.values()), Counter())

    def matrix(self) -> Iterator[tuple[str, int | None, list[int]]]:
        """Yield class, tier and the flawed solutions at each of `POSITIONS`, for those that there are."""
        rows = sorted({(name, tier) for name, tier, _ in self.strata}, key=lambda row: (_place(row[0]), row[1] or 0))
        for name, tier in rows:
            yield name, tier, [self.strata[name, tier, position] for position in POSITIONS]


def _place(name: str) -> tuple[int, str]:
    return (ERROR_CLASSES.index(name) if name in ERROR_CLASSES else len(ERROR_CLASSES), name)
