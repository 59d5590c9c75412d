"""A stage of one run: its claims and verdicts, kept by many processes and sessions until the stage can be sealed."""

import importlib
import itertools
import json
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from harness.domain import Problem, Verdict
from harness.json_form import json_form, read_record
from harness.records.formalization import ConsensusRecord
from harness.store.run_folder import MemoryShard, Shard, Stage, dump
from harness.store.spool import ShardIndex
from properties.engine.inputs import SessionInputs

RARELY = (20_000, 10, 5)
"""Thresholds of the garbage collector: a stage makes hardly any cycles, and looking for them takes a tenth of its time."""
RECORD = "record"
"""The name in place of a claim in a shard's line that holds a product of judging under this field, not a verdict."""
_PRODUCT, _FIELD = f'{{"claim":"{RECORD}",', f',"{RECORD}":'
Key = tuple[str, str, str, str]
"""The key of a claim within a run: its name, the problem, the left model and, for a pair, the right model."""
Record = dict[str, Any]


def lines_by_key(lines: Iterable[str]) -> dict[Key, str]:
    """Return the first line of each claim and of each product, without lines that are no JSON; a product itself is not read."""
    found: dict[Key, str] = {}
    for line in lines:
        try:
            record = json.loads(f"{line.partition(_FIELD)[0]}}}" if line.startswith(_PRODUCT) else line)
        except ValueError:
            continue
        # Interned: a run of 200,000 claims has few different names.
        names = (record["claim"], record["problem_id"], record["left"], record["right"] or "")
        claim, problem_id, left, right = map(sys.intern, names)
        found.setdefault((claim, problem_id, left, right), line)
    return found


@dataclass(slots=True)
class StageClaims:
    """The lines of one stage: this process's shard, and the verdicts of earlier sessions, in an unsealed stage or sealed by problem."""

    stage: Stage
    shard: Shard
    earlier: ShardIndex | None = None
    sealed: Mapping[str, dict[Key, str]] = field(default_factory=dict)
    _now: ShardIndex | None = None
    _last: tuple[str, dict[Key, str]] | None = None

    @classmethod
    def open(cls, inputs: SessionInputs, name: str) -> Self:
        """Open a stage of the session's run and read what earlier sessions judged.

        A finished run of the default name is judged afresh: its results are the same by construction, so nothing is
        lost. So is a claim that the command names by its id.
        """
        stage = inputs.run.stage(name)
        claims = cls(stage, stage.shard(inputs.worker))
        if not inputs.reproduced and not stage.sealed:
            claims.earlier = ShardIndex.snapshot(stage.folder / "shards")
        elif not inputs.reproduced and inputs.named:
            sealed: dict[str, dict[Key, str]] = {}
            for key, line in lines_by_key(stage.stream("verdicts.jsonl")).items():
                sealed.setdefault(key[1], {})[key] = line
            claims.sealed = sealed
        return claims

    def part(self) -> Self:
        """Return the claims of a part of the stage: none is judged yet, and what is written stays in memory."""
        return type(self)(self.stage, MemoryShard(self.shard.path))

    def known(self, problem_id: str) -> dict[Key, str]:
        """Return the lines of earlier sessions on a problem."""
        if self.earlier is None:
            return self.sealed.get(problem_id, {})
        if self._last is None or self._last[0] != problem_id:
            self._last = problem_id, lines_by_key(self.earlier.lines(problem_id))
        return self._last[1]

    def count_known(self) -> int:
        """Return the number of claims that earlier sessions judged."""
        problem_ids = self.sealed if self.earlier is None else self.earlier.problem_ids()
        return sum(key[0] != RECORD for problem_id in problem_ids for key in self.known(problem_id))

    def lines_of(self, problem_id: str) -> dict[Key, str]:
        """Return the lines on a problem, of earlier sessions and of all processes of this one."""
        if self._now is None:
            self._now = ShardIndex(self.stage.folder / "shards")
        return lines_by_key(self._now.lines(problem_id)) | self.known(problem_id)

    def keep(self, verdict: Verdict) -> Verdict:
        """Write a verdict and return it."""
        self.shard.append(json_form(verdict))
        return verdict

    def keep_product(self, problem_id: str, left: str, product: Any) -> None:
        """Write a product, before the verdicts that rest on it: a process that has a verdict then has its product, too."""
        names = {"claim": RECORD, "problem_id": problem_id, "left": left, "right": None}
        self.shard.append({**names, RECORD: product})

    def product(self, problem_id: str, left: str, lines: Mapping[Key, str] | None = None) -> Any:
        """Return a product that any process wrote, `None` if there is none."""
        line = (self.lines_of(problem_id) if lines is None else lines).get((RECORD, problem_id, left, ""))
        return None if line is None else json.loads(line)[RECORD]


@dataclass(slots=True)
class StageCounts:
    """Counts of what a stage seals, table by table, made while its files are written."""

    by: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, table: str, name: str, number: int = 1) -> None:
        """Count a number more of a name."""
        self.by.setdefault(table, Counter())[name] += number

    def tables(self) -> dict[str, dict[str, int]]:
        """Return the tables and their names, sorted."""
        return {name: dict(sorted(counter.items())) for name, counter in sorted(self.by.items())}


