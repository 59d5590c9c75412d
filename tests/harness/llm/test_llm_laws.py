"""Property tests of keys, prices, rate limits and budgets."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from harness.llm.answer_store import AnswerStore, BudgetReached, BusyRequest, RequestClaim
from harness.llm.chat_completions import read_body as read_openai
from harness.llm.messages import (
    LONGEST_WAIT,
    Message,
    Reply,
    Request,
    RequestFault,
    RequestFaultKind,
    StopReason,
    Usage,
    retry_after,
)
from harness.llm.prices import TokenPrice
from harness.llm.providers.anthropic import read_body as read_anthropic
from tests.harness.llm.asking import all_attempts

TEXT = st.text(st.characters(codec=None, exclude_categories=[]), max_size=20)
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
REQUESTS = st.builds(
    Request,
    st.sampled_from(["openai", "anthropic"]),
    st.sampled_from(["a", "b"]),
    st.lists(st.builds(Message, st.sampled_from(["user", "assistant"]), TEXT), max_size=2).map(tuple),
    system=TEXT,
    schema=st.none() | st.dictionaries(st.text(max_size=5), JSON, max_size=2),
    grammar=st.none() | TEXT,
    max_tokens=st.integers(1, 9),
    temperature=st.none() | st.floats(0, 2) | st.integers(0, 2),
    sample=st.integers(0, 2),
)
TOKENS = st.integers(0, 10**7)
DOLLARS = st.decimals(0, 1_000, allow_nan=False, allow_infinity=False, places=6)
PARTS = {"input": DOLLARS, "output": DOLLARS, "cached": st.none() | DOLLARS, "written": st.none() | DOLLARS}
PRICES = st.builds(TokenPrice, **PARTS, batch=st.decimals(0, 1, allow_nan=False, allow_infinity=False, places=3))
NAMES = ["choices", "message", "content", "text", "usage", "prompt_tokens", "input_tokens", "error"]
BODIES: Any = st.recursive(
    JSON,
    lambda inner: st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, inner)) | st.lists(inner, max_size=2),
    max_leaves=12,
)


@given(REQUESTS, REQUESTS)
@example(Request("a", "b", (), temperature=0), Request("a", "b", (), temperature=0.0))
@example(Request("a", "b", (), temperature=0.0), Request("a", "b", (), temperature=-0.0))
def test_requests_have_the_same_key_if_and_only_if_they_are_the_same(first: Request, other: Request) -> None:
    """Requests that differ have different keys, and requests that are equal in Python have the same key."""
    assert (first.key == other.key) == (
        json.dumps(first.record(), sort_keys=True) == json.dumps(other.record(), sort_keys=True)
    )
    if replace(first, schema=None) == replace(other, schema=None) and first.schema is other.schema is None:
        assert first.key == other.key


@given(PRICES, st.lists(st.builds(Usage, TOKENS, TOKENS), max_size=4), st.booleans())
def test_nothing_costs_more_than_its_bound(price: TokenPrice, parts: list[Usage], batched: bool) -> None:
    """However input is split into plain, cached and written, an answer costs at most what was set aside for as many tokens."""
    for usage in parts:
        cached = usage.input // 3
        split = replace(usage, cached=cached, written=usage.input - 2 * cached)
        assert 0 <= price.of(split, batched=batched) <= price.most(usage, batched=batched)
        assert price.of(usage, batched=True) <= price.of(usage)


@given(TEXT | st.floats().map(str))
@example("nan")
def test_any_header_is_read_as_a_wait_or_as_none(value: str) -> None:
    """Whatever a server writes there, the wait is between nothing and ten minutes."""
    seconds = retry_after({"retry-after": value})
    assert seconds is None or 0 <= seconds <= LONGEST_WAIT


@given(st.integers(0, 1), BODIES)
@settings(max_examples=300)
def test_any_body_is_an_answer_or_a_fault(api: int, body: Any) -> None:
    """Any JSON under status 200 is read as an answer with sane counts, or is a fault with its reason."""
    try:
        reply = (read_openai, read_anthropic)[api](json.dumps(body))
    except RequestFault as fault:
        assert fault.kind in {RequestFaultKind.MALFORMED, RequestFaultKind.EMPTY, RequestFaultKind.SERVER}  # noqa: PT017  # either outcome is right
    else:
        assert isinstance(reply.text, str)
        assert reply.usage.cached + reply.usage.written <= reply.usage.input <= 3 * 10**9


@given(
    st.sampled_from(["[" * 10**5, "1" * 10**5, '{"a": ' * 10**5, '{"usage": {"prompt_tokens": 1e999}}', "\ufeff{}", ""])
)
def test_hostile_bodies_are_faults(text: str) -> None:
    """Depth, endless numbers and the like are told as malformed or empty, and break nothing."""
    for read in (read_openai, read_anthropic):
        with pytest.raises(RequestFault):
            read(text)


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["claim", "answer", "fail"]), st.integers(0, 3), st.integers(0, 40)), max_size=30
)


@given(ACTIONS, st.integers(0, 150))
@settings(max_examples=60)
def test_a_budget_holds_in_any_order_of_claims_and_ends(actions: list[tuple[str, int, int]], budget: int) -> None:
    """Whatever is claimed, answered and failed, by two stores of one file, the sum is kept and never exceeds.

    A claim is refused for good only if all that is under way together could not free enough.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        with AnswerStore(path) as first, AnswerStore(path) as other:
            claims: dict[int, tuple[AnswerStore, RequestClaim]] = {}
            paid = answered = 0
            for number, (action, which, amount) in enumerate(actions):
                store = (first, other)[number % 2]
                request = Request("openai", "m", (Message("user", str(number)),), sample=which)
                aside = sum(claim.reserved or 0 for _, claim in claims.values())
                if action == "claim":
                    try:
                        got = store.claim(request, amount, budget=budget)
                    except BudgetReached:
                        assert paid + amount > budget
                        continue
                    assert isinstance(got, RequestClaim) == (paid + aside + amount <= budget)
                    assert isinstance(got, (RequestClaim, BusyRequest))
                    if isinstance(got, RequestClaim):
                        claims[number] = (store, got)
                elif claims:
                    key = sorted(claims)[which % len(claims)]
                    holder, claim = claims.pop(key)
                    cost = min(amount, claim.reserved or 0)
                    if action == "answer":
                        holder.end(claim, Reply("x"), cost, 0.0)
                        answered, paid = answered + 1, paid + cost
                    else:
                        holder.end(claim, RequestFault(RequestFaultKind.TIME, "x"), cost, 0.0)
                        paid += cost
                aside = sum(claim.reserved or 0 for _, claim in claims.values())
                assert first.spent() == other.spent() == paid + aside <= budget
            attempts = all_attempts(first)
            assert sum(attempt["cost"] for attempt in attempts) == first.spent()
            assert sum(attempt["state"] == "answered" for attempt in attempts) == answered


@given(TEXT, TEXT, st.sampled_from(StopReason), st.builds(Usage, TOKENS, TOKENS, TOKENS, TOKENS))
@settings(max_examples=40)
def test_an_answer_comes_back_as_it_was_kept(text: str, raw: str, stop: StopReason, usage: Usage) -> None:
    """Any text is stored unchanged, except for half pairs of surrogates, which no file holds."""
    with tempfile.TemporaryDirectory() as folder, AnswerStore(Path(folder) / "store") as store:
        request = Request("openai", "m", (Message("user", text),))
        claim = store.claim(request, 1)
        assert isinstance(claim, RequestClaim)
        store.end(claim, Reply(text, usage, stop, raw), 1, 0.5)
        back = store.answer(request.key)
        assert back is not None
        assert back.text == text.encode("utf-8", "replace").decode()
        assert back.raw == raw.encode("utf-8", "backslashreplace").decode()
        assert (back.usage, back.stop) == (usage, stop)
