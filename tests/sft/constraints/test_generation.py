"""Tests of the stages that models write: they end with their time, keep what is complete, and ask a provider only for what it did not answer."""

import json
import time
from pathlib import Path

import pytest

from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from sft.constraints import generation
from sft.constraints.adapter_training import adapter_of, train_adapter
from sft.constraints.generation import ANSWERS, WriterModel, WriterSettings, generate_programs
from sft.constraints.output_forms import OutputForm
from sft.constraints.stages import LEFT, StageWatch
from sft.training.tiny_models import write_tiny_preset
from tests.harness.llm.loopback_server import LoopbackServer
from tests.sft.constraints.fakes import formatted_run, tiny_model, tiny_problem

PROGRAMS = {problem.problem.strip(): problem.program for problem in map(tiny_problem, range(30))}
SECONDS, LAST = 6.0, 20.0
"""The time of a training, and what a step and an evaluation may take beyond it on a machine that is busy."""


@pytest.mark.slow
@pytest.mark.parametrize(("minutes", "seconds"), [(0.0, SECONDS), (60.0, SECONDS), (60.0, -5.0)])
def test_training_ends_with_the_time_of_its_stage(tmp_path: Path, minutes: float, seconds: float) -> None:
    """However many epochs and minutes are asked for: the adapter of the steps until then is sealed, of one step at least."""
    run = formatted_run(tmp_path, form=OutputForm.CLAUSES)
    changed = {"minutes": minutes, "epochs": 1_000.0, "patience": 0, "batch_size": 2}
    watch = StageWatch("train", time.monotonic() + seconds)
    stage = train_adapter(run, str(write_tiny_preset(tmp_path)), changed, device="cpu", watch=watch)
    (settings,) = stage.records("settings.json")
    assert 0 < settings["minutes"] <= SECONDS / 60
    metrics = json.loads("".join(stage.lines("metrics.json")))
    assert metrics["seconds"] < SECONDS + LAST
    assert 0 < metrics["steps"] < 10_000
    assert (adapter_of(run) / "adapter_model.safetensors").is_file()


def test_the_time_that_is_over_writes_nothing_and_loads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stage is sealed that says how many are left; with time it is made anew from what was complete, with the same bytes."""
    loads: list[None] = []
    monkeypatch.setattr(generation, "load", lambda *_: loads.append(None) or tiny_model())  # type: ignore[func-returns-value]  # it counts

    def made(run: RunFolder, watch: StageWatch | None = None) -> tuple[list[str], int]:
        writing = WriterSettings("smollm2-135m", batch=2, most=3)
        stage = generate_programs(run, WriterModel.BASELINE, writing, held=False, device="cpu", watch=watch)
        return [record["program"] for record in stage.records(ANSWERS)], stage.manifest()[LEFT]

    for name in ("once", "parts"):
        (tmp_path / name).mkdir()
    once, parts = (formatted_run(tmp_path / name, form=OutputForm.CLAUSES) for name in ("once", "parts"))
    whole, left = made(once)
    assert (len(whole), left) == (4, 0)
    assert made(parts, StageWatch("writing", until=0.0)) == ([], 4)
    assert made(parts) == (whole, 0)
    assert made(parts, StageWatch("writing", until=0.0)) == (whole, 0)
    assert len(loads) == 2


def test_a_provider_writes_the_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without an answer there is no stage; of four questions one refused, the same command asks for that one alone, then nobody."""
    run = formatted_run(tmp_path)
    kept = [record["problem"].strip() for record in run.stage("smt-format").records("evaluation.jsonl")]
    command = ["smt", "generate-programs", "--run", str(run.folder), "--who", "baseline"]
    command += ["--store", str(tmp_path / "answers.sqlite"), "--baseline"]
    assert main([*command, "nobody:x"]) == 2
    assert "nobody" in capsys.readouterr().err
    assert main([*command, "openai:gpt-4.1-mini", "--grammar"]) == 2
    refused = dict.fromkeys(kept, "forbidden")
    answered = {
        "plan": lambda prompt, _: refused.get(prompt),
        "answers": lambda prompt: f"Here:\n```smt2\n{PROGRAMS[prompt]}```",
    }
    with LoopbackServer(**answered) as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        assert main([*command, "openai:gpt-4.1-mini"]) == 2
        assert "answered none of 4 questions: " in capsys.readouterr().err
        assert not run.stage("smt-baseline").sealed
        refused.clear()
        refused[kept[0]] = "bad"
        counts = []
        for _ in range(3):
            assert main([*command, "openai:gpt-4.1-mini"]) == 0
            counts.append((run.stage("smt-baseline").manifest()["counts"]["programs"], server.paid.total()))
            refused.clear()
    assert counts == [(3, 3), (4, 4), (4, 4)]
    answers = run.stage("smt-baseline").records("answers.jsonl")
    assert [answer["program"] for answer in answers] == [PROGRAMS[problem].strip() for problem in kept]
    assert main(["smt", "evaluate", "--run", str(run.folder)]) == 0
    assert "| baseline | 100.0% | 51–100 | 100.0% |" in capsys.readouterr().out
