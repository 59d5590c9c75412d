"""The loopback server as an author of formalizations: it answers as it is told, and keeps what it was asked."""

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aiohttp import web

from harness.corpora.problems import CORPORA, load_corpus
from harness.corpora.responses import SpooledResponses
from tests.harness.llm.batch_server import BatchServer
from tests.json_lines import read_lines

PROBLEMS = {problem.problem_id: problem for problem in load_corpus("mini")}
RECORDED = SpooledResponses([CORPORA / "mini" / "formalizations.jsonl"], PROBLEMS)


def asked_about(body: dict[str, Any]) -> str:
    """Return the id of the problem that a request asks about."""
    first = body["messages"][1]["content"]
    return next(name for name, problem in PROBLEMS.items() if problem.question in first)


def birch(body: dict[str, Any]) -> str:
    """Answer as the author birch did."""
    return RECORDED[asked_about(body)]["birch"].text


def alder(body: dict[str, Any]) -> str:
    """Answer as the author alder did, or birch where alder has no answer."""
    said = RECORDED[asked_about(body)]
    return (said.get("alder") or said["birch"]).text


class FormalizingServer(BatchServer):
    """The server; `say` gives the text of an answer, or an HTTP status to refuse with, for the body of a request."""

    def __init__(self, say: Callable[[dict[str, Any]], str | int] = alder) -> None:
        """Answer by `say`, at once or in batches."""
        super().__init__()
        self.say = say
        self.finish = "stop"
        self.asked: list[dict[str, Any]] = []
        self.arrived = threading.Event()

    def _answer(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return the status and the record of an answer, whose usage is always the same."""
        self.asked.append(body)
        said = self.say(body)
        if isinstance(said, int):
            return said, {"error": {"message": "no [red]way\x1b[31m"}}
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": self.finish}
        usage = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 400}}
        return 200, {"object": "chat.completion", "choices": [choice], "usage": usage}

    async def _handled(self, request: web.Request, _api: str) -> web.StreamResponse:
        body = await request.json()
        self.arrived.set()
        status, record = self._answer(body)
        await asyncio.sleep(self.seconds)
        return web.json_response(record, status=status)

    def _lines(self, label: str, asked: dict[str, Any], part: str) -> list[str]:
        if part == "error":
            return []
        status, record = self._answer(asked)
        return [json.dumps({"custom_id": label, "response": {"status_code": status, "body": record}, "error": None})]


def arguments(
    folder: Path, *more: str, problems: str = "0:4", models: tuple[str, ...] = ("openai:gpt-4.1-mini",)
) -> list[str]:
    """Return the options of a run in a folder."""
    files = ["--store", str(folder / "answers.sqlite"), "-o", str(folder / "responses.jsonl")]
    return ["formalize", "--problems", problems, "--models", ",".join(models), *files, "--tries", "2", *more]


def written(folder: Path) -> list[dict[str, Any]]:
    """Return the records of a run in a folder."""
    return read_lines(folder / "responses.jsonl")
