"""A test server on loopback with OpenAI's and Anthropic's interfaces, which fails on demand.

It runs in its own thread: `with LoopbackServer(plan=scripted({"why?": ["rate", "stall"]})) as server:` answers "why?" at its
third delivery. `server.variables` is the environment in which the providers reach it. To add a route, call
`server.app.router.add_post(path, handler)` before the server is entered. A handler first calls `server.refusal(request)`, which
returns a response if the key is wrong, and calls `server.complete(prompt, label)` for each answer, which counts it as paid.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self

from aiohttp import web

from harness.llm.messages import RequestFaultKind, Usage

if TYPE_CHECKING:
    Plan = Callable[[str, int], str | None]
    """Which misbehaviour meets a prompt at its so-manieth delivery, counted from 0."""
    Api = Literal["openai", "anthropic"]

KEY = "sk-test-5vQ9mXw2LrT8yB4nHc7ZpK1d"
_SURVEYED = 0.02
"""Seconds between two looks whether a client has gone away."""

REFUSALS = {
    "rate-bare": (RequestFaultKind.RATE, 429, "Rate limit reached", "server_error"),
    "quota": (RequestFaultKind.QUOTA, 429, "You exceeded your current quota", "insufficient_quota"),
    "error": (RequestFaultKind.SERVER, 500, "The server had an error", "server_error"),
    "overloaded": (RequestFaultKind.OVERLOADED, 529, "Overloaded", "overloaded_error"),
    "context": (RequestFaultKind.CONTEXT, 400, "The maximum context length is 8 tokens", "context_length_exceeded"),
    "bad": (RequestFaultKind.REQUEST, 400, "Unknown parameter", "unknown_parameter"),
    "forbidden": (RequestFaultKind.ACCESS, 403, "Your project has no access", "permission_error"),
    "missing": (RequestFaultKind.ACCESS, 404, "The model does not exist", "model_not_found"),
}
"""What becomes of each plain refusal at the client, its status, message and code."""
FAULTS = {name: refusal[0] for name, refusal in REFUSALS.items()} | {
    "rate": RequestFaultKind.RATE,  # 429 with Retry-After
    "slow": RequestFaultKind.TIME,  # the first byte comes late: a fault for those who do not wait so long
    "stall": RequestFaultKind.TIME,  # half of the answer comes, then the connection closes
    "truncated": RequestFaultKind.MALFORMED,
    "html": RequestFaultKind.MALFORMED,
    "charset": RequestFaultKind.MALFORMED,  # half of it, in an encoding that no text has
    "error-inside": RequestFaultKind.SERVER,  # an error under status 200
    "empty": RequestFaultKind.EMPTY,
    "reset": RequestFaultKind.CONNECTION,
    "reset-late": RequestFaultKind.CONNECTION,  # amid the answer
    "redirect": RequestFaultKind.REQUEST,
    "echo": RequestFaultKind.SERVER,  # an error with the key in it, whole and in part
}
"""What becomes of each misbehaviour at the client. After `refusal` and `echo-answer`, with the key in it, there is an answer."""


def scripted(script: Mapping[str, Sequence[str]]) -> Plan:
    """Misbehave at the first deliveries of some prompts, one of a list after another."""

    def plan(prompt: str, delivery: int) -> str | None:
        names = script.get(prompt, ())
        return names[delivery] if delivery < len(names) else None

    return plan


def mixed(share: float, names: Sequence[str], *, seed: int) -> Plan:
    """Misbehave at a share of deliveries, evenly among the names, the same in every run."""

    def plan(prompt: str, delivery: int) -> str | None:
        chance = random.Random(f"{seed}:{prompt}:{delivery}")
        return chance.choice(names) if chance.random() < share else None

    return plan


@dataclass
class LoopbackServer:
    """The server: what it was sent, what it counts as paid, and when.

    An answer is paid for once it was made, whether or not it arrives. `idempotent` servers make one answer a label and
    deliver it again; others make a new one each time, so that a duplicate is paid twice. `paid` counts answers by prompt,
    the last message of a question; `used` their tokens; `arrivals` are the seconds (`time.monotonic`) at which questions came.
    """

    plan: Plan = lambda _prompt, _delivery: None
    answers: Callable[[str], str] = "answer to {}".format
    key: str = KEY
    seconds: float = 0.0
    slow: float = 0.4
    retry_after: float = 1.0
    idempotent: bool = True
    paid: Counter[str] = field(default_factory=Counter)
    deliveries: Counter[str] = field(default_factory=Counter)
    arrivals: list[float] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    keep_bodies: bool = False
    used: Usage = field(default_factory=Usage)
    app: web.Application = field(default_factory=lambda: web.Application(client_max_size=64_000_000))
    _made: dict[str, str] = field(default_factory=dict)
    _port: int = 0

    def __post_init__(self) -> None:
        """Lay the routes of both interfaces."""
        self.app.router.add_post("/v1/chat/completions", self._route("openai"))
        self.app.router.add_post("/v1/messages", self._route("anthropic"))

    @property
    def url(self) -> str:
        """Return the address, without a path."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def variables(self) -> dict[str, str]:
        """Return the environment in which each provider asks this server."""
        names = ("OPENAI", "GEMINI", "COMPATIBLE", "ANTHROPIC")
        addresses = {f"{name}_BASE_URL": f"{self.url}/v1" for name in names}
        return {**{f"{name}_API_KEY": self.key for name in names}, **addresses, "ANTHROPIC_BASE_URL": self.url}

    def __enter__(self) -> Self:
        """Start the thread and wait until the port is open."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(30)
        return self

    def __exit__(self, *_: object) -> None:
        """Close the port and end the thread."""
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()

    async def _open(self) -> None:
        self._runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, backlog=1024)
        await site.start()
        self._port = self._runner.addresses[0][1]

    def refusal(self, request: web.Request) -> web.Response | None:
        """Return the response to a wrong key, which shows its beginning and end, as OpenAI's does; `None` for the right one."""
        told = request.headers.get("x-api-key") or request.headers.get("Authorization", "").removeprefix("Bearer ")
        if told == self.key:
            return None
        masked = f"{told[:6]}{'*' * 20}{told[-4:]}"
        return self._error(401, f"Incorrect API key provided: {masked}. You can find yours on our pages.")

    def complete(self, prompt: str, label: str = "") -> str:
        """Return the answer to a prompt and count it as paid, unless the label was answered before."""
        if self.idempotent and label in self._made:
            return self._made[label]
        text = self.answers(prompt)
        self.paid[prompt] += 1
        usage = self.usage_of(prompt, text)
        self.used = Usage(self.used.input + usage.input, self.used.output + usage.output)
        if self.idempotent and label:
            self._made[label] = text
        return text

    @staticmethod
    def usage_of(prompt: str, text: str) -> Usage:
        """Return what an answer uses: a token for four characters, and eight around the question."""
        return Usage(len(prompt) // 4 + 8, len(text) // 4 + 1)

    def body(self, api: Api, model: str, prompt: str, text: str, *, stop: str = "end") -> dict[str, Any]:
        """Return an answer as the interface wraps it; `stop` is `end`, `empty` or `refusal`."""
        usage, refused = self.usage_of(prompt, text), stop == "refusal"
        if api == "openai":
            message = {"content": None if refused else text, "refusal": "I cannot help with that." if refused else None}
            tokens = {"prompt_tokens": usage.input, "completion_tokens": usage.output}
            choices = [] if stop == "empty" else [{"message": message, "finish_reason": "stop"}]
            return {"id": "c-1", "object": "chat.completion", "model": model, "choices": choices, "usage": tokens}
        content = [{"type": "text", "text": text}] if stop == "end" else []
        tokens = {"input_tokens": usage.input, "output_tokens": usage.output}
        whole = {"id": "m-1", "type": "message", "role": "assistant", "model": model, "content": content}
        return {**whole, "stop_reason": "refusal" if refused else "end_turn", "usage": tokens}

    def _route(self, api: Api) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            self.arrivals.append(time.monotonic())
            return self.refusal(request) or await self._handled(request, api)

        return handle

    async def _handled(self, request: web.Request, api: Api) -> web.StreamResponse:
        asked = await request.json()
        if self.keep_bodies:
            self.bodies.append(asked)
            self.headers.append(dict(request.headers))
        prompt = str(asked["messages"][-1]["content"])
        name = self.plan(prompt, self.deliveries[prompt])
        self.deliveries[prompt] += 1
        if (refused := self._refused(name)) is not None:
            return refused
        if name == "reset":
            return await self._cut(request)
        if name == "slow":
            await self._gone(request, self.slow)
        if self.seconds:
            await asyncio.sleep(self.seconds)
        text = self.complete(prompt, request.headers.get("Idempotency-Key", ""))
        if name == "echo-answer":
            text = f"{text} {self.key}"
        stop = name if name in {"empty", "refusal"} else "end"
        body = json.dumps(self.body(api, str(asked["model"]), prompt, text, stop=stop)).encode()
        if name == "truncated":
            return web.Response(body=body[: len(body) // 2], content_type="application/json")
        if name == "charset":
            return web.Response(
                body=body[: len(body) // 2], headers={"Content-Type": "application/json; charset=rot13"}
            )
        if name in {"stall", "reset-late"}:
            return await self._half(request, body, cut=name == "reset-late")
        return web.Response(body=body, content_type="application/json")

    def _refused(self, name: str | None) -> web.Response | None:
        """Return the response of a misbehaviour that makes no answer."""
        if name in REFUSALS:
            return self._error(*REFUSALS[name][1:])
        match name:
            case "rate":
                return self._error(429, "Rate limit reached", headers={"Retry-After": str(self.retry_after)})
            case "html":
                return web.Response(text="<html><body>Sign in to the network</body></html>", content_type="text/html")
            case "error-inside":
                return web.json_response({"error": {"message": "upstream failed", "code": 502}})
            case "redirect":
                return web.Response(status=307, headers={"Location": f"{self.url}/elsewhere"})
            case "echo":
                masked = f"{self.key[:8]}...{self.key[-4:]}"
                told = f"{'x' * 180} key {self.key} in header Bearer {self.key}, that is {masked}"
                return self._error(500, told)
        return None

    @staticmethod
    def _error(
        status: int, message: str, code: str = "server_error", *, headers: Mapping[str, str] | None = None
    ) -> web.Response:
        body = {"type": "error", "error": {"message": message, "type": code, "code": code}}
        return web.json_response(body, status=status, headers=headers)

    async def _half(self, request: web.Request, body: bytes, *, cut: bool) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": str(len(body)), "Content-Type": "application/json"})
        await response.prepare(request)
        await response.write(body[: len(body) // 2])
        if cut:
            return await self._cut(request)
        await self._gone(request, 30.0)
        return response

    @staticmethod
    async def _cut(request: web.Request) -> web.StreamResponse:
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    @staticmethod
    async def _gone(request: web.Request, seconds: float) -> None:
        """Wait this long, or until the client has gone."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and request.transport is not None and not request.transport.is_closing():  # noqa: ASYNC110  # aiohttp tells nobody that a client has gone
            await asyncio.sleep(_SURVEYED)


def rate_kept(arrivals: Sequence[float], rate: float, *, slack: float) -> bool:
    """Tell whether each stretch between two arrivals is as long as the rate, a minute, makes it, but for `slack` seconds."""
    furthest = -math.inf
    for place, at in enumerate(arrivals):
        late = at - place * 60 / rate
        if late < furthest - slack:
            return False
        furthest = max(furthest, late)
    return True
