"""Tests of batches: every question is answered exactly once, despite faults of the provider and killed processes."""

import asyncio
import json
import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.batch_ledger import BatchState
from harness.llm.batch_provider import BatchSize
from harness.llm.batches import BatchClient, BatchCollection
from harness.llm.client import Client
from harness.llm.connection import split
from harness.llm.faults import RequestFaultKind
from harness.llm.messages import Message, Request
from harness.llm.provider import ProviderLimits
from tests.harness.llm.batching import (
    APIS,
    USED,
    Server,
    bound,
    cost,
    desk,
    last,
    many,
    questions,
    serving,
    spent,
    through,
)
from tests.harness.llm.loopback_server import KEY


@pytest.fixture(scope="module")
def process() -> Iterator[str]:
    """Return the address of a server."""
    with serving() as address:
        yield address


@pytest.fixture
def server(process: str) -> Server:
    """Return a server that has seen nothing and behaves."""
    made = Server(process)
    made.plan(fresh=True)
    return made


@APIS
def test_a_batch_is_answered_at_the_price_of_batches(api: str, server: Server, tmp_path: Path) -> None:
    """Every question gets its own answer from one batch at half the price; a second run submits nothing."""
    requests = many(api)
    submission, collection = desk(server, tmp_path / "s", through(requests))
    assert (submission.asked, len(submission.batches), collection.answered, collection.failed) == (6, 1, 6, 0)
    with AnswerStore(tmp_path / "s") as store:
        for request in requests:
            reply = store.answer(request.key)
            assert reply is not None
            assert (reply.text, reply.usage) == (f"answer to {request.messages[0].text}", USED)
            assert json.loads(reply.raw)["usage"]
    assert spent(tmp_path / "s") == 6 * cost(api)
    again, nothing = desk(server, tmp_path / "s", through(requests))
    assert (again.kept, again.asked, again.batches, nothing) == (6, 0, [], BatchCollection())
    assert server.labels() == dict.fromkeys([request.key for request in requests], 1)


@APIS
def test_batches_are_split_by_number_size_and_model(api: str, server: Server, tmp_path: Path) -> None:
    """No batch holds more questions or bytes than it may, nor questions to two models; together they hold each question once."""
    other = {"openai": "gpt-4.1", "anthropic": "claude-sonnet-4-5"}[api]
    requests = [*many(api, 7), Request(api, other, (Message("user", "another model"),)), *many(api, 2)]
    done, _ = desk(server, tmp_path / "s", through(requests), most=BatchSize(3, 10**6))
    assert sorted(len(batch["labels"]) for batch in server.seen()["batches"]) == [1, 1, 3, 3]
    assert (done.asked, set(server.labels().values())) == (8, {1})
    server.plan(fresh=True)
    most = BatchSize(1000, 700)
    desk(server, tmp_path / "t", through(requests), most=most)
    seen = server.seen()["batches"]
    assert len(seen) > 2
    assert all(batch["bytes"] <= most.bytes + 100 for batch in seen)  # Anthropic's wrapping stands around the lines


@pytest.mark.parametrize("stall", ["submit", "made", "status", "results"])
@APIS
def test_a_kill_loses_and_repeats_nothing(api: str, stall: str, server: Server, tmp_path: Path) -> None:
    """Killed before a batch is made, before its id is kept, while waiting, or amid the results, a second run asks nothing twice.

    It ends with every question answered once, in one batch, and paid for once.
    """
    requests = many(api, 8)
    server.plan(**({"open": True} if stall == "status" else {"stall": stall}))
    child = multiprocessing.get_context("fork").Process(target=desk, args=(server, tmp_path / "s", through(requests)))
    child.start()
    until = time.monotonic() + 60
    while not (seen := server.seen())["stalled"] and (stall != "status" or seen["looks"] < 2):
        assert time.monotonic() < until
        time.sleep(0.02)
    child.kill()
    child.join()
    server.plan()
    _, collection = desk(server, tmp_path / "s", through(requests))
    assert server.labels() == dict.fromkeys([request.key for request in requests], 1)
    assert collection.failed == collection.missing == 0
    with AnswerStore(tmp_path / "s") as store:
        assert all(store.answer(request.key) for request in requests)
        assert [len(store.attempts(request.key)) for request in requests] == [1] * 8
        assert store.spent() == 8 * cost(api)


