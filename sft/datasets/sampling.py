"""Sampling by seeded tickets: a limit for each problem and operator, and a given balance of classes."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class SampleEntry:
    """The properties of a sample that drawing and splitting use; `number` counts in the order of reading.

    `problem` is the id of its original problem; `kind` the class (`correct`, `conceptual_error`, `solvable` …), `type` the
    fine type or the operator of a problem's edit. Classes are balanced within each `stratum`. Lower tickets are drawn first.
    `pair` is equal for a problem and its twin, a similar text of another class; `follows` marks the twin.
    """

    number: int
    problem: str
    kind: str
    type: str
    operator: str
    tier: str
    position: str
    stratum: str
    ticket: float
    pair: str = ""
    follows: bool = False


def ticket_of(seed: int, sample_id: str, weight: float = 1.0) -> float:
    """Return the ticket of a sample: exponential of rate `weight`, so that the lowest tickets are a weighted sample.

    Source: Efraimidis and Spirakis, Weighted random sampling with a reservoir, 2006.
    """
    from math import log

    digest = hashlib.blake2b(f"{seed}:{sample_id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    uniform = (int.from_bytes(digest, "big") + 1) / (2**64 + 1)
    return -log(uniform) / weight


@dataclass(slots=True)
class SampleReservoir:
    """Keeps the lowest tickets, at most `most` for each problem, class and operator; `seen` counts all entries."""

    most: int
    seen: Counter[tuple[str, str]] = field(default_factory=Counter)
    _kept: dict[tuple[str, str, str], list[tuple[float, int, SampleEntry]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, entry: SampleEntry) -> None:
        """Add an entry, and drop the entry with the highest ticket if there are too many."""
        self.seen[entry.kind, entry.operator] += 1
        heap = self._kept[entry.problem, entry.kind, entry.operator]
        ticket = (-entry.ticket, -entry.number, entry)
        if len(heap) < self.most:
            heapq.heappush(heap, ticket)
        elif ticket[:2] > heap[0][:2]:
            heapq.heapreplace(heap, ticket)

    def kept(self) -> list[SampleEntry]:
        """Return the entries that are kept, in the order of reading."""
        entries = [entry for heap in self._kept.values() for *_, entry in heap]
        return sorted(entries, key=lambda entry: entry.number)


def balanced(entries: Iterable[SampleEntry], shares: Mapping[str, float] | None) -> list[SampleEntry]:
    """Return entries with the given shares of classes in each stratum, with problems taking turns.

    Twins of chosen entries are chosen first. A class without a share is left out; if `shares` is `None`, the shares of all
    entries hold. Classes are only thinned out, so that the scarcest class decides the number. The order is that of reading.
    """
    strata: dict[str, dict[str, list[SampleEntry]]] = defaultdict(lambda: defaultdict(list))
    total: Counter[str] = Counter()
    for entry in entries:
        strata[entry.stratum][entry.kind].append(entry)
        total[entry.kind] += 1
    wanted = {kind: share for kind, share in (total if shares is None else shares).items() if share > 0 and total[kind]}
    chosen: list[SampleEntry] = []
    for name in sorted(strata):
        kinds = strata[name]
        scale = min((len(kinds[kind]) / share for kind, share in wanted.items()), default=0)
        pairs: set[str] = set()
        for kind in sorted(wanted, key=lambda kind: (any(entry.follows for entry in kinds[kind]), kind)):
            turns = _turns(kinds[kind])
            ranked = [(_rank(entry, pairs), turns[entry.number], entry.ticket, entry.number) for entry in kinds[kind]]
            numbers = {number for *_, number in heapq.nsmallest(round(scale * wanted[kind]), ranked)}
            drawn = [entry for entry in kinds[kind] if entry.number in numbers]
            pairs |= {entry.pair for entry in drawn if entry.pair and not entry.follows}
            chosen += drawn
    return sorted(chosen, key=lambda entry: entry.number)


def _turns(entries: Iterable[SampleEntry]) -> dict[int, int]:
    """Return for each entry's number how many entries of its problem have lower tickets.

    Problems take turns, since long solutions have more places for errors, and length would become evidence for a flaw.
    """
    drawn: Counter[str] = Counter()
    turns = {}
    for entry in sorted(entries, key=lambda entry: (entry.ticket, entry.number)):
        turns[entry.number] = drawn[entry.problem]
        drawn[entry.problem] += 1
    return turns


def _rank(entry: SampleEntry, pairs: set[str]) -> int:
    """Return 0 for the twin of a chosen entry, 2 for another twin, 1 for the rest: both sides of an edit are drawn together."""
    return 1 if not entry.follows else 0 if entry.pair in pairs else 2
