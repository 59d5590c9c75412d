"""The job that asks models: talks of one or more questions through the answer store, one by one or in batches, until they are over or it is stopped."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness.llm.answer_store import AnswerStore, BudgetReached
from harness.llm.batches import BatchClient, BatchReport
from harness.llm.client import Answer, Client
from harness.llm.messages import Request

INTERRUPTED, BUDGET = "interrupted", "the budget is reached"
MISSING, STOPPED, ENDED = 1, 3, 130
"""The exit statuses of a command: answers are missing, the budget is reached, it was interrupted."""
NOT_KEPT = "the store has no answer, and no request may be sent"
EVERY = 60.0
"""Seconds between two checks of open batches."""
_SUBMITTED = {
    "asked": "questions",
    "batches": "batches",
    "busy": "being asked already",
    "over_budget": "beyond the budget",
}
_COLLECTED = {
    "answered": "answered",
    "failed": "failed",
    "missing": "without a result",
    "odd": "unreadable, repeated or of other questions",
    "pending": "batches not ended",
}


class Talk(Protocol):
    """Questions to one model, each after the answer to the last one."""

    def following(self) -> Request | None:
        """Return the next question, `None` where the talk is over."""

    def heard(self, answer: Answer) -> None:
        """Take the outcome of that question."""


@dataclass(slots=True)
class Question:
    """A talk of one question, with its outcome."""

    request: Request
    outcome: Answer | None = None

    def following(self) -> Request | None:
        """Return the question until it has an outcome."""
        return self.request if self.outcome is None else None

    def heard(self, answer: Answer) -> None:
        """Take the outcome."""
        self.outcome = answer


def replay(talk: Talk, store: AnswerStore) -> Request | None:
    """Continue a talk with the answers in the store; return the first question without one."""
    while (request := talk.following()) is not None and (reply := store.answer(request.key)) is not None:
        talk.heard(Answer(request, reply))
    return request


def exit_status(stopped: str, *, missing: bool) -> int:
    """Return the exit status of a command whose job stopped for a reason, if there was one."""
    return {INTERRUPTED: ENDED, BUDGET: STOPPED}.get(stopped, MISSING if missing else 0)


@dataclass(slots=True)
class QuestionJob:
    """Asks through a client. `stopped` says why no further question is asked; `tell` takes remarks for the user."""

    client: Client
    tell: Callable[[str], None] | None = None
    stopped: str = ""

    def run(self, job: Coroutine[Any, Any, None], *, patient: bool = True) -> None:
        """Run a job until it ends or Ctrl-C is pressed: once to wait for open requests, if it is `patient`, twice to give them up."""
        asyncio.run(self._interruptible(job, patient=patient))

    async def ask(self, talks: Sequence[Talk], advanced: Callable[[], None] = lambda: None) -> None:
        """Continue talks until they are over, as many at once as each provider takes; `advanced` is called after each. Errors as in `Client.lane` and `Client.check_budget`."""
        by_provider: dict[str, list[Talk]] = {}
        async with self.client as client:
            for talk in talks:
                if (request := talk.following()) is not None:
                    client.check_budget(request)
                    by_provider.setdefault(request.provider, []).append(talk)
            lanes = {provider: client.lane(provider) for provider in sorted(by_provider)}
            try:
                async with asyncio.TaskGroup() as group:
                    for provider, own in by_provider.items():
                        turns = iter(own)  # shared, so that each talk is begun when there is room for it
                        for _ in range(min(lanes[provider].limits.concurrency or len(own), len(own))):
                            group.create_task(self._continue(turns, advanced))
            except BaseExceptionGroup as errors:  # the first says why; the others were cancelled by it
                raise errors.exceptions[0] from None

    async def _continue(self, turns: Iterator[Talk], advanced: Callable[[], None]) -> None:
        for talk in turns:
            while not self.stopped and (request := talk.following()) is not None:
                try:
                    answer = await self.client.ask(request)
                except BudgetReached:
                    self.stopped = self.stopped or BUDGET
                    break
                talk.heard(answer)
                if answer.reply is None:
                    break
            advanced()

    async def ask_by_batches(self, talks: Sequence[Talk], *, submit: bool, wait: bool) -> None:
        """Collect the answers of batches and, where wanted, `submit` the next question of each talk and `wait` until none is left.

        A run submits a question once: the next run submits a failed one again. Errors as in `BatchClient.submit`.
        """
        submitted: set[str] = set()
        async with self.client as client:
            batches = BatchClient(client)
            while True:
                collected = await batches.collect()
                self._report("collected", _COLLECTED, collected)
                following = [request for talk in talks if (request := replay(talk, client.store)) is not None]
                asked = 0
                if submit and not self.stopped:
                    report = await batches.submit(request for request in following if request.key not in submitted)
                    submitted.update(request.key for request in following)
                    self._report("submitted", _SUBMITTED, report)
                    asked = report.counts["asked"]
                    self.stopped = BUDGET if report.counts["over_budget"] else self.stopped
                if not wait or not (collected.counts["pending"] or asked):
                    return
                await asyncio.sleep(EVERY)

    def _report(self, what: str, words: dict[str, str], report: BatchReport) -> None:
        counts = [f"{report.counts[name]:,} {text}" for name, text in words.items() if report.counts[name]]
        lines = [f"{what}: {', '.join(counts)}"] if counts else []
        for line in [*lines, *(f"not {what}: {fault}" for fault in report.faults)]:
            if self.tell is not None:
                self.tell(line)

    async def _interruptible(self, job: Coroutine[Any, Any, None], *, patient: bool) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        pressed = 0

        def interrupted() -> None:
            nonlocal pressed
            pressed += 1
            self.stopped = self.stopped or INTERRUPTED
            if task is not None and (pressed > 1 or not patient):
                task.cancel()
            elif self.tell is not None:
                self.tell("waiting for what is under way; Ctrl-C again gives it up, though it may be billed")

        loop.add_signal_handler(signal.SIGINT, interrupted)
        try:
            await job
        except asyncio.CancelledError:
            if not pressed:
                raise
        finally:
            loop.remove_signal_handler(signal.SIGINT)
