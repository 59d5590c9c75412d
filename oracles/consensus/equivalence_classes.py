"""Classes of equal formalizations of a problem with many answers, found by few comparisons instead of one for each pair."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import networkx as nx

from harness.domain import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from harness.domain import Verdict

CLAIM = "classes"
"""The claim about a problem with too many pairs: all its formalizations that UT-1 does not refute are one class."""
MOST_REPRESENTATIVES = 16
"""The most classes of one value that a formalization is compared with; after them it stands for a class of its own."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A formalization as it is sorted before it is compared.

    `value` is what it gives; only formalizations of one value are compared. `inputs` are the values that it takes: classes of
    formalizations that take the same are the first that it is compared with.
    """

    model: str
    value: Hashable
    inputs: tuple[Hashable, ...]


@dataclass(slots=True)
class _Class:
    representative: Answered
    size: int = 1


@dataclass(slots=True)
class Division:
    """The classes of a problem: the representative of each formalization, and the pairs that were compared, in order."""

    representative: dict[str, str] = field(default_factory=dict)
    pairs: list[tuple[str, str]] = field(default_factory=list)

    @property
    def sizes(self) -> list[int]:
        """Return the sizes of the classes, largest first."""
        counts: defaultdict[str, int] = defaultdict(int)
        for name in self.representative.values():
            counts[name] += 1
        return sorted(counts.values(), reverse=True)


def divide(answers: Iterable[Answered], equal: Callable[[str, str], bool]) -> Division:
    """Return the classes of formalizations, given in the order of their names; `equal` compares two of them, the first name first.

    Each formalization is compared with the representatives of at most MOST_REPRESENTATIVES classes of its value, those with the same
    inputs and then the largest first, and joins the first that it is equal to: of n that are equal, n - 1 comparisons are made. Then
    the representative of each other class is compared with that of the largest one, so that it is known how they differ.
    """
    division = Division()
    by_value: defaultdict[Hashable, list[_Class]] = defaultdict(list)

    def compared(left: str, right: str) -> bool:
        pair = (min(left, right), max(left, right))
        division.pairs.append(pair)
        return equal(*pair)

    for answer in answers:
        own = by_value[answer.value]
        nearest = sorted(own, key=lambda known: (known.representative.inputs != answer.inputs, -known.size))
        for known in nearest[:MOST_REPRESENTATIVES]:
            if compared(known.representative.model, answer.model):
                known.size += 1
                division.representative[answer.model] = known.representative.model
                break
        else:
            own.append(_Class(answer))
            division.representative[answer.model] = answer.model
    classes = [known for own in by_value.values() for known in own]
    largest = min(classes, key=lambda known: (-known.size, known.representative.model), default=None)
    done = set(division.pairs)
    for known in classes:
        pair = sorted((known.representative.model, largest.representative.model)) if largest is not None else []
        if known is not largest and tuple(pair) not in done:
            compared(pair[0], pair[1])
    return division


def decided_pairs(verdicts: Iterable[Verdict]) -> dict[tuple[str, str], Verdict]:
    """Return the verdicts of UT-3 by pair."""
    return {(verdict.left, verdict.right or ""): verdict for verdict in verdicts if verdict.claim == "ut3"}


def representatives(models: Sequence[str], decided: Mapping[tuple[str, str], Verdict]) -> dict[str, str]:
    """Return the representative of the class of each model: those that confirmed pairs connect are one class.

    The representative is the member of most confirmed pairs, the first of them by name.
    """
    graph = nx.Graph()
    graph.add_nodes_from(models)
    graph.add_edges_from(pair for pair, verdict in decided.items() if verdict.status is Status.CONFIRMED)
    standing: dict[str, str] = {}
    for members in nx.connected_components(graph):
        chosen = min(members, key=lambda model: (-graph.degree[model], model))
        standing.update(dict.fromkeys(members, chosen))
    return standing
