"""Sealed stages of a run, whose artefacts are compared with the manifest before they are read, and the commands that make and read them."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from harness.command_line.runnable_commands import runnable
from harness.command_line.session_options import REPRODUCTION_DEFAULTS
from harness.domain import Problem, Verdict
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, RecordClass, read_record
from harness.records.formalization import CalibrationRecord, ConsensusRecord, ModelRecord, ProgramRecord
from harness.records.label import DiagnosedSolution, FlaggedRecord, FlaggedSolution
from harness.stages import FORMALIZATION, LABEL, SMT, SMT_VALIDATE, STAGE_BY_NAME, STAGES, VERIFIER
from harness.store.run_folder import Stage, run_option, with_stage
from harness.text.characters import one_line, replace_surrogates

_REPORTED = tuple(stage.name for stage in STAGES if stage.artefacts)
_LOOKED_UP = tuple(name for name in _REPORTED if name not in {SMT, SMT_VALIDATE})
"""The stages by which `latest` is found unless a reader names others: constraint problems come from no corpus."""
Part = TypeVar("Part")
_SEALED_SO = "the stage was sealed with this line: run the stage again in a new folder"


class RunNotFoundError(HarnessError):
    """No run has this name or path."""


@dataclass(frozen=True, slots=True)
class SealedStage:
    """A stage whose artefacts were all compared with the manifest when it was opened."""

    run: Path
    manifest: Mapping[str, Any]
    name: str = FORMALIZATION

    def problems(self) -> Iterator[Problem]:
        """Yield the problems in the order of the artefact."""
        return self.records(Problem, "problems.jsonl")

    def programs(self, problem_id: str | None = None) -> Iterator[ProgramRecord]:
        """Yield the programs, or those of one problem if `problem_id` is given."""
        return self.records(ProgramRecord, "programs.jsonl", problem_id)

    def verdicts(self, problem_id: str | None = None) -> Iterator[Verdict]:
        """Yield the verdicts, or those of one problem if `problem_id` is given."""
        return self.records(Verdict, "verdicts.jsonl", problem_id)

    def consensus(self, problem_id: str | None = None) -> Iterator[ConsensusRecord]:
        """Yield the cliques, or that of one problem if `problem_id` is given."""
        return self.records(ConsensusRecord, "consensus.jsonl", problem_id)

    def calibration(self) -> Iterator[CalibrationRecord]:
        """Yield the calibration of the run's probabilities."""
        return self.records(CalibrationRecord, "calibration.jsonl")

    def models(self) -> Iterator[ModelRecord]:
        """Yield how good each model of the run is."""
        return self.records(ModelRecord, "models.jsonl")

    def flagged(self) -> Iterator[FlaggedRecord]:
        """Yield the labelled records of the label stage that are refuted, unknown or have a remark; what could be read has its label."""
        for number, form in self.numbered_forms("flagged.jsonl"):
            diagnosed = DiagnosedSolution if "rows" in form else FlaggedRecord
            record_class = FlaggedSolution if "label" in form else diagnosed
            yield self.record(record_class, form, f"flagged.jsonl:{number}")

    def records(
        self, record_class: type[RecordClass], name: str, problem_id: str | None = None, *, beginning: str = ""
    ) -> Iterator[RecordClass]:
        """Yield the records of an artefact, of one problem, or those that may hold a string that starts with `beginning`.

        Raises a HarnessError if a line is not a record of the class.
        """
        for number, form in self.numbered_forms(name, problem_id, beginning=beginning):
            yield self.record(record_class, form, f"{name}:{number}")

    def record(self, record_class: type[RecordClass], form: Any, place: str) -> RecordClass:
        """Return a record of a JSON object that stands at a place, which errors name; errors as in `records`."""
        try:
            return read_record(record_class, form)
        except MalformedRecordError:
            # A question may hold a lone surrogate; texts of limited length in a record class may not.
            try:
                return read_record(record_class, replace_surrogates(form))
            except MalformedRecordError as error:
                raise HarnessError(f"{self.folder / place}: {error}; {_SEALED_SO}") from None

    @property
    def folder(self) -> Path:
        """Return the folder of the stage."""
        return self.run / self.name

    def forms(self, name: str) -> Iterator[Any]:
        """Yield the JSON value of each line of an artefact; errors as in `records`."""
        return (form for _, form in self.numbered_forms(name))

    def numbered_forms(
        self, name: str, problem_id: str | None = None, *, beginning: str = ""
    ) -> Iterator[tuple[int, Any]]:
        """Yield the numbers of lines and their JSON values, all, or those that `records` asks for; raises a HarnessError if one is not JSON."""
        # An id is sought with its quotes: the digits of a number stand in most lines.
        wanted, end = (beginning, -1) if problem_id is None else (problem_id, None)
        texts = (json.dumps(wanted, ensure_ascii=ascii_only)[:end] for ascii_only in (True, False))
        asked = [text.encode(errors="backslashreplace") for text in texts] if wanted else [b""]
        with (self.folder / name).open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                # 220,000 verdicts: 0.2 s to search the bytes, 1.6 s to parse every line.
                if line.isspace() or not any(text in line for text in asked):
                    continue
                try:
                    form = json.loads(line)
                except ValueError as error:
                    message = f"{self.folder / name}:{number}: expected one JSON object, found {error}; {_SEALED_SO}"
                    raise HarnessError(message) from error
                if problem_id is None or form["problem_id"] == problem_id:
                    yield number, form


