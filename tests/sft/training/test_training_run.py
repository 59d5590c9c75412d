"""Tests of training runs: reproducible, bounded in time and resumable, with an adapter that computes the same."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.errors import HarnessError
from harness.llm.model_weights import HUB_ID, PACKAGE
from harness.paths import ROOT
from oracle_factory.command import main
from sft.models.presets import GB, Preset, preset_names, read_preset, training_memory
from sft.training.adapter import card, save_adapter
from sft.training.config import settings_of
from sft.training.tiny_models import tiny_loaded, write_tiny_preset, write_tiny_samples
from tests.cases import cases, rows
from tests.json_lines import read_lines, write_lines

STEPS = 12
MIDDLE = f"checkpoint-{STEPS // 2}"


@dataclass(frozen=True, slots=True)
class Ran:
    """A run of a few steps: its folder, its command line, and the model it left."""

    out: Path
    arguments: list[str]
    model: Any


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run what the command runs, on a model of two layers."""
    from sft.training.run import train

    folder = tmp_path_factory.mktemp("training")
    samples = write_tiny_samples(folder / "samples.jsonl", 80, seed=1)
    options: dict[str, Any] = {
        "preset": str(write_tiny_preset(folder)),
        "train": [str(samples)],
        "out": str(folder / "run"),
        "level": "1",
        "max_steps": STEPS,
        "minutes": 0.0,
        "valid_share": 0.2,
        "evaluations": 2,
        "log_steps": 1,
        "device": "cpu",
    }
    single = {name: value[0] if isinstance(value, list) else value for name, value in options.items()}
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in single.items()]
    return Ran(folder / "run", arguments, train(settings_of(**options)).model)


def curve(out: Path) -> list[float]:
    """Return the loss of every step of a run."""
    history = json.loads((out / "trainer_state.json").read_text("utf-8"))["log_history"]
    return [record["loss"] for record in history if "loss" in record]


def weights(adapter: Path) -> dict[str, Any]:
    """Return the weights of an adapter by name."""
    from safetensors.torch import load_file

    loaded: dict[str, Any] = load_file(adapter / "adapter_model.safetensors")
    return loaded


def test_loss_falls(ran: Ran) -> None:
    """Steps with a fixed seed lose less and less."""
    losses = curve(ran.out)
    assert len(losses) == STEPS
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.3


def test_run_leaves_its_figures(ran: Ran) -> None:
    """Settings, figures, state and card are there, and say the same."""
    metrics = json.loads((ran.out / "metrics.json").read_text("utf-8"))
    assert metrics["steps"] == STEPS
    assert metrics["valid_loss"] > 0
    assert 0 <= metrics["valid_mean_token_accuracy"] <= 1
    assert json.loads((ran.out / "settings.json").read_text("utf-8"))["max_steps"] == STEPS
    assert f"{metrics['valid_loss']:.4g}" in (ran.out / "adapter" / "README.md").read_text("utf-8")


def test_adapter_reloads_to_the_same_logits(ran: Ran, tmp_path: Path) -> None:
    """The adapter is in bfloat16, and a model loaded with it gives the very logits of the one that was trained."""
    import torch

    from sft.models.base_model import load_preset

    preset = ran.arguments[0].partition("=")[2]
    assert {weight.dtype for weight in weights(ran.out / "adapter").values()} == {torch.bfloat16}
    save_adapter(ran.model, tmp_path, PACKAGE)
    # Plain PEFT reads the base from here: no hub knows the package.
    assert json.loads((tmp_path / "adapter_config.json").read_text("utf-8"))["base_model_name_or_path"] == HUB_ID
    loaded = load_preset(preset, adapter=ran.out / "adapter")
    ids = torch.tensor([loaded.tokenizer.encode("Ana has 3 * 4 = 12 pens.")])
    with torch.inference_mode():
        told, again, base = (
            name(input_ids=ids).logits for name in (ran.model, loaded.model, load_preset(preset).model)
        )
    assert torch.equal(told, again)
    assert not torch.allclose(told.float(), base.float(), atol=1e-3)