def test_a_batch_without_a_name_is_unknown_until_it_ends(server: Server, tmp_path: Path) -> None:
    """At Anthropic's, a batch that may be ours is not known before its results show their labels.

    Meanwhile its questions are not handed in again, and one of the same size with other labels is not taken for it.
    """
    requests = many("anthropic")
    desk(server, tmp_path / "other", through(questions("anthropic", *"abcdef")))
    server.plan(stall="made")
    limits = ProviderLimits(seconds=0.5, pause=0.01)
    doubtful = desk(server, tmp_path / "s", lambda batches: batches.submit(requests), limits=limits)
    assert (len(doubtful.doubtful), doubtful.batches, doubtful.asked) == (1, [], 6)
    server.plan(open=True)
    again = desk(server, tmp_path / "s", lambda batches: batches.submit(requests))
    assert (again.busy, again.asked) == (6, 0)
    waiting = desk(server, tmp_path / "s", lambda batches: batches.collect())
    assert (waiting.doubtful, waiting.answered) == (1, 0)
    assert "may be this batch" in waiting.faults[0]
    server.plan()
    assert desk(server, tmp_path / "s", lambda batches: batches.wait()).answered == 6
    assert set(server.labels().values()) == {1}


@APIS
def test_a_list_that_lags_behind_is_looked_at_again(api: str, server: Server, tmp_path: Path) -> None:
    """A batch that the provider lists late, and after a newer one, is not submitted a second time."""
    requests = many(api)
    server.plan(refuse=[500], **{"break": True})
    first = desk(server, tmp_path / "s", lambda batches: batches.submit(requests), settled=1.0)
    assert len(first.doubtful) == 1
    others = questions(api, *"abcdef")
    desk(server, tmp_path / "other", lambda batches: batches.submit(others))
    server.plan(lag=2)
    _, collection = desk(server, tmp_path / "s", through(requests), settled=1.0)
    assert (collection.answered, collection.odd) == (6, 0)
    assert server.labels() == dict.fromkeys([request.key for request in [*requests, *others]], 1)
    assert spent(tmp_path / "s") == 6 * cost(api)


@APIS
def test_a_failure_that_made_no_batch_is_handed_in_again(api: str, server: Server, tmp_path: Path) -> None:
    """A failing server leaves a doubt, a busy one is asked again at once, and one that refuses is told of; then it works."""
    requests = many(api)
    server.plan(refuse=[429, 500])
    first = desk(server, tmp_path / "s", lambda batches: batches.submit(requests))
    assert (len(first.doubtful), server.seen()["batches"]) == (1, [])
    server.plan(refuse=[400])
    second = desk(server, tmp_path / "s", lambda batches: batches.submit(requests))
    assert (second.batches, second.doubtful, second.asked, spent(tmp_path / "s")) == ([], [], 0, 0)
    assert "6 questions" in second.refused[0]
    assert last(tmp_path / "s", requests[0])["kind"] == RequestFaultKind.REQUEST
    _, collection = desk(server, tmp_path / "s", through(requests))
    assert (collection.answered, set(server.labels().values())) == (6, {1})