def open_stage(run: Path, name: str = FORMALIZATION) -> SealedStage:
    """Open a stage of `run` after comparing every artefact with the manifest.

    Raises a RunNotFoundError if `run` is not a folder; a HarnessError if the stage or its manifest is missing, is not JSON or does not say `"sealed": true`, or an artefact is missing or has another SHA-256 than the manifest says.
    """
    if not run.is_dir():
        raise RunNotFoundError(f"{run}: expected the folder of a run, found none; list the runs: ls {run.parent}")
    stage = run / name
    if not stage.is_dir():
        raise HarnessError(f"{stage}: the run has no {name} stage; run it: {command_on(name, run)}")
    sealed, again = Stage(stage), command_on(name, run)
    try:
        manifest = sealed.manifest()
        sealed.require_unchanged()
    except HarnessError as error:
        raise HarnessError(f"{error}: {again}") from None
    for needed in STAGE_BY_NAME[name].artefacts:
        if needed not in manifest["files"]:
            message = f"{sealed.manifest_path}: expected the file {needed}, which a report needs, found no entry; remove {stage} and run the stage again: {again}"
            raise HarnessError(message)
    return SealedStage(run=run, manifest=manifest, name=name)


def find_run(name: str, *stages: str, runs: Path = Path("runs")) -> Path:
    """Find a run by its name under `runs` or by its path; `latest` is the one that sealed one of the stages last.

    Raises a RunNotFoundError if neither is a folder; the message lists the closest names.
    """
    for path in (runs / name, Path(name)):
        candidate = with_stage(path, *(stages or _LOOKED_UP))
        if any((candidate / stage).is_dir() for stage in _REPORTED):
            return candidate
    foreign = next((path for path in (Path(name), runs / name) if path.is_dir()), None)
    if foreign is not None:
        # A folder with a step of the constraint pipeline is a run of it that was begun.
        begun = SMT_VALIDATE if any(foreign.glob("smt-*")) else FORMALIZATION
        stages_of_runs = ", ".join(_REPORTED)
        message = f"{foreign}: expected a run, a folder with a stage ({stages_of_runs}), found none of them; make one: {command_on(begun, foreign)}"
        raise RunNotFoundError(message)
    there = [path.name for path in _runs_in(runs)]
    there += [str(path) for path in _runs_in(Path(name).parent) if Path(name).parent != Path()]
    closest = get_close_matches(name, there, n=3, cutoff=0.4) or there[:5]
    make = runnable(STAGE_BY_NAME[FORMALIZATION].command)
    known = f"did you mean {' or '.join(closest)}?" if closest else f"{runs}/ holds no run; make one: {make}"
    raise RunNotFoundError(f"{name}: expected a run under {runs}/ or the path of one, found neither; {known}")


