"""The stages of the pipeline with a fingerprint of their inputs: when a stage is done, and how one is resumed."""

import json
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from harness.errors import HarnessError
from harness.paths import ROOT
from harness.store.progress_line import StageProgress, seconds_text
from harness.store.run_folder import RunFolder, Stage, code_fingerprint, fingerprint, sha256_of, write_atomically

T = TypeVar("T")

CLAIM = "inputs.json"
LEFT = "left"
"""The field of a manifest that counts the items for which a stage had no time."""
WRITING = ("harness/smtlib", "sft/constraints")
JUDGING = (*WRITING, "oracles/constraints")
"""The code on which generated programs, and judgements of them, depend."""


@dataclass(slots=True)
class StageWatch:
    """Watches a stage: shows its progress on standard error, and ends it at the time `until` of the monotonic clock."""

    name: str
    until: float = math.inf
    progress: StageProgress = field(init=False)

    def __post_init__(self) -> None:
        self.progress = StageProgress(self.name, sys.stderr)

    @property
    def over(self) -> bool:
        """Tell whether the time of the stage is over."""
        return time.monotonic() >= self.until

    def each(self, items: Iterable[T], total: int) -> Iterator[T]:
        """Yield items, and show how many are done; raises `HarnessError` where the time of the stage is over before the last item; a part of them would be another stage."""
        began = time.monotonic()
        for number, item in enumerate(self.progress.over(items, total), 1):
            yield item
            if self.over and number < total:
                whole = seconds_text((time.monotonic() - began) * total / number)
                message = f"the time of --minutes is over at {number:,} of {total:,} problems; all take about {whole}: give more minutes or a smaller --count"
                raise HarnessError(message)


@dataclass(frozen=True, slots=True)
class PipelineStage:
    """A stage of a run and the fingerprint of its inputs: options, files and earlier stages."""

    stage: Stage
    inputs: str
    began: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> bool:
        """Tell whether the stage is sealed for these inputs."""
        return self.stage.sealed and self.stage.manifest().get("inputs") == self.inputs

    @property
    def finished(self) -> bool:
        """Tell whether the stage is sealed for these inputs, and its time was enough for all of it."""
        return self.done and not self.stage.manifest().get(LEFT)

    def begin(self, keep: str = "") -> Stage:
        """Return the stage to fill; results of an interrupted session on the same inputs are kept, all others are deleted.

        `keep` names the file whose records are kept of a stage that is sealed for the same inputs.
        """
        claim = self.stage.folder / CLAIM
        kept = self.stage.records(keep) if keep and self.done else []
        if self.stage.sealed or not claim.is_file() or json.loads(claim.read_text("utf-8")) != self.inputs:
            self.stage.discard()
        self.stage.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(claim, json.dumps(self.inputs))
        shard = self.stage.shard("kept")
        for record in kept:
            shard.append(record)
        shard.close()
        return self.stage

    def manifest(self, **more: Any) -> dict[str, Any]:
        """Return the manifest: the inputs, the seconds since the start, and further fields, which take precedence."""
        return {"inputs": self.inputs, "seconds": round(time.monotonic() - self.began, 1), **more}

    def seal(self, files: Mapping[str, Iterable[Any]], counts: Mapping[str, Any], **more: Any) -> Stage:
        """Begin the stage, seal it with files and counts, and return it."""
        stage = self.begin()
        stage.seal(dict(files), self.manifest(counts=counts, **more))
        return stage


def stage_for_inputs(
    run: RunFolder, name: str, options: Mapping[str, Any], *inputs: Path, code: Iterable[str] = ()
) -> PipelineStage:
    """Return a stage of a run with the fingerprint of its options, its input files and sealed stages, and the code; errors as in `digest`."""
    given = json.dumps(options, sort_keys=True, default=str)
    return PipelineStage(run.stage(name), fingerprint([given, *map(digest, inputs), code_fingerprint(ROOT, code)]))


def digest(path: Path) -> str:
    """Return a hash of a file, or the hashes of the files of a sealed stage; a missing or unsealed one is a `HarnessError`."""
    if path.is_dir():
        return json.dumps(Stage(path).manifest()["files"], sort_keys=True)
    try:
        return sha256_of(path)
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read ({error.strerror})") from None