@APIS
def test_every_odd_result_has_its_outcome(api: str, server: Server, tmp_path: Path) -> None:
    """Refused and expired questions cost nothing, those nobody knows of cost all that was set aside.

    Results that come twice, are of nobody, or cannot be read are counted; each question that failed may be asked again, and
    no key is in what is kept.
    """
    words = [
        "error",
        "overlong",
        "expired",
        "garbage",
        "unreadable",
        "missing",
        "empty",
        "twice",
        "foreign",
        "leak",
        "good",
    ]
    requests = dict(zip(words, questions(api, *(f"[{word}]" for word in words)), strict=True))
    _, collection = desk(server, tmp_path / "s", through(list(requests.values())))
    most = {word: bound(api, request) for word, request in requests.items()}
    kinds = {
        word: (row["kind"], row["cost"])
        for word, row in ((word, last(tmp_path / "s", requests[word])) for word in words)
    }
    paid = cost(api)
    assert kinds == {
        "error": (RequestFaultKind.REQUEST, 0),
        "overlong": (RequestFaultKind.CONTEXT, 0),
        "expired": (RequestFaultKind.EXPIRED, 0),
        "garbage": (RequestFaultKind.MALFORMED, most["garbage"]),
        "unreadable": (RequestFaultKind.LOST, most["unreadable"]),
        "missing": (RequestFaultKind.LOST, most["missing"]),
        "empty": (RequestFaultKind.EMPTY, paid),
        "twice": (None, paid),
        "foreign": (None, paid),
        "leak": (RequestFaultKind.REQUEST, 0),
        "good": (None, paid),
    }
    assert (collection.answered, collection.failed, collection.missing) == (3, 6, 2)
    assert collection.odd == 3
    assert spent(tmp_path / "s") == sum(cost for _, cost in kinds.values())
    assert last(tmp_path / "s", requests["leak"])["reason"].endswith("no, [key]")
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    again, _ = desk(server, tmp_path / "s", through(list(requests.values())))
    assert (again.kept, again.asked) == (3, 8)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("expired", RequestFaultKind.EXPIRED),
        ("cancelled", RequestFaultKind.EXPIRED),
        ("failed", RequestFaultKind.REQUEST),
    ],
)
def test_a_batch_that_ended_early_is_no_loss(
    status: str, kind: RequestFaultKind, server: Server, tmp_path: Path
) -> None:
    """What OpenAI answered before a batch expired is kept, what it did not is free and may be asked again, also where it refused all."""
    requests = questions("openai", "good", "[missing]")
    server.plan(status=status)
    _, collection = desk(server, tmp_path / "s", through(requests))
    answered = status != "failed"
    assert (collection.answered, collection.missing) == (int(answered), 2 - int(answered))
    assert last(tmp_path / "s", requests[1])["kind"] == kind
    assert spent(tmp_path / "s") == cost("openai") * int(answered)
    server.plan()
    again, _ = desk(server, tmp_path / "s", through(requests))
    assert again.asked == 2 - int(answered)


@pytest.mark.parametrize("fault", ["short", "cut"])
@APIS
def test_results_cut_short_are_fetched_again(api: str, fault: str, server: Server, tmp_path: Path) -> None:
    """Where a file of results ends early, by a clean end or a reset, it is fetched again, and no answer that was paid for is lost."""
    server.plan(**{fault: 1})
    _, collection = desk(server, tmp_path / "s", through(many(api)))
    assert (collection.answered, collection.missing, collection.odd) == (6, 0, 0)
    assert spent(tmp_path / "s") == 6 * cost(api)


@APIS
def test_results_that_stall_are_fetched_later(api: str, server: Server, tmp_path: Path) -> None:
    """Where the results stop coming, what came is kept, the batch is told of and counts as pending, and the rest is fetched later."""
    server.plan(stall="results")
    desk(server, tmp_path / "s", lambda batches: batches.submit(many(api)))
    limits = ProviderLimits(seconds=0.5)
    first = desk(server, tmp_path / "s", lambda batches: batches.collect(), limits=limits)
    assert (first.answered, first.pending, first.done) == (3, 1, False)
    assert "no whole answer within 0.5 s" in first.faults[0]
    server.plan()
    assert desk(server, tmp_path / "s", lambda batches: batches.wait()).answered == 3
    assert spent(tmp_path / "s") == 6 * cost(api)


