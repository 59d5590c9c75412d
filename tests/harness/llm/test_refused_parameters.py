"""Laws of refused parameters: a server that refuses one is asked again without it, once, and the user is told the option."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.client import Answer
from harness.llm.messages import Message, Request, RequestFault, RequestFaultKind
from harness.llm.unsupported_parameters import UnsupportedParameters, unsupported_parameter
from tests.cases import cases
from tests.harness.llm.asking import MODELS, answers, question
from tests.harness.llm.loopback_server import LoopbackServer

TEMPERATURE = (
    "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) is supported."
)
LIMIT = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."


class ChoosyServer(LoopbackServer):
    """A server that refuses some parameters: the error in its answer, by the parameter."""

    refuses: dict[str, dict[str, Any]]

    async def _handled(self, request: web.Request, api: Any) -> web.StreamResponse:
        asked = await request.json()
        self.bodies.append(asked)
        error = next((error for name, error in self.refuses.items() if name in asked), None)
        return await super()._handled(request, api) if error is None else web.json_response(error, status=400)


def asked_of(path: Path, refuses: dict[str, dict[str, Any]], *requests: Request) -> tuple[list[Answer], list[set[str]]]:
    """Return the answers of a server to questions asked one after another, and the names in the bodies that it got."""
    server = ChoosyServer()
    server.refuses = refuses
    with server:
        got = answers(server, path, *requests)
    return got, [set(body) for body in server.bodies]


def error_of(message: str, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """Return the body of an error as OpenAI's interface writes it."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


@pytest.mark.parametrize("provider", MODELS)
@pytest.mark.parametrize("error", [error_of(TEMPERATURE, "temperature", "unsupported_value"), error_of(TEMPERATURE)])
def test_a_refused_parameter_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], provider: str, error: dict[str, Any]
) -> None:
    """The request is repeated once and counts once; the option that leaves the parameter out from the start is named."""
    request = question(provider, "why?")
    (answer,), bodies = asked_of(tmp_path / "store", {"temperature": error}, request)
    assert answer.reply is not None
    assert answer.asked == 1
    assert ["temperature" in body for body in bodies] == [True, False]
    assert "--temperature none" in capsys.readouterr().err
    with AnswerStore(tmp_path / "store") as store:
        assert len(store.attempts(request.key)) == 1


def test_several_refused_parameters_are_met_one_after_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is left out or renamed at its own refusal; the next questions to the model are asked without all of them."""
    refuses = {
        "max_completion_tokens": error_of("Use 'max_tokens' in place of it.", "max_completion_tokens"),
        "temperature": error_of(TEMPERATURE, "temperature"),
        "response_format": {"object": "error", "message": "response_format: extra inputs", "code": 400},
    }
    first = Request("openai", MODELS["openai"], (Message("user", "why?"),), schema={"type": "object"}, max_tokens=64)
    server = ChoosyServer()
    server.refuses = refuses
    with server:
        (one,) = answers(server, tmp_path / "one", first)
    assert one.reply is not None
    assert len(server.bodies) == 4
    assert server.bodies[-1]["max_tokens"] == 64
    assert {"max_completion_tokens", "temperature", "response_format"}.isdisjoint(server.bodies[-1])
    assert capsys.readouterr().err.count("refuses") == 3


def test_a_refusal_is_remembered_for_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many questions are refused as are under way at once; of the variable's parameters none is sent."""
    refuses = {"temperature": error_of(TEMPERATURE, "temperature")}
    requests = [question("openai", f"question {number}") for number in range(30)]
    _, bodies = asked_of(tmp_path / "store", refuses, *requests)
    assert sum("temperature" in body for body in bodies) <= 8
    monkeypatch.setenv("REFUSED_PARAMETERS", "temperature, max_completion_tokens=max_tokens")
    _, bodies = asked_of(tmp_path / "other", refuses, *requests[:1])
    assert [body & {"temperature", "max_tokens", "max_completion_tokens"} for body in bodies] == [{"max_tokens"}]


@cases(
    "error",
    [
        error_of("max_completion_tokens is too large: 64", "max_completion_tokens", "integer_above_max_value"),
        error_of("the model does not exist", "model"),
        error_of("temperature is above its maximum", "temperature", "decimal_above_max_value"),
        error_of("Unknown parameter"),
        error_of("one of temperature, max_completion_tokens is not supported"),
    ],
)
def test_what_a_request_needs_stays(error: dict[str, Any]) -> None:
    """A limit without another name, a value that the user chose, and a refusal that names none or several: the fault is the answer."""

    class Server:
        posts = 0

        async def post(self, *_: object, **__: object) -> str:
            """Refuse."""
            self.posts += 1
            raise RequestFault(RequestFaultKind.REQUEST, "HTTP 400", raw=json.dumps(error))

    server: Any = Server()
    body = {"model": "m", "messages": [], "max_completion_tokens": 64, "temperature": 2.0}
    with pytest.raises(RequestFault, match="HTTP 400"):
        asyncio.run(UnsupportedParameters({}).post(server, "/", body, {}))
    assert server.posts == 1


@cases("raw", ["", "[" * 100_000, '{"error": "temperature"}', '{"error": {"message": null, "param": ["temperature"]}}'])
def test_any_body_of_a_refusal_is_read(raw: str) -> None:
    """Without an error of its own."""
    fault = RequestFault(RequestFaultKind.REQUEST, "HTTP 400", raw=raw)
    assert unsupported_parameter(fault, {"temperature": 0.0}) in {None, "temperature"}


@cases("value", ["max_tokens", "a=b=c", "temperature none", "messages"])
def test_the_variable_is_read_whole_or_refused(value: str) -> None:
    """What a request needs cannot be left out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFUSED_PARAMETERS", value)
        with pytest.raises(HarnessError, match="REFUSED_PARAMETERS"):
            UnsupportedParameters()
