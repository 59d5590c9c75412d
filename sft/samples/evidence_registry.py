"""The registry of kinds of evidence, and the signal that each kind gives: features and findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from harness.errors import HarnessError
from harness.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


class ScoredCase(Protocol):
    """The part of a case that every kind of evidence may use."""

    @property
    def scores(self) -> object:
        """Return the scores of a model, `None` without a model."""


CaseT = TypeVar("CaseT", bound=ScoredCase)
ShownT = TypeVar("ShownT")


@dataclass(frozen=True, slots=True)
class Signal(Generic[ShownT]):
    """The result of one kind of evidence on a case: features for the combiner, and findings for a reader.

    Every case gives features of the same names; all values are finite.
    """

    features: Mapping[str, float]
    shown: tuple[ShownT, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceKind(Generic[CaseT, ShownT]):
    """A kind of evidence; `needs_scores` marks one that reads the scores of a model."""

    name: str
    read: Callable[[CaseT], Signal[ShownT]]
    needs_scores: bool = False


class EvidenceRegistry(Registry[EvidenceKind[CaseT, ShownT]], Generic[CaseT, ShownT]):
    """The kinds of evidence on one type of case, each in a module of one package."""

    def register(
        self, name: str, *, needs_scores: bool = False
    ) -> Callable[[Callable[[CaseT], Signal[ShownT]]], Callable[[CaseT], Signal[ShownT]]]:
        """Register a kind of evidence under its name."""

        def decorate(read: Callable[[CaseT], Signal[ShownT]]) -> Callable[[CaseT], Signal[ShownT]]:
            self.add(EvidenceKind(name, read, needs_scores))
            return read

        return decorate

    def signals_of(self, case: CaseT, only: Collection[str] | None = None) -> dict[str, Signal[ShownT]]:
        """Return the signal of each kind on a case, by name; `only` names the kinds to read, by default all.

        Without scores, the kinds that need them are left out.

        Raises:
            HarnessError: a kind in `only` is unknown, or needs scores and the case has none.
        """
        if only is not None:
            for name in only:
                if self.require(name).needs_scores and case.scores is None:
                    raise HarnessError(f"the evidence {name!r} needs a model's scores, and there are none")
        return {
            kind.name: kind.read(case)
            for kind in self
            if (only is None or kind.name in only) and (case.scores is not None or not kind.needs_scores)
        }

    def features_of(self, case: CaseT, only: Collection[str] | None = None) -> dict[str, float]:
        """Return the features of all kinds under the names `evidence.feature`; `only` and errors as in `signals_of`."""
        return flattened(self.signals_of(case, only))


def flattened(signals: Mapping[str, Signal[ShownT]]) -> dict[str, float]:
    """Return the features of signals under the names `evidence.feature`."""
    return {f"{name}.{key}": float(value) for name, signal in signals.items() for key, value in signal.features.items()}
