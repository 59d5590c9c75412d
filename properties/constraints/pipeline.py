"""All steps for constraint problems, from generating them to evaluating a trained model: `oracle-factory smt run`.

Every step seals a stage of the run. A step is skipped where its stage is sealed for the same inputs; an interrupted step
continues where it stopped.
"""

from __future__ import annotations

import itertools
import math
import sys
import time
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.store.run_folder import RunFolder
from properties.constraints import steps
from properties.constraints.pipeline_options import PipelineStep
from sft.constraints.stages import LEFT, StageWatch

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from harness.store.run_folder import Stage
    from properties.constraints.pipeline_options import PipelineOptions
    from sft.constraints.generation import WriterModel, WriterSettings
    from sft.models.base_model import LoadedModel


TRAINING_SHARE = 0.5
"""The share of `--minutes` that the training gets, unless `--train-minutes` is given."""
StageTask = tuple[str, "Callable[[StageWatch], Stage]"]
"""The product of a step, as a word, and the function that makes and seals it."""


@dataclass
class ConstraintPipeline:
    """The steps on one run; a model is loaded once, and only where a step needs it."""

    run: RunFolder
    options: PipelineOptions
    wanted: Collection[PipelineStep] = tuple(PipelineStep)
    _began: float = field(default_factory=time.monotonic)
    _timed_stages: int = 0
    _models: dict[str, LoadedModel] = field(default_factory=dict)

    def making(self, step: Callable[[RunFolder, steps.GenerationPlan, StageWatch], Stage]) -> Iterator[StageTask]:
        """Make problems."""
        options = self.options
        plan = steps.GenerationPlan(
            options.count, options.size, options.seed, options.broken, options.corrected, tuple(options.problems)
        )
        yield "", lambda watch: step(self.run, plan, watch)

    @cached_property
    def writing(self) -> WriterSettings:
        """Return how programs are written."""
        from sft.constraints.generation import WriterSettings

        return WriterSettings(self.options.preset, self.options.batch, self.options.most, self.options.model)

    @property
    def trained(self) -> bool:
        """Tell whether there is an adapter, or will be one."""
        from sft.constraints.adapter_training import STAGE

        return PipelineStep.TRAIN in self.wanted or self.run.stage(STAGE).sealed

    @property
    def writing_stages(self) -> int:
        """Return how many stages a model writes: base model and trained model, free and under the grammar, and the refinement of the latter."""
        trained = 2 if self.trained else 0
        counts = {
            PipelineStep.WRITE: (1 if self.options.baseline else 2) + trained,
            PipelineStep.REFINE: trained,
        }
        return sum(count for name, count in counts.items() if name in self.wanted)

    def format(self) -> Iterator[StageTask]:
        """Deal the problems out."""
        from sft.constraints.dataset import ProblemSplitPlan, make_dataset

        options = self.options
        plan = ProblemSplitPlan(
            most_validation=options.validation,
            most_evaluation=options.evaluation,
            seed=options.seed,
            form=options.form,
            curriculum=options.curriculum,
        )
        corrected = self.run.stage(steps.CORRECT)
        told = corrected.folder / "corrections.jsonl" if corrected.sealed else None
        problems = self.run.stage(steps.VALIDATE).folder / steps.PROBLEMS
        yield "", lambda _: make_dataset(self.run, problems, told, plan)

    def train(self) -> Iterator[StageTask]:
        """Train the adapter."""
        from sft.constraints.adapter_training import train_adapter

        options = self.options
        minutes = options.minutes * TRAINING_SHARE if options.train_minutes is None else options.train_minutes
        changed: dict[str, Any] = {"minutes": minutes}
        for name in ("max_steps", "quantization", "model"):
            if getattr(options, name):
                changed[name] = getattr(options, name)

        def train(watch: StageWatch) -> Stage:
            if options.train_minutes is None:
                watch.until = self.until(TRAINING_SHARE)
            return train_adapter(self.run, options.preset, changed, device=options.device, watch=watch)

        yield "", train

    def write(self) -> Iterator[StageTask]:
        """Let the model write programs, with the adapter and without, held to the grammar and not."""
        from sft.constraints.generation import GRAMMAR, ProviderModel, WriterModel, ask_programs, generate_programs

        options = self.options
        if options.baseline:
            model = ProviderModel(options.baseline, options.most, options.store, options.budget, options.prices)
            yield f"baseline, {options.baseline}", self._timed(partial(ask_programs, self.run, model))
        for who, held in itertools.product(WriterModel, (False, True)):
            if options.baseline and who is WriterModel.BASELINE:
                continue
            if who is WriterModel.BASELINE or self.trained:
                write = partial(generate_programs, self.run, who, self.writing, held=held, loaded=self._loaded(who))
                yield f"{who}, {GRAMMAR}" if held else who, self._timed(write)

    def refine(self) -> Iterator[StageTask]:
        """Let the model with the adapter correct its programs."""
        from sft.constraints.generation import GRAMMAR, WriterModel
        from sft.constraints.refinement import refine_programs

        for held in (False, True) if self.trained else ():
            loaded = self._loaded(WriterModel.DISTILLED)
            refine = partial(refine_programs, self.run, self.writing, held=held, loaded=loaded)
            yield GRAMMAR if held else "", self._timed(refine)

    def evaluate(self) -> Iterator[StageTask]:
        """Measure all that was written."""
        from sft.constraints.evaluation import evaluate_programs

        yield "", lambda _: evaluate_programs(self.run)

    def _timed(self, make: Callable[..., Stage]) -> Callable[[StageWatch], Stage]:
        """Return a task that gets an even share of the time that is left for the models' writing."""

        def timed(watch: StageWatch) -> Stage:
            watch.until = self.until(1 / max(1, self.writing_stages - self._timed_stages))
            self._timed_stages += 1
            return make(watch=watch)

        return timed

    def until(self, share: float = 1.0) -> float:
        """Return the time of the monotonic clock at which a share of the remaining time is used up."""
        if not self.options.minutes:
            return math.inf
        now = time.monotonic()
        return now + max(0.0, self._began + self.options.minutes * 60 - now) * share

    def _loaded(self, who: WriterModel) -> Callable[[], LoadedModel]:
        def load() -> LoadedModel:
            from sft.constraints.generation import load

            if who not in self._models:
                # One at a time: each takes half a gigabyte.
                self._models.clear()
                self._models[who] = load(self.run, who, self.writing, self.options.device)
            return self._models[who]

        return load


