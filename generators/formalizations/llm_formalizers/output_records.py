"""The output of a run: one record for each problem and model, and a summary for each model.

`pytest -m formalization` reads the records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generators.formalizations.llm_formalizers.conversation import Conversation
from generators.formalizations.llm_formalizers.prompts.dialect_prompts import Prompt
from harness.domain import Status
from harness.llm.answer_store import AnswerStore
from harness.llm.prices import DOLLAR

TOKENS = ("input", "cached", "written", "output")


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
class RequestCost:
    """The usage and cost of the store's attempts at some questions, with failed ones; `cost` in picodollars, `None` unless all is known."""

    tokens: dict[str, int]
    cost: int | None


def request_cost(keys: Iterable[str], store: AnswerStore) -> RequestCost:
    """Add up the costs of questions, whenever they were asked."""
    tokens: Counter[str] = Counter()
    cost: int | None = 0
    for key in keys:
        for row in store.attempts(key):
            tokens.update({name: int(row[name]) for name in TOKENS})
            known = row["cost"] is not None or row["state"] != "answered"
            cost = cost + (row["cost"] or 0) if cost is not None and known else None
    return RequestCost({name: tokens[name] for name in TOKENS}, cost)


def record_of(talk: Conversation, store: AnswerStore, prompts: Mapping[str, Prompt]) -> dict[str, Any]:
    """Return the record of a conversation's last attempt, asked for by one of `prompts`; it holds no time, so that the same store gives the same bytes."""
    last = talk.attempts[-1]
    asked = not talk.member.made_here
    keys = [attempt.key for attempt in talk.attempts if attempt.key]
    used = request_cost(keys, store)
    return {
        "problem_id": talk.problem.problem_id,
        "model": talk.member.name,
        "dialect": talk.member.dialect,
        "response": last.text,
        "attempt": len(talk.attempts),
        "refused": [attempt.screening.reason for attempt in talk.attempts[:-1]],
        "prompt": prompts[talk.member.dialect].version if asked else None,
        "cost": None if used.cost is None else used.cost / DOLLAR,
        "tokens": used.tokens,
        "provenance": {
            "provider": talk.member.provider,
            "model": talk.member.model,
            "sample": talk.member.sample,
            "stop": str(last.stop),
            "requests": keys,
        },
    }


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """The results of one model: conversations, requests sent and kept, repaired, screened, refused and missing answers, and its price."""

    model: str
    asked: int
    kept: int
    again: int
    mended: int
    confirmed: int
    unjudged: int
    refused: dict[str, int]
    missing: dict[str, int]
    tokens: dict[str, int]
    cost: float | None


def model_summaries(
    talks: Sequence[Conversation], records: Sequence[dict[str, Any]], missing: Sequence[MissingFormalization]
) -> list[ModelSummary]:
    """Return the results of each model, in the order in which they were asked."""
    names = list(dict.fromkeys(talk.member.name for talk in talks))
    return [
        _tally(
            name,
            [talk for talk in talks if talk.member.name == name],
            [record for record in records if record["model"] == name],
            Counter(gap.kind for gap in missing if gap.model == name),
        )
        for name in names
    ]


def _tally(name: str, talks: list[Conversation], records: list[dict[str, Any]], missing: Counter[str]) -> ModelSummary:
    answered = [talk for talk in talks if talk.attempts]
    last = [talk.attempts[-1].screening for talk in answered]
    again = [talk for talk in answered if len(talk.attempts) > 1]
    costs = [record["cost"] for record in records]
    return ModelSummary(
        name,
        asked=sum(talk.asked for talk in talks),
        kept=sum(not talk.asked for talk in answered),
        again=len(again),
        mended=sum(talk.attempts[-1].screening.status is Status.CONFIRMED for talk in again),
        confirmed=sum(screening.status is Status.CONFIRMED for screening in last),
        unjudged=sum(screening.status is Status.UNKNOWN for screening in last),
        refused=dict(Counter(screening.kind for screening in last if screening.status is Status.REFUTED).most_common()),
        missing=dict(missing.most_common()),
        tokens={part: sum(record["tokens"][part] for record in records) for part in TOKENS},
        cost=None if None in costs else sum(costs),
    )
