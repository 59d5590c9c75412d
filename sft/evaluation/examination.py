"""The examination of trained adapters: trainings that are kept, and their figures on problems kept out, beside those of others."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from harness.records.verifier import Estimate
from harness.store.run_folder import RunFolder, Stage
from sft.constraints.stages import stage_for_inputs
from sft.datasets.levels import Level
from sft.evaluation.dataset_items import read_items
from sft.evaluation.engine_run import MAJORITY
from sft.evaluation.problem_evaluation import ProblemRun, read_problems
from sft.evaluation.solution_evaluation import TRAINED, SolutionRun, items_at_level
from sft.judges.remote import ZeroShotAccess
from sft.training.config import settings_of
from sft.training.run import TrainingOutcome, train
from sft.validator.problem_engine import ProblemEngine, ProblemEngineSettings
from sft.verifier.engine_registry import EngineSettings

ItemT = TypeVar("ItemT")
HISTORY = "history.jsonl"
"""The losses of a finished training, sealed beside it."""
BASE = "zero-shot"
"""The same weights untrained, asked with the same prompt."""
ROUNDS = 200
"""Rounds of the bootstrap."""


@dataclass(frozen=True, slots=True)
class KeptTraining:
    """A finished training: the folder of its adapter, and its history; the outcome holds the model, where it was trained just now."""

    adapter: Path
    history: Sequence[Mapping[str, Any]]
    outcome: TrainingOutcome | None = None

    def loss_falls(self) -> bool:
        """Tell whether the loss of the last quarter of the training is below that of the first, and every loss a number."""
        losses = [entry["loss"] for entry in self.history if "loss" in entry]
        quarter = max(1, len(losses) // 4)
        falls = len(losses) > 1 and sum(losses[-quarter:]) < sum(losses[:quarter])
        return falls and all(math.isfinite(loss) for loss in losses)


@dataclass(frozen=True, slots=True)
class ExaminedAdapter:
    """An adapter that was trained on a level, and the metrics of its `engine` and of others on problems kept out, by engine."""

    level: str
    training: KeptTraining
    engine: str
    metrics: Mapping[str, Mapping[str, Estimate]]

    def shortfall(self, measure: str, other: str) -> str:
        """Return both figures where the adapter is not better than another engine, empty where it is."""
        ours, theirs = (self.metrics[name][measure].value or 0.0 for name in (self.engine, other))
        return "" if ours > theirs else f"level {self.level}: {measure} {ours:.3f}, {other} {theirs:.3f}"


@dataclass(frozen=True, slots=True)
class AdapterExamination:
    """What all trainings and examinations of a session share: its folder, the preset, changed settings, the device, the folder of the data, and how many of these are judged.

    The data are as `datasets` writes them: `samples-train.jsonl` and `samples-test.jsonl`, and those of problems.
    """

    folder: Path
    preset: str
    changed: dict[str, Any]
    device: str
    data: Path
    judged: int

    def trained(self, kind: str, name: str, *, again: bool = False, **more: Any) -> KeptTraining:
        """Return the training on the data of a kind, `samples` or `problems`, in the folder of a name, if its settings, data and code are these.

        A training that was cut off continues from its checkpoint; one of other inputs is removed. With `again` a finished one is made anew.
        Errors as in `sft.training.run.train`.
        """
        data, run = self.data / f"{kind}-train.jsonl", self.folder / name / "run"
        settings = settings_of(self.preset, train=[str(data)], out=str(run), **{**self.changed, **more})
        options = {option: value for option, value in settings.record().items() if option not in {"out", "train"}}
        wanted = stage_for_inputs(RunFolder(self.folder), name, options, data, code=("harness", "sft"))
        if wanted.done and not again:
            return KeptTraining(run / "adapter", wanted.stage.records(HISTORY))
        wanted.begin()
        outcome = train(replace(settings, resume=any((run / "checkpoints").glob("checkpoint-*"))))
        wanted.stage.seal({HISTORY: outcome.history}, wanted.manifest())
        return KeptTraining(outcome.adapter, outcome.history, outcome)

    def examined(self, level: str, **more: Any) -> ExaminedAdapter:
        """Train on a level and return the figures on problems kept out, sealed as the stage verifier or validator of a run."""
        folder = self.folder / f"level-{level}"
        run: ProblemRun | SolutionRun
        if level == Level.VALIDATOR:
            training = self.trained("problems", folder.name, level=level, **more)
            engine: str = ProblemEngine.CHAT
            settings = ProblemEngineSettings(training.adapter, preset=self.preset, device=self.device)
            problems = self._drawn(read_problems([self.data / "problems-test.jsonl"]))
            run = ProblemRun(Stage(folder / "validator"), problems, settings)
        else:
            training = self.trained("samples", folder.name, level=level, **more)
            # The engine chat would be better by what is proved before it is asked.
            engine = TRAINED
            asking = ZeroShotAccess(self.folder / "answers.sqlite")
            chosen = EngineSettings(self.preset, training.adapter, self.device, level=level, batch=8)
            items = self._drawn(items_at_level(read_items([self.data / "samples-test.jsonl"]), level))
            run = SolutionRun(Stage(folder / "verifier"), items, chosen, asking)
        measured = run.measured((MAJORITY, BASE, engine), rounds=ROUNDS, seed=0, about={"level": level})
        return ExaminedAdapter(level, training, engine, {row.engine: row.metrics for row in measured})

    def _drawn(self, items: Sequence[ItemT]) -> list[ItemT]:
        return random.Random("judged").sample(items, min(len(items), self.judged))
