"""The registry of kinds of evidence, and the signal that each kind gives: features and findings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from harness.registry import Registry

CaseT = TypeVar("CaseT")
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
    """A kind of evidence: its name, and the function that reads it from a case."""

    name: str
    read: Callable[[CaseT], Signal[ShownT]]


class EvidenceRegistry(Registry[EvidenceKind[CaseT, ShownT]], Generic[CaseT, ShownT]):
    """The kinds of evidence on one type of case, each in a module of one package."""

    def register(self, name: str) -> Callable[[Callable[[CaseT], Signal[ShownT]]], Callable[[CaseT], Signal[ShownT]]]:
        """Register a kind of evidence under its name."""

        def decorate(read: Callable[[CaseT], Signal[ShownT]]) -> Callable[[CaseT], Signal[ShownT]]:
            self.add(EvidenceKind(name, read))
            return read

        return decorate

    def signals_of(self, case: CaseT) -> dict[str, Signal[ShownT]]:
        """Return the signal of each kind on a case, by name."""
        return {kind.name: kind.read(case) for kind in sorted(self, key=lambda kind: kind.name)}

    def features_of(self, case: CaseT) -> dict[str, float]:
        """Return the features of all kinds under the names `evidence.feature`."""
        return flattened(self.signals_of(case))


def flattened(signals: Mapping[str, Signal[ShownT]]) -> dict[str, float]:
    """Return the features of signals under the names `evidence.feature`."""
    return {f"{name}.{key}": float(value) for name, signal in signals.items() for key, value in signal.features.items()}
