"""Formalization by the batch services of providers, which cost less and need no waiting process.

A batch holds one question of each conversation. The repairs of its answers are in the next batch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from generators.formalizations.llm_formalizers.formalizer_run import (
    BUDGET,
    ClientSettings,
    FormalizerRun,
    replay_stored_answers,
)
from generators.formalizations.llm_formalizers.model_specs import ModelSpec
from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.batches import BatchClient, BatchCollection, BatchSubmission
from harness.llm.provider import PROVIDERS

EVERY = 60.0
"""Seconds between two checks of open batches."""


def check_batch_providers(members: Sequence[ModelSpec]) -> None:
    """Check that all providers take batches.

    Raises:
        HarnessError: there is one among the models.
    """
    able = {provider.name for provider in PROVIDERS if provider.batches is not None}
    for member in members:
        if not member.made_here and member.provider not in able:
            raise HarnessError(f"--batch: {member.provider} takes no batches; those that do: {', '.join(sorted(able))}")


async def formalize_by_batches(
    making: FormalizerRun, terms: ClientSettings, tell: Callable[[str], None], *, submit: bool, wait: bool
) -> None:
    """Collect the answers of batches and, where wanted, `submit` the next questions and `wait` until none is left.

    `tell` is called at every step. A run submits a question once: the next run submits a failed one again.

    Raises:
        HarnessError: a provider takes no batches or has no key, or a model has no price while there is a budget.
    """
    handed_in: set[str] = set()
    async with terms.client(making.store) as client, BatchClient(client) as desk:
        while True:
            collection = await desk.collect()
            _collected(collection, tell)
            talks = [
                talk for talk in making.open_ones() if not replay_stored_answers(talk, making.asking, making.store)
            ]
            asked = 0
            if submit and not making.stopped:
                requests = [
                    request
                    for talk in talks
                    if (request := making.asking.following(talk)) and request.key not in handed_in
                ]
                handed_in.update(request.key for request in requests)
                submission = await desk.submit(requests)
                _submitted(submission, tell)
                asked = submission.asked
                making.stopped = BUDGET if submission.over_budget else making.stopped
            if not wait or (collection.done and not asked):
                break
            await asyncio.sleep(EVERY)
    for talk in making.open_ones():
        request = making.asking.following(talk)
        if request is not None:
            talk.broken_off = pending_reason(request.key, making.store)


def pending_reason(key: str, store: AnswerStore) -> str:
    """Return the state of a question without an answer: in a batch, or why its last attempt failed."""
    attempts = store.attempts(key)
    if not attempts:
        return ""
    last = attempts[-1]
    return f"in-batch: {last['batch']}" if last["state"] == "claimed" else f"{last['kind']}: {last['reason']}"


def _collected(collection: BatchCollection, tell: Callable[[str], None]) -> None:
    counts = {
        "answered": collection.answered,
        "failed": collection.failed + collection.missing,
        "unreadable, repeated or of other questions": collection.odd,
        "batches not ended": collection.pending,
        "batches in doubt": collection.doubtful,
    }
    parts = [f"{count:,} {name}" for name, count in counts.items() if count]
    if parts:
        tell(f"collected: {', '.join(parts)}")
    for fault in collection.faults:
        tell(f"not looked at: {fault}")


def _submitted(done: BatchSubmission, tell: Callable[[str], None]) -> None:
    if done.asked or done.busy or done.over_budget:
        more = [f"{done.busy:,} are being asked already"] if done.busy else []
        more += [f"{done.over_budget:,} exceed the budget"] if done.over_budget else []
        batches = len(done.batches) + len(done.doubtful)
        tell("; ".join([f"submitted: {done.asked:,} questions in {batches} batches", *more]))
    for refused in done.refused:
        tell(f"refused: {refused}")
