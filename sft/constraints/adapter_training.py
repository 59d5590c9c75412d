"""Training of the adapter that writes programs, by `sft.training` on chats."""

import math
import shutil
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.json_form import read_record
from harness.store.run_folder import RunFolder, Stage, dump, write_atomically, write_lines
from sft.constraints.dataset import STAGE as FORMAT, TRAIN, VALIDATION
from sft.constraints.output_forms import InstructionExample, chat_of
from sft.constraints.stages import StageWatch, stage_for_inputs
from sft.models.presets import read_preset

STAGE = "smt-train"
ADAPTER = "adapter"
METRICS = "metrics.json"
ABOUT = """Writes a constraint problem in plain language as a program in SMT-LIB2 (`sft/constraints/output_forms.py` has the prompts).

Rank {0.rank}, alpha {0.alpha}, dropout {0.dropout}, all linear layers, bfloat16. \
The loss is that of a token of the program, in nats, validated on problems that training did not see."""


def train_adapter(
    run: RunFolder, preset: str, changed: Mapping[str, Any], *, device: str = "auto", watch: StageWatch | None = None
) -> Stage:
    """Train and seal an adapter; an interrupted run continues from its last checkpoint.

    The training has the minutes that `changed` or the preset says, but no more than `watch` has left.
    Raises `HarnessError` where the data are not sealed, or the model is not available.
    """
    # The code is not part of the inputs, so that a change of a comment does not discard an hour of training.
    wanted = stage_for_inputs(run, STAGE, {"preset": read_preset(preset), **changed}, run.stage(FORMAT).folder)
    if wanted.done:
        return wanted.stage
    import torch

    from sft.training.adapter import adapter_card
    from sft.training.config import settings_of
    from sft.training.run import load_for, train

    stage = wanted.begin()
    stage.scratch.mkdir(parents=True, exist_ok=True)
    for name in (TRAIN, VALIDATION):
        records = run.stage(FORMAT).records(name)
        chats = (chat_of(read_record(InstructionExample, record)) for record in records)
        write_lines(stage.scratch / name, (dump(chat) + "\n" for chat in chats))
    out = stage.scratch / "run"
    settings = settings_of(
        preset,
        train=[str(stage.scratch / TRAIN)],
        valid=[str(stage.scratch / VALIDATION)],
        out=str(out),
        device=device,
        resume=any((out / "checkpoints").glob("checkpoint-*")),
        **{**({"quantization": "nf4"} if device != "cpu" and torch.cuda.is_available() else {}), **changed},
    )
    loaded = None
    if watch and math.isfinite(watch.until):
        # Loading the model takes of the time of the stage, too.
        loaded = load_for(settings)
        # No minutes are no limit; of the time that the stage had before an interruption, its checkpoint knows.
        left = max((watch.until - time.monotonic()) / 60, 0.01)
        settings = replace(settings, minutes=min(settings.minutes or left, left))
    outcome = train(settings, loaded)
    adapter = stage.folder / ADAPTER
    shutil.rmtree(adapter, ignore_errors=True)
    shutil.move(outcome.adapter, adapter)
    for name in (METRICS, "settings.json"):
        (adapter / name).unlink(missing_ok=True)
    card = adapter_card(settings, "smt-lib, constraints", ABOUT.format(settings), outcome.metrics)
    write_atomically(adapter / "README.md", card)
    # The paths of this machine are not part of what is sealed.
    kept = {name: value for name, value in settings.record().items() if name not in {"train", "valid", "out", "resume"}}
    loss = [{"step": entry.get("step"), "loss": entry["loss"]} for entry in outcome.history if "loss" in entry]
    files: dict[str, Any] = {METRICS: [outcome.metrics], "settings.json": [kept], "loss.jsonl": loss}
    stage.seal(files, wanted.manifest(seconds=round(float(outcome.metrics["seconds"]), 1)))
    return stage


def adapter_of(run: RunFolder) -> Path:
    """Return the folder of the adapter; raises `HarnessError` where the stage is not sealed."""
    stage = run.stage(STAGE)
    stage.manifest()
    return stage.folder / ADAPTER
