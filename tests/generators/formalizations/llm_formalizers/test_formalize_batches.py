"""Formalizations by batches: handed in by one process, collected by another, repairs in the next batch."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from generators.formalizations.llm_formalizers import formalizer_run
from oracle_factory.command import main
from tests.generators.formalizations.llm_formalizers.formalizing_server import (
    RECORDED,
    FormalizingServer,
    alder,
    arguments,
    asked_about,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("openai", reason="asking models is optional")
WRONG = "def solve(seedlings: int = 7):\n    return seedlings + 1234567"


class BatchingServer(FormalizingServer):
    """A server that also takes OpenAI's batches, which end when `over` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.over = False
        self.files: dict[str, str] = {}
        self.batches: dict[str, dict[str, Any]] = {}

    def routes(self, app: web.Application) -> None:
        """Add those of files and batches."""
        app.router.add_post("/v1/files", self._file)
        app.router.add_post("/v1/batches", self._batch)
        app.router.add_get("/v1/batches/{name}", self._status)
        app.router.add_get("/v1/files/{name}/content", self._content)

    async def _file(self, request: web.Request) -> web.Response:
        form = await request.post()
        part = form["file"]
        assert isinstance(part, web.FileField)
        name = f"file-{len(self.files)}"
        self.files[name] = part.file.read().decode()
        return web.json_response({"id": name})

    async def _batch(self, request: web.Request) -> web.Response:
        body = await request.json()
        name = f"batch-{len(self.batches)}"
        self.batches[name] = {**body, "id": name, "created_at": 1, "object": "batch"}
        return web.json_response({**self.batches[name], "status": "validating"})

    async def _status(self, request: web.Request) -> web.Response:
        record = self.batches[request.match_info["name"]]
        count = len(self.files[record["input_file_id"]].splitlines())
        ended = {"status": "completed", "output_file_id": f"of-{record['input_file_id']}"}
        counts = {"request_counts": {"total": count, "completed": count, "failed": 0}}
        return web.json_response({**record, **(ended if self.over else {"status": "in_progress"}), **counts})

    async def _content(self, request: web.Request) -> web.Response:
        lines = []
        for line in self.files[request.match_info["name"].removeprefix("of-")].splitlines():
            asked = json.loads(line)
            self.asked.append(asked["body"])
            choice = {"index": 0, "message": {"content": self.say(asked["body"])}, "finish_reason": "stop"}
            body = {"choices": [choice], "usage": {"prompt_tokens": 1000, "completion_tokens": 100}}
            response = {"status_code": 200, "body": body}
            lines.append(json.dumps({"custom_id": asked["custom_id"], "response": response, "error": None}))
        return web.Response(text="\n".join(lines) + "\n")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[BatchingServer]:
    """Return a server of batches, whose first answer to mini-002 is wrong; the working folder is empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(formalizer_run, "EVERY", 0.05)
    with BatchingServer() as found:
        found.say = lambda body: (
            WRONG if asked_about(body) == "mini-002" and len(body["messages"]) == 2 else alder(body)
        )
        for name, value in found.variables.items():
            monkeypatch.setenv(name, value)
        yield found


def written(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the records of a run by problem."""
    lines = (folder / "responses.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["problem_id"]: record for record in map(json.loads, lines)}


def test_handed_in_and_collected(server: BatchingServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Questions are handed in once and collected later; repairs are the next batch; a token costs half."""
    assert main(arguments(tmp_path, "--batch")) == 1
    told = capsys.readouterr().err
    assert "submitted: 4 questions, 1 batches" in told
    assert "missing: mini-001: openai:gpt-4.1-mini: in-batch" in told
    assert written(tmp_path) == {}
    assert main(arguments(tmp_path, "--batch")) == 1
    assert main(arguments(tmp_path, "--collect")) == 1
    assert len(server.batches) == 1

    server.over = True
    assert main(arguments(tmp_path, "--collect")) == 1
    assert "collected: 4 answered" in capsys.readouterr().err
    assert [record["attempt"] for record in written(tmp_path).values()] == [1, 1, 1, 1]

    assert main(arguments(tmp_path, "--batch")) == 1
    assert "submitted: 1 questions, 1 batches" in capsys.readouterr().err
    assert main(arguments(tmp_path, "--batch")) == 0
    found = written(tmp_path)
    assert found["mini-002"]["attempt"] == 2
    assert found["mini-002"]["response"] == RECORDED["mini-002"]["alder"].text
    assert "which is not the answer" in server.asked[-1]["messages"][-1]["content"]
    assert found["mini-001"]["cost"] == pytest.approx((1000 * 0.40 + 100 * 1.60) / 2 / 1_000_000)
    assert len(server.asked) == 5


def test_waited_for(server: BatchingServer, tmp_path: Path) -> None:
    """With --wait one command does it all, repairs too."""
    server.over = True
    assert main(arguments(tmp_path, "--batch", "--wait")) == 0
    assert len(server.batches) == 2
    assert [record["attempt"] for record in written(tmp_path).values()] == [1, 2, 1, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--batch", "--models", "gemini:gemini-2.5-flash"],
            "gemini takes no batches; those that do: anthropic, openai",
        ),
        (["--batch", "--offline"], "--offline sends no request"),
        (["--wait"], "--wait: expected with --batch"),
    ],
)
def test_unusable(tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str) -> None:
    """Batches are refused for a provider that takes none, before anything is handed in."""
    assert main([*arguments(tmp_path), *options]) == 2
    assert message in capsys.readouterr().err
