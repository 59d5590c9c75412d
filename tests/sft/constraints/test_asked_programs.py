"""Tests of the baseline of a provider: what is answered is sealed, what is not is asked again, and nothing else is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from sft.constraints.dataset import ProblemSplitPlan, make_dataset
from tests.harness.llm.loopback_server import LoopbackServer
from tests.sft.constraints.fakes import tiny_problem, write_tiny_problems

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PROGRAMS = {problem.problem.strip(): problem.program for problem in map(tiny_problem, range(30))}


def test_a_provider_writes_the_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of four questions one is refused at first: three programs are sealed; the same command asks for the fourth alone, then nobody."""
    run = RunFolder(tmp_path / "run")
    make_dataset(
        run, write_tiny_problems(tmp_path / "problems.jsonl", 30), None, ProblemSplitPlan((0.5, 0.2, 0.3), 5, 4)
    )
    kept = [record["problem"].strip() for record in run.stage("smt-format").records("evaluation.jsonl")]
    command = [
        "smt",
        "generate-programs",
        "--run",
        str(run.folder),
        "--who",
        "baseline",
        "--baseline",
        "openai:gpt-4.1-mini",
    ]
    command += ["--store", str(tmp_path / "answers.sqlite")]
    refused = {kept[0]: True}

    def plan(prompt: str, _delivery: int) -> str | None:
        return "bad" if refused.get(prompt) else None

    with LoopbackServer(plan=plan, answers=lambda prompt: f"Here:\n```smt2\n{PROGRAMS[prompt]}```") as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        counts = []
        for _ in range(3):
            assert main(command) == 0
            counts.append((run.stage("smt-baseline").manifest()["counts"]["programs"], server.paid.total()))
            refused.clear()
    assert counts == [(3, 3), (4, 4), (4, 4)]
    answers = run.stage("smt-baseline").records("answers.jsonl")
    assert [answer["program"] for answer in answers] == [PROGRAMS[problem].strip() for problem in kept]
    assert main(["smt", "evaluate", "--run", str(run.folder)]) == 0
    assert "| baseline | 100.0% | 51–100 | 100.0% |" in capsys.readouterr().out


def test_a_baseline_without_an_answer_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message with the fault, status 2, and no stage; so are a provider that is not known and the grammar, which no provider takes."""
    run = RunFolder(tmp_path / "run")
    make_dataset(
        run, write_tiny_problems(tmp_path / "problems.jsonl", 30), None, ProblemSplitPlan((0.5, 0.2, 0.3), 5, 4)
    )
    command = ["smt", "generate-programs", "--run", str(run.folder), "--who", "baseline"]
    command += ["--store", str(tmp_path / "answers.sqlite"), "--baseline"]
    with LoopbackServer(plan=lambda *_: "forbidden") as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        assert main([*command, "openai:gpt-4.1-mini"]) == 2
    assert "answered none of 4 questions: " in capsys.readouterr().err
    assert main([*command, "nobody:x"]) == 2
    assert "nobody" in capsys.readouterr().err
    assert main([*command, "openai:gpt-4.1-mini", "--grammar"]) == 2
    assert not run.stage("smt-baseline").sealed
