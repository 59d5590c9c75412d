"""Tests of batches: each question in one batch and paid once, also after a kill; `python test_batches.py STORE URL API` submits and waits."""

import asyncio
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.batches import BatchClient, BatchReport
from harness.llm.client import Client
from harness.llm.messages import Message, Request, RequestFaultKind
from harness.llm.prices import PriceTable
from harness.llm.provider import PROVIDERS, ProviderAccess
from tests.harness.llm.asking import MODELS, hasty, question, rows, variables
from tests.harness.llm.batch_server import BatchServer
from tests.harness.llm.loopback_server import KEY

APIS = pytest.mark.parametrize("api", sorted(MODELS))
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def server() -> Iterator[BatchServer]:
    """Return a server that behaves until it is told otherwise."""
    with BatchServer() as started:
        yield started


def many(api: str, count: int = 6) -> list[Request]:
    """Return this many questions."""
    return [question(api, f"question {number}") for number in range(count)]


def batching(url: str, path: Path, job: Callable[[BatchClient], Awaitable[Any]], **terms: Any) -> Any:
    """Return the result of a job on the batches of a store."""
    budget, limits = terms.pop("budget", None), hasty(**terms)

    async def run() -> Any:
        with AnswerStore(path) as store:
            access = ProviderAccess(variables(url))
            client = Client(store, access, limits=dict.fromkeys(MODELS, limits), budget=budget)
            async with client:
                return await job(BatchClient(client))

    return asyncio.run(run())


def through(requests: list[Request]) -> Callable[[BatchClient], Awaitable[BatchReport]]:
    """Return a job that collects what there is, submits questions, and waits for their results; its counts are sums."""

    async def job(batches: BatchClient) -> BatchReport:
        whole = await batches.collect()
        done = await batches.submit(requests)
        whole.counts.update(done.counts)
        whole.faults += done.faults
        while (got := await batches.collect()).counts["pending"] or got.counts.total():
            got.counts.pop("pending", None)
            whole.counts.update(got.counts)
            await asyncio.sleep(0.02)
        return whole

    return job


def bound_batches(monkeypatch: pytest.MonkeyPatch, api: str, requests: int, size: int) -> None:
    """Let batches of a provider hold so many questions and bytes."""
    entry = PROVIDERS.require(api)
    assert entry.batches is not None
    bound = replace(entry, batches=replace(entry.batches, most_requests=requests, most_bytes=size))
    monkeypatch.setitem(PROVIDERS._entries, api, bound)


def cost(*requests: Request, most: bool = False) -> int:
    """Return what the answers to questions cost by batch, or at most may cost."""
    total = 0
    for request in requests:
        price, prompt = PriceTable.load().of(request), request.messages[0].text
        assert price is not None
        usage = BatchServer.usage_of(prompt, f"answer to {prompt}")
        total += price.most(request.bound(), batched=True) if most else price.of(usage, batched=True)
    return total


def spent(path: Path) -> int:
    """Return the amount that a store has spent."""
    with AnswerStore(path) as store:
        return store.spent()


@APIS
def test_a_batch_is_answered_at_the_price_of_batches(api: str, server: BatchServer, tmp_path: Path) -> None:
    """Every question gets its own answer from one batch at half the price; a second run submits nothing."""
    requests = many(api)
    report = batching(server.url, tmp_path / "s", through(requests))
    assert report.counts == Counter({"asked": 6, "answered": 6, "batches": 1})
    with AnswerStore(tmp_path / "s") as store:
        replies = [store.answer(request.key) for request in requests]
    assert [reply and reply.text for reply in replies] == [f"answer to {asked.messages[0].text}" for asked in requests]
    assert spent(tmp_path / "s") == cost(*requests)
    assert batching(server.url, tmp_path / "s", through(requests)).counts == Counter({"kept": 6})
    assert sorted(server.labels()) == sorted(request.key for request in requests)


