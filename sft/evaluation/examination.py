"""The examination of trained adapters: the time of its parts, the solutions and problems that are judged, and trainings that are kept."""

import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.store.run_folder import RunFolder, dump, write_lines
from sft.constraints.stages import stage_for_inputs
from sft.evaluation.baselines import MAJORITY, TRAINED
from sft.training.config import settings_of
from sft.training.run import TrainingOutcome, train as train_adapter

HISTORY = "history.jsonl"
"""The losses of a finished training, sealed beside it."""
BASE = "zero-shot"
"""The same weights untrained, asked with the same prompt."""
ROUNDS = 200
"""Rounds of the bootstrap."""


def drawn_examples(path: Path, out: Path, name: str, counts: Mapping[Any, int]) -> Path:
    """Write so many records of each class of a JSONL file, drawn by chance, and return their path; `name` is the field of the class.

    Raises:
        HarnessError: there is no record of these classes.
    """
    by_class: dict[Any, list[dict[str, Any]]] = {known: [] for known in counts}
    for _, record in read_records(path):
        if record[name] in by_class:
            by_class[record[name]].append(record)
    drawn = [
        record
        for known, records in by_class.items()
        for record in random.Random(f"few:{known}").sample(records, min(len(records), counts[known]))
    ]
    if not drawn:
        raise HarnessError(f"{path}: no record whose {name!r} is one of {', '.join(map(str, counts))}")
    write_lines(out, (dump(record) + "\n" for record in drawn))
    return out


@dataclass(frozen=True, slots=True)
class ExaminedAdapter:
    """A trained adapter, the history of its training, and the metrics of it and of others on problems kept out, by engine."""

    level: str
    adapter: Path
    history: Sequence[Mapping[str, Any]]
    metrics: Mapping[str, Mapping[str, Any]]

    def shortfall(self, measure: str, engine: str, trained: str = TRAINED) -> str:
        """Return both figures where the adapter, as the engine `trained`, is not better than another engine; empty where it is."""
        ours, theirs = (self.metrics[name][measure]["value"] for name in (trained, engine))
        return "" if ours > theirs else f"level {self.level}: {measure} {ours:.3f}, {engine} {theirs:.3f}"

    def loss_falls(self) -> bool:
        """Tell whether the loss of the last quarter of the training is below that of the first, and every loss a number."""
        losses = [entry["loss"] for entry in self.history if "loss" in entry]
        quarter = max(1, len(losses) // 4)
        falls = len(losses) > 1 and sum(losses[-quarter:]) < sum(losses[:quarter])
        return falls and all(math.isfinite(loss) for loss in losses)


@dataclass(frozen=True, slots=True)
class KeptTraining:
    """A finished training: the folder of its adapter, and its history; the outcome holds the model, where it was trained just now."""

    adapter: Path
    history: Sequence[Mapping[str, Any]]
    outcome: TrainingOutcome | None = None


def trained_once(preset: str, train: Path, folder: Path, *, again: bool = False, **changed: Any) -> KeptTraining:
    """Train on a file in `folder/run`, or return the training that is there, if its settings, data and code are these.

    A training that was cut off continues from its checkpoint; one of other inputs is removed. With `again` a finished one is made anew.

    Raises:
        HarnessError: as `sft.training.run.train`.
    """
    run = folder / "run"
    settings = settings_of(preset, train=[str(train)], out=str(run), **changed)
    options = {name: value for name, value in settings.record().items() if name not in {"out", "train"}}
    wanted = stage_for_inputs(RunFolder(folder.parent), folder.name, options, train, code=("harness", "sft"))
    if wanted.done and not again:
        return KeptTraining(run / "adapter", wanted.stage.records(HISTORY))
    wanted.begin()
    outcome = train_adapter(replace(settings, resume=any((run / "checkpoints").glob("checkpoint-*"))))
    wanted.stage.seal({HISTORY: outcome.history}, wanted.manifest())
    return KeptTraining(outcome.adapter, outcome.history, outcome)


@dataclass(frozen=True, slots=True)
class AdapterExamination:
    """What all trainings and examinations of a session share: its folder, the preset, changed settings, files by kind, and the device."""

    folder: Path
    preset: str
    changed: dict[str, Any]
    files: dict[str, Path]
    examined: dict[str, Path]
    device: str

    def trained(self, kind: str, name: str, **more: Any) -> KeptTraining:
        """Return the training on the data of a kind in the folder of a name."""
        return trained_once(self.preset, self.files[kind], self.folder / name, **{**self.changed, **more})

    def examine(self, level: str, training: KeptTraining, name: str) -> ExaminedAdapter:
        """Return the figures on solutions of problems kept out, sealed as the stage verifier of a run in the folder of a name."""
        from sft.evaluation.command import EvaluateOptions, evaluate_engines

        out = self.folder / name / "verifier"
        # The engine chat would be better by what is proved before it is asked.
        options = EvaluateOptions(
            engines=f"{MAJORITY},{BASE},{TRAINED}",
            items=[self.examined["levels"]],
            level=level,
            preset=self.preset,
            adapter=training.adapter,
            device=self.device,
            out=str(out),
            store=self.folder / "answers.sqlite",
            rounds=ROUNDS,
            batch=8,
        )
        evaluate_engines(options)
        figures = [json.loads(line) for line in (out / "figures.jsonl").read_text("utf-8").splitlines()]
        return ExaminedAdapter(
            level, training.adapter, training.history, {row["engine"]: row["metrics"] for row in figures}
        )
