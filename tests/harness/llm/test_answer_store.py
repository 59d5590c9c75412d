"""Tests of the answer store: one claim and one answer a question, with many processes, kills and interrupts."""

import asyncio
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore, BusyRequest, RequestClaim
from harness.llm.client import Answer
from harness.llm.messages import Reply, Request, RequestFault, RequestFaultKind, Usage
from harness.llm.prices import PriceTable, TokenPrice
from tests.harness.llm.asking import MemoryProvider, all_attempts, answers, question
from tests.harness.llm.loopback_server import LoopbackServer

QUESTION = question("openai", "why?")


def _states(store: AnswerStore, request: Request = QUESTION) -> list[tuple[str, str | None, bool]]:
    return [(row["state"], row["kind"], bool(row["cost"])) for row in store.attempts(request.key)]


@pytest.mark.parametrize("error", [ZeroDivisionError("a bug"), TimeoutError("its own"), KeyboardInterrupt()])
def test_what_a_provider_raises_by_mistake_is_raised_and_leaves_no_claim(tmp_path: Path, error: BaseException) -> None:
    """An unexpected error is not swallowed, and the attempt is recorded as lost."""

    async def asked() -> None:
        provider = MemoryProvider(lambda _: error)
        provider.go.set()
        async with provider.client(store) as client:
            await client.ask(QUESTION)

    with AnswerStore(tmp_path / "store") as store:
        with pytest.raises(type(error)):
            asyncio.run(asked())
        assert _states(store) == [("failed", "lost", True)]


def test_the_same_question_at_the_same_time_is_asked_once(tmp_path: Path) -> None:
    """Whoever asks a question that is being asked waits for the answer and pays nothing; if the first is cancelled, it counts as paid, and the next one asks."""

    async def asked() -> list[Answer]:
        provider = MemoryProvider()
        async with provider.client(store) as client:
            first = asyncio.ensure_future(client.ask(QUESTION))
            await provider.arrived.wait()
            others = [asyncio.ensure_future(client.ask(QUESTION)) for _ in range(4)]
            await asyncio.sleep(0)
            first.cancel()
            provider.go.set()
            got = await asyncio.gather(*others)
        assert provider.asked == 2
        return got

    with AnswerStore(tmp_path / "store") as store:
        got = asyncio.run(asked())
        assert _states(store) == [("failed", "lost", True), ("answered", None, True)]
    assert all(answer.reply is not None for answer in got)
    assert sorted(answer.asked for answer in got) == [0, 0, 0, 1]


def test_a_claim_keeps_others_off_until_it_ends(tmp_path: Path) -> None:
    """While one store holds a claim, another of the same file is told that somebody is asking; then it gets the answer."""
    with AnswerStore(tmp_path / "store") as first, AnswerStore(tmp_path / "store") as second:
        claim = first.claim(QUESTION, 100)
        assert isinstance(claim, RequestClaim)
        assert second.claim(QUESTION, 100) == second.standing(QUESTION.key) == BusyRequest()
        assert second.recover() == 0
        first.end(claim, Reply("yes", Usage(1, 1)), 40, 0.1)
        assert isinstance(second.claim(QUESTION, 100), Reply)
        assert second.spent() == 40
        assert not first.end(claim, RequestFault(RequestFaultKind.SERVER, "late"), 0, 0.1)
        assert second.spent() == 40


@pytest.mark.parametrize("recovers", [False, True])
def test_the_claim_of_a_dead_process_is_lost_and_counts_as_paid(tmp_path: Path, recovers: bool) -> None:
    """A claim of a dead process is found when its question is asked again, or when the store is checked."""
    code = "import os, sys; from pathlib import Path; from tests.harness.llm.asking import question; "
    code += "from harness.llm.answer_store import AnswerStore; s = AnswerStore(Path(sys.argv[1])); "
    code += "print(s.claim(question('openai', 'why?'), 100)); os._exit(9)"
    died = subprocess.run([sys.executable, "-c", code, tmp_path / "store"], check=False)
    assert died.returncode == 9
    with AnswerStore(tmp_path / "store") as store:
        if recovers:
            assert store.recover() == 1
            assert store.recover() == 0
        claim = store.claim(QUESTION, 7)
        assert isinstance(claim, RequestClaim)
        assert _states(store) == [("failed", "lost", True), ("claimed", None, True)]
        assert store.spent() == 107
        store.recover()
        assert [path.name for path in (tmp_path / "store.owners").iterdir()] == [store.owner]


def test_many_processes_open_a_new_store_at_once(tmp_path: Path) -> None:
    """Whoever comes first makes the store, and the others wait for it."""
    code = "import sys, time; from pathlib import Path; from harness.llm.answer_store import AnswerStore; "
    code += "time.sleep(max(float(sys.argv[2]) - time.time(), 0)); s = AnswerStore(Path(sys.argv[1])); print(s.spent()); s.close()"
    at = str(time.time() + 2.0)
    command = [sys.executable, "-c", code, str(tmp_path / "store"), at]
    opened = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    assert [process.communicate()[0] for process in opened] == ["0\n"] * 6


@pytest.mark.parametrize("content", ["no database", "another database", "another version", "a folder"])
def test_what_is_no_store_is_told_and_left_alone(tmp_path: Path, content: str) -> None:
    """A file that is no answer store is named in the error and not changed, and no sign-of-life file is left."""
    path = tmp_path / "store"
    if content == "no database":
        path.write_text("x" * 4096)
    elif content == "a folder":
        path.mkdir()
    else:
        with sqlite3.connect(path) as made:
            made.execute("CREATE TABLE mine (a)")
            if content == "another version":
                made.execute("PRAGMA user_version = 99")
        made.close()
    with pytest.raises(HarnessError, match="store"):
        AnswerStore(path)
    assert not list((tmp_path / "store.owners").glob("*"))


def test_a_store_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A full disk ends in one line, not in a traceback of the database, and the change is undone."""
    with AnswerStore(tmp_path / "store") as store:
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(HarnessError, match="full"):
            store.claim(question("openai", "x" * 10**6), 1)
        assert not store._connection.in_transaction
        assert store.spent() == sum(attempt["cost"] for attempt in all_attempts(store))


def test_an_answer_without_counted_tokens_costs_what_was_set_aside(tmp_path: Path) -> None:
    """A server that leaves out usage does not make its answers free: the budget counts the most they can have cost."""

    def uncounted(_: LoopbackServer, *_args: object) -> Usage:
        return Usage()

    price = PriceTable.load().of(QUESTION)
    assert isinstance(price, TokenPrice)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LoopbackServer, "usage_of", uncounted)
        with LoopbackServer() as server:
            (answer,) = answers(server, tmp_path / "store", QUESTION)
    assert answer.cost == price.most(QUESTION.bound())