@APIS
def test_a_text_that_cannot_be_sent_spoils_no_batch(api: str, server: Server, tmp_path: Path) -> None:
    """Half of a surrogate pair, for which the whole file would be refused, keeps out its own question only, which is told of."""
    done, collection = desk(server, tmp_path / "s", through([*many(api, 2), *questions(api, "half: \ud83d")]))
    assert (done.asked, collection.answered) == (2, 2)
    assert "cannot be written as UTF-8" in done.refused[0]


@APIS
def test_a_budget_holds_for_batches(api: str, server: Server, tmp_path: Path) -> None:
    """As many questions are handed in as could be paid for at the most they can cost by batch; the others are left, and told of."""
    requests = many(api)
    most = bound(api, requests[0])
    done = desk(server, tmp_path / "s", lambda batches: batches.submit(requests), budget=2 * most + 1)
    assert (done.asked, done.over_budget) == (2, 4)
    assert spent(tmp_path / "s") == 2 * most
    assert desk(server, tmp_path / "s", lambda batches: batches.wait(), budget=2 * most + 1).answered == 2


def test_two_processes_fetch_a_batch_once(server: Server, tmp_path: Path) -> None:
    """Two processes that fetch the same batch at once store each answer once."""
    requests = many("openai", 20)
    desk(server, tmp_path / "s", lambda batches: batches.submit(requests))

    async def both(batches: BatchClient) -> list[BatchCollection]:
        with AnswerStore(tmp_path / "s") as store:
            async with BatchClient(Client(store, server.access)) as second:
                return list(await asyncio.gather(batches.collect(), second.collect()))

    assert sum(answer.answered for answer in desk(server, tmp_path / "s", both)) == 20
    assert spent(tmp_path / "s") == 20 * cost("openai")


def test_what_is_in_a_batch_is_not_asked_beside_it(server: Server, tmp_path: Path) -> None:
    """A question in a batch is not asked one by one meanwhile; a batch that is given up counts as paid for, and frees it."""
    (request,) = many("openai", 1)

    async def job(batches: BatchClient) -> None:
        await batches.submit([request])
        answer = await batches.client.ask(request)
        assert answer.fault is not None
        assert answer.fault.kind is RequestFaultKind.PENDING
        (batch,) = batches.ledger.batches(BatchState.SUBMITTED)
        assert batches.give_up(batch.name) == 1
        assert (await batches.submit([request])).asked == 1
        with pytest.raises(HarnessError, match="no batch 'other'"):
            batches.give_up("other")

    server.plan(open=True)
    desk(server, tmp_path / "s", job)
    assert spent(tmp_path / "s") == 2 * bound("openai", request)


def test_mistakes_are_told(server: Server, tmp_path: Path) -> None:
    """A provider without batches, a question larger than a batch, and a batch that the provider denies are named with what to do."""
    stranger = Request("gemini", "gemini-2.5-pro", (Message("user", "?"),))
    with pytest.raises(HarnessError, match="gemini takes no batches; those that do: anthropic, openai"):
        desk(server, tmp_path / "s", lambda batches: batches.submit([stranger]))
    with pytest.raises(HarnessError, match="bytes, a batch of openai 10"):
        desk(server, tmp_path / "s", lambda batches: batches.submit(many("openai")), most=BatchSize(5, 10))
    desk(server, tmp_path / "s", lambda batches: batches.submit(many("openai")))
    server.plan(fresh=True)
    with pytest.raises(HarnessError, match=r"batch of-.*no batch batch_0.*give_up\('of-"):
        desk(server, tmp_path / "s", lambda batches: batches.wait())


def test_lines_are_cut_where_they_are_too_long() -> None:
    """A stream is split at its line ends wherever its pieces end, and a line without end takes no more memory than it may."""

    async def run(*chunks: bytes) -> list[bytes]:
        async def pieces() -> Any:
            for chunk in chunks:
                yield chunk

        return [line async for line in split(pieces(), 5)]

    assert asyncio.run(run(b"a", b"b\n\n \nc", b"d\ne")) == [b"ab", b"cd", b"e"]
    assert asyncio.run(run(b"1234567890", b"1234", b"\nx")) == [b"12345", b"x"]
