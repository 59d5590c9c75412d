"""Estimates of what a run would cost, from the length of its requests, without asking any model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generators.formalizations.llm_formalizers.conversation import ConversationPolicy
from generators.formalizations.llm_formalizers.formalizer_run import conversation_from_store
from generators.formalizations.llm_formalizers.model_specs import ModelSpec
from harness.domain import Problem
from harness.llm.answer_store import AnswerStore
from harness.llm.messages import Usage
from harness.llm.prices import PriceTable

REPAIR_TOKENS = 512
"""More than the words of a refusal have."""


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """The requests to a model: conversations, those complete in the store, and for the others requests and picodollars.

    `expected`: each is answered at the first attempt, as long as the longest example. `most`: every answer has the
    longest allowed length and is refused as often as allowed, and no request is sent twice. Both are `None` where no
    price is known.
    """

    model: str
    conversations: int
    kept: int
    requests: int
    tokens: Usage
    expected: int | None
    most: int | None


def estimate(
    problems: Sequence[Problem],
    member: ModelSpec,
    asking: ConversationPolicy,
    prices: PriceTable,
    store: AnswerStore | None,
) -> CostEstimate:
    """Price the requests to a model; `store` is `None` where there is none yet."""
    if member.made_here:
        return CostEstimate(member.name, len(problems), len(problems), 0, Usage(), 0, 0)
    prompt = asking.prompts[member.dialect]
    kept, requests, tokens = 0, 0, Usage()
    expected: int | None = 0
    most: int | None = 0
    for problem in problems:
        talk = conversation_from_store(problem, member, asking, store)
        request = asking.following(talk)
        if request is None:
            kept += 1
            continue
        requests += 1
        usage = Usage(request.estimate().input, min(prompt.likely_answer(problem), request.max_tokens))
        tokens = Usage(tokens.input + usage.input, tokens.output + usage.output)
        price = prices.of(request)
        if price is None or expected is None or most is None:
            expected = most = None
            continue
        expected += price.of(usage)
        bound = request.bound()
        for further in range(asking.repairs + 1 - len(talk.attempts)):
            longer = bound.input + further * (request.max_tokens + REPAIR_TOKENS)
            most += price.most(Usage(longer, bound.output))
    return CostEstimate(member.name, len(problems), kept, requests, tokens, expected, most)