@dataclass(slots=True)
class StageRun(ABC):
    """A stage of one run as a session drives it; each process of a session has its own."""

    stage: ClassVar[str]
    no_claim: ClassVar[frozenset[str]] = frozenset()
    """The methods of verdicts on what is not a claim; such items are skipped."""

    inputs: SessionInputs
    claims: StageClaims

    @classmethod
    def open(cls, inputs: SessionInputs) -> Self:
        """Open the stage of a session's run; a stage that reads files of its own raises a `HarnessError` where it cannot."""
        return cls(inputs, StageClaims.open(inputs, cls.stage))

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
    def claims_of(self, problem_id: str, lines: Iterable[Key] = ()) -> Iterator[Key]:
        """Yield the keys of a problem's claims; `lines` are the keys of what is written about it."""

    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""
        return itertools.chain.from_iterable(map(self.claims_of, self.problem_ids()))

    def names(self, key: Key) -> tuple[str, ...]:
        """Return the names of which the item of a claim has its id, problem first."""
        return key[1:] if key[3] else key[1:3]

    def decide(self, key: Key) -> Verdict:
        """Judge the claim of a key, or return the verdict of an earlier session."""
        line = self.claims.known(key[1]).get(key)
        return self.claims.keep(self.verdict(key)) if line is None else read_record(Verdict, json.loads(line))

    @abstractmethod
    def verdict(self, key: Key) -> Verdict:
        """Judge the claim of a key."""

    def finish(self) -> int:
        """Seal the stage if nothing is missing, else leave it to be continued; return the number of claims that are still open."""
        self.claims.shard.close()
        missing = unknown = 0
        for problem_id in self.problem_ids():
            lines, known = self.claims.lines_of(problem_id), self.claims.known(problem_id)
            keys = list(self.claims_of(problem_id, lines))
            missing += sum(key not in lines for key in keys)
            unknown += sum(key not in known for key in keys)
        if self.claims.stage.sealed and (missing or not unknown):
            self.claims.stage.tidy()
            missing = 0
        elif not missing:
            self.seal()
        return missing

    def seal(self) -> None:
        """Seal the verdicts, sorted by claim, and the files of the stage, counted while they are written."""
        keys, counts = sorted(self.expected()), StageCounts()
        files: dict[str, Iterable[Record | str]] = {
            "verdicts.jsonl": self._verdict_lines(keys, counts),
            **self.files(sorted({key[1] for key in keys}), counts),
        }
        self.claims.stage.seal(files, lambda: {**self.inputs.manifest(), **self.details(len(keys), counts)})

    def _verdict_lines(self, keys: Iterable[Key], counts: StageCounts) -> Iterator[str]:
        for problem_id, own in itertools.groupby(keys, key=lambda key: key[1]):
            lines = self.claims.lines_of(problem_id)
            for key in own:
                self.count(json.loads(lines[key]), counts)
                yield lines[key]

    def count(self, verdict: Record, counts: StageCounts) -> None:  # noqa: B027  # most stages need nothing
        """Count a verdict that is sealed."""

    def files(self, problem_ids: Sequence[str], counts: StageCounts) -> dict[str, Iterable[Record | str]]:  # noqa: ARG002  # for stages with other files
        """Return the files that are sealed after the verdicts, of the problems that claims are about."""
        return {}

    def details(self, claims: int, counts: StageCounts) -> Record:  # noqa: ARG002  # for stages that count the claims
        """Return what the manifest says besides the inputs, when the files are written."""
        return {"counts": counts.tables()}

    def problem_records(self, problem_ids: Iterable[str]) -> Iterator[Record]:
        """Yield the problems as a stage seals them; a rejected record may name one that the corpus lacks."""
        for name in problem_ids:
            yield json_form(self.inputs.problems.get(name, Problem(name, question="", solution="", gold=None)))

    def part(self, problem_ids: Sequence[str]) -> Self:
        """Return the stage of some problems and their answers alone, which any process can judge.

        It holds all that judging needs and can be pickled; what it writes stays in memory until `part_lines` are taken.
        """
        return replace(self, inputs=self.inputs.part(problem_ids), claims=self.claims.part())

    def part_lines(self) -> bytes:
        """Return the lines that a part of the stage has written."""
        assert isinstance(self.claims.shard, MemoryShard)
        return bytes(self.claims.shard.content)

    def prepare(self) -> None:  # noqa: B027  # most stages need nothing
        """Make what is made faster for all problems at once, in the one process that works before the stage is judged."""

    def begin(self, judging: "StageRun | None") -> None:  # noqa: B027  # most stages need nothing
        """Note the formalization stage that this session judges, `None` where it judges none; a stage that cannot be made so raises a `HarnessError`."""

    def consensus_of(self, problem_id: str) -> ConsensusRecord | None:  # noqa: ARG002  # most stages give none
        """Return the consensus on a problem before the stage is sealed, if the stage has one."""
        return None

    def probabilities_of_oracles(self) -> Mapping[str, float]:
        """Return by problem the probability that its oracle is right, if the stage has one, sealed or not."""
        return {}


def open_stage_run(name: str, inputs: SessionInputs) -> StageRun:
    """Open a stage, whose module and class have its name; errors as in `StageRun.open`."""
    module = importlib.import_module(f"properties.stages.{name}")
    stage: type[StageRun] = getattr(module, f"{name.title()}Run")
    return stage.open(inputs)


REFUTED = dump({"status": "REFUTED"})[1:-1]
"""The text that marks the line of a refuted claim; in a model's text its quotes would be escaped."""
