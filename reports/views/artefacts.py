"""Access to the artefacts of a run's sealed stages, each compared with its manifest before it is read."""

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from harness.errors import HarnessError
from harness.json_form import read_record
from harness.records.verifier import Consistency, EngineComparison, EngineFigures
from harness.stages import FORMALIZATION, STAGE_BY_NAME, STAGES, VERIFIER
from reports.views.engine_records import JudgedAnswer, JudgedItem
from reports.views.records import (
    Consensus,
    DiscardedChange,
    DiscardedEdit,
    Flaw,
    Problem,
    Program,
    Trace,
    TraceVerdict,
    Variant,
    Verdict,
)

_REPORTED = tuple(stage.name for stage in STAGES if stage.artefacts)


class ReportError(HarnessError):
    """An error in the input or in a run: it is shown as one message without a traceback."""


class RunNotFoundError(ReportError):
    """No run has this name or path."""


class NotSealedError(ReportError):
    """The stage has not finished: its manifest is missing, unreadable or not sealed."""


class TamperedError(ReportError):
    """An artefact differs from what its manifest sealed."""


@dataclass(frozen=True, slots=True)
class SealedStage:
    """A stage whose artefacts were all compared with the manifest when it was opened."""

    run: Path
    manifest: Mapping[str, Any]
    name: str = FORMALIZATION

    def problems(self) -> Iterator[Problem]:
        """Yield the problems in the order of the artefact."""
        return cast("Iterator[Problem]", self._records("problems.jsonl"))

    def programs(self, problem_id: str | None = None) -> Iterator[Program]:
        """Yield the programs, or those of one problem if `problem_id` is given."""
        return cast("Iterator[Program]", self._records("programs.jsonl", problem_id))

    def verdicts(self, problem_id: str | None = None) -> Iterator[Verdict]:
        """Yield the verdicts, or those of one problem if `problem_id` is given."""
        return cast("Iterator[Verdict]", self._records("verdicts.jsonl", problem_id))

    def consensus(self, problem_id: str | None = None) -> Iterator[Consensus]:
        """Yield the cliques, or that of one problem if `problem_id` is given."""
        return cast("Iterator[Consensus]", self._records("consensus.jsonl", problem_id))

    def traces(self, problem_id: str | None = None) -> Iterator[Trace]:
        """Yield the traces of the template stage, or those of one problem if `problem_id` is given."""
        return cast("Iterator[Trace]", self._records("traces.jsonl", problem_id))

    def tiers(self) -> Iterator[dict[str, Any]]:
        """Yield the computed tier of each problem of the template stage, and the published tier."""
        return self._records("tiers.jsonl")

    def trace_verdicts(self, problem_id: str | None = None) -> Iterator[TraceVerdict]:
        """Yield the verdicts of the template stage, or those of one problem if `problem_id` is given."""
        return cast("Iterator[TraceVerdict]", self._records("verdicts.jsonl", problem_id))

    def flaws(self, problem_id: str | None = None, *, beginning: str | None = None) -> Iterator[Flaw]:
        """Yield the flawed solutions of the mutation stage, of one problem, or those whose ids start with `beginning`."""
        for name in ("computational.jsonl", "conceptual.jsonl"):
            for record in self._records(name, problem_id, beginning=beginning):
                if beginning is None or record["flaw_id"].startswith(beginning):
                    yield cast("Flaw", record)

    def variants(self, problem_id: str | None = None, *, beginning: str | None = None) -> Iterator[Variant]:
        """Yield the variants of the variant stage, of one problem, or those whose ids start with `beginning`."""
        for record in self._records("variants.jsonl", problem_id, beginning=beginning):
            if beginning is None or record["variant_id"].startswith(beginning):
                yield cast("Variant", record)

    def discarded_edits(self) -> Iterator[DiscardedEdit]:
        """Yield the discarded edits of the variant stage."""
        return cast("Iterator[DiscardedEdit]", self._records("discarded.jsonl"))

    def flagged(self) -> Iterator[dict[str, Any]]:
        """Yield the labelled records of the label stage that are refuted, unknown or have a remark."""
        return self._records("flagged.jsonl")

    def discarded(self) -> Iterator[DiscardedChange]:
        """Yield the discarded changes of the mutation stage."""
        return cast("Iterator[DiscardedChange]", self._records("discarded.jsonl"))

    def judged_items(self) -> Iterator[JudgedItem]:
        """Yield the items that the engines of the verifier stage judged."""
        return cast("Iterator[JudgedItem]", self._records("items.jsonl"))

    def answers(self, engine: str) -> Iterator[JudgedAnswer]:
        """Yield the answers of an engine of the verifier stage, in the order of the items."""
        return cast("Iterator[JudgedAnswer]", self._records(f"predictions-{engine}.jsonl"))

    def figures(self) -> Iterator[EngineFigures]:
        """Yield the figures of each engine on each dataset."""
        return (read_record(EngineFigures, form) for form in self._records("figures.jsonl"))

    def engine_comparisons(self) -> Iterator[EngineComparison]:
        """Yield McNemar's test of each pair of engines on each dataset."""
        return (read_record(EngineComparison, form) for form in self._records("comparisons.jsonl"))

    def consistency(self) -> Iterator[Consistency]:
        """Yield the share of metamorphic pairs on which the verdicts of each engine follow the truth."""
        return (read_record(Consistency, form) for form in self._records("consistency.jsonl"))

    def _records(
        self, name: str, problem_id: str | None = None, *, beginning: str | None = None
    ) -> Iterator[dict[str, Any]]:
        path = self.run / self.name / name
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                # 220,000 verdicts: 0.2 s to search the bytes, 1.6 s to parse every line.
                if problem_id is not None and not _may_hold(line, problem_id):
                    continue
                if beginning is not None and not _may_hold(line, beginning, whole=False):
                    continue
                if line.isspace():
                    continue
                try:
                    record = json.loads(line)
                except ValueError as error:
                    message = (
                        f"{path}:{number}: expected one JSON object, found {error}; "
                        f"the stage was sealed with this line: run the stage again in a new folder"
                    )
                    raise TamperedError(message) from error
                if problem_id is None or record["problem_id"] == problem_id:
                    yield record


