"""Sampling by seeded tickets: a limit for each problem and operator, and a given balance of classes."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING

from sft.datasets.leakage import origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sft.datasets.sources import Material


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sample that may be drawn; `number` counts in the order of reading.

    `kind` is the class (`correct`, `conceptual_error`, `solvable` …), `type` the fine type or the operator of a problem's edit. Classes are
    balanced within each `stratum`. Lower tickets are drawn first. `pair` is equal for a problem and its twin, a similar text of another
    class; `follows` marks the twin.
    """

    number: int
    sample: Material
    kind: str
    type: str
    ticket: float
    stratum: str = ""
    pair: str = ""
    follows: bool = False

    @property
    def problem(self) -> str:
        """Return the id of its original problem."""
        return origin(self.sample.problem_id)


def ticket_of(seed: int, sample_id: str, weight: float = 1.0) -> float:
    """Return the ticket of a sample: exponential of rate `weight`, so that the lowest tickets are a weighted sample.

    Source: Efraimidis and Spirakis, Weighted random sampling with a reservoir, 2006.
    """
    digest = hashlib.blake2b(f"{seed}:{sample_id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    uniform = (int.from_bytes(digest, "big") + 1) / (2**64 + 1)
    return -log(uniform) / weight


@dataclass(slots=True)
class SampleReservoir:
    """Keeps the lowest tickets, at most `most` for each problem, class and operator; `seen` counts all candidates by class."""

    most: int
    seen: Counter[str] = field(default_factory=Counter)
    _kept: dict[tuple[str, str, str], list[tuple[float, int, Candidate]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, candidate: Candidate) -> None:
        """Add a candidate, and drop the one with the highest ticket if there are too many."""
        self.seen[candidate.kind] += 1
        heap = self._kept[candidate.problem, candidate.kind, candidate.sample.operator]
        heapq.heappush(heap, (-candidate.ticket, -candidate.number, candidate))
        if len(heap) > self.most:
            heapq.heappop(heap)

    def kept(self) -> list[Candidate]:
        """Return the candidates that are kept, in the order of reading."""
        return sorted((kept for heap in self._kept.values() for *_, kept in heap), key=lambda kept: kept.number)


def balanced(candidates: Iterable[Candidate], shares: Mapping[str, float] | None) -> list[Candidate]:
    """Return candidates with the given shares of classes in each stratum, with problems taking turns.

    Twins of chosen ones are chosen first. A class without a share is left out; if `shares` is `None`, the shares of all
    candidates hold. Classes are only thinned out, so that the scarcest class decides the number. The order is that of reading.
    """
    strata: dict[str, dict[str, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    total: Counter[str] = Counter()
    for candidate in candidates:
        strata[candidate.stratum][candidate.kind].append(candidate)
        total[candidate.kind] += 1
    wanted = {kind: share for kind, share in (total if shares is None else shares).items() if share > 0 and total[kind]}
    chosen: list[Candidate] = []
    for name in sorted(strata):
        kinds = strata[name]
        scale = min((len(kinds[kind]) / share for kind, share in wanted.items()), default=0)
        pairs: set[str] = set()
        for kind in sorted(wanted, key=lambda kind: (any(member.follows for member in kinds[kind]), kind)):
            turns = _turns(kinds[kind])
            ranked = sorted(
                kinds[kind],
                key=lambda member: (
                    _rank(member, pairs),
                    turns[member.number],
                    member.ticket,
                    member.number,
                ),  # sorted here
            )
            drawn = ranked[: round(scale * wanted[kind])]
            pairs |= {member.pair for member in drawn if member.pair and not member.follows}
            chosen += drawn
    return sorted(chosen, key=lambda candidate: candidate.number)


def _turns(candidates: Iterable[Candidate]) -> dict[int, int]:
    """Return for each candidate's number how many of its problem have lower tickets.

    Problems take turns, since long solutions have more places for errors, and length would become evidence for a flaw.
    """
    drawn: Counter[str] = Counter()
    turns = {}
    for candidate in sorted(candidates, key=lambda candidate: (candidate.ticket, candidate.number)):
        turns[candidate.number] = drawn[candidate.problem]
        drawn[candidate.problem] += 1
    return turns


def _rank(candidate: Candidate, pairs: set[str]) -> int:
    """Return 0 for the twin of a chosen candidate, 2 for another twin, 1 for the rest: both sides of an edit are drawn together."""
    return 1 if not candidate.follows else 0 if candidate.pair in pairs else 2
