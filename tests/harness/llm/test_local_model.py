"""Tests of the local model: it answers without a key in the requested format and leaves no process behind."""

import asyncio
import json
import socket
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest

from harness.errors import HarnessError
from harness.llm.messages import Message, Request, RequestFault, RequestFaultKind, StopReason
from harness.llm.model_weights import gguf_file
from harness.llm.provider import ProviderAccess
from harness.llm.providers import local

pytest.importorskip("xllamacpp", reason="no llama.cpp: make install-llm")
SCHEMA = {
    "type": "object",
    "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["age"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Return one loop for the module, since connections belong to a loop."""
    made = asyncio.new_event_loop()
    yield made
    made.close()


@pytest.fixture(scope="module")
def model(loop: asyncio.AbstractEventLoop) -> Iterator[Any]:
    """Return the provider, opened once."""
    try:
        gguf_file()
    except HarnessError as error:
        pytest.skip(str(error))
    opened = local.open_local(ProviderAccess({}))
    yield opened
    loop.run_until_complete(opened.close())


def question(text: str, **parts: Any) -> Request:
    """Return a question to the local model."""
    return Request("local", "", (Message("user", text),), **{"max_tokens": 24, **parts})


def test_an_answer_is_valid_by_the_schema(loop: asyncio.AbstractEventLoop, model: Any) -> None:
    """What the local model writes under a JSON schema is JSON of that schema, and its tokens are counted."""
    reply = loop.run_until_complete(model.ask(question("Ann is 7. How old is Ann?", schema=SCHEMA), "label"))
    assert reply.stop is StopReason.END
    found = json.loads(reply.text)
    assert list(found) == ["age"]
    assert 0 <= found["age"] <= 99
    assert reply.usage.input > 10
    assert 0 < reply.usage.output <= 24


def test_a_grammar_is_obeyed(loop: asyncio.AbstractEventLoop, model: Any) -> None:
    """Under a GBNF grammar the local model writes a word of its language, which it would not by itself."""
    reply = loop.run_until_complete(model.ask(question("Name a colour.", grammar='root ::= "blork" | "snib"'), "label"))
    assert reply.text in {"blork", "snib"}


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        pytest.param({"text": "a b " * local.CONTEXT}, RequestFaultKind.CONTEXT, id="longer-than-the-context"),
        pytest.param({"text": "a", "grammar": "root ::= absent"}, RequestFaultKind.REQUEST, id="no-grammar"),
    ],
)
def test_a_refusal_has_its_kind(
    loop: asyncio.AbstractEventLoop, model: Any, parts: dict[str, Any], kind: RequestFaultKind
) -> None:
    """A prompt beyond the context and a text that is no grammar are refused for good, not asked again."""
    with pytest.raises(RequestFault) as found:
        loop.run_until_complete(model.ask(question(**parts), "label"))
    assert found.value.kind is kind


@pytest.mark.slow
def test_closing_stops_the_server(loop: asyncio.AbstractEventLoop, model: Any) -> None:
    """A closed provider gives no more answers, and one that was opened beside it works on: each has its own server."""
    second: Any = local.open_local(ProviderAccess({}))
    yes = question("Yes or no?", grammar='root ::= "yes" | "no"')
    loop.run_until_complete(second.ask(yes, "label"))
    loop.run_until_complete(second.close())
    address = urllib.parse.urlsplit(second.connection.base_url)
    with socket.socket() as client:
        assert client.connect_ex((address.hostname, address.port)) != 0
    assert loop.run_until_complete(model.ask(yes, "label")).text in {"yes", "no"}


def test_without_weights_or_library_it_is_said_what_to_install(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without weights or library the message has the command that installs them; a file that is no model is named."""
    monkeypatch.setenv("SFT_GGUF", str(tmp_path / "absent.gguf"))
    with pytest.raises(HarnessError, match=r"absent\.gguf"):
        local.open_local(ProviderAccess({}))
    (tmp_path / "no.gguf").write_text("no model")
    monkeypatch.setenv("SFT_GGUF", str(tmp_path / "no.gguf"))
    with pytest.raises(HarnessError, match=r"cannot serve .*no\.gguf"):
        local.open_local(ProviderAccess({}))
    monkeypatch.setitem(__import__("sys").modules, "xllamacpp", None)
    with pytest.raises(HarnessError, match=r"make install-llm"):
        local.open_local(ProviderAccess({}))
    monkeypatch.delenv("SFT_GGUF")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(HarnessError, match="make install-sft"):
        local.open_local(ProviderAccess({}))