def open_stage(run: Path, name: str = FORMALIZATION) -> SealedStage:
    """Open a stage of `run` after comparing every artefact with the manifest.

    Raises:
        RunNotFoundError: `run` is not a folder.
        NotSealedError: The stage or its manifest is missing, is not JSON or does not say `"sealed": true`.
        TamperedError: An artefact is missing or has another SHA-256 than the manifest says.
    """
    if not run.is_dir():
        message = f"{run}: expected the folder of a run, found none; list the runs: ls {run.parent}"
        raise RunNotFoundError(message)
    stage = run / name
    if not stage.is_dir():
        message = f"{stage}: the run has no {name} stage; run it: {_command_on(name, run)}"
        raise NotSealedError(message)
    manifest = _sealed_manifest(stage / "manifest.json")
    files = manifest.get("files") or {}
    for needed in STAGE_BY_NAME[name].artefacts:
        if needed not in files:
            message = f"{stage / 'manifest.json'}: expected the file {needed}, which a report needs, found no entry; {_again(stage)}"
            raise NotSealedError(message)
    for file, entry in sorted(files.items()):
        _compare(stage / file, expected=str(entry.get("sha256")))
    return SealedStage(run=run, manifest=manifest, name=name)


def find_run(name: str, *, runs: Path = Path("runs")) -> Path:
    """Find a run by its name under `runs` or by its path.

    Raises:
        RunNotFoundError: Neither is a folder; the message lists the closest names.
    """
    for candidate in (runs / name, Path(name)):
        if any((candidate / stage).is_dir() for stage in _REPORTED):
            return candidate
    there = [path.name for path in _runs_in(runs)]
    there += [str(path) for path in _runs_in(Path(name).parent) if Path(name).parent != Path()]
    closest = get_close_matches(name, there, n=3, cutoff=0.4) or there[:5]
    known = (
        f"did you mean {' or '.join(closest)}?"
        if closest
        else f"{runs}/ holds no run; make one: {STAGE_BY_NAME[FORMALIZATION].command}"
    )
    message = f"{name}: expected a run under {runs}/ or the path of one, found neither; {known}"
    raise RunNotFoundError(message)


def _runs_in(folder: Path) -> list[Path]:
    return sorted({path.parent for stage in _REPORTED for path in folder.glob(f"*/{stage}")})


def command_of(run: Path) -> str:
    """Return the command that reads `run`, quoted for a shell."""
    name = run.name if run == Path("runs") / run.name else str(run)
    return f"oracle-factory report {shlex.quote(name)}"


def _again(stage: Path) -> str:
    return f"run the stage again: {_command_on(stage.name, stage.parent)}"


def _command_on(stage: str, run: Path) -> str:
    """Return the command that makes a stage of a run."""
    command = STAGE_BY_NAME[stage].command
    if stage == VERIFIER:
        return command.replace("runs/NAME", shlex.quote(str(run)))
    return f"{command} --harness-run {shlex.quote(run.name)}"


def _may_hold(line: bytes, text: str, *, whole: bool = True) -> bool:
    """Tell whether a line may hold a string, or a string that begins with `text` if not `whole`."""
    end = None if whole else -1
    return (
        json.dumps(text)[:end].encode() in line
        or json.dumps(text, ensure_ascii=False)[:end].encode(errors="backslashreplace") in line
    )


def _sealed_manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        message = f"{path}: the stage is not sealed (no manifest): it is running or was stopped; {_again(path.parent)}"
        raise NotSealedError(message) from None
    except ValueError as error:
        message = f"{path}: expected a manifest in JSON, found {error}; {_again(path.parent)}"
        raise NotSealedError(message) from error
    if not isinstance(manifest, dict) or manifest.get("sealed") is not True:
        sealed = manifest.get("sealed") if isinstance(manifest, dict) else manifest
        message = f"{path}: expected sealed true, found {sealed!r}: the stage has not finished; {_again(path.parent)}"
        raise NotSealedError(message)
    return manifest


def _compare(path: Path, *, expected: str) -> None:
    try:
        with path.open("rb") as artefact:
            digest = hashlib.file_digest(artefact, "sha256").hexdigest()
    except FileNotFoundError:
        message = f"{path}: the manifest names this file, but it is missing; {_again(path.parent)}"
        raise TamperedError(message) from None
    if digest != expected:
        message = (
            f"{path}: expected sha256 {expected[:12]}…, found {digest[:12]}…: "
            f"it was changed after the stage was sealed; {_again(path.parent)}"
        )
        raise TamperedError(message)
