"""The output of a run: one record for each problem and model.

`pytest -m formalization` reads the records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generators.formalizations.llm_formalizers.conversation import Conversation
from generators.formalizations.llm_formalizers.prompts.dialect_prompts import Prompt
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


def record_of(talk: Conversation, store: AnswerStore, prompts: Mapping[str, Prompt]) -> dict[str, Any]:
    """Return the record of a conversation's last attempt, asked for by one of `prompts`.

    Tokens and dollars are those of all attempts in the store, whenever they were made; `cost` is `None` where one is not
    known. The record holds no time, so that the same store gives the same bytes.
    """
    last = talk.attempts[-1]
    asked = not talk.member.made_here
    keys = [attempt.key for attempt in talk.attempts if attempt.key]
    rows = [row for key in keys for row in store.attempts(key)]
    # A failed attempt without a cost was not billed.
    costs = [0 if row["cost"] is None and row["state"] != "answered" else row["cost"] for row in rows]
    return {
        "problem_id": talk.problem.problem_id,
        "model": talk.member.name,
        "dialect": talk.member.dialect,
        "response": last.text,
        "attempt": len(talk.attempts),
        "refused": [attempt.screening.reason for attempt in talk.attempts[:-1]],
        "prompt": prompts[talk.member.dialect].version if asked else None,
        "cost": None if None in costs else sum(costs) / DOLLAR,
        "tokens": {part: sum(int(row[part]) for row in rows) for part in TOKENS},
        "provenance": {
            "provider": talk.member.provider,
            "model": talk.member.model,
            "sample": talk.member.sample,
            "stop": str(last.stop),
            "requests": keys,
        },
    }
