"""Figures of the mutation stage: flawed solutions by operator, error type, tier and position."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reports.views.operator_figures import OperatorFigures as Base, StageFigures
from reports.views.records import ERROR_CLASSES, POSITIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.views.artefacts import SealedStage
    from reports.views.records import Flaw


@dataclass(slots=True)
class FlawOperatorFigures(Base):
    """What one operator made: flawed solutions by error type, those that need an edit, and changes discarded by reason.

    `refused` flawed solutions were given no certificate, and are not among the flaws.
    """

    error_class: str = ""
    types: Counter[str] = field(default_factory=Counter)
    edits: int = 0

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
class FlawFigures(StageFigures[FlawOperatorFigures]):
    """The figures of a mutation stage; strata are class, tier and position."""

    strata: Counter[Stratum] = field(default_factory=Counter)

    def new_operator(self, name: str) -> FlawOperatorFigures:
        """Return an operator that made nothing so far."""
        return FlawOperatorFigures(name)

    def add(self, flaw: Flaw) -> None:
        """Count a flawed solution."""
        details = flaw["label"]["error_details"]
        operator = self.operator(flaw["operator"])
        operator.types[details["error_type"]] += 1
        operator.error_class = details["error_class"]
        operator.edits += flaw["needs_edit"]
        self.strata[details["error_class"], flaw["tier"], flaw["position"]] += 1

    def complete(self, stage: SealedStage) -> None:
        """Count what the stage says beside its records, once all of them are added."""
        self.finish(stage, stage.discarded())

    @property
    def flaws(self) -> int:
        """Return how many flawed solutions there are."""
        return sum(operator.flaws for operator in self.operators.values())

    @property
    def edits(self) -> int:
        """Return how many of them need a person's edit."""
        return sum(operator.edits for operator in self.operators.values())

    def by_type(self) -> Iterator[tuple[str, list[FlawOperatorFigures]]]:
        """Yield the error types, class by class and each with its operators; what made nothing comes last, without one."""
        types: dict[tuple[int, str, str], list[FlawOperatorFigures]] = {}
        for operator in self.operators.values():
            types.setdefault((*_place(operator.error_class), operator.error_type), []).append(operator)
        for (_, _, error_type), operators in sorted(types.items(), key=lambda item: item[0]):
            yield error_type, sorted(operators, key=lambda operator: (-operator.flaws, operator.name))

    def matrix(self) -> Iterator[tuple[str, int | None, list[int]]]:
        """Yield class, tier and the flawed solutions at each of `POSITIONS`, for those that there are."""
        rows = sorted({(name, tier) for name, tier, _ in self.strata}, key=lambda row: (_place(row[0]), row[1] or 0))
        for name, tier in rows:
            yield name, tier, [self.strata[name, tier, position] for position in POSITIONS]


def _place(name: str) -> tuple[int, str]:
    return (ERROR_CLASSES.index(name) if name in ERROR_CLASSES else len(ERROR_CLASSES), name)
