"""The loopback server with the batch interfaces of OpenAI and Anthropic.

`stall` is where nothing more is sent: `submit` (before a batch is made), `made` (before that is answered), `results` (amid them). While
`open` is set, batches do not end; `status` is how they end at OpenAI's. `refuse` holds the statuses that the next submissions are
answered with, and `cut` how many downloads end in a reset. What becomes of a question is told by a word in it, such as `[missing]`.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.harness.llm.loopback_server import LoopbackServer

REFUSED_TEMPERATURE = "Unsupported value: 'temperature' does not support 0.0 with this model."


@dataclass
class BatchServer(LoopbackServer):
    """The batches that were handed in: for each the label and the body of its questions."""

    stall: str = ""
    open: bool = False
    status: str = "completed"
    refuse: list[int] = field(default_factory=list)
    cut: int = 0
    stalled: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, list[tuple[str, dict[str, Any]]]] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Lay the routes of both interfaces."""
        super().__post_init__()
        self.app.add_routes(
            [
                web.post("/v1/files", self._file),
                web.post("/v1/batches", self._submitted),
                web.get("/v1/batches/{id}", self._state),
                web.get("/v1/files/{id}/content", self._results),
                web.post("/v1/messages/batches", self._submitted),
                web.get("/v1/messages/batches/{id}", self._state),
                web.get("/v1/messages/batches/{id}/results", self._results),
            ]
        )

    def labels(self) -> list[str]:
        """Return the labels of all questions in batches."""
        return [label for items in self.batches.values() for label, _ in items]

    async def _stalled(self, request: web.Request, where: str) -> None:
        if self.stall == where:
            self.stalled.append(where)
            await self._gone(request, 60.0)
            raise web.HTTPInternalServerError

    async def _file(self, request: web.Request) -> web.Response:
        part = (await request.post())["file"]
        assert isinstance(part, web.FileField)
        name = f"file-{len(self.files)}"
        self.files[name] = part.file.read()
        return web.json_response({"id": name})

    async def _submitted(self, request: web.Request) -> web.Response:
        text = await request.read()
        record = json.loads(text)
        if "requests" in record:
            items = [(line["custom_id"], line["params"]) for line in record["requests"]]
        else:
            text = self.files[record["input_file_id"]]
            items = [(line["custom_id"], line["body"]) for line in map(json.loads, text.splitlines())]
        assert len({body["model"] for _, body in items}) == 1
        await self._stalled(request, "submit")
        if self.refuse:
            return self._error(self.refuse.pop(0), f"planned, {self.key}", headers={"Retry-After": "0"})
        name = f"batch_{len(self.batches)}"
        self.batches[name] = items
        self.sizes.append(len(text))
        await self._stalled(request, "made")
        return web.json_response({"id": name})

    async def _state(self, request: web.Request) -> web.Response:
        name = request.match_info["id"]
        if name not in self.batches:
            return self._error(404, f"no batch {name}")
        self.stalled.append("state")
        record: dict[str, Any] = {"id": name, "processing_status": "in_progress" if self.open else "ended"}
        record |= {"status": "in_progress" if self.open else self.status, "results_url": "http://127.0.0.1:9/trap"}
        if self.status == "failed":
            record |= {"errors": {"data": [{"code": "invalid_json_line", "message": "line 1 is no JSON"}]}}
        elif not self.open:
            record |= {"output_file_id": f"{name}-output", "error_file_id": f"{name}-error"}
        return web.json_response(record)

    async def _results(self, request: web.Request) -> web.StreamResponse:
        name, _, part = request.match_info["id"].partition("-")
        lines = [line for label, body in self.batches[name] for line in self._lines(label, body, part)]
        answer = web.StreamResponse()
        await answer.prepare(request)
        for place, line in enumerate(lines):
            if place == len(lines) // 2:
                await self._stalled(request, "results")
                if self.cut:
                    self.cut -= 1
                    return await self._cut(request)
            await answer.write(f"{line}\n\n".encode())
        await answer.write_eof()
        return answer

    def _lines(self, label: str, asked: dict[str, Any], part: str) -> list[str]:
        """Return the lines of a question's result in Anthropic's results, or in OpenAI's file of answers or of errors."""
        prompt = asked["messages"][-1]["content"]
        told = {
            "[overlong]": "prompt is too long",
            "[leak]": f"no, {self.key}",
            "[error]": "no",
            "[refused]": REFUSED_TEMPERATURE,
        }.get(prompt, "")
        failed = bool(told) or prompt == "[expired]"
        if prompt == "[missing]" or (part and (part == "error") != failed):
            return []
        text = "" if prompt == "[empty]" else self.complete(prompt, label)
        body = self.body("openai" if part else "anthropic", "m", prompt, text)
        if part:
            response: Any = {
                "status_code": 400 if told else 200,
                "body": {"error": {"message": told}} if told else body,
            }
            error: Any = {"code": "batch_expired", "message": "too late"} if prompt == "[expired]" else None
            record = {"custom_id": label, "response": None if error else response, "error": error}
            garbage: dict[str, Any] = {"custom_id": label, "response": {"status_code": "?"}}
        else:
            error = {"error": {"type": "invalid_request_error", "message": told}}
            kind = "errored" if told else "expired" if failed else "succeeded"
            record = {"custom_id": label, "result": {"type": kind, "message": body, "error": error}}
            garbage = {"custom_id": label, "result": {"type": "?"}}
        line = json.dumps(record)
        odd = {
            "[unreadable]": [line[: len(line) // 2]],
            "[garbage]": [json.dumps(garbage)],
            "[foreign]": [line, json.dumps({**record, "custom_id": "somebody-else"})],
            "[twice]": [line, line],
        }
        return odd.get(prompt, [line])