@pytest.mark.slow
def test_resumed_run_ends_as_the_whole_one(ran: Ran, tmp_path: Path) -> None:
    """A run that goes on from the middle reads the rest of the data and ends with the same weights."""
    (tmp_path / "run" / "checkpoints").mkdir(parents=True)
    shutil.copytree(ran.out / "checkpoints" / MIDDLE, tmp_path / "run" / "checkpoints" / MIDDLE)
    changed = [
        argument if not argument.startswith("--out=") else f"--out={tmp_path / 'run'}" for argument in ran.arguments
    ]
    assert main(["train", *changed, "--resume"]) == 0
    assert curve(tmp_path / "run")[-STEPS // 2 :] == pytest.approx(curve(ran.out)[-STEPS // 2 :], abs=1e-3)
    whole, again = weights(ran.out / "adapter"), weights(tmp_path / "run" / "adapter")
    for name, value in whole.items():
        assert np.allclose(value.float(), again[name].float(), atol=2e-3), name


@pytest.mark.slow
def test_weights_of_samples_change_what_is_learnt(ran: Ran, tmp_path: Path) -> None:
    """The same weight for all gives the loss without; other weights give another loss."""
    rows = read_lines(ran.out.parent / "samples.jsonl")
    curves = []
    for name, weights_of in (("one", [1.0]), ("three", [3.0]), ("other", [0.2, 3.0])):
        path = tmp_path / f"{name}.jsonl"
        weighed = [{**row, "weight": weights_of[place % len(weights_of)]} for place, row in enumerate(rows)]
        write_lines(path, weighed)
        given = [argument for argument in ran.arguments if not argument.startswith(("--train", "--out", "--max-steps"))]
        assert main(["train", *given, f"--train={path}", f"--out={tmp_path / name}", "--max-steps=3"]) == 0
        curves.append(curve(tmp_path / name))
    assert curves[0] == pytest.approx(curves[1], abs=1e-3)
    assert curves[0] != pytest.approx(curves[2], abs=1e-3)


def test_folder_of_a_run_is_not_written_over(ran: Ran, capsys: pytest.CaptureFixture[str]) -> None:
    """A second run into the same folder is refused with what to do."""
    assert main(["train", *ran.arguments]) == 2
    assert "--resume" in capsys.readouterr().err


@pytest.mark.parametrize(
    "preset",
    [
        pytest.param(preset, marks=[pytest.mark.slow] * (preset != "phi-4-mini"))
        for preset in preset_names()
        if read_preset(preset).get("level") != "steps"
    ],
)
def test_preset_takes_one_step(preset: str, tmp_path: Path) -> None:
    """Every linear layer but the head takes an adapter in each preset's architecture, and one step moves all of them."""
    import torch

    from sft.training.run import train

    samples = write_tiny_samples(tmp_path / "samples.jsonl", 8, seed=1)
    own: dict[str, Any] = {"batch_size": 4, "accumulation": 1, "valid_share": 0.0, "max_steps": 1, "device": "cpu"}
    settings = settings_of(preset, train=[str(samples)], out=str(tmp_path / "run"), quantization="none", **own)
    loaded = tiny_loaded(preset)
    modules = loaded.model.named_modules()
    linear = {name for name, module in modules if isinstance(module, torch.nn.Linear)} - {"lm_head"}
    outcome = train(settings, loaded)
    moved = {
        name.removeprefix("base_model.model.").partition(".lora_B")[0]
        for name, weight in outcome.model.named_parameters()
        if "lora_B" in name and weight.abs().sum() > 0
    }
    assert moved == linear
    assert np.isfinite(outcome.metrics["train_loss"])


@pytest.mark.slow
def test_4_bit_weights_take_one_step(tmp_path: Path) -> None:
    """QLoRA: an adapter on weights of 4 bits (nf4) takes a step on this processor."""
    pytest.importorskip("bitsandbytes", reason="4-bit weights need bitsandbytes")
    from sft.models.base_model import load_preset
    from sft.training.run import train

    preset = write_tiny_preset(tmp_path, "llama-3-8b")
    preset.write_text(preset.read_text("utf-8").replace("quantization: none", "quantization: nf4"), "utf-8")
    loaded = load_preset(str(preset))
    assert type(loaded.model.model.layers[0].mlp.up_proj).__name__ == "Linear4bit"
    samples = write_tiny_samples(tmp_path / "samples.jsonl", 8, seed=1)
    changed = {"train": [str(samples)], "out": str(tmp_path / "run"), "valid_share": 0.0, "max_steps": 1}
    outcome = train(settings_of(str(preset), device="cpu", gradient_checkpointing=True, **changed), loaded)
    assert np.isfinite(outcome.metrics["train_loss"])
    assert any(weight.abs().sum() > 0 for name, weight in outcome.model.named_parameters() if "lora_B" in name)


def test_budget_ends_a_run_in_time() -> None:
    """The share over is of the time or of the steps, whichever is more; the last validation's time is kept free."""
    from sft.training.clock import RunClock

    now, due = [0.0], []
    clock = RunClock(100.0, 4, validates=True, spent=20.0, now=lambda: now[0])
    state, args = SimpleNamespace(global_step=0, max_steps=1_000_000), SimpleNamespace(world_size=1)
    clock.on_train_begin(args, state, None)
    for second in range(1, 100):
        now[0], state.global_step = float(second), second
        control = SimpleNamespace(should_evaluate=False, should_training_stop=False)
        clock.on_step_end(args, state, control)
        if control.should_evaluate:
            due.append(second)
            clock.on_evaluate(args, state, control, {"eval_runtime": 7.0})
        if control.should_training_stop:
            break
    assert due == [5, 30, 55, 73]
    assert clock.share() == pytest.approx(0.93)


def test_command_line_goes_over_preset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preset sets what the command line does not; every preset that comes along can be read."""
    for name in preset_names():
        assert settings_of(name).model
    path = tmp_path / "own.yaml"
    path.write_text("model: somewhere/some-model\nlearning_rate: 1e-4\nbatch_size: 2\n", "utf-8")
    given: list[Any] = []
    monkeypatch.setattr(
        "sft.training.run.train", lambda settings: given.append(settings) or SimpleNamespace(adapter=settings.out)
    )
    assert main(["train", f"--preset={path}", "--batch-size=4", "--train=a.jsonl", "--train=b.jsonl"]) == 0
    (settings,) = given
    assert (settings.model, settings.learning_rate, settings.batch_size) == ("somewhere/some-model", 1e-4, 4)
    assert settings.train == ["a.jsonl", "b.jsonl"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("modle: x\n", "modle"), ("batch_size: many\n", "many"), ("- x\n", "mapping"), ("quantization: int3\n", "int3")],
)
def test_wrong_preset_is_named(tmp_path: Path, text: str, said: str) -> None:
    """What a preset cannot set is said in one message."""
    path = tmp_path / "own.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(HarnessError, match=said):
        settings_of(str(path))


@pytest.mark.slow
def test_two_processes_train_one_adapter(tmp_path: Path) -> None:
    """The launch of several GPUs, on two processes of this processor, shares the batches out: half as many steps, one adapter."""
    preset = write_tiny_preset(tmp_path)
    samples = write_tiny_samples(tmp_path / "samples.jsonl", 64, seed=1)
    launch = [
        sys.executable,
        *("-m", "accelerate.commands.launch", "--config_file", "sft/training/accelerate-multi-gpu.yaml"),
        "--mixed_precision=no",
        *("-m", "oracle_factory", "train", f"--preset={preset}", f"--train={samples}", "--minutes=0", "--epochs=1"),
        *("--valid-share=0", "--batch-size=4", f"--out={tmp_path / 'run'}"),
    ]
    own = {"ACCELERATE_USE_CPU": "true", "OMP_NUM_THREADS": "1", "ORACLE_FACTORY_CACHE": str(tmp_path / "cache")}
    environment = {**os.environ, **own}
    ended = subprocess.run(launch, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    metrics = json.loads((tmp_path / "run" / "metrics.json").read_text("utf-8"))
    assert metrics["steps"] == 64 // 4 // 2
    assert np.isfinite(metrics["train_loss"])
    assert weights(tmp_path / "run" / "adapter")


def _commands(folder: Path, preset: Path) -> list[list[str]]:
    """Return the commands that make would run, with this interpreter in place of the one of `.venv`."""
    variables = [f"PRESET={preset}", f"DATASET={folder}", f"GPU_OUT={folder / 'out'}", "GPU_MINUTES=1"]
    printed = subprocess.run(
        ["make", "--no-print-directory", "-n", "sft-gpu", *variables],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = [shlex.split(line) for line in printed.splitlines() if "/oracle-factory " in line]
    return [[sys.executable, "-m", "oracle_factory", *words[1:]] for words in lines]


@pytest.mark.slow
def test_the_recipe_trains_goes_on_and_evaluates(tmp_path: Path) -> None:
    """A second call resumes; the adapter has its card, and is measured beside the commonest label and the base weights."""
    preset = write_tiny_preset(tmp_path)
    write_tiny_samples(tmp_path / "samples-train.jsonl", 256, seed=1)
    write_tiny_samples(tmp_path / "samples-validation.jsonl", 80, seed=2)
    first = _commands(tmp_path, preset)
    assert [words[3] for words in first] == ["train", "evaluate"]
    assert "--resume" not in first[0]
    for words in first:
        subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    out = tmp_path / "out"
    assert "--resume" in _commands(tmp_path, preset)[0]
    metrics = json.loads((out / "adapter" / "metrics.json").read_text("utf-8"))
    assert metrics["steps"] > 1
    assert (out / "adapter" / "README.md").is_file()
    figures = read_lines(out / "verifier" / "figures.jsonl")
    assert {row["engine"] for row in figures} == {"majority", "zero-shot", "trained"}


PUBLISHED = {
    preset: float(billions)
    for preset, billions in rows("""smollm2-135m → 0.1345 | qwen3-1.7b → 1.72 | qwen3-4b → 4.02 | qwen3-8b → 8.19 | gemma-3-4b → 3.88
llama-3.1-8b → 8.03 | phi-4-mini → 3.84 | mistral-7b-instruct → 7.25 | gemma-7b → 8.54 | llama-3-8b → 8.03""")
}
"""Billions of weights, by the models' own cards."""


@cases("preset", PUBLISHED)
def test_a_shape_gives_the_published_number_of_weights(preset: str) -> None:
    """A model of a preset's shape has as many weights as the published one, within half a percent."""
    assert training_memory(Preset.of(preset), 16).weights / 1e9 == pytest.approx(PUBLISHED[preset], rel=0.005)


@cases("preset", PUBLISHED)
def test_the_manual_says_the_reckoned_memory(preset: str) -> None:
    """The table of presets in the manual has the reckoned gigabytes."""
    settings = settings_of(preset)
    memory = training_memory(Preset.of(preset), settings.rank)
    row = next(line for line in (ROOT / "docs/training.md").read_text("utf-8").splitlines() if f"`{preset}`" in line)
    said = [float(number) for number in re.findall(r"([\d.]+) GB", row)]
    quantized = settings.quantization == "nf4"
    assert said == [round(memory.base_bytes(nf4=quantized) / GB, 1), round(memory.adapter_bytes / GB, 1)]


def test_a_dry_run_prints_memory_and_trains_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is left on common GPUs is their size without weights and adapter; without 4 bits Qwen3 8B does not fit the smallest."""
    out = tmp_path / "run"
    assert main(["train", "--preset=qwen3-8b", f"--out={out}", "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("qwen3-8b: 6.1 GB of weights, 0.7 GB of the adapter")
    assert lines[1:] == [
        f"{size} GB: {left} GB are left for activations" for size, left in ((16, 9.2), (24, 17.2), (80, 73.2))
    ]
    assert main(["train", "--preset=qwen3-8b", "--quantization=none", f"--out={out}", "--dry-run"]) == 0
    assert "16 GB: too small for the weights\n" in capsys.readouterr().out
    assert not out.exists()


@cases("preset", PUBLISHED)
def test_a_card_says_what_was_measured(preset: str) -> None:
    """The card of an adapter names what was checked of its preset; a model that never fitted here is not called measured."""
    checked = Preset.of(preset).checked
    assert checked in card(settings_of(preset), {})
    assert ("never trained at full size" in checked) == (preset != "smollm2-135m")
