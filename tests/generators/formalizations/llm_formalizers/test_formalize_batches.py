"""Formalizations by batches: handed in by one process, collected by another, repairs in the next batch; models as the command line names them."""

from pathlib import Path

import pytest

from generators.formalizations.llm_formalizers.conversation import setting
from generators.formalizations.llm_formalizers.model_specs import ModelSpec, read_model_specs
from harness.llm import question_job
from oracle_factory.command import main
from tests.generators.formalizations.llm_formalizers.formalizing_server import (
    RECORDED,
    FormalizingServer,
    alder,
    arguments,
    asked_about,
    written,
)

WRONG = "def solve(seedlings: int = 7):\n    return seedlings + 1234567"


@pytest.fixture
def server(server: FormalizingServer, monkeypatch: pytest.MonkeyPatch) -> FormalizingServer:
    """Return a server whose batches do not end, and whose first answer to mini-002 is wrong."""
    monkeypatch.setattr(question_job, "EVERY", 0.05)
    server.open = True
    server.say = lambda body: WRONG if asked_about(body) == "mini-002" and len(body["messages"]) == 2 else alder(body)
    return server


def test_handed_in_and_collected(server: FormalizingServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Questions are handed in once and collected later; repairs are the next batch; a token costs half."""
    assert main(arguments(tmp_path, "--batch")) == 1
    told = capsys.readouterr().err
    assert "submitted: 4 questions, 1 batches" in told
    assert "missing: mini-001: openai:gpt-4.1-mini: in-batch" in told
    assert written(tmp_path) == []
    assert main(arguments(tmp_path, "--batch")) == 1
    assert main(arguments(tmp_path, "--collect")) == 1
    assert len(server.batches) == 1

    server.open = False
    assert main(arguments(tmp_path, "--collect")) == 1
    assert "collected: 4 answered" in capsys.readouterr().err
    assert [record["attempt"] for record in written(tmp_path)] == [1, 1, 1, 1]

    assert main(arguments(tmp_path, "--batch")) == 1
    assert "submitted: 1 questions, 1 batches" in capsys.readouterr().err
    assert main(arguments(tmp_path, "--batch")) == 0
    found = {record["problem_id"]: record for record in written(tmp_path)}
    assert found["mini-002"]["attempt"] == 2
    assert found["mini-002"]["response"] == RECORDED["mini-002"]["alder"].text
    assert "which is not the answer" in server.asked[-1]["messages"][-1]["content"]
    assert found["mini-001"]["cost"] == pytest.approx((600 * 0.40 + 400 * 0.10 + 100 * 1.60) / 2 / 1_000_000)
    assert len(server.asked) == 5


def test_waited_for(server: FormalizingServer, tmp_path: Path) -> None:
    """With --wait one command does it all, repairs too."""
    server.open = False
    assert main(arguments(tmp_path, "--batch", "--wait")) == 0
    assert len(server.batches) == 2
    assert [record["attempt"] for record in written(tmp_path)] == [1, 2, 1, 1]


def test_names_are_unique_and_do_not_depend_on_each_other() -> None:
    """Each dialect and sample has a name of its own, the same whatever else is asked."""
    members = read_model_specs(["openai:gpt-4.1-mini", "local", "annotation"], ["parametric", "template"], 2)
    assert [member.name for member in members] == [
        "openai:gpt-4.1-mini",
        "openai:gpt-4.1-mini#2",
        "openai:gpt-4.1-mini/template",
        "openai:gpt-4.1-mini/template#2",
        "local",
        "local#2",
        "local/template",
        "local/template#2",
        "annotation",
    ]
    assert [spec.name for spec in read_model_specs(["local"], ["template"])] == ["local/template"]


def test_most_specific_setting_holds() -> None:
    """A model's own value goes before its provider's, and that before the one for all."""
    values = {"": 1, "openai": 2, "openai:a": 3}
    found = [setting(values, ModelSpec(*spec), 0) for spec in [("openai", "a"), ("openai", "b"), ("gemini", "a")]]
    assert found == [3, 2, 1]
    assert setting({}, ModelSpec("openai", "a"), 0) == 0
