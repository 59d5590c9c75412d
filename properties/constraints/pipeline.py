"""All steps for constraint problems, from generating them to evaluating a trained model: `oracle-factory smt run`.

Every step seals a stage of the run. A step is skipped where its stage is sealed for the same inputs; an interrupted step
continues where it stopped.
"""

import itertools
import math
import sys
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.store.run_folder import RunFolder, Stage
from properties.constraints import steps
from properties.constraints.pipeline_options import PipelineOptions, PipelineStep
from reports.html.static_pages import write_constraints
from reports.views.constraint_runs import counts_phrase
from sft.constraints import generation
from sft.constraints.adapter_training import STAGE as TRAINED, train_adapter
from sft.constraints.command import baseline_model
from sft.constraints.dataset import ProblemSplitPlan, make_dataset
from sft.constraints.evaluation import STAGE as EVALUATED, evaluate_programs, table
from sft.constraints.refinement import refine_programs
from sft.constraints.stages import LEFT, StageWatch

TRAINING_SHARE = 0.5
"""The share of `--minutes` that the training gets, unless `--train-minutes` is given."""
MAKING = {
    PipelineStep.GENERATE: steps.generate,
    PipelineStep.BREAK: steps.break_share,
    PipelineStep.FILTER: steps.filter_programs,
    PipelineStep.REPAIR: steps.repair_programs,
    PipelineStep.VALIDATE: steps.validate,
}
"""The steps that need no model."""
StageTask = tuple[str, "Callable[[StageWatch], Stage]"]
"""The product of a step, as a word, and the function that makes and seals it."""


@dataclass
class ConstraintPipeline:
    """The steps on one run; `changed` tells whether a stage was made anew."""

    run: RunFolder
    options: PipelineOptions
    wanted: Collection[PipelineStep]
    changed: bool = False
    _began: float = field(default_factory=time.monotonic)
    _timed_stages: int = 0

    @cached_property
    def baseline(self) -> str:
        """Return the model of a provider that writes the baseline, empty where the base model does."""
        return baseline_model(self.options.baseline)

    def tasks(self, step: PipelineStep) -> Iterator[StageTask]:
        """Yield the stages of a step; without an adapter, the base model alone writes, and nothing is refined."""
        options, run = self.options, self.run
        match step:
            case PipelineStep.FORMAT:
                plan = ProblemSplitPlan(
                    most_validation=options.validation,
                    most_evaluation=options.evaluation,
                    seed=options.seed,
                    form=options.form,
                )
                yield "", lambda _: make_dataset(run, run.stage(steps.VALIDATE).folder / steps.PROBLEMS, plan)
            case PipelineStep.TRAIN:
                yield "", self._train
            case PipelineStep.WRITE | PipelineStep.REFINE:
                for name, make in self._writing_tasks(step):
                    yield name, partial(self._timed, make)
            case PipelineStep.EVALUATE:
                yield "", lambda _: evaluate_programs(run)
            case _:
                yield "", partial(MAKING[step], run, options)

    def _train(self, watch: StageWatch) -> Stage:
        options = self.options
        minutes = options.minutes * TRAINING_SHARE if options.train_minutes is None else options.train_minutes
        given = {name: getattr(options, name) for name in ("max_steps", "quantization", "model")}
        changed = {"minutes": minutes} | {name: value for name, value in given.items() if value}
        if options.train_minutes is None:
            watch.until = self.until(TRAINING_SHARE)
        return train_adapter(self.run, options.preset, changed, device=options.device, watch=watch)

    def _writing_tasks(self, step: PipelineStep) -> Iterator[tuple[str, Callable[..., Stage]]]:
        """Yield what models write: base model or model of a provider, and model with adapter, free and under the grammar."""
        options = self.options
        trained = PipelineStep.TRAIN in self.wanted or self.run.stage(TRAINED).sealed
        writing = generation.WriterSettings(options.preset, options.batch, options.most, options.model)
        if step is PipelineStep.WRITE and self.baseline:
            model = generation.ProviderModel(self.baseline, options.most, options.store, options.budget, options.prices)
            yield f"baseline, {self.baseline}", partial(generation.ask_programs, self.run, model)
        for who, held in itertools.product(generation.WriterModel, (False, True)):
            how: dict[str, Any] = {"held": held, "device": options.device}
            if step is PipelineStep.WRITE and (
                trained if who is generation.WriterModel.DISTILLED else not self.baseline
            ):
                name = f"{who}, {generation.GRAMMAR}" if held else who
                yield name, partial(generation.generate_programs, self.run, who, writing, **how)
            elif step is PipelineStep.REFINE and trained and who is generation.WriterModel.DISTILLED:
                yield generation.GRAMMAR if held else "", partial(refine_programs, self.run, writing, **how)

    def _timed(self, make: Callable[..., Stage], watch: StageWatch) -> Stage:
        """Make a stage in an even share of the time that is left for the models' writing."""
        writing = [step for step in (PipelineStep.WRITE, PipelineStep.REFINE) if step in self.wanted]
        stages = sum(1 for step in writing for _ in self._writing_tasks(step))
        watch.until = self.until(1 / max(1, stages - self._timed_stages))
        self._timed_stages += 1
        return make(watch=watch)

    def until(self, share: float = 1.0) -> float:
        """Return the time of the monotonic clock at which a share of the remaining time is used up."""
        if not self.options.minutes:
            return math.inf
        now = time.monotonic()
        return now + max(0.0, self._began + self.options.minutes * 60 - now) * share

    def make(self, step: PipelineStep, product: str, task: Callable[[StageWatch], Stage]) -> int:
        """Make one stage and print its result; return how many items had no time."""
        before = {path: path.stat().st_mtime_ns for path in self.run.folder.glob("*/manifest.json")}
        watch = StageWatch(f"{step} ({product})" if product else step, self.until())
        stage = task(watch)
        manifest = stage.manifest()
        left = int(manifest.get(LEFT) or 0)
        if before.get(stage.manifest_path) == stage.manifest_path.stat().st_mtime_ns:
            watch.progress.skipped()
        else:
            self.changed = True
            more = {"left out, because the time was over": left} if left else {}
            watch.progress.ended(counts_phrase({**(manifest.get("counts") or {}), **more}) or "done")
        return left


