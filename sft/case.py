"""What is every kind of evidence given, what does it return, and how does it become known?"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from harness.labelled import Worked
from harness.registry import Registry
from oracles.audit.lines import Solution, read_worked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sft.items import Item
    from sft.judgements import Hint
    from sft.scores import Scores


@dataclass(frozen=True)
class Case:
    """An item under judgement: as the label audit reads it, and as the model scored it, where a model did."""

    item: Item
    scores: Scores | None = None

    @cached_property
    def solution(self) -> Solution:
        """Return the lines with their equations, annotations included."""
        return read_worked(Worked(self.item.annotated, self.item.answer, self.item.before))


@dataclass(frozen=True, slots=True)
class Signal:
    """What one kind of evidence gives of a case: numbers for the fitted model, and what can be shown.

    The names of `features` are the same for every case, whatever it holds; none is missing and none is infinite.
    """

    features: Mapping[str, float]
    hints: tuple[Hint, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A kind of evidence; `needs_scores` marks one that reads what a model said."""

    name: str
    read: Callable[[Case], Signal]
    needs_scores: bool = False
    about: str = field(default="")


EVIDENCE: Registry[Evidence] = Registry("sft.evidence")


def evidence(
    name: str, *, needs_scores: bool = False
) -> Callable[[Callable[[Case], Signal]], Callable[[Case], Signal]]:
    """Register a kind of evidence under its name; the first line of its docstring says what it is."""

    def register(read: Callable[[Case], Signal]) -> Callable[[Case], Signal]:
        EVIDENCE.add(Evidence(name, read, needs_scores, (read.__doc__ or "").strip().partition("\n")[0]))
        return read

    return register
