"""All steps for constraint problems, from generating them to evaluating a trained model: `oracle-factory smt run`.

Every step seals a stage of the run. A step is skipped where its stage is sealed for the same inputs; an interrupted step
continues where it stopped.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.store.run_folder import RunFolder, dump
from properties.constraints import steps
from properties.constraints.pipeline_options import PipelineStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.store.run_folder import Stage
    from properties.constraints.pipeline_options import PipelineOptions
    from sft.constraints.generation import WriterModel, WriterSettings
    from sft.models.base_model import LoadedModel


@dataclass
class ConstraintPipeline:
    """The steps on one run; a model is loaded once, and only where a step needs it."""

    run: RunFolder
    options: PipelineOptions
    _models: dict[str, LoadedModel] = field(default_factory=dict)

    @cached_property
    def making(self) -> steps.GenerationPlan:
        """Return what is made."""
        options = self.options
        return steps.GenerationPlan(
            options.count, options.size, options.seed, options.broken, options.corrected, tuple(options.problems)
        )

    @cached_property
    def writing(self) -> WriterSettings:
        """Return how programs are written."""
        from sft.constraints.generation import WriterSettings

        return WriterSettings(self.options.preset, self.options.batch, self.options.most)

    def format(self) -> Iterator[Stage]:
        """Deal the problems out."""
        from sft.constraints.dataset import ProblemSplitPlan, make_dataset

        options = self.options
        plan = ProblemSplitPlan(
            most_validation=options.validation, most_evaluation=options.evaluation, seed=options.seed, form=options.form
        )
        corrected = self.run.stage(steps.CORRECT)
        told = corrected.folder / "corrections.jsonl" if corrected.sealed else None
        yield make_dataset(self.run, self.run.stage(steps.VALIDATE).folder / steps.PROBLEMS, told, plan)

    def train(self) -> Iterator[Stage]:
        """Train the adapter."""
        from sft.constraints.adapter_training import train_adapter

        changed: dict[str, Any] = {"minutes": self.options.minutes}
        for name in ("max_steps", "quantization"):
            if getattr(self.options, name):
                changed[name] = getattr(self.options, name)
        yield train_adapter(self.run, self.options.preset, changed, device=self.options.device)

    def write(self) -> Iterator[Stage]:
        """Let the model write programs, with the adapter and without, held to the grammar and not."""
        from sft.constraints.generation import all_kinds, generate_programs

        for who, held in all_kinds():
            yield generate_programs(self.run, who, self.writing, held=held, loaded=self._loaded(who))

    def refine(self) -> Iterator[Stage]:
        """Let the model with the adapter correct its programs."""
        from sft.constraints.generation import WriterModel
        from sft.constraints.refinement import refine_programs

        for held in (False, True):
            yield refine_programs(self.run, self.writing, held=held, loaded=self._loaded(WriterModel.DISTILLED))

    def evaluate(self) -> Iterator[Stage]:
        """Measure all that was written."""
        from sft.constraints.evaluation import evaluate_programs, table

        yield evaluate_programs(self.run)
        sys.stdout.write(f"\n{table(self.run)}\n\n")

    def _loaded(self, who: WriterModel) -> Callable[[], LoadedModel]:
        def load() -> LoadedModel:
            from sft.constraints.generation import load

            if who not in self._models:
                # One at a time: each takes half a gigabyte.
                self._models.clear()
                self._models[who] = load(self.run, who, self.writing, self.options.device)
            return self._models[who]

        return load


STEPS: dict[PipelineStep, Callable[[ConstraintPipeline], Iterator[Stage]]] = {
    PipelineStep.GENERATE: lambda pipeline: iter([steps.generate(pipeline.run, pipeline.making)]),
    PipelineStep.BREAK: lambda pipeline: iter([steps.break_share(pipeline.run, pipeline.making)]),
    PipelineStep.FILTER: lambda pipeline: iter([steps.filter_programs(pipeline.run, pipeline.making)]),
    PipelineStep.REPAIR: lambda pipeline: iter([steps.repair_programs(pipeline.run, pipeline.making)]),
    PipelineStep.VALIDATE: lambda pipeline: iter([steps.validate(pipeline.run, pipeline.making)]),
    PipelineStep.CORRECT: lambda pipeline: iter([steps.correct(pipeline.run, pipeline.making)]),
    PipelineStep.FORMAT: ConstraintPipeline.format,
    PipelineStep.TRAIN: ConstraintPipeline.train,
    PipelineStep.WRITE: ConstraintPipeline.write,
    PipelineStep.REFINE: ConstraintPipeline.refine,
    PipelineStep.EVALUATE: ConstraintPipeline.evaluate,
}


def run_pipeline(options: PipelineOptions) -> None:
    """Run the steps from the first to the last that are wanted, and print each stage.

    Raises:
        HarnessError: a step cannot be done; the message begins with its name.
    """
    folder = Path(options.run)
    pipeline = ConstraintPipeline(RunFolder(folder if len(folder.parts) > 1 else options.runs / folder), options)
    names = list(PipelineStep)
    first, last = names.index(options.from_ or names[0]), names.index(options.until or names[-1])
    for name in names[first : last + 1]:
        if name not in options.skip:
            try:
                _make(name, pipeline)
            except HarnessError as error:
                raise HarnessError(f"{name}: {error}") from None


def _make(name: PipelineStep, pipeline: ConstraintPipeline) -> None:
    """Run one step and say what came of it."""
    before = {path: _version(path) for path in pipeline.run.folder.glob("*/manifest.json")}
    began = time.monotonic()
    for stage in STEPS[name](pipeline):
        kept = before.get(stage.manifest_path) == _version(stage.manifest_path)
        said = "sealed before" if kept else f"{time.monotonic() - began:.1f} s"
        counts = stage.manifest().get("counts")
        sys.stdout.write(f"{name}: {stage.folder}, {said}{f' {dump(counts)}' if counts else ''}\n")
        sys.stdout.flush()
        began = time.monotonic()


def _version(path: Path) -> tuple[int, int]:
    """Return what is another of a file that was written anew."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns
