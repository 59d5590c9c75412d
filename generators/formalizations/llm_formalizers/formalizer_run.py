"""A run of formalizers over the problems of a corpus, one by one or in batches, and the formalizations that it gives.

Answers that are in the store are taken from it. Only the others are requested from models.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from generators.formalizations.annotation_compiler import formalize_all
from generators.formalizations.llm_formalizers.conversation import Conversation, ConversationPolicy
from generators.formalizations.llm_formalizers.model_specs import ModelSpec
from harness.domain import Problem, Response
from harness.llm.answer_store import AnswerStore, BudgetReached
from harness.llm.batches import BatchClient, BatchReport
from harness.llm.client import Client, run_concurrently
from harness.llm.prices import DOLLAR, PriceTable
from harness.llm.provider import ProviderAccess, ProviderLimits
from harness.store.stage_progress import StageProgress

INTERRUPTED, BUDGET = "interrupted", "the budget is reached"
NOT_KEPT = "the store has no answer, and no request may be sent"
EVERY = 60.0
"""Seconds between two checks of open batches."""
TOKENS = ("input", "cached", "written", "output")
COUNTED = {
    "submitted": {
        "asked": "questions",
        "batches": "batches",
        "busy": "being asked already",
        "over_budget": "beyond the budget",
    },
    "collected": {
        "answered": "answered",
        "failed": "failed",
        "missing": "without a result",
        "odd": "unreadable, repeated or of other questions",
        "pending": "batches not ended",
    },
}
"""What is printed of a submission and of a collection: the words for each count."""


@dataclass(frozen=True, slots=True)
class MissingFormalization:
    """A missing answer, and why; `attempts` is the number of earlier attempts."""

    problem_id: str
    model: str
    reason: str
    attempts: int

    @property
    def kind(self) -> str:
        """Return the word for why."""
        return self.reason.partition(":")[0]


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The terms on which models are asked: prices, limits by provider, and the budget of the whole store in picodollars."""

    prices: PriceTable
    limits: Mapping[str, ProviderLimits] = field(default_factory=dict)
    budget: int | None = None

    def client(self, store: AnswerStore) -> Client:
        """Return a client of a store on these terms, with the keys and addresses of the environment."""
        return Client(store, ProviderAccess.of_environment(), self.prices, limits=self.limits, budget=self.budget)