def run_pipeline(options: PipelineOptions) -> None:
    """Run the steps from the first to the last wanted one; each stage has a line on standard error.

    Raises:
        HarnessError: a step cannot be done; the message begins with its name.
        KeyboardInterrupt: it was interrupted; what is sealed and written stays.
    """
    folder, names = Path(options.run), list(PipelineStep)
    first, last = names.index(options.from_ or names[0]), names.index(options.until or names[-1])
    wanted = [name for name in names[first : last + 1] if name not in options.skip]
    run = RunFolder(folder if len(folder.parts) > 1 else options.runs / folder)
    pipeline, left = ConstraintPipeline(run, options, wanted), 0
    for step in wanted:
        try:
            made = [pipeline.make(step, product, task) for product, task in pipeline.tasks(step)]
        except HarnessError as error:
            raise HarnessError(f"{step}: {error}") from None
        left += sum(made)
        if not made:
            sys.stderr.write(f"{step}: left out, because there is no adapter\n")
    if PipelineStep.EVALUATE in wanted and run.stage(EVALUATED).records("rows.jsonl"):
        sys.stdout.write(f"\n{table(run)}\n\n")
    if left:
        sys.stderr.write(
            f"{left:,} program{' is' if left == 1 else 's are'} left out, for which there was no time: the same command with more --minutes writes them.\n"
        )
    if run.stage(steps.VALIDATE).sealed:
        page = run.folder / "report" / "constraints.html"
        kept = page.is_file() and not pipeline.changed
        sys.stdout.write(f"{page if kept else write_constraints(run.folder)}\n")
    sys.stdout.write(f"{run.folder}\n")
