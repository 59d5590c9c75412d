"""The command that runs all steps for constraint problems, from generating them to evaluating a trained model.

    python -m properties.constraints.pipeline --run smt --count 150 --minutes 10

Every step seals a stage of the run. A step is skipped where its stage is sealed for the same inputs; an interrupted step
continues where it stopped.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.store.run_folder import RunFolder, dump
from properties.constraints import steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.store.run_folder import Stage
    from sft.constraints.generation import WriterModel, WriterSettings
    from sft.models.base_model import LoadedModel


@dataclass
class ConstraintPipeline:
    """The steps on one run; a model is loaded once, and only where a step needs it."""

    run: RunFolder
    options: argparse.Namespace
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
            most_validation=options.validation, most_evaluation=options.evaluation, seed=options.seed
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


STEPS: dict[str, Callable[[ConstraintPipeline], Iterator[Stage]]] = {
    "generate": lambda one: iter([steps.generate(one.run, one.making)]),
    "break": lambda one: iter([steps.break_share(one.run, one.making)]),
    "filter": lambda one: iter([steps.filter_programs(one.run, one.making)]),
    "repair": lambda one: iter([steps.repair_programs(one.run, one.making)]),
    "validate": lambda one: iter([steps.validate(one.run, one.making)]),
    "correct": lambda one: iter([steps.correct(one.run, one.making)]),
    "format": ConstraintPipeline.format,
    "train": ConstraintPipeline.train,
    "write": ConstraintPipeline.write,
    "refine": ConstraintPipeline.refine,
    "evaluate": ConstraintPipeline.evaluate,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the steps; return 0, or 2 with one message where one cannot be done."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    options = _parser().parse_args(arguments)
    chosen = Path(options.run)
    pipeline = ConstraintPipeline(RunFolder(chosen if len(chosen.parts) > 1 else Path(options.runs) / chosen), options)
    names = list(STEPS)
    first, last = names.index(options.from_ or names[0]), names.index(options.until or names[-1])
    try:
        for name in names[first : last + 1]:
            if name not in options.skip:
                _make(name, pipeline)
    except HarnessError as error:
        sys.stderr.write(f"constraints: {name}: {error}\n")
        return 2
    except ImportError as error:
        sys.stderr.write(f"constraints: {name}: {error}; run: make install-sft\n")
        return 2
    return 0


def _make(name: str, pipeline: ConstraintPipeline) -> None:
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m properties.constraints.pipeline",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--run", default="smt", metavar="NAME", help="the run's folder, a name under --runs or a path (smt)")
    add("--runs", default="runs", metavar="DIR", help="where runs are kept (runs)")
    add("--from", dest="from_", choices=list(STEPS), help="begin here: what comes before is sealed already")
    add("--until", choices=list(STEPS), help="end here")
    add("--skip", choices=list(STEPS), action="append", default=[], help="leave a step out; may be given again")
    add("--count", type=int, default=150, metavar="N", help="problems of each domain (150)")
    add("--size", choices=("small", "medium", "large"), default="small", help="how much a problem holds (small)")
    add(
        "--problems",
        action="append",
        default=[],
        metavar="FILE",
        help="more problems, JSONL or CSV; may be given again",
    )
    add("--seed", type=int, default=0, metavar="N")
    add(
        "--broken",
        type=float,
        default=0.2,
        metavar="X",
        help="share of the programs that is broken, to be mended (0.2)",
    )
    add(
        "--corrected",
        type=float,
        default=0.25,
        metavar="X",
        help="corrections to learn from, a share of the problems (0.25)",
    )
    add("--validation", type=int, default=12, metavar="N", help="validate training on so many problems at most (12)")
    add("--evaluation", type=int, default=24, metavar="N", help="keep so many problems at most for the evaluation (24)")
    add("--preset", default="smollm2-135m-smt", metavar="NAME|PATH", help="the model (smollm2-135m-smt)")
    add("--minutes", type=float, default=10.0, metavar="X", help="train no longer than this (10)")
    add("--max-steps", type=int, default=0, metavar="N", help="train no more steps than this (0: no limit)")
    add("--quantization", choices=("none", "nf4"), help="of the weights that are trained on (nf4 on CUDA, else none)")
    add("--device", choices=("auto", "cpu", "cuda"), default="auto")
    add("--batch", type=int, default=24, metavar="N", help="programs that are written at once (24)")
    add("--most", type=int, default=288, metavar="N", help="tokens of a program (288)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
