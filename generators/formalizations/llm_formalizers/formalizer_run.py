"""A run of formalizers over the problems of a corpus, and the formalizations that it gives.

Answers that are in the store are taken from it. Only the others are requested from models.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from generators.formalizations.annotation_compiler import formalize_all
from generators.formalizations.llm_formalizers.conversation import Conversation, ConversationPolicy
from generators.formalizations.llm_formalizers.model_specs import ModelSpec
from generators.formalizations.llm_formalizers.output_records import MissingFormalization, record_of
from harness.domain import Problem, Response
from harness.llm.answer_store import AnswerStore
from harness.llm.client import BudgetReached, Client, run_concurrently
from harness.llm.prices import PriceTable
from harness.llm.provider import ProviderAccess, ProviderLimits
from harness.store.stage_progress import StageProgress

INTERRUPTED, BUDGET = "interrupted", "the budget is reached"
NOT_KEPT = "the store has no answer, and no request may be sent"


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
        for name in (member.provider for member in self.members if member.made_here):
            self.conversations += self._made_here(name)
        # By problem first: every provider has work from the beginning, and a run that is stopped is even over the models.
        asked = [member for member in self.members if not member.made_here]
        for problem in self.problems:
            for member in asked:
                if self.asks(problem, member):
                    self.conversations.append(conversation_from_store(problem, member, self.asking, self.store))
        return self.open_ones()

    def asks(self, problem: Problem, member: ModelSpec) -> bool:
        """Tell whether a model is asked about a problem."""
        return self.only is None or (problem.problem_id, member.name) in self.only

    def _made_here(self, name: str) -> list[Conversation]:
        member = next(candidate for candidate in self.members if candidate.provider == name)
        talks: list[Conversation] = []
        problems = [problem for problem in self.problems if self.asks(problem, member)]
        for problem, answer in zip(problems, formalize_all(name, problems), strict=True):
            talk = Conversation(problem, member)
            if isinstance(answer, Response):
                talk.heard("", answer.text)
            else:
                talk.broken_off = answer.reason
            talks.append(talk)
        return talks

    def open_ones(self) -> list[Conversation]:
        """Return the conversations that are not over."""
        return [talk for talk in self.conversations if self.asking.following(talk) is not None]

    async def ask(self, terms: ClientSettings, talks: Sequence[Conversation]) -> None:
        """Continue conversations until they are over, as many at once as each provider takes.

        Raises:
            HarnessError: a provider cannot be opened, or a model has no price while there is a budget.
        """
        async with terms.client(self.store) as client:
            await self._ask(client, talks)

    async def _ask(self, client: Client, talks: Sequence[Conversation]) -> None:
        for member in self.members:
            if not member.made_here and self.problems:
                client.check_budget(self.asking.first(self.problems[0], member))
        providers = sorted({talk.member.provider for talk in talks})
        client.open(providers)
        if self.progress is not None:
            self.progress.began(len(talks))
        try:
            async with asyncio.TaskGroup() as group:
                for provider in providers:
                    jobs = [partial(self._go_on, client, talk) for talk in talks if talk.member.provider == provider]
                    group.create_task(self._drain(jobs, client.limits_of(provider).concurrency))
        except BaseExceptionGroup as errors:  # the first says why; the others were cancelled by it
            raise errors.exceptions[0] from None

    async def _drain(self, jobs: Sequence[partial[Any]], at_once: int) -> None:
        async for _ in run_concurrently(jobs, at_once):
            if self.progress is not None:
                self.progress.advanced(1)

    async def _go_on(self, client: Client, talk: Conversation) -> Conversation:
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
        return talk

    def stop(self) -> None:
        """Send no further request; wait for those under way."""
        self.stopped = self.stopped or INTERRUPTED

    def _in_order(self) -> list[Conversation]:
        return sorted(self.conversations, key=lambda talk: (talk.problem.problem_id, talk.member.name))

    def records(self) -> list[dict[str, Any]]:
        """Return the records of the answers so far, in order of problem id and model."""
        return [record_of(talk, self.store, self.asking.prompts) for talk in self._in_order() if talk.attempts]

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


def conversation_from_store(
    problem: Problem, member: ModelSpec, asking: ConversationPolicy, store: AnswerStore | None
) -> Conversation:
    """Return a conversation with the answers in the store."""
    talk = Conversation(problem, member)
    talk.broken_off = asking.refusal(talk) or ""
    if store is not None:
        replay_stored_answers(talk, asking, store)
    return talk


def replay_stored_answers(talk: Conversation, asking: ConversationPolicy, store: AnswerStore) -> bool:
    """Continue a conversation with the answers in the store; return whether it is over."""
    while (request := asking.following(talk)) is not None:
        reply = store.answer(request.key)
        if reply is None:
            return False
        talk.heard(request.key, reply.text, reply.stop)
    return True


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The terms on which models are asked: prices, limits by provider, and the budget of the whole store in picodollars."""

    prices: PriceTable
    limits: Mapping[str, ProviderLimits] = field(default_factory=dict)
    budget: int | None = None

    def client(self, store: AnswerStore) -> Client:
        """Return a client of a store on these terms, with the keys and addresses of the environment."""
        return Client(store, ProviderAccess.of_environment(), self.prices, limits=self.limits, budget=self.budget)
