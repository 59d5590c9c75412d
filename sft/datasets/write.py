"""How do drawn samples become files, none of a protected problem among them?"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from harness.store import dump
from sft.datasets.draw import ticket_of
from sft.datasets.problems import ProblemSample
from sft.items import Sample

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from sft.datasets.draw import Entry
    from sft.datasets.fence import Fence
    from sft.datasets.source import Material

SOLUTIONS, PROBLEMS = "samples", "problems"


@dataclass(slots=True)
class Spool:
    """Samples on disk, so that they can be read in the order of their tickets without being held in memory."""

    fence: Fence
    _file: BinaryIO = field(default_factory=lambda: tempfile.TemporaryFile("w+b"))  # noqa: SIM115  # closed by __exit__
    _places: dict[tuple[str, str], list[tuple[float, int, int]]] = field(default_factory=dict)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def fill(self, drawn: Iterable[tuple[str, Entry, Material]]) -> None:
        """Take in samples with their splits.

        Raises:
            HarnessError: one is of a protected problem.
        """
        for split, entry, sample in drawn:
            self.fence.require(sample.problem_id, sample.question)
            what = PROBLEMS if isinstance(sample, ProblemSample) else SOLUTIONS
            # Tickets that weights have drawn would put what weighs more first.
            order = ticket_of(0, f"order:{sample.sample_id}")
            self._places.setdefault((what, split), []).append((order, entry.number, self._file.tell()))
            self._file.write((dump(sample.record()) + "\n").encode("utf-8", "backslashreplace"))

    def count(self, what: str, split: str) -> int:
        """Return how many there are."""
        return len(self._places.get((what, split), ()))

    def records(self, what: str, split: str) -> Iterator[dict[str, Any]]:
        """Yield the records of a split in an order that says nothing."""
        for *_, place in sorted(self._places.get((what, split), ())):
            self._file.seek(place)
            yield json.loads(self._file.readline())

    def samples(self, split: str) -> Iterator[Sample]:
        """Yield the solutions of a split; the fence is asked of each once more.

        Raises:
            HarnessError: one is of a protected problem.
        """
        for record in self.records(SOLUTIONS, split):
            sample = Sample.of_record(record)
            self.fence.require(sample.problem_id, sample.question)
            yield sample

    def problems(self, split: str) -> Iterator[ProblemSample]:
        """Yield the problems of a split; errors as in `samples`."""
        for record in self.records(PROBLEMS, split):
            sample = ProblemSample.of_record(record)
            self.fence.require(sample.problem_id, sample.question)
            yield sample
