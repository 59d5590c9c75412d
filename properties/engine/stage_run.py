"""The claims and verdicts of a stage: kept by many processes and sessions until the stage can be sealed."""

from __future__ import annotations

import itertools
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from harness.domain import Verdict
from harness.json_form import json_form, read_record
from harness.store.run_folder import MemoryShard, Shard, Stage, merge_lines
from harness.store.spool import ShardIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.records.formalization import ConsensusRecord
    from properties.engine.inputs import SessionInputs

RARELY = (20_000, 10, 5)
"""Thresholds of the garbage collector: a stage makes hardly any cycles, and looking for them takes a tenth of its time."""
PROGRAM = "program"
"""The name in place of a claim in a shard's line that holds the record of a formalization, not a verdict."""
Key = tuple[str, str, str, str]
"""The key of a claim within a run: its name, the problem, the left model and, for a pair, the right model."""


def verdict_key(record: dict[str, Any]) -> Key:
    """Return the key of a verdict's JSON form."""
    # Interned: a run of 200,000 claims has few different names.
    return tuple(map(sys.intern, (record["claim"], record["problem_id"], record["left"], record["right"] or "")))  # type: ignore[return-value]  # four of four


@dataclass(slots=True)
class EarlierVerdicts(Mapping[Key, str]):
    """The verdicts in the shards of an unsealed stage by key, as JSON lines, which are read again when they are asked for."""

    index: ShardIndex
    _last: tuple[str, dict[Key, str]] | None = None

    def of(self, problem_id: str) -> dict[Key, str]:
        """Return the verdicts on a problem."""
        if self._last is None or self._last[0] != problem_id:
            lines = merge_lines(self.index.lines(problem_id), verdict_key)
            self._last = problem_id, {key: line for key, line in lines.items() if key[0] != PROGRAM}
        return self._last[1]

    def __getitem__(self, key: Key) -> str:
        return self.of(key[1])[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and key in self.of(key[1])

    def __iter__(self) -> Iterator[Key]:
        for problem_id in self.index.problem_ids():
            yield from self.of(problem_id)

    def __len__(self) -> int:
        return sum(len(self.of(problem_id)) for problem_id in self.index.problem_ids())


@dataclass(slots=True)
class StageClaims:
    """The verdicts of one stage: those of earlier sessions by key, and this process's shard."""

    stage: Stage
    known: Mapping[Key, str]
    shard: Shard
    _index: ShardIndex | None = None
    _known_lines: dict[str, dict[Key, str]] | None = None

    @classmethod
    def open(cls, inputs: SessionInputs, name: str) -> StageClaims:
        """Open a stage of the session's run and read what earlier sessions judged.

        A finished run of the default name is judged afresh: its results are the same by construction, so nothing is
        lost. So is a claim that the command names by its id.
        """
        stage = inputs.run.stage(name)
        known: Mapping[Key, str] = {}
        if inputs.reproduced:
            pass
        elif not stage.sealed:
            known = EarlierVerdicts(ShardIndex.snapshot(stage.folder / "shards"))
        elif inputs.named:
            known = merge_lines(stage.lines("verdicts.jsonl"), verdict_key)
        return cls(stage, known, stage.shard(inputs.worker))

    def part(self) -> StageClaims:
        """Return the claims of a part of the stage: none is judged yet, and verdicts stay in memory."""
        return StageClaims(self.stage, {}, MemoryShard(self.shard.path))

    def kept(self, key: Key) -> Verdict | None:
        """Return the verdict of an earlier session on a claim."""
        line = self.known.get(key)
        return None if line is None else read_record(Verdict, json.loads(line))

    def keep(self, verdict: Verdict) -> Verdict:
        """Write a verdict and return it."""
        self.shard.append(json_form(verdict))
        return verdict

    def lines_of(self, problem_id: str) -> dict[Key, str]:
        """Return the verdicts on a problem, of earlier sessions and of all processes of this one, as JSON lines."""
        if self._index is None:
            self._index = ShardIndex(self.stage.folder / "shards")
        return {**merge_lines(self._index.lines(problem_id), verdict_key), **self._known_of(problem_id)}

    def _known_of(self, problem_id: str) -> dict[Key, str]:
        if isinstance(self.known, EarlierVerdicts):
            return self.known.of(problem_id)
        if self._known_lines is None:
            self._known_lines = {}
            for key, line in self.known.items():
                self._known_lines.setdefault(key[1], {})[key] = line
        return self._known_lines.get(problem_id, {})


@dataclass(frozen=True, slots=True)
class StageRecords:
    """The verdicts and products of a part of a stage, as JSON lines."""

    verdicts: bytes
    made: bytes = b""


def memory_content(shard: Shard) -> bytes:
    """Return the lines that a part of a stage has written."""
    assert isinstance(shard, MemoryShard)
    return bytes(shard.content)


@dataclass(slots=True)
class StageRun(ABC):
    """A stage of one run as the plugin drives it; each process of a session has its own."""

    no_claim: ClassVar[frozenset[str]] = frozenset()
    """The methods of verdicts on what is not a claim; such items are skipped."""

    inputs: SessionInputs
    claims: StageClaims

    def note(self) -> str | None:
        """Return a message about the items of this stage to print before they run."""
        return None

    @property
    def nothing(self) -> str | None:
        """Return the message to a user whose inputs leave nothing to judge, if that is a mistake."""
        return None

    def problem_ids(self) -> list[str]:
        """Return the ids of all problems that claims may be about, sorted."""
        return sorted(self.inputs.problems)

    @abstractmethod
    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""

    def names(self, key: Key) -> tuple[str, ...]:
        """Return the names of which the item of a claim has its id, problem first."""
        return key[1:] if key[3] else key[1:3]

    def decide(self, key: Key) -> Verdict:
        """Judge the claim of a key, or return the verdict of an earlier session."""
        return self.claims.kept(key) or self.claims.keep(self.verdict(key))

    @abstractmethod
    def verdict(self, key: Key) -> Verdict:
        """Judge the claim of a key."""

    @abstractmethod
    def finish(self) -> int:
        """Seal the stage if nothing is missing, else leave it to be continued; return the number of claims that are still open."""

    def part(self, problem_ids: Sequence[str]) -> StageRun:
        """Return the stage of some problems and their answers alone, which any process can judge.

        It holds all that judging needs and can be pickled; its verdicts stay in memory until `part_records` are taken.
        """
        return replace(self, inputs=self.inputs.part(problem_ids), claims=self.claims.part())

    def part_records(self) -> StageRecords:
        """Return the verdicts and products of a part of a stage."""
        return StageRecords(memory_content(self.claims.shard))

    def keep(self, records: StageRecords) -> None:
        """Write the verdicts and products of a part of this stage."""
        self.claims.shard.write(records.verdicts)

    def load(self) -> None:  # noqa: B027  # as close
        """Attach the resources that a process keeps from one part of the stage to the next."""

    def prepare(self) -> None:  # noqa: B027  # as close
        """Make what is made faster for all problems at once, in the one process that works before the stage is judged."""

    def close(self) -> None:  # noqa: B027  # most stages need nothing
        """End the processes and solvers that judging used here."""

    def begin(self, judging: StageRun | None) -> None:  # noqa: B027  # as close
        """Note the formalization stage that this session judges, `None` where it judges none.

        Raises:
            HarnessError: the stage cannot be made so.
        """

    def consensus_of(self, problem_id: str) -> ConsensusRecord | None:  # noqa: ARG002  # most stages give none
        """Return the consensus on a problem before the stage is sealed, if the stage has one."""
        return None

    def probabilities_of_oracles(self) -> Mapping[str, float]:
        """Return by problem the probability that its oracle is right, if the stage has one, sealed or not."""
        return {}


@dataclass(slots=True)
class WholeStageRun(StageRun):
    """A stage that is sealed from all of its verdicts at once."""

    @abstractmethod
    def seal(self, expected: list[Key], lines: dict[Key, str]) -> None:
        """Seal the stage with the verdicts of all expected claims, which are sorted."""

    def finish(self) -> int:
        """Seal the stage if nothing is missing, else leave it to be continued; return the number of claims that are still open."""
        self.close()
        self.claims.shard.close()
        stage, known, expected = self.claims.stage, self.claims.known, sorted(self.expected())
        lines = merge_lines(itertools.chain(known.values(), stage.shard_lines()), verdict_key)
        missing = sum(key not in lines for key in expected)
        if stage.sealed and (missing or all(key in known for key in expected)):
            stage.tidy()
            return 0
        if not missing:
            self.seal(expected, lines)
        return missing