@dataclass(slots=True)
class FormalizerRun:
    """One run over problems and models; `stop` ends it, and the answers so far are kept.

    `only` are the pairs of problem and model that are asked, `None` for all.
    """

    problems: Sequence[Problem]
    members: Sequence[ModelSpec]
    store: AnswerStore
    asking: ConversationPolicy = field(default_factory=ConversationPolicy)
    progress: StageProgress | None = None
    only: Collection[tuple[str, str]] | None = None
    stopped: str = ""
    conversations: list[Conversation] = field(default_factory=list)

    def settle(self) -> list[Conversation]:
        """Take the answers in the store and those that need no model; return the conversations that are not over."""
        # By problem first: every provider has work from the beginning, and a run that is stopped is even over the models.
        for problem in self.problems:
            for member in self.members:
                if self.only is None or (problem.problem_id, member.name) in self.only:
                    self.conversations.append(self.asking.conversation(problem, member, self.store))
        for name in (member.provider for member in self.members if member.made_here):
            talks = [talk for talk in self.conversations if talk.member.provider == name]
            for talk, answer in zip(talks, formalize_all(name, [talk.problem for talk in talks]), strict=True):
                if isinstance(answer, Response):
                    talk.heard("", answer.text)
                else:
                    talk.broken_off = answer.reason
        return self.open_ones()

    def open_ones(self) -> list[Conversation]:
        """Return the conversations that are not over."""
        return [talk for talk in self.conversations if self.asking.following(talk) is not None]

    async def ask(self, terms: ClientSettings, talks: Sequence[Conversation]) -> None:
        """Continue conversations until they are over, as many at once as each provider takes.

        Raises:
            HarnessError: a provider cannot be opened, or a model has no price while there is a budget.
        """
        async with terms.client(self.store) as client:
            for talk in {talk.member: talk for talk in talks}.values():
                client.check_budget(self.asking.first(talk.problem, talk.member))
            providers = sorted({talk.member.provider for talk in talks})
            client.open(providers)
            if self.progress is not None:
                self.progress.began(len(talks))
            try:
                async with asyncio.TaskGroup() as group:
                    for provider in providers:
                        own = [partial(self._go_on, client, talk) for talk in talks if talk.member.provider == provider]
                        group.create_task(self._drain(own, client.limits_of(provider).concurrency))
            except BaseExceptionGroup as errors:  # the first says why; the others were cancelled by it
                raise errors.exceptions[0] from None

    async def _drain(self, jobs: Sequence[partial[Any]], at_once: int) -> None:
        async for _ in run_concurrently(jobs, at_once):
            if self.progress is not None:
                self.progress.advanced(1)

    async def _go_on(self, client: Client, talk: Conversation) -> None:
        while not self.stopped and (request := self.asking.following(talk)) is not None:
            try:
                answer = await client.ask(request)
            except BudgetReached:
                self.stopped = self.stopped or BUDGET
                break
            talk.asked += answer.asked
            if answer.reply is None:
                talk.broken_off = str(answer.fault)
                break
            talk.heard(request.key, answer.reply.text, answer.reply.stop)

    async def ask_by_batches(
        self, terms: ClientSettings, tell: Callable[[str], None], *, submit: bool, wait: bool
    ) -> None:
        """Collect the answers of batches and, where wanted, `submit` the next questions and `wait` until none is left.

        A batch holds one question of each conversation; the repairs of its answers are in the next batch. `tell` is called at every
        step. A run submits a question once: the next run submits a failed one again.

        Raises:
            HarnessError: a provider takes no batches or has no key, or a model has no price while there is a budget.
        """
        submitted: set[str] = set()
        async with terms.client(self.store) as client, BatchClient(client) as batches:
            while True:
                collected = await batches.collect()
                _print_counts("collected", collected, tell)
                following = [self.asking.replay(talk, self.store) for talk in self.open_ones()]
                asked = 0
                if submit and not self.stopped:
                    requests = [request for request in following if request and request.key not in submitted]
                    submitted.update(request.key for request in requests)
                    done = await batches.submit(requests)
                    _print_counts("submitted", done, tell)
                    asked = done.counts["asked"]
                    self.stopped = BUDGET if done.counts["over_budget"] else self.stopped
                if not wait or not (collected.counts["pending"] or asked):
                    break
                await asyncio.sleep(EVERY)
        for talk in self.open_ones():
            if (request := self.asking.following(talk)) is not None and (attempts := self.store.attempts(request.key)):
                last = attempts[-1]
                claimed = last["state"] == "claimed"
                talk.broken_off = f"in-batch: {last['batch']}" if claimed else f"{last['kind']}: {last['reason']}"

    def stop(self) -> None:
        """Send no further request; wait for those under way."""
        self.stopped = self.stopped or INTERRUPTED

    def _in_order(self) -> list[Conversation]:
        return sorted(self.conversations, key=lambda talk: (talk.problem.problem_id, talk.member.name))

    def records(self) -> list[dict[str, Any]]:
        """Return the records of the answers so far, in order of problem id and model."""
        return [self._record(talk) for talk in self._in_order() if talk.attempts]

    def _record(self, talk: Conversation) -> dict[str, Any]:
        """Return the record of a conversation's last attempt, which `pytest -m formalization` reads.

        Tokens and dollars are those of all attempts in the store, whenever they were made; `cost` is `None` where one is not
        known. The record holds no time, so that the same store gives the same bytes.
        """
        last, member = talk.attempts[-1], talk.member
        keys = [attempt.key for attempt in talk.attempts if attempt.key]
        rows = [row for key in keys for row in self.store.attempts(key)]
        # A failed attempt without a cost was not billed.
        costs = [0 if row["cost"] is None and row["state"] != "answered" else row["cost"] for row in rows]
        return {
            "problem_id": talk.problem.problem_id,
            "model": member.name,
            "dialect": member.dialect,
            "response": last.text,
            "attempt": len(talk.attempts),
            "refused": [attempt.screening.reason for attempt in talk.attempts[:-1]],
            "prompt": None if member.made_here else self.asking.prompts[member.dialect].version,
            "cost": None if None in costs else sum(costs) / DOLLAR,
            "tokens": {part: sum(int(row[part]) for row in rows) for part in TOKENS},
            "provenance": {
                "provider": member.provider,
                "model": member.model,
                "sample": member.sample,
                "stop": str(last.stop),
                "requests": keys,
            },
        }

    def missing(self) -> list[MissingFormalization]:
        """Return the answers that are missing, with the reasons; a repair that was not answered is one, too."""
        return [
            MissingFormalization(
                *(talk.problem.problem_id, talk.member.name),
                talk.broken_off or self.stopped or NOT_KEPT,
                len(talk.attempts),
            )
            for talk in self._in_order()
            if not talk.attempts or self.asking.following(talk) is not None
        ]


def _print_counts(what: str, report: BatchReport, tell: Callable[[str], None]) -> None:
    found = [f"{report.counts[name]:,} {words}" for name, words in COUNTED[what].items() if report.counts[name]]
    if found:
        tell(f"{what}: {', '.join(found)}")
    for fault in report.faults:
        tell(f"not {what}: {fault}")


async def interruptible(
    job: Coroutine[Any, Any, None],
    stop: Callable[[], None],
    tell: Callable[[str], None] | None = None,
    *,
    patient: bool = True,
) -> None:
    """Run a job until it ends or Ctrl-C is pressed: once to wait for open requests, if it is patient, twice to give it up."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    pressed = 0

    def interrupted() -> None:
        nonlocal pressed
        pressed += 1
        stop()
        if task is not None and (pressed > 1 or not patient):
            task.cancel()
        elif pressed == 1 and tell is not None:
            tell("waiting for what is under way; Ctrl-C again gives it up, though it may be billed")

    loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        await job
    except asyncio.CancelledError:
        if not pressed:
            raise
    finally:
        loop.remove_signal_handler(signal.SIGINT)
