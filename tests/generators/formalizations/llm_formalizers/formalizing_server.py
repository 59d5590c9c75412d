"""A server on loopback that speaks chat completions, answers as it is told, and keeps what it was asked."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any, Self

from aiohttp import web

from harness.corpora.problems import CORPORA, load_corpus
from harness.corpora.responses import load_responses

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROBLEMS = {problem.problem_id: problem for problem in load_corpus("mini")}
RECORDED = load_responses([CORPORA / "mini" / "formalizations.jsonl"], frozenset(PROBLEMS)).accepted
KEY = "sk-of-nobody-0123456789abcdef"


def asked_about(body: dict[str, Any]) -> str:
    """Return the id of the problem that a request asks about."""
    first = body["messages"][1]["content"]
    return next(name for name, problem in PROBLEMS.items() if problem.question in first)


def alder(body: dict[str, Any]) -> str:
    """Answer as the author alder did, or birch where alder has no answer."""
    said = RECORDED[asked_about(body)]
    return (said.get("alder") or said["birch"]).text


class FormalizingServer:
    """The server; `say` gives the text of an answer, or an HTTP status to refuse with, for the body of a request."""

    def __init__(self, say: Callable[[dict[str, Any]], str | int] = alder) -> None:
        self.say = say
        self.seconds = 0.0
        self.finish = "stop"
        self.asked: list[dict[str, Any]] = []
        self.arrived = threading.Event()

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(30)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()

    async def _open(self) -> None:
        app = web.Application(client_max_size=64_000_000)
        app.router.add_post("/v1/chat/completions", self._answer)
        self.routes(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]

    def routes(self, app: web.Application) -> None:
        """Add routes; here there are none."""

    async def _answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked.append(body)
        self.arrived.set()
        await asyncio.sleep(self.seconds)
        said = self.say(body)
        if isinstance(said, int):
            return web.json_response({"error": {"message": "no [red]way\x1b[31m"}}, status=said)
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": self.finish}
        usage = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 400}}
        return web.json_response({"object": "chat.completion", "choices": [choice], "usage": usage})

    @property
    def variables(self) -> dict[str, str]:
        """Return the environment in which it is asked."""
        return {"OPENAI_BASE_URL": f"http://127.0.0.1:{self.port}/v1", "OPENAI_API_KEY": KEY}


def arguments(
    folder: Path, *more: str, problems: str = "0:4", models: tuple[str, ...] = ("openai:gpt-4.1-mini",)
) -> list[str]:
    """Return the options of a run in a folder."""
    files = ["--store", str(folder / "answers.sqlite"), "-o", str(folder / "responses.jsonl")]
    return ["formalize", "--problems", problems, "--models", ",".join(models), *files, "--tries", "2", *more]
