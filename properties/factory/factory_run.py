"""The stages of `oracle-factory run`, one after the other in one run folder; a sealed stage is not made again."""

from __future__ import annotations

import importlib
import io
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from harness.errors import HarnessError
from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, STAGE_BY_NAME, VARIANT
from harness.store.run_folder import RunFolder
from harness.store.run_lock import LOCK, held_lock
from harness.store.stage_progress import StageProgress
from harness.text.characters import one_line
from oracles.alignment.encoder import encoder_problem
from oracles.consensus.confidence_score import ConsensusWeights
from properties.engine.inputs import OptionNames, open_inputs
from properties.engine.local_pool import LocalPool
from properties.engine.problem_sources import SourceSelection, bind_rule
from properties.engine.ray_cluster import RayCluster
from properties.engine.settings import RunSettings
from properties.engine.stage_judging import judge_stage
from properties.engine.stage_pages import write_page
from properties.factory.dataset_stage import DATASETS, DatasetStage
from properties.factory.funnel_counts import seal_funnel
from properties.factory.options import EngineName, FactoryOptions
from reports.html.static_pages import write_funnel
from reports.terminal.stages import print_stage

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from harness.store.run_folder import Stage
    from properties.engine.inputs import SessionInputs
    from properties.engine.stage_judging import Engine
    from properties.engine.stage_run import StageRun
    from properties.factory.options import JudgeOptions

ORACLES = "oracles"
"""The stage that the formalization stage seals with itself."""
UNMADE = 1
RUNS = Path("runs")
"""The default folder of runs."""
FLAW_FILES = STAGE_BY_NAME[MUTATION].samples
MADE = (FORMALIZATION, MUTATION, VARIANT)
_WEIGHTS = ConsensusWeights(0.7, 0.3, (1.0, 1.1, 1.2, 1.3))


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
        tell_inputs(inputs, sys.stderr)
        tell_unanswered(inputs, sys.stderr)
        for name in MADE:
            judge_and_seal(name, inputs, engine)
        flaws = _flaw_files(inputs.run)
        if flaws:
            judge_and_seal(LABEL, replace(inputs, settings=replace(inputs.settings, labels=flaws)), engine)
        why = _make(datasets, inputs.run)
        seal_funnel(inputs, datasets.manifest(), why)
        pages = _write_pages(options.out)
    print_stage(options.out, FUNNEL, Console(highlight=False))
    sys.stdout.write("".join(f"{page}\n" for page in pages))
    return 0 if why is None else UNMADE


def engine_of(options: JudgeOptions) -> Engine:
    """Return the engine that judges the unsealed stages.

    Raises:
        HarnessError: an address is given to another engine than Ray.
    """
    if options.address is not None and options.engine is not EngineName.RAY:
        raise HarnessError(f"--address {options.address}: needs --engine ray, found --engine {options.engine}")
    if options.engine is EngineName.RAY:
        return RayCluster(options.address, options.processes)
    return LocalPool(options.processes)


def judge_and_seal(name: str, inputs: SessionInputs, engine: Engine, *, quiet: bool = False) -> None:
    """Judge a stage by an engine and seal it, unless it is sealed; errors as in `judge_stage` and `bind_rule`."""
    progress = StageProgress(name, io.StringIO() if quiet else sys.stderr)
    stage = inputs.run.stage(name)
    if stage.sealed:
        _require_unchanged(stage, *([inputs.run.stage(ORACLES)] if name == FORMALIZATION else []))
        if STAGE_BY_NAME[name].from_oracles:
            bind_rule(stage, SourceSelection.open(inputs, None).rule, named=True, option=inputs.options.run)
        progress.skipped()
        return
    open_run: Callable[[SessionInputs], StageRun] = importlib.import_module(f"properties.stages.{name}").open_run

    def opened(own: SessionInputs) -> StageRun:
        run = open_run(own)
        known = len(run.claims.known)
        if known and not quiet:
            sys.stderr.write(f"{name}: continues in {stage.folder}, where {known:,} claims were judged before\n")
        return run

    judge_stage(opened, inputs, engine=engine, observer=progress).close()
    progress.ended("sealed")


def _require_unchanged(stage: Stage, *beside: Stage) -> None:
    """Check that a stage that an earlier run sealed, and the stages sealed with it, are unchanged.

    Raises:
        HarnessError: it is not; the message says how to make it again.
    """
    try:
        for sealed in (stage, *beside):
            sealed.require_unchanged()
    except HarnessError as error:
        reason = str(error).partition("; remove ")[0]
        raise HarnessError(f"{reason}; remove the folder {stage.folder}: the same command makes it again") from None


