"""What is there to review, found again in a moment among two hundred thousand records?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Stratum:
    """What shortlists are drawn by: the tier of the problem, where the error is, and its type."""

    tier: str
    position: str
    error_type: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A flawed solution that a person is to read; `version` is a digest of the whole `record`, `candidate_id` its `flaw_id`."""

    candidate_id: str
    version: str
    tier: str
    position: str
    error_type: str
    operator: str
    plausibility: float
    needs_edit: bool
    problem_id: str
    record: Mapping[str, Any]

    @property
    def stratum(self) -> Stratum:
        """Return what shortlist it belongs to."""
        return Stratum(self.tier, self.position, self.error_type)


@dataclass(frozen=True, slots=True)
class Texts:
    """What a person writes: the lines of the flawed solution, the last one `#### 72` included, and the explanation."""

    lines: tuple[str, ...]
    explanation: str

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Texts:
        """Return the texts that a record came with."""
        return cls(tuple(record["flawed_solution"].split("\n")), record["label"]["error_details"]["explanation"])

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"lines": list(self.lines), "explanation": self.explanation}


class Candidates:
    """The index of the records of some files; they are read from their files when asked for."""

    @classmethod
    def open(cls, paths: Sequence[Path], *, cache: Path) -> Candidates:
        """Open the index of the files (folders stand for the JSONL files in them), building it where it is not up to date.

        Raises:
            HarnessError: a path is missing or cannot be read, or nothing in the files is a candidate.
        """
        raise NotImplementedError

    def __len__(self) -> int:
        """Return how many candidates there are."""
        raise NotImplementedError

    def get(self, candidate_id: str) -> Candidate:
        """Return a candidate with its record.

        Raises:
            HarnessError: there is none of that id, or its file was changed since.
        """
        raise NotImplementedError

    @property
    def strata(self) -> Mapping[Stratum, int]:
        """Return how many candidates each stratum holds, in order."""
        raise NotImplementedError

    @property
    def rejected(self) -> Mapping[str, int]:
        """Return how many lines of the files are no candidates, by reason."""
        raise NotImplementedError

    def values(self, column: str) -> Iterable[str]:
        """Return the values that occur of `tier`, `position`, `error_type` or `operator`, in order: what filters offer."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the index."""
        raise NotImplementedError
