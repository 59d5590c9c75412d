"""The conversation with one model about one problem: the attempts so far, and the next question."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from generators.formalizations.llm_formalizers.answer_check import Screening, screen_response
from generators.formalizations.llm_formalizers.dialect_prompts import Prompt, prompts
from generators.formalizations.llm_formalizers.model_specs import ModelSpec
from generators.formalizations.llm_formalizers.prompt_examples import unaskable_reason
from harness.domain import Problem, Response, Status
from harness.llm.client import Answer
from harness.llm.messages import MOST_TOKENS, Request, StopReason
from harness.llm.prices import OpenQuestion

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ConversationPolicy:
    """How models are asked: repairs at most, by model, provider or (as `""`) for all tokens of an answer and temperature, and by dialect the prompt."""

    repairs: int = 1
    max_tokens: Mapping[str, int] = field(default_factory=dict)
    temperature: Mapping[str, float | None] = field(default_factory=dict)
    prompts: Mapping[str, Prompt] = field(default_factory=prompts)

    def first(self, problem: Problem, member: ModelSpec) -> Request:
        """Return the first question."""
        most, temperature = setting(self.max_tokens, member, MOST_TOKENS), setting(self.temperature, member, 0.0)
        return self.prompts[member.dialect].request(problem, member, max_tokens=most, temperature=temperature)


def setting(values: Mapping[str, T], member: ModelSpec, default: T) -> T:
    """Return the value for a model: its own, else its provider's, else that for all."""
    return next((values[name] for name in (member.asked, member.provider, "") if name in values), default)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer and its verdict of UT-1; `key` is that of the request in the store, empty if no model was asked."""

    key: str
    text: str
    stop: StopReason
    screening: Screening


@dataclass(slots=True)
class Conversation:
    """One problem and one model: the attempts, and why it broke off, if it did; `asked` counts the requests that this run sent."""

    problem: Problem
    member: ModelSpec
    policy: ConversationPolicy = field(default_factory=ConversationPolicy)
    attempts: list[Attempt] = field(default_factory=list)
    broken_off: str = ""
    asked: int = 0
    unaskable: str | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Break off where no model is asked about the problem."""
        if not self.member.made_here:
            with_solution = self.policy.prompts[self.member.dialect].with_solution
            self.unaskable = unaskable_reason(self.problem, with_solution=with_solution)
            self.broken_off = self.unaskable or ""

    def following(self) -> Request | None:
        """Return the next question, `None` where the conversation is over.

        An answer is asked for again if it was refused for a reason and has a text to correct.
        """
        if len(self.attempts) > self.policy.repairs or self.member.made_here or self.unaskable is not None:
            return None
        prompt, request = self.policy.prompts[self.member.dialect], self.policy.first(self.problem, self.member)
        for attempt in self.attempts:
            refused = attempt.screening.status is Status.REFUTED
            if not refused or attempt.stop is StopReason.REFUSAL or not attempt.text.strip():
                return None
            cut = attempt.stop is StopReason.LENGTH
            request = prompt.again(request, attempt.text, attempt.screening.reason, cut=cut)
        return request

    def open_question(self) -> OpenQuestion | None:
        """Return the next question as it is priced, `None` where the conversation is over."""
        if (request := self.following()) is None:
            return None
        likely = self.policy.prompts[self.member.dialect].likely_answer(self.problem)
        return OpenQuestion(request, likely, self.policy.repairs - len(self.attempts))

    def heard(self, answer: Answer) -> None:
        """Take an answer, or the fault that ends the conversation."""
        self.asked += answer.asked
        if answer.reply is None:
            self.broken_off = str(answer.fault)
        else:
            self.add(answer.request.key, answer.reply.text, answer.reply.stop)

    def add(self, key: str, text: str, stop: StopReason = StopReason.END) -> None:
        """Add an attempt with an answer."""
        response = Response(self.problem.problem_id, self.member.name, text, self.member.dialect)
        self.attempts.append(Attempt(key, text, stop, screen_response(self.problem, response)))