def _runs_in(folder: Path) -> list[Path]:
    return sorted({path.parent for stage in _REPORTED for path in folder.glob(f"*/{stage}")})


def command_of(run: Path) -> str:
    """Return the command that reads `run`, as a person can type it here."""
    name = run.name if run == Path("runs") / run.name else str(run)
    return runnable(f"oracle-factory report {shlex.quote(name)}")


def require_problem(parts: Mapping[str, Part], problem_id: str, artefact: str, *, stage: str = FORMALIZATION) -> Part:
    """Return the entry of a problem. Raises a HarnessError if the artefact names a problem that `problems.jsonl` lacks."""
    try:
        return parts[problem_id]
    except KeyError:
        raise HarnessError(
            f"{artefact}: names the problem {problem_id}, which problems.jsonl lacks; "
            f"run the stage again in a new folder: {runnable(STAGE_BY_NAME[stage].command)}"
        ) from None


_BUNDLED = ("mini", ["formalizations.jsonl", "annotation"])
_SELECTION = ("problems", "slice")
_FILES = ("formalizations", "labels", "solutions")
_LONGEST_NAME = 255
"""The most bytes that file systems take; more than these raise an error when they are looked up."""


def command_on(stage: str, run: Path) -> str:
    """Return the command that makes a stage of a run, whether or not the environment is activated.

    A run holds the names of its files of formalizations and labels, not their folders: of a file that is not here, the folder is
    `FOLDER`, to be completed. Labels are named for the stage that audits them alone.
    """
    command = runnable(STAGE_BY_NAME[stage].command)
    if stage == VERIFIER:
        return command.replace("runs/NAME", shlex.quote(str(run)))
    if stage == SMT_VALIDATE:
        return f"{command} --run {shlex.quote(str(run))}"
    return " ".join([command, run_option(run), *map(shlex.quote, _options(stage, run))])


def _options(stage: str, run: Path) -> Iterator[str]:
    """Yield the options of a run that differ from the defaults; its own problems are the corpus if it is not the bundled one."""
    recorded = _recorded(run)
    if "corpus" not in recorded:
        return
    if (recorded["corpus"], recorded.get("formalizations")) == _BUNDLED:
        recorded["formalizations"] = []
    problems = run / FORMALIZATION / "problems.jsonl"
    own = recorded["corpus"] != "mini" and problems.is_file()
    if own:
        recorded["corpus"] = str(problems)
    left_out = {*(_SELECTION if own else ()), *(() if stage == LABEL else ("labels", "solutions"))}
    for name, default in REPRODUCTION_DEFAULTS.items():
        value = default if name in left_out else recorded.get(name, default)
        repeated = value if isinstance(value, list) else []
        for text in repeated if isinstance(default, list) else [_quoted(value)]:
            if text != _quoted(default):
                placed = _file_name(str(text)) if name in _FILES else str(text)
                yield f"--harness-{name.replace('_', '-')}={one_line(placed, limit=400)}"


def _file_name(name: str) -> str:
    """Return a file as it can be named here; a name without an ending is that of a formalizer."""
    is_here = not Path(name).suffix or (len(name.encode("utf-8", "replace")) <= _LONGEST_NAME and Path(name).exists())
    return name if is_here else f"FOLDER/{name}"


def _recorded(run: Path) -> dict[str, Any]:
    """Return the options in the manifest of the first sealed stage, none where no manifest can be read."""
    for stage in STAGES:
        try:
            manifest = json.loads((run / stage.name / "manifest.json").read_text(encoding="utf-8"))
            return {**manifest["options"], "seed": manifest["seed"]}
        except (OSError, ValueError, RecursionError, TypeError, KeyError):  # another message reports a broken manifest
            continue
    return {}


def _quoted(value: object) -> str:
    """Return a value as it is written on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
