"""The conversation with one model about one problem: the attempts so far and the next request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from generators.formalizations.llm_formalizers.answer_check import Screening, screen_response
from generators.formalizations.llm_formalizers.model_specs import ModelSpec
from generators.formalizations.llm_formalizers.prompts.dialect_prompts import Prompt, bundled_prompts
from harness.domain import Problem, Response, Status
from harness.llm.messages import MOST_TOKENS, Request, StopReason

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer and its verdict of UT-1; `key` is that of the request in the store, empty if no model was asked."""

    key: str
    text: str
    stop: StopReason
    screening: Screening

    @property
    def may_be_repaired(self) -> bool:
        """Tell whether to ask again: it was refused for a reason, and has a text to correct."""
        return (
            self.screening.status is Status.REFUTED and self.stop is not StopReason.REFUSAL and bool(self.text.strip())
        )


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
    prompts: Mapping[str, Prompt] = field(default_factory=bundled_prompts)

    def refusal(self, talk: Conversation) -> str | None:
        """Return why a model is not asked about a problem, `None` where it may be."""
        return None if talk.member.made_here else self.prompts[talk.member.dialect].refusal(talk.problem)

    def first(self, problem: Problem, member: ModelSpec) -> Request:
        """Return the first question."""
        return self.prompts[member.dialect].request(
            problem,
            member,
            max_tokens=setting(self.max_tokens, member, MOST_TOKENS),
            temperature=setting(self.temperature, member, 0.0),
        )

    def following(self, talk: Conversation) -> Request | None:
        """Return the next question, `None` where the conversation is over."""
        if len(talk.attempts) > self.repairs or talk.member.made_here or self.refusal(talk) is not None:
            return None
        prompt, request = self.prompts[talk.member.dialect], self.first(talk.problem, talk.member)
        for attempt in talk.attempts:
            if not attempt.may_be_repaired:
                return None
            request = prompt.again(
                request, attempt.text, attempt.screening.reason, cut=attempt.stop is StopReason.LENGTH
            )
        return request


def setting(values: Mapping[str, T], member: ModelSpec, default: T) -> T:
    """Return the value for a model: its own, else its provider's, else that for all."""
    for name in (member.asked, member.provider, ""):
        if name in values:
            return values[name]
    return default