def _make(datasets: DatasetStage, run: RunFolder) -> str | None:
    """Make the datasets, unless they are sealed; return why there are none, `None` where there are."""
    progress = StageProgress(DATASETS, sys.stderr)
    if datasets.is_sealed(run):
        progress.skipped()
        return None
    why = datasets.make()
    progress.ended("sealed" if why is None else f"none ({why})")
    return why


def _write_pages(out: Path) -> list[Path]:
    """Write the pages of the stages, and then that of the whole, which is the last."""
    progress = StageProgress("pages", sys.stderr)
    audited = [LABEL] if (out / LABEL).is_dir() else []  # without a flaw nothing was audited
    pages = [*(write_page(name, out) for name in (*MADE, *audited)), write_funnel(out)]
    progress.ended("written")
    return pages


def opened_inputs(options: JudgeOptions) -> SessionInputs:
    """Return what a run judges, loaded, with its folder bound to it; errors as in `open_inputs`.

    Without a folder, the run is `runs/` and a name that its inputs decide.
    """
    problem = encoder_problem(options.encoder)
    if problem is not None:
        raise HarnessError(f"--encoder {options.encoder!r}: {problem}")
    settings = RunSettings(
        corpus=options.corpus,
        formalizations=tuple(dict.fromkeys(options.answers)),
        problems=options.problems,
        slice=options.slice,
        seed=options.seed,
        oracle="parameters",
        weights=_WEIGHTS,
        exclude=None if options.exclude is None else str(options.exclude),
        max_pairs=options.max_pairs,
        encoder=options.encoder,
    )
    if isinstance(options, FactoryOptions):
        settings = replace(settings, min_confidence=options.min_confidence, min_clique=options.min_clique)
    return open_inputs(
        settings,
        runs=RUNS,
        name=None if options.out is None else str(options.out.absolute()),
        worker="main",
        options=OptionNames("--", "--out"),
    )


def tell_inputs(inputs: SessionInputs, stream: TextIO) -> None:
    """Write the numbers of problems and answers, and of answers that cannot be judged."""
    answers = sum(len(inputs.models(problem_id)) for problem_id in inputs.problems)
    formalized = sum(problem_id in inputs.responses for problem_id in inputs.problems)
    problems = len(inputs.problems)
    stream.write(f"{problems:,} problem{'' if problems == 1 else 's'}, ")
    stream.write(f"{answers:,} formalization{'' if answers == 1 else 's'} of {formalized:,} of them")
    if inputs.rejected:
        rejected = sum(map(len, inputs.rejected.values()))
        stream.write(
            f"; {rejected:,} record{'' if rejected == 1 else 's'} that cannot be judged, such as: {_first_rejection(inputs)}"
        )
    stream.write("\n")


def tell_unanswered(inputs: SessionInputs, stream: TextIO) -> None:
    """Write the number of problems that give no flaws or variants because their answer is not known."""
    unknown = sorted(problem_id for problem_id, problem in inputs.problems.items() if problem.gold is None)
    if unknown:
        first = one_line(unknown[0], limit=80)
        stream.write(
            f"{len(unknown):,} problems without a known answer, such as {first!r}: their formalizations are judged by agreement alone, and no flaws or variants are made from them; give the answer as an 'answer' that ends in '#### 72'\n"
        )


def _first_rejection(inputs: SessionInputs) -> str:
    rejection = next(iter(next(iter(inputs.rejected.values())).values()))
    return f"{rejection.source}: {rejection.reason}"[:200]


def _flaw_files(run: RunFolder) -> tuple[str, ...]:
    """Return the files of flawed solutions to audit, none where there is no flaw."""
    files = run.stage(MUTATION).manifest()["files"]
    if not any(files[name]["records"] for name in FLAW_FILES):
        return ()
    return tuple(str(run.stage(MUTATION).folder / name) for name in FLAW_FILES)


def require_folder(out: Path) -> None:
    """Check that the folder is new, empty, or that of a run.

    Raises:
        HarnessError: it is not, or cannot be made.
    """
    if out.exists() and not out.is_dir():
        raise HarnessError(f"--out {out}: is a file; expected a folder")
    if out.is_dir() and not RunFolder(out).fingerprint_path.is_file():
        others = sorted(path.name for path in out.iterdir() if path.name != LOCK)
        if others:
            raise HarnessError(
                f"--out {out}: holds files that are no part of a run, such as {others[0]!r}; name a new folder"
            )
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HarnessError(f"--out {out}: cannot be made ({error.strerror})") from None
