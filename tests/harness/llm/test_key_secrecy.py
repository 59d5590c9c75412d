"""Tests of key secrecy: an API key is sent in the request header and written nowhere else."""

import asyncio
import logging
import os
import sqlite3
import traceback
import zlib
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from pydantic import SecretStr

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.api_keys import HIDDEN, environment, redact
from harness.llm.client import Client
from harness.llm.provider import PROVIDERS, ProviderAccess
from tests.cases import cases
from tests.harness.llm.asking import MODELS, answers, hasty, question
from tests.harness.llm.loopback_server import KEY, LoopbackServer, scripted

PIECES = [KEY[start : start + 8] for start in range(len(KEY) - 7)]


def _without_key(text: str) -> bool:
    return not any(piece in text for piece in PIECES)


def _whole_store(path: Path) -> str:
    """Return every byte of the files of a store, and its bodies unpacked."""
    files = [file.read_bytes().decode("latin-1") for file in path.parent.iterdir() if file.is_file()]
    with sqlite3.connect(path) as opened:
        packed = [row[0] for row in opened.execute("SELECT raw FROM attempts WHERE raw IS NOT NULL")]
    opened.close()
    return "\n".join([*files, *(zlib.decompress(text).decode() for text in packed)])


@pytest.mark.parametrize("provider", MODELS)
def test_a_key_that_the_server_repeats_is_nowhere(
    tmp_path: Path, provider: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Errors and answers with the key in them reach neither store nor log nor fault nor output, at any level of logging."""
    caplog.set_level(logging.DEBUG)
    requests = [question(provider, text) for text in ("error", "answer", "tired")]
    plan = scripted({"error": ["echo"], "answer": ["echo-answer"], "tired": ["echo"] * 9})
    with LoopbackServer(plan=plan) as server:
        access = ProviderAccess(server.variables)
        with AnswerStore(tmp_path / "store") as store:

            async def asked() -> list[str]:
                limits = dict.fromkeys(MODELS, hasty(failures=1, pause=0.001))
                async with Client(store, access, limits=limits) as client:
                    got = [await client.ask(request) for request in requests]
                    lane = client.lane(provider)
                    return [repr(got), repr(client), repr(lane), repr(lane.down), str(got[2].fault)]

            shown = "\n".join(asyncio.run(asked()))
            shown += _whole_store(tmp_path / "store")
        shown += _whole_store(tmp_path / "store")
    assert HIDDEN in shown
    assert caplog.records
    shown += caplog.text + "".join(capfd.readouterr())
    assert _without_key(shown)


@pytest.mark.parametrize("provider", MODELS)
def test_a_wrong_key_shown_by_its_ends_is_nowhere(
    tmp_path: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that refuses a key shows its beginning and its end; we show neither."""
    wrong = "sk-wrong-8f3Jq0ZtVb6Wm1Xs4Uy"
    with LoopbackServer() as server:
        given = {**server.variables, "OPENAI_API_KEY": wrong, "ANTHROPIC_API_KEY": wrong}
        monkeypatch.setattr(LoopbackServer, "variables", given)
        (answer,) = answers(server, tmp_path / "store", question(provider, "why?"))
    told = repr(answer) + _whole_store(tmp_path / "store")
    assert answer.fault is not None
    assert f"provided: {HIDDEN}" in answer.fault.reason
    assert wrong[-4:] not in told
    assert wrong[:8] not in told


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini", "compatible"])
def test_no_object_that_holds_a_key_prints_it(name: str) -> None:
    """Neither a provider nor what it is reached with shows a key when it is printed, as a debugger or pytest would."""
    with LoopbackServer() as server:
        access = ProviderAccess(server.variables)
        provider = PROVIDERS.require(name).open(access)
        shown = [access, provider, vars(provider), access.secrets, PROVIDERS.require(name)]
        assert all(_without_key(f"{text!r} {text!s}") for text in shown)
        asyncio.run(provider.close())


@pytest.mark.parametrize("value", [f"{KEY}\u201d", f"{KEY} x", f"{KEY}\n{KEY}", f"{KEY}\x00"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(value: str) -> None:
    """The libraries' own errors for such a key show it; ours names the character and its place."""
    with pytest.raises(HarnessError, match=f"character {len(KEY) + 1}") as told:
        ProviderAccess({"OPENAI_API_KEY": value}).key("OPENAI_API_KEY")
    assert _without_key("".join(traceback.format_exception(told.value)))


def test_a_file_of_keys_is_read_and_not_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Variables of `.env` yield to the environment's, reach no other process, and are not logged; a file that cannot be read is told without its text."""
    caplog.set_level(logging.DEBUG)
    path = tmp_path / ".env"
    path.mkdir()
    assert environment(path) == dict(os.environ)
    path.rmdir()
    path.write_text(
        f"# keys\nOPENAI_API_KEY='{KEY}'\nexport GEMINI_API_KEY={KEY}\nHERE=file\nRAW=a${{HERE}}\nnonsense\n"
    )
    monkeypatch.setenv("HERE", "environment")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    found = environment(path)
    assert (found["OPENAI_API_KEY"], found["GEMINI_API_KEY"]) == (KEY, KEY)
    assert (found["HERE"], found["RAW"]) == ("environment", "a${HERE}")
    assert "OPENAI_API_KEY" not in os.environ
    path.write_bytes(b"\xff\xfe\x00K=1" + KEY.encode())
    with pytest.raises(HarnessError, match="cannot be read") as told:
        environment(path)
    assert _without_key("".join([caplog.text, *traceback.format_exception(told.value)]))


@cases(
    ("text", "clean"),
    [
        (f"key {KEY}!", "key [key]!"),
        (f"cut off: {KEY[:15]}", "cut off: [key]"),
        (f"only the end: {KEY[-9:]}.", "only the end: [key]."),
        (f"{KEY[:3]}***{KEY[-4:]}.", "[key]."),
        (f"({KEY[:10]}...{KEY[-2:]})", "([key])"),
        (f"{KEY[:6]}{'*' * 30} is wrong", "[key] is wrong"),
        ("a risk-**free** task-... and … so on", "a risk-**free** task-... and … so on"),
        ("**bold**, 1 ** 2, and so on...", "**bold**, 1 ** 2, and so on..."),
    ],
)
def test_a_key_is_hidden_whole_in_part_and_by_its_ends(text: str, clean: str) -> None:
    """What a server may show of a key is hidden, and what only looks like it stays."""
    assert redact(text, [SecretStr(KEY)]) == clean


@given(st.text(), st.text(), st.integers(0, len(KEY)), st.integers(0, len(KEY)))
def test_no_eight_characters_of_a_key_remain(before: str, after: str, first: int, last: int) -> None:
    """Whatever text surrounds a piece of a key, no eight characters of it in a row are left."""
    assert _without_key(redact(f"{before}{KEY[first:last]}{after}{KEY[last:]}", [SecretStr(KEY)]))


def test_pieces_of_a_key_that_overlap_are_hidden_whole() -> None:
    """Two pieces that share characters leave none of theirs."""
    key = "abcabcabdabcabcabe1"
    assert redact(f"{key[:12]}{key[4:15]}", [SecretStr(key)]) == HIDDEN
