"""The stages of `oracle-factory run`, one after the other in one run folder; a sealed stage is not made again."""

import io
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from rich.console import Console

from harness.command_line.option_types import names_of
from harness.corpora.field_roles import FieldNames
from harness.corpora.problems import SelectedProblems, answers_of, load_corpus
from harness.errors import HarnessError
from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, STAGE_BY_NAME, VARIANT
from harness.store.progress_line import StageProgress
from harness.store.run_folder import LOCK, RunFolder, held_lock
from harness.text.characters import one_line
from harness.text.nouns import counted
from properties.engine.engines import Engine, LocalPool, RayCluster, judge_stage
from properties.engine.inputs import OptionNames, RunSettings, SessionInputs, open_inputs
from properties.engine.problem_sources import SourceSelection, bind_rule
from properties.engine.stage_run import open_stage_run
from properties.factory.funnel_counts import seal_funnel
from properties.factory.options import EngineName, FactoryOptions, JudgeOptions
from reports.stage_pages import write_stage_page
from reports.terminal.stages import print_stage
from sft.datasets.command import DatasetOptions, dataset_code, make_datasets, protected_digests
from sft.datasets.leakage import read_evaluation
from sft.datasets.levels import Level
from sft.datasets.output import MANIFEST, DatasetFolder
from sft.datasets.sources import RunSource

UNMADE = 1
RUNS = Path("runs")
"""The default folder of runs."""
MADE = (FORMALIZATION, MUTATION, VARIANT)


def run_factory(options: FactoryOptions) -> int:
    """Run all stages that are not sealed yet, and show the result; return the exit status.

    Raises:
        HarnessError: an option or a file cannot be used, the folder is in use or holds something else, or a process died.
    """
    if not math.isfinite(options.min_confidence):
        raise HarnessError(f"--min-confidence: expected a number such as 0.5, found {options.min_confidence}")
    require_folder(options.out)
    datasets, engine = DatasetStage.of(options), engine_of(options)
    with held_lock(options.out, "--out"):
        inputs = opened_inputs(options)
        sys.stderr.write(inputs_text(inputs) + unanswered_text(inputs))
        for name in MADE:
            judge_and_seal(name, inputs, engine)
        mutation, samples = inputs.run.stage(MUTATION), STAGE_BY_NAME[MUTATION].samples
        flaws = sum(mutation.manifest()["files"][name]["records"] for name in samples)
        if flaws:  # without a flaw nothing is audited
            files = tuple(str(mutation.folder / name) for name in samples)
            judge_and_seal(LABEL, replace(inputs, settings=replace(inputs.settings, labels=files)), engine)
        progress, no_datasets = StageProgress(DATASETS, sys.stderr), None
        if datasets.is_sealed(inputs.run):
            progress.skipped()
        else:
            no_datasets = datasets.make()
            progress.ended("sealed" if no_datasets is None else f"none ({no_datasets})")
        seal_funnel(inputs, datasets.manifest(), no_datasets)
        progress = StageProgress("pages", sys.stderr)
        pages = [write_stage_page(name, options.out) for name in (*MADE, *([LABEL] if flaws else []), FUNNEL)]
        progress.ended("written")
    print_stage(options.out, FUNNEL, Console(highlight=False))
    sys.stdout.write("".join(f"{page}\n" for page in pages))
    return 0 if no_datasets is None else UNMADE


def engine_of(options: JudgeOptions) -> Engine:
    """Return the engine that judges the unsealed stages; an address for another engine than Ray raises a `HarnessError`."""
    if options.engine is EngineName.RAY:
        return RayCluster(options.address, options.processes)
    if options.address is not None:
        raise HarnessError(f"--address {options.address}: needs --engine ray, found --engine {options.engine}")
    return LocalPool(options.processes)


def judge_and_seal(
    name: str, inputs: SessionInputs, engine: Engine, *, quiet: bool = False, progress: StageProgress | None = None
) -> None:
    """Judge a stage by an engine and seal it, unless it is sealed.

    Errors as in `judge_stage` and `bind_rule`, and a `HarnessError` with the remedy if it was changed.
    """
    progress = progress or StageProgress(name, io.StringIO() if quiet else sys.stderr)
    stage = inputs.run.stage(name)
    if stage.sealed:
        try:
            for sealed in (stage, *([inputs.run.stage("oracles")] if name == FORMALIZATION else [])):
                sealed.require_unchanged()
        except HarnessError as error:
            reason = str(error).partition("; remove ")[0]
            raise HarnessError(f"{reason}; remove the folder {stage.folder}: the same command makes it again") from None
        if STAGE_BY_NAME[name].from_oracles:
            bind_rule(stage, SourceSelection.open(inputs, None).rule, named=True, option=inputs.options.run)
        progress.skipped()
        return
    run = open_stage_run(name, inputs)
    known = run.claims.count_known()
    if known and not quiet:
        sys.stderr.write(f"{name}: continues in {stage.folder}, where {known:,} claims were judged before\n")
    judge_stage(run, engine=engine, progress=progress)
    progress.ended("sealed")


