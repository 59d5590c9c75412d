"""`oracle-factory formalize --dialect template`: the solution is sent, priced, part of the key, and given back by the answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from oracle_factory.command import main
from tests.generators.formalizations.llm_formalizers.formalizing_server import (
    PROBLEMS,
    RECORDED,
    FormalizingServer,
    arguments,
    asked_about,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("openai", reason="asking models is optional")
TEMPLATE = ("--dialect", "template")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FormalizingServer]:
    """Return a server that answers as the author birch did; the working folder is empty."""
    monkeypatch.chdir(tmp_path)
    with FormalizingServer(birch) as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        yield server


def birch(body: dict[str, Any]) -> str:
    """Answer as the author birch did."""
    return RECORDED[asked_about(body)]["birch"].text


def records(folder: Path) -> list[dict[str, Any]]:
    """Return the records of a run."""
    return [json.loads(line) for line in (folder / "responses.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_lines_of_another_solution_are_refused(server: FormalizingServer, tmp_path: Path) -> None:
    """A template with the right answer and other lines is asked for again, with the line that differs."""
    place = "line of the solution"
    server.say = lambda body: (
        birch(body).replace('solution_line_template": "', 'solution_line_template": "So ', 1)
        if len(body["messages"]) == 2
        else birch(body)
    )
    assert main(arguments(tmp_path, *TEMPLATE, problems="2:3")) == 0
    assert len(server.asked) == 2
    told = server.asked[1]["messages"][-1]["content"]
    assert "other-line: L1 is not the line of the solution (wording): the template gives 'So " in told
    assert place in told
    assert [record["attempt"] for record in records(tmp_path)] == [2]


def test_other_examples_are_another_question(
    server: FormalizingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded answers are replayed for the same prompt, and for no other: examples and shots are part of the key."""
    assert main(arguments(tmp_path, *TEMPLATE)) == 0
    recorded = records(tmp_path)
    asked = len(server.asked)
    monkeypatch.setenv("REPLAY_STORE", str(tmp_path / "answers.sqlite"))
    folder = tmp_path / "replayed"
    folder.mkdir()
    replayed = arguments(folder, *TEMPLATE, models=("replay:openai:gpt-4.1-mini",))
    assert main(replayed) == 0
    assert [record["response"] for record in records(folder)] == [record["response"] for record in recorded]
    assert main([*replayed, "--shots", "2"]) == 1
    assert records(folder) == []
    assert len(server.asked) == asked


def test_a_corpus_without_solutions(server: FormalizingServer, tmp_path: Path) -> None:
    """No template is asked for where the corpus has no solution; the parametric form is."""
    corpus = tmp_path / "bare.jsonl"
    corpus.write_text(
        "".join(
            json.dumps({"id": name, "question": problem.question, "answer": f"#### {problem.gold}"}) + "\n"
            for name, problem in PROBLEMS.items()
        )
    )
    server.say = lambda body: RECORDED[asked_about(body)]["alder"].text
    assert main(arguments(tmp_path, "--corpus", str(corpus), "--dialect", "both", problems="2:4")) == 1
    assert [record["dialect"] for record in records(tmp_path)] == ["parametric", "parametric"]
    assert len(server.asked) == 2
