"""A test server with the batch interfaces of OpenAI and Anthropic, which counts requests and fails on demand.

It runs in a process of its own, so that tests may fork, and is told by `POST /plan` what to do:

* `stall`: where nothing more is sent: `submit` (before a batch is made), `made` (before that is answered), `results` (amid them);
* `open`: batches do not end; `status`: how they end at OpenAI's;
* `refuse`: statuses that the next submissions are answered with, `break`: whether the batch is made nevertheless;
* `lag`: so many looks at the list do not show what is there; `short`: so many downloads are cut short, cleanly; `cut`: by a reset.

What comes of a question is told by a word in it: see `WORDS`.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import sys
import time
from typing import Any

from aiohttp import web

USAGE = {"input": 10, "output": 5}
WORDS = (
    "[error]",
    "[overlong]",
    "[expired]",
    "[garbage]",
    "[unreadable]",
    "[missing]",
    "[empty]",
    "[twice]",
    "[foreign]",
    "[leak]",
)
ORDERLY = {
    "stall": "",
    "open": False,
    "status": "completed",
    "refuse": [],
    "break": False,
    "lag": 0,
    "short": 0,
    "cut": 0,
}


class Server:
    """The batches that were handed in, and what the plan says of them."""

    def __init__(self) -> None:
        """Begin without batches."""
        self.plan: dict[str, Any] = dict(ORDERLY)
        self.files: dict[str, bytes] = {}
        self.batches: list[dict[str, Any]] = []
        self.stalled: list[str] = []
        self.looks = 0
        self.key = ""

    def app(self) -> web.Application:
        """Return the routes of both interfaces, and those of the tests."""
        app = web.Application(client_max_size=2**28)
        app.add_routes(
            [
                web.post("/plan", self.planned),
                web.get("/seen", self.seen),
                web.post("/v1/files", self.uploaded),
                web.post("/v1/batches", self.submitted_openai),
                web.get("/v1/batches", self.listed_openai),
                web.get("/v1/batches/{id}", self.status_openai),
                web.get("/v1/files/{id}/content", self.content),
                web.post("/v1/messages/batches", self.submitted_anthropic),
                web.get("/v1/messages/batches", self.listed_anthropic),
                web.get("/v1/messages/batches/{id}", self.status_anthropic),
                web.get("/v1/messages/batches/{id}/results", self.results_anthropic),
            ]
        )
        return app

    async def planned(self, request: web.Request) -> web.Response:
        """Take a plan; `fresh` removes all batches and files."""
        plan = await request.json()
        if plan.pop("fresh", False):
            self.__init__()  # type: ignore[misc]  # begins anew
        self.plan = {**ORDERLY, **plan}
        return web.json_response({})

    async def seen(self, _: web.Request) -> web.Response:
        """Return what was submitted."""
        batches = [{"id": batch["id"], "labels": batch["labels"], "bytes": batch["bytes"]} for batch in self.batches]
        return web.json_response({"batches": batches, "stalled": self.stalled, "looks": self.looks})

    async def stall(self, where: str) -> None:
        """Wait for ever, if it is planned to here."""
        if self.plan["stall"] == where:
            self.stalled.append(where)
            await asyncio.Event().wait()

    async def uploaded(self, request: web.Request) -> web.Response:
        """Take a file."""
        parts = await request.post()
        assert parts["purpose"] == "batch"
        name = f"file-{len(self.files)}"
        self.files[name] = parts["file"].file.read()  # type: ignore[union-attr]  # a file it is
        return web.json_response({"id": name, "object": "file"})

    async def submitted_openai(self, request: web.Request) -> web.Response:
        """Make a batch of a file."""
        self.key = request.headers["Authorization"].removeprefix("Bearer ")
        body = await request.json()
        assert (body["endpoint"], body["completion_window"]) == ("/v1/chat/completions", "24h")
        lines = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
        assert all(set(line) == {"custom_id", "method", "url", "body"} for line in lines)
        assert len({line["body"]["model"] for line in lines}) == 1
        items = [(line["custom_id"], line["body"]["messages"][-1]["content"]) for line in lines]
        return await self.made(items, len(self.files[body["input_file_id"]]), body["metadata"], self.shown_openai)

    async def submitted_anthropic(self, request: web.Request) -> web.Response:
        """Make a batch of a list."""
        self.key = request.headers.get("X-Api-Key") or request.headers["Authorization"].removeprefix("Bearer ")
        text = await request.read()
        items = [
            (record["custom_id"], record["params"]["messages"][-1]["content"])
            for record in json.loads(text)["requests"]
        ]
        return await self.made(items, len(text), {}, self.shown_anthropic)

    async def made(self, items: list[Any], size: int, metadata: Any, shown: Any) -> web.Response:
        """Make a batch, unless it is planned otherwise."""
        await self.stall("submit")
        refusal = self.plan["refuse"].pop(0) if self.plan["refuse"] else None
        if refusal is None or self.plan["break"]:
            batch = {"id": f"batch_{len(self.batches)}", "made": time.time(), "metadata": metadata, "bytes": size}
            self.batches.append({**batch, "items": items, "labels": [label for label, _ in items]})
        if refusal is not None:
            error = {"type": "error", "error": {"type": "planned", "message": f"planned, {self.key}"}}
            return web.json_response(error, status=refusal, headers={"Retry-After": "0"})
        await self.stall("made")
        return web.json_response(shown(self.batches[-1]))

    def found(self, request: web.Request) -> dict[str, Any]:
        """Return the batch of a path, newest first."""
        name = request.match_info["id"].removesuffix("-output").removesuffix("-error")
        for batch in self.batches:
            if batch["id"] == name:
                return batch
        raise web.HTTPNotFound(text=json.dumps({"error": {"message": f"no batch {name}"}}))

    def page(self, request: web.Request, cursor: str, shown: Any) -> web.Response:
        """Return a page of one batch, so that paging is met."""
        if self.plan["lag"]:
            self.plan["lag"] -= 1
            return web.json_response({"data": [], "has_more": False})
        newest = self.batches[::-1]
        after = request.query.get(cursor)
        start = next((place + 1 for place, batch in enumerate(newest) if batch["id"] == after), 0)
        return web.json_response(
            {"data": [shown(record) for record in newest[start : start + 1]], "has_more": start + 1 < len(newest)}
        )

    async def listed_openai(self, request: web.Request) -> web.Response:
        """Return a page of the list."""
        return self.page(request, "after", self.shown_openai)

    async def listed_anthropic(self, request: web.Request) -> web.Response:
        """Return a page of the list."""
        return self.page(request, "after_id", self.shown_anthropic)

    async def status_openai(self, request: web.Request) -> web.Response:
        """Return the state of a batch."""
        self.looks += 1
        return web.json_response(self.shown_openai(self.found(request)))

    async def status_anthropic(self, request: web.Request) -> web.Response:
        """Return the state of a batch."""
        self.looks += 1
        return web.json_response(self.shown_anthropic(self.found(request)))

    def shown_openai(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Return a batch as OpenAI does."""
        lines, size = openai_lines(batch, self.key), len(batch["items"])
        status = "in_progress" if self.plan["open"] else self.plan["status"]
        counts = {"total": size, "completed": len(lines["output"]), "failed": len(lines["error"])}
        record = {
            "id": batch["id"],
            "object": "batch",
            "status": status,
            "created_at": int(batch["made"]),
            "metadata": batch["metadata"],
        }
        if status == "failed":
            told = {"code": "invalid_json_line", "message": "line 1 is no JSON", "line": 1}
            return {**record, "errors": {"data": [told]}, "request_counts": dict.fromkeys(counts, 0)}
        files = (
            {} if self.plan["open"] else {f"{name}_file_id": f"{batch['id']}-{name}" for name in lines if lines[name]}
        )
        return {**record, **files, "request_counts": counts}

    def shown_anthropic(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Return a batch as Anthropic does; the address of results is a trap."""
        size = len(batch["items"])
        made = dt.datetime.fromtimestamp(batch["made"], dt.UTC).isoformat().replace("+00:00", "Z")
        counts = {"processing": size if self.plan["open"] else 0, "succeeded": 0 if self.plan["open"] else size}
        counts |= {"errored": 0, "canceled": 0, "expired": 0}
        status = "in_progress" if self.plan["open"] else "ended"
        return {
            "id": batch["id"],
            "type": "message_batch",
            "processing_status": status,
            "request_counts": counts,
            "created_at": made,
            "results_url": "http://127.0.0.1:9/trap",
        }

    async def content(self, request: web.Request) -> web.StreamResponse:
        """Send one of the two files."""
        batch = self.found(request)
        return await self.sent(request, openai_lines(batch, self.key)[request.match_info["id"].rpartition("-")[2]])

    async def results_anthropic(self, request: web.Request) -> web.StreamResponse:
        """Send the results."""
        return await self.sent(request, anthropic_lines(self.found(request), self.key))

    async def sent(self, request: web.Request, lines: list[str]) -> web.StreamResponse:
        """Send lines, half of them where that is planned."""
        short, cut, stall = self.plan["short"], self.plan["cut"], self.plan["stall"] == "results"
        self.plan |= {"short": max(short - 1, 0), "cut": max(cut - 1, 0)}
        answer = web.StreamResponse()
        await answer.prepare(request)
        for line in lines[: len(lines) // 2] if short or cut or stall else lines:
            await answer.write(f"{line}\n".encode())
        await self.stall("results")
        if cut and request.transport is not None:
            request.transport.abort()
        return answer


def openai_lines(batch: dict[str, Any], key: str) -> dict[str, list[str]]:
    """Return the lines of the two files."""
    lines: dict[str, list[str]] = {"output": [], "error": []}
    for label, prompt in batch["items"]:
        message = {"role": "assistant", "content": "" if "[empty]" in prompt else f"answer to {prompt}"}
        usage = {"prompt_tokens": USAGE["input"], "completion_tokens": USAGE["output"]}
        body = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
        response, error, where = {"status_code": 200, "body": body}, None, "output"
        if told := refusal(prompt, key):
            response, where = {"status_code": 400, "body": {"error": {"message": told}}}, "error"
        elif "[expired]" in prompt:
            response, where = None, "error"  # type: ignore[assignment]  # as OpenAI does
            error = {"code": "batch_expired", "message": "This request could not be executed before it expired."}
        record = {"id": "r", "custom_id": label, "response": response, "error": error}
        lines[where] += odd(record, prompt, {"id": "r", "custom_id": label, "response": {"status_code": "?"}})
    return lines


def anthropic_lines(batch: dict[str, Any], key: str) -> list[str]:
    """Return the lines of the results."""
    lines = []
    for label, prompt in batch["items"]:
        text = "" if "[empty]" in prompt else f"answer to {prompt}"
        usage = {"input_tokens": USAGE["input"], "output_tokens": USAGE["output"]}
        message = {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "usage": usage}
        result: dict[str, Any] = {"type": "succeeded", "message": message}
        if told := refusal(prompt, key):
            error = {"type": "invalid_request_error", "message": told}
            result = {"type": "errored", "error": {"type": "error", "error": error}}
        elif "[expired]" in prompt:
            result = {"type": "expired"}
        lines += odd({"custom_id": label, "result": result}, prompt, {"custom_id": label, "result": {"type": "?"}})
    return lines


def refusal(prompt: str, key: str) -> str:
    """Return why a question is refused, if it is."""
    if "[overlong]" in prompt:
        return "prompt is too long"
    return f"no, {key}" if "[leak]" in prompt else "no" if "[error]" in prompt else ""


def odd(record: dict[str, Any], prompt: str, garbage: dict[str, Any]) -> list[str]:
    """Return the lines of one result."""
    line = json.dumps(record)
    if "[missing]" in prompt:
        return []
    if "[unreadable]" in prompt:
        return [line[: len(line) // 2]]
    if "[garbage]" in prompt:
        return [json.dumps(garbage)]
    if "[foreign]" in prompt:
        return [line, json.dumps({**record, "custom_id": "somebody-else"})]
    return [line, line] if "[twice]" in prompt else [line]


async def serve() -> None:
    """Serve on a port that the system chooses, and print it; end with the standard input."""
    runner = web.AppRunner(Server().app())
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)  # noqa: T201  # who started it reads the port
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve())