def opened_inputs(options: JudgeOptions, runs: Path = RUNS) -> SessionInputs:
    """Return what a run judges, loaded, with its folder bound to it; errors as in `open_inputs`.

    Without a folder, the run is in `runs`, by a name that its inputs decide.
    """
    how = "name files of answers after it, or the word annotation, which compiles its annotated solutions"
    settings = RunSettings(
        corpus=options.corpus,
        formalizations=tuple(dict.fromkeys(options.answers or answers_of(options.corpus, how))),
        problems=options.problems,
        slice=options.slice,
        seed=options.seed,
        exclude=None if options.exclude is None else str(options.exclude),
        max_pairs=options.max_pairs,
        family=tuple(options.family or ()),
        fields=FieldNames(options.question_field, options.solution_field, options.answer_field),
    )
    if isinstance(options, FactoryOptions):
        settings = replace(settings, min_confidence=options.min_confidence, min_clique=options.min_clique)
    name = None if options.out is None else str(options.out.absolute())
    return open_inputs(settings, runs=runs, name=name, worker="main", options=OptionNames("--", "--out"))


def inputs_text(inputs: SessionInputs) -> str:
    """Return a line on the numbers of problems and answers, and of answers that cannot be judged."""
    problems = len(inputs.problems)
    answers = sum(len(inputs.models(problem_id)) for problem_id in inputs.problems)
    formalized = sum(problem_id in inputs.responses for problem_id in inputs.problems)
    line = f"{counted(problems, 'problem')}, {counted(answers, 'formalization')} of {formalized:,} of them"
    rejections = [rejection for own in inputs.rejected.values() for rejection in own.values()]
    if rejections:
        first = f"{rejections[0].source}: {rejections[0].reason}"[:200]
        line += f"; {counted(len(rejections), 'record')} that cannot be judged, such as: {first}"
    return f"{line}\n{inputs.problems.fields}\n" if isinstance(inputs.problems, SelectedProblems) else f"{line}\n"


def unanswered_text(inputs: SessionInputs) -> str:
    """Return a line on the problems that give no flaws or variants because their answer is not known; empty if there are none."""
    unknown = sorted(problem_id for problem_id, problem in inputs.problems.items() if problem.gold is None)
    if not unknown:
        return ""
    first = one_line(unknown[0], limit=80)
    return f"{len(unknown):,} problems without a known answer, such as {first!r}: their formalizations are judged by agreement alone, and no flaws or variants are made from them; give the answer as an 'answer' that ends in '#### 72'\n"


def require_folder(out: Path) -> None:
    """Make the folder unless it is there; one that is neither empty nor that of a run raises a `HarnessError`."""
    if out.exists() and not out.is_dir():
        raise HarnessError(f"--out {out}: is a file; expected a folder")
    if out.is_dir() and not RunFolder(out).fingerprint_path.is_file():
        others = sorted(path.name for path in out.iterdir() if path.name != LOCK)
        if others:
            message = f"--out {out}: holds files that are no part of a run, such as {others[0]!r}; name a new folder"
            raise HarnessError(message)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HarnessError(f"--out {out}: cannot be made ({error.strerror})") from None


DATASETS = "datasets"
NO_LEVELS = {"", "none"}


@dataclass(frozen=True, slots=True)
class DatasetStage:
    """The datasets of one run: their options, and the folder that the manifest in it seals."""

    options: DatasetOptions

    @classmethod
    def of(cls, options: FactoryOptions) -> Self:
        """Return the stage of a run; an unknown level, or a file of --evaluation that cannot be read, raises a `HarnessError`."""
        levels = options.levels if options.levels is not None else ",".join(Level)
        if levels not in NO_LEVELS:
            names_of("--levels", levels, [*Level])
        fields = FieldNames(options.question_field, options.solution_field, options.answer_field)
        questions = {problem.problem_id: problem.question for problem in load_corpus(options.corpus, fields)}
        for path in options.evaluation or []:
            for _ in read_evaluation(path, questions, FieldNames(options.question_field)):
                pass
        return cls(
            DatasetOptions(
                out=options.out / DATASETS,
                run=[options.out],
                run_licence=options.licence,
                corpus=[options.corpus],
                exclude=[] if options.exclude is None else [options.exclude],
                evaluation=options.evaluation or [],
                seed=options.seed,
                question_field=options.question_field,
                solution_field=options.solution_field,
                levels=levels,
            )
        )

    def manifest(self) -> Mapping[str, Any] | None:
        """Return the manifest, `None` if the datasets are unfinished."""
        try:
            manifest = json.loads((self.options.out / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return manifest if isinstance(manifest, dict) else None

    def is_sealed(self, run: RunFolder) -> bool:
        """Tell whether the datasets are finished and were made from the run's sealed stages with these options."""
        manifest, options = self.manifest(), self.options
        if manifest is None:
            return False
        wanted = {
            "seed": options.seed,
            "sources": RunSource.of(run.folder, (), options.run_licence).hashes(),
            "levels": [] if options.levels in NO_LEVELS else [name.strip() for name in options.levels.split(",")],
            "protected": protected_digests([*options.exclude, *options.evaluation]),
            "licence": options.run_licence,
            "code": dataset_code(),
        }
        return {name: manifest.get(name) for name in wanted} == wanted and DatasetFolder(options.out).is_whole()

    def make(self) -> str | None:
        """Make the datasets in the place of those of an earlier run; return why there are none, `None` where there are; other files there are an error."""
        DatasetFolder(self.options.out).clear()
        try:
            make_datasets(self.options)
        except HarnessError as error:
            return str(error)
        return None