STEPS: dict[PipelineStep, Callable[[ConstraintPipeline], Iterator[StageTask]]] = {
    PipelineStep.GENERATE: lambda pipeline: pipeline.making(steps.generate),
    PipelineStep.BREAK: lambda pipeline: pipeline.making(steps.break_share),
    PipelineStep.FILTER: lambda pipeline: pipeline.making(steps.filter_programs),
    PipelineStep.REPAIR: lambda pipeline: pipeline.making(steps.repair_programs),
    PipelineStep.VALIDATE: lambda pipeline: pipeline.making(steps.validate),
    PipelineStep.CORRECT: lambda pipeline: pipeline.making(steps.correct),
    PipelineStep.FORMAT: ConstraintPipeline.format,
    PipelineStep.TRAIN: ConstraintPipeline.train,
    PipelineStep.WRITE: ConstraintPipeline.write,
    PipelineStep.REFINE: ConstraintPipeline.refine,
    PipelineStep.EVALUATE: ConstraintPipeline.evaluate,
}


def run_pipeline(options: PipelineOptions) -> None:
    """Run the steps from the first to the last wanted one; each stage has a line on standard error.

    Without an adapter, the base model alone writes, and nothing is refined.

    Raises:
        HarnessError: a step cannot be done; the message begins with its name.
        KeyboardInterrupt: it was interrupted; what is sealed and written stays.
    """
    folder = Path(options.run)
    names = list(PipelineStep)
    first, last = names.index(options.from_ or names[0]), names.index(options.until or names[-1])
    wanted = [name for name in names[first : last + 1] if name not in options.skip]
    run = RunFolder(folder if len(folder.parts) > 1 else options.runs / folder)
    pipeline = ConstraintPipeline(run, options, wanted)
    left = 0
    for name in wanted:
        try:
            made = [_make(name, what, make, pipeline) for what, make in STEPS[name](pipeline)]
            left += sum(int(stage.manifest().get(LEFT) or 0) for stage in made)
        except HarnessError as error:
            raise HarnessError(f"{name}: {error}") from None
        if not made:
            sys.stderr.write(f"{name}: left out, because there is no adapter\n")
    if PipelineStep.EVALUATE in wanted:
        from sft.constraints.evaluation import STAGE as EVALUATED, table

        if run.stage(EVALUATED).records("rows.jsonl"):
            sys.stdout.write(f"\n{table(run)}\n\n")
    if left:
        sys.stderr.write(
            f"{left:,} program{' is' if left == 1 else 's are'} left out, for which there was no time: the same command with more --minutes writes them.\n"
        )
    if run.stage(steps.VALIDATE).sealed:
        sys.stdout.write(f"{_page(run)}\n")
    sys.stdout.write(f"{run.folder}\n")


def _page(run: RunFolder) -> Path:
    """Return the page of a run, written again where a stage is newer."""
    from reports.html.static_pages import write_constraints

    page = run.folder / "report" / "constraints.html"
    newest = max(path.stat().st_mtime_ns for path in run.folder.glob("*/manifest.json"))
    return page if page.is_file() and page.stat().st_mtime_ns > newest else write_constraints(run.folder)


def _make(name: PipelineStep, what: str, make: Callable[[StageWatch], Stage], pipeline: ConstraintPipeline) -> Stage:
    """Make one stage and print its result."""
    before = {path: _version(path) for path in pipeline.run.folder.glob("*/manifest.json")}
    watch = StageWatch(f"{name} ({what})" if what else name, pipeline.until())
    stage = make(watch)
    if before.get(stage.manifest_path) == _version(stage.manifest_path):
        watch.progress.skipped()
    else:
        manifest = stage.manifest()
        left = {"left out, because the time was over": manifest[LEFT]} if manifest.get(LEFT) else {}
        watch.progress.ended(counts_text({**(manifest.get("counts") or {}), **left}) or "done")
    return stage


def counts_text(counts: Mapping[str, Any]) -> str:
    """Return counts as words: `5 broken, ways (2 infix, 1 wrapped)`."""
    parts = []
    for name, count in counts.items():
        words = name.replace("_", " ")
        if not isinstance(count, dict):
            parts.append(f"{count:,} {words}" if isinstance(count, int) else f"{words} {count}")
        elif count:
            parts.append(f"{words} ({counts_text(count)})")
    return ", ".join(parts)


def _version(path: Path) -> tuple[int, int]:
    """Return the parts of a file that changed when it was written again."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns
