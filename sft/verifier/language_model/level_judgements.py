"""The engine that asks a model the question of a level, with the prompt that training on the level writes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.llm.faults import CLOSING, RequestFaultKind
from harness.llm.messages import Message, Request
from harness.solution.labels import CORRECT
from sft.datasets.level_labels import LabelForm, Level
from sft.models.choice_scores import choice_probabilities
from sft.models.constrained_decoding import Decoder, DecodingRequest
from sft.models.text_generation import chat_prompt
from sft.samples.solution_judgement import Judgement
from sft.verifier.language_model.endpoint_client import ClientEngine
from sft.verifier.language_model.level_questions import LevelForm

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sft.models.base_model import LoadedModel
    from sft.samples.items import Item

SETTINGS = "settings.json"
START = '{"verdict": "'
AT_ONCE = 8
MOST_TOKENS = 384
LONGEST_PROMPT = 3_000


def trained_form(folder: Path) -> LevelForm | None:
    """Return the level and the labels that an adapter was trained on, `None` for one that marks lines.

    Raises:
        HarnessError: the settings of the adapter name a level that judges no solution.
    """
    try:
        record = json.loads((folder / SETTINGS).read_text("utf-8"))
        level, labels = str(record.get("level", "")), str(record.get("labels", LabelForm.WORDS))
    except (OSError, ValueError, AttributeError):
        return None
    return form_of(level, labels) if level else None


def form_of(level: str, labels: str = LabelForm.WORDS) -> LevelForm:
    """Return the form of a level by name.

    Raises:
        HarnessError: there is no such level or form of labels, or the level judges no solution.
    """
    if level not in set(Level) or labels not in set(LabelForm):
        raise HarnessError(
            f"level {level!r}, labels {labels!r}: expected a level of {', '.join(Level)} and labels of {', '.join(LabelForm)}"
        )
    return LevelForm(Level(level), LabelForm(labels))


@dataclass(frozen=True, slots=True)
class LevelEngine:
    """Asks a local model; of labels the likeliest is taken, objects are written under their schema."""

    loaded: LoadedModel
    form: LevelForm
    name: str = "chat"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        for start in range(0, len(items), AT_ONCE):
            yield from self._judged(items[start : start + AT_ONCE])

    def _judged(self, items: Sequence[Item]) -> list[Judgement]:
        prompts = [
            chat_prompt(self.loaded.tokenizer, [{"role": "user", "content": self.form.prompt(item)}]) for item in items
        ]
        unfit = [self._unfit(item, prompt) for item, prompt in zip(items, prompts, strict=True)]
        asked = [number for number, reason in enumerate(unfit) if not reason]
        judged = [Judgement.unjudged(reason) if reason else None for reason in unfit]
        if self.form.choices:
            chances = choice_probabilities(self.loaded, [prompts[number] for number in asked], self.form.choices)
            for number, each in zip(asked, chances, strict=True):
                judged[number] = self.form.judgement_of_choice(each)
        else:
            wanted = [DecodingRequest(prompts[number], self.form.schema(items[number]), START) for number in asked]
            for number, written in zip(asked, Decoder(self.loaded).write(wanted, MOST_TOKENS), strict=True):
                chance = sum(share for text, share in written.first.items() if CORRECT.startswith(text[:1]))
                chance = chance if written.record["verdict"] == CORRECT else 1 - chance
                judged[number] = self.form.judgement_of_record(
                    written.record, items[number], min(1.0, max(0.0, chance))
                )
        return [judgement or Judgement.unjudged("the model's answer is not usable") for judgement in judged]

    def _unfit(self, item: Item, prompt: Sequence[int]) -> str:
        if len(prompt) > LONGEST_PROMPT:
            return f"the prompt has {len(prompt):,} tokens, of {LONGEST_PROMPT:,} at most"
        return self.form.lacks(item)


@dataclass(slots=True)
class LevelEndpoint(ClientEngine):
    """Asks a model behind a server by the client of `harness.llm`, and reads its text by the form of the level."""

    provider: str
    model: str
    form: LevelForm
    name: str = "chat"

    async def judgement(self, item: Item) -> Judgement:
        """Return the judgement on one item."""
        if reason := self.form.lacks(item):
            return Judgement.unjudged(reason)
        message = Message("user", self.form.prompt(item))
        schema = None if self.form.choices else self.form.schema(item)
        answer = await self.client.ask(
            Request(self.provider, self.model, (message,), schema=schema, max_tokens=MOST_TOKENS)
        )
        if answer.reply is not None:
            return self.form.read(answer.reply.text, item)
        if answer.fault is None or answer.fault.kind in {*CLOSING, RequestFaultKind.UNREACHED}:
            raise HarnessError(f"{self.model}: {answer.fault and answer.fault.kind}; the server cannot be asked")
        return Judgement.unjudged(f"the endpoint failed: {answer.fault.kind}")
