"""The conversation with one model about one problem: the attempts so far, the next request, and what it would cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from generators.formalizations.llm_formalizers.answer_check import Screening, screen_response
from generators.formalizations.llm_formalizers.dialect_prompts import Prompt, prompts
from generators.formalizations.llm_formalizers.model_specs import ModelSpec
from harness.domain import Problem, Response, Status
from harness.llm.answer_store import AnswerStore
from harness.llm.messages import MOST_TOKENS, Request, StopReason, Usage
from harness.llm.prices import PriceTable

T = TypeVar("T")
REPAIR_TOKENS = 512
"""More than the words of a refusal have."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer and its verdict of UT-1; `key` is that of the request in the store, empty if no model was asked."""

    key: str
    text: str
    stop: StopReason
    screening: Screening


@dataclass(slots=True)
class Conversation:
    """One problem and one model: the attempts, and why it broke off, if it did.

    `asked` counts the requests that this run sent.
    """

    problem: Problem
    member: ModelSpec
    attempts: list[Attempt] = field(default_factory=list)
    broken_off: str = ""
    asked: int = 0

    def heard(self, key: str, text: str, stop: StopReason = StopReason.END) -> None:
        """Add an attempt with an answer."""
        response = Response(self.problem.problem_id, self.member.name, text, self.member.dialect)
        self.attempts.append(Attempt(key, text, stop, screen_response(self.problem, response)))


@dataclass(frozen=True, slots=True)
class ConversationPolicy:
    """How models are asked: repairs at most, by model, provider or (as `""`) for all tokens of an answer and temperature, and by dialect the prompt."""

    repairs: int = 1
    max_tokens: Mapping[str, int] = field(default_factory=dict)
    temperature: Mapping[str, float | None] = field(default_factory=dict)
    prompts: Mapping[str, Prompt] = field(default_factory=prompts)

    def refusal(self, talk: Conversation) -> str | None:
        """Return why a model is not asked about a problem, `None` where it may be."""
        return None if talk.member.made_here else self.prompts[talk.member.dialect].refusal(talk.problem)

    def first(self, problem: Problem, member: ModelSpec) -> Request:
        """Return the first question."""
        most, temperature = setting(self.max_tokens, member, MOST_TOKENS), setting(self.temperature, member, 0.0)
        return self.prompts[member.dialect].request(problem, member, max_tokens=most, temperature=temperature)

    def following(self, talk: Conversation) -> Request | None:
        """Return the next question, `None` where the conversation is over.

        An answer is asked for again if it was refused for a reason and has a text to correct.
        """
        if len(talk.attempts) > self.repairs or talk.member.made_here or self.refusal(talk) is not None:
            return None
        prompt, request = self.prompts[talk.member.dialect], self.first(talk.problem, talk.member)
        for attempt in talk.attempts:
            refused = attempt.screening.status is Status.REFUTED
            if not refused or attempt.stop is StopReason.REFUSAL or not attempt.text.strip():
                return None
            cut = attempt.stop is StopReason.LENGTH
            request = prompt.again(request, attempt.text, attempt.screening.reason, cut=cut)
        return request

    def replay(self, talk: Conversation, store: AnswerStore) -> Request | None:
        """Continue a conversation with the answers in the store; return the first question without one."""
        while (request := self.following(talk)) is not None and (reply := store.answer(request.key)) is not None:
            talk.heard(request.key, reply.text, reply.stop)
        return request

    def conversation(self, problem: Problem, member: ModelSpec, store: AnswerStore | None) -> Conversation:
        """Return a conversation with the answers in the store, if there is one."""
        talk = Conversation(problem, member)
        talk.broken_off = self.refusal(talk) or ""
        if store is not None:
            self.replay(talk, store)
        return talk


def setting(values: Mapping[str, T], member: ModelSpec, default: T) -> T:
    """Return the value for a model: its own, else its provider's, else that for all."""
    for name in (member.asked, member.provider, ""):
        if name in values:
            return values[name]
    return default


@dataclass(slots=True)
class CostEstimate:
    """The requests to a model: conversations, those complete in the store, and for the others requests and picodollars.

    `expected`: each is answered at the first attempt, as long as the longest example. `most`: every answer has the
    longest allowed length and is refused as often as allowed, and no request is sent twice. Both are `None` where no
    price is known.
    """

    model: str
    conversations: int
    kept: int = 0
    requests: int = 0
    tokens: Usage = field(default_factory=Usage)
    expected: int | None = 0
    most: int | None = 0


def estimate(
    problems: Sequence[Problem],
    member: ModelSpec,
    asking: ConversationPolicy,
    prices: PriceTable,
    store: AnswerStore | None,
) -> CostEstimate:
    """Price the requests to a model; `store` is `None` where there is none yet."""
    found = CostEstimate(member.name, len(problems))
    for problem in problems:
        talk = asking.conversation(problem, member, store)
        request = asking.following(talk)
        if request is None:
            found.kept += 1
            continue
        found.requests += 1
        output = min(asking.prompts[member.dialect].likely_answer(problem), request.max_tokens)
        usage = Usage(request.estimate().input, output)
        found.tokens = Usage(found.tokens.input + usage.input, found.tokens.output + usage.output)
        price = prices.of(request)
        if price is None or found.expected is None or found.most is None:
            found.expected = found.most = None
            continue
        found.expected += price.of(usage)
        bound = request.bound()
        for further in range(asking.repairs + 1 - len(talk.attempts)):
            longer = bound.input + further * (request.max_tokens + REPAIR_TOKENS)
            found.most += price.most(Usage(longer, bound.output))
    return found