@APIS
def test_batches_are_split_by_number_size_and_model(
    api: str, server: BatchServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No batch holds more questions or bytes than it may, nor questions to two models; together they hold each question once."""
    other = {"openai": "gpt-4.1", "anthropic": "claude-sonnet-4-5"}[api]
    requests = [*many(api, 7), Request(api, other, (Message("user", "another model"),)), *many(api, 2)]
    for most, size, sizes in ((3, 10**6, [1, 1, 3, 3]), (100, 700, None)):
        bound_batches(monkeypatch, api, most, size)
        server.batches.clear()
        server.sizes.clear()
        assert batching(server.url, tmp_path / f"{size}", through(requests)).counts["asked"] == 8
        assert max(Counter(server.labels()).values()) == 1
        assert sizes in (None, sorted(map(len, server.batches.values())))
        assert len(server.batches) > 2
        assert max(server.sizes) <= size + 100  # Anthropic's wrapping stands around the lines


@pytest.mark.parametrize(
    "stall", ["made", *(pytest.param(name, marks=pytest.mark.slow) for name in ("results", "submit", "state"))]
)
@APIS
def test_a_kill_leaves_no_claim_and_repeats_no_answer(
    api: str, stall: str, server: BatchServer, tmp_path: Path
) -> None:
    """Killed while a batch waits or amid its results, nothing is asked twice; killed in the submission, it counts as lost and paid.

    A second run ends with every question answered.
    """
    server.stall, server.open = stall, stall == "state"
    command = [sys.executable, __file__, str(tmp_path / "s"), server.url, api]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        until = time.monotonic() + 60
        while stall not in server.stalled and time.monotonic() < until:
            time.sleep(0.02)
        process.kill()
    server.stall, server.open = "", False
    requests = many(api)
    report = batching(server.url, tmp_path / "s", through(requests))
    submitted = stall in {"state", "results"}
    assert report.counts["missing"] == (0 if submitted else 6)
    assert len(server.labels()) == (12 if stall == "made" else 6)
    assert spent(tmp_path / "s") == cost(*requests) + (0 if submitted else cost(*requests, most=True))
    with AnswerStore(tmp_path / "s") as store:
        assert all(store.answer(request.key) for request in requests)
        assert {len(store.attempts(request.key)) for request in requests} == {1 if submitted else 2}


@APIS
def test_a_submission_that_fails_is_told_and_may_be_repeated(api: str, server: BatchServer, tmp_path: Path) -> None:
    """A refused or failing submission costs nothing; one that is not answered may have been made, and counts as paid."""
    requests = many(api)
    for status in (429, 500, 400):
        server.refuse = [status]
        report = batching(server.url, tmp_path / "s", lambda batches: batches.submit(requests))
        assert (report.counts.total(), spent(tmp_path / "s"), server.batches) == (0, 0, {})
        assert f"6 questions to {requests[0].name}" in report.faults[0]
        assert KEY not in report.faults[0]
    server.stall = "made"
    report = batching(server.url, tmp_path / "s", lambda batches: batches.submit(requests), seconds=0.5)
    assert "no whole answer within 0.5 s" in report.faults[0]
    assert spent(tmp_path / "s") == cost(*requests, most=True)


@APIS
def test_a_batch_sends_no_parameter_that_is_known_to_be_refused(
    api: str, server: BatchServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal names the option that leaves the parameter out from the start, and with it no question of a batch has the parameter."""
    refused, good = question(api, "[refused]"), question(api, "good")
    batching(server.url, tmp_path / "s", through([refused]))
    assert "--temperature none, or REFUSED_PARAMETERS=temperature" in rows(tmp_path / "s", refused)[-1]["reason"]
    monkeypatch.setenv("REFUSED_PARAMETERS", "temperature")
    batching(server.url, tmp_path / "s", through([good]))
    assert ["temperature" in body for items in server.batches.values() for _, body in items] == [True, False]


@APIS
def test_every_odd_result_has_its_outcome(api: str, server: BatchServer, tmp_path: Path) -> None:
    """Refused and expired questions cost nothing, those nobody knows of cost all that was set aside.

    Results that come twice, are of nobody, or cannot be read are counted; each question that failed may be asked again, and
    no key is in what is kept.
    """
    kinds: dict[str, RequestFaultKind | None] = {
        "[error]": RequestFaultKind.REQUEST,
        "[overlong]": RequestFaultKind.CONTEXT,
        "[expired]": RequestFaultKind.EXPIRED,
        "[garbage]": RequestFaultKind.MALFORMED,
        "[unreadable]": RequestFaultKind.LOST,
        "[missing]": RequestFaultKind.LOST,
        "[empty]": RequestFaultKind.EMPTY,
        "[twice]": None,
        "[foreign]": None,
        "[leak]": RequestFaultKind.REQUEST,
        "good": None,
    }
    requests = {text: question(api, text) for text in kinds}
    report = batching(server.url, tmp_path / "s", through(list(requests.values())))
    last = {text: rows(tmp_path / "s", request)[-1] for text, request in requests.items()}
    assert {text: row["kind"] for text, row in last.items()} == kinds
    free = {RequestFaultKind.REQUEST, RequestFaultKind.CONTEXT, RequestFaultKind.EXPIRED}
    for text, row in last.items():
        most = cost(requests[text], most=True)
        whole = row["kind"] in {RequestFaultKind.MALFORMED, RequestFaultKind.LOST}
        assert row["cost"] == most if whole else (row["cost"] == 0) == (row["kind"] in free)
    counts = {"asked": 11, "batches": 1, "answered": 3, "failed": 6, "missing": 2, "odd": 3}
    assert report.counts == Counter(counts)
    assert spent(tmp_path / "s") == sum(row["cost"] for row in last.values())
    assert last["[leak]"]["reason"].endswith("no, [key]")
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    again = batching(server.url, tmp_path / "s", lambda batches: batches.submit(requests.values()))
    assert (again.counts["kept"], again.counts["asked"]) == (3, 8)


@pytest.mark.parametrize(
    ("status", "kind"), [("expired", RequestFaultKind.EXPIRED), ("failed", RequestFaultKind.REQUEST)]
)
def test_a_batch_that_ended_early_is_no_loss(
    status: str, kind: RequestFaultKind, server: BatchServer, tmp_path: Path
) -> None:
    """What OpenAI answered before a batch expired is kept, what it did not is free and may be asked again, also where it refused all."""
    requests = [question("openai", "good"), question("openai", "[missing]")]
    server.status = status
    report = batching(server.url, tmp_path / "s", through(requests))
    answered = int(status != "failed")
    assert (report.counts["answered"], report.counts["missing"]) == (answered, 2 - answered)
    assert rows(tmp_path / "s", requests[1])[-1]["kind"] == kind
    assert spent(tmp_path / "s") == cost(requests[0]) * answered


@pytest.mark.parametrize("fault", ["stall", "cut"])
@APIS
def test_results_that_break_off_are_fetched_later(api: str, fault: str, server: BatchServer, tmp_path: Path) -> None:
    """Where the results stop coming, what came is kept, the batch is told of and counts as pending, and the rest is fetched later."""
    batching(server.url, tmp_path / "s", lambda batches: batches.submit(many(api)))
    server.stall, server.cut = ("results", 0) if fault == "stall" else ("", 1)
    first = batching(server.url, tmp_path / "s", lambda batches: batches.collect(), seconds=0.5)
    assert first.counts == Counter({"answered": 3, "pending": 1})
    assert first.faults[0].startswith("batch of-")
    server.stall = ""
    second = batching(server.url, tmp_path / "s", lambda batches: batches.collect())
    assert second.counts == Counter({"answered": 3})
    assert spent(tmp_path / "s") == cost(*many(api))


@APIS
def test_a_budget_holds_and_a_text_that_cannot_be_sent_spoils_no_batch(
    api: str, server: BatchServer, tmp_path: Path
) -> None:
    """As many questions are handed in as could be paid for; half of a surrogate pair keeps out its own question only."""
    requests = [*many(api), question(api, "half: \ud83d")]
    most = cost(requests[0], most=True)
    done = batching(server.url, tmp_path / "s", lambda batches: batches.submit(requests), budget=2 * most + 1)
    assert (done.counts["asked"], done.counts["over_budget"]) == (2, 4)
    assert "cannot be written as UTF-8" in done.faults[0]
    assert spent(tmp_path / "s") == 2 * most


def test_two_processes_fetch_a_batch_once(server: BatchServer, tmp_path: Path) -> None:
    """Two processes that fetch the same batch at once store each answer once."""
    requests = many("openai", 20)
    batching(server.url, tmp_path / "s", lambda batches: batches.submit(requests))

    async def both(batches: BatchClient) -> list[BatchReport]:
        with AnswerStore(tmp_path / "s") as store:
            async with Client(store, ProviderAccess(server.variables)) as second:
                return list(await asyncio.gather(batches.collect(), BatchClient(second).collect()))

    reports = batching(server.url, tmp_path / "s", both)
    assert sum(report.counts["answered"] for report in reports) == 20
    assert spent(tmp_path / "s") == cost(*requests)


def test_what_is_in_a_batch_is_not_asked_beside_it(server: BatchServer, tmp_path: Path) -> None:
    """A question in a batch is not asked one by one meanwhile; a batch that a former build left in doubt counts as paid for, and frees it."""
    (request,) = many("openai", 1)
    server.open = True

    async def job(batches: BatchClient) -> None:
        assert (await batches.submit([request])).counts["asked"] == 1
        answer = await batches.client.ask(request)
        assert answer.fault is not None
        assert answer.fault.kind is RequestFaultKind.PENDING
        with batches.client.store.transaction() as connection:
            connection.execute("UPDATE batches SET state = 'doubtful'")
        assert (await batches.collect()).counts == Counter({"missing": 1})
        assert (await batches.submit([request])).counts["asked"] == 1

    batching(server.url, tmp_path / "s", job)
    assert spent(tmp_path / "s") == 2 * cost(request, most=True)


def test_mistakes_are_told(server: BatchServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider without batches, a question larger than a batch, and a batch that the provider denies are named with what to do."""
    stranger = Request("gemini", "gemini-2.5-pro", (Message("user", "?"),))
    with pytest.raises(HarnessError, match="gemini takes no batches; those that do: anthropic, openai"):
        batching(server.url, tmp_path / "s", lambda batches: batches.submit([stranger]))
    batching(server.url, tmp_path / "s", lambda batches: batches.submit(many("openai")))
    server.batches.clear()
    with pytest.raises(HarnessError, match=r"batch of-.*no batch batch_0.*check the key"):
        batching(server.url, tmp_path / "s", lambda batches: batches.collect())
    bound_batches(monkeypatch, "openai", 5, 10)
    with pytest.raises(HarnessError, match="bytes, a batch of openai 10"):
        batching(server.url, tmp_path / "t", lambda batches: batches.submit(many("openai")))


if __name__ == "__main__":
    batching(sys.argv[2], Path(sys.argv[1]), through(many(sys.argv[3])))
