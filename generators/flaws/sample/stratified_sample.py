"""A seeded, stratified sample of flawed solutions, drawn by tier, position and error type."""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError

Record = dict[str, Any]
Stratum = tuple[str, str, str]


def stratum_of(record: Record) -> Stratum:
    """Return the tier, position and error type of a flawed solution."""
    return str(record["tier"]), str(record["position"]), str(record["label"]["error_details"]["error_type"])


def sample(
    records: Iterable[Record], *, per_stratum: int, seed: int = 0, per_problem: int | None = None
) -> list[Record]:
    """Draw at most `per_stratum` records of each stratum tier × position × type, at most `per_problem` of one problem in each.

    The records drawn from a stratum depend on the seed and on that stratum's records alone, not on their order. Memory
    holds the records drawn or, with `per_problem`, those drawn for each problem.
    """
    drawn: dict[Stratum, dict[str, list[Ticket]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        name = record["flaw_id"]
        ticket = Random(f"{seed}:{name}".encode("utf-8", "surrogatepass")).random(), name, record
        group, most = ("", per_stratum) if per_problem is None else (record["problem_id"], per_problem)
        _keep(drawn[stratum_of(record)][group], ticket, most)
    return [
        record
        for stratum in sorted(drawn)
        for _, _, record in heapq.nlargest(per_stratum, itertools.chain(*drawn[stratum].values()), key=_by_number)
    ]


Ticket = tuple[float, str, Record]
"""The draw of a record, its id, which decides between equal draws, and the record."""


def _keep(heap: list[Ticket], ticket: Ticket, most: int) -> None:
    """Keep the highest tickets."""
    if len(heap) < most:
        heapq.heappush(heap, ticket)
    elif ticket[:2] > heap[0][:2]:
        heapq.heapreplace(heap, ticket)


def _by_number(ticket: Ticket) -> tuple[float, str]:
    return ticket[:2]


def read_flaws(path: Path) -> Iterator[Record]:
    """Yield the flawed solutions of a file.

    Raises:
        HarnessError: the file cannot be read, or a record is no flawed solution.
    """
    for number, record in read_records(path):
        try:
            names: list[Any] = [record["flaw_id"], record["problem_id"], *stratum_of(record)]
        except (ValueError, KeyError, TypeError):
            names = [None]
        if not all(isinstance(name, str) for name in names):
            message = f"{path}:{number}: expected a flawed solution of the mutation stage, found {ascii(record)[:80]}"
            raise HarnessError(message)
        yield record
