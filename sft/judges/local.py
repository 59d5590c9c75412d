"""A judge that asks a language model on this machine; its answers are labels or objects by construction."""

import importlib.util
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from sft.datasets.levels import LabelForm, Level
from sft.judges.forms import START, ItemT, JudgementT, ProblemForm, QuestionForm, SolutionForm
from sft.models.base_model import LoadedModel, load_preset, require_adapter
from sft.models.text_generation import chat_prompt, choice_probabilities, decoded

SETTINGS = "settings.json"
NEEDED = ("torch", "transformers", "peft", "llguidance")
AT_ONCE = 8
MOST_TOKENS = 384
LONGEST_PROMPT = 3_000


def trained_form(folder: Path) -> SolutionForm | ProblemForm:
    """Return the question that an adapter was trained on, as its settings name it.

    Raises `HarnessError` where the folder has no adapter, or one that was not trained on a level.
    """
    require_adapter(folder)
    try:
        record = json.loads((folder / SETTINGS).read_text("utf-8"))
        level, labels = str(record.get("level", "")), str(record.get("labels", LabelForm.WORDS))
    except (OSError, ValueError, AttributeError):
        level, labels = "", ""
    if not level:
        train = runnable("oracle-factory train --level max --train FILE --out DIR")
        message = f"{folder}: this adapter was not trained on a level ({SETTINGS} names none); train one: {train}"
        raise HarnessError(message)
    return ProblemForm() if level == Level.VALIDATOR else SolutionForm.of(level, labels)


@lru_cache(maxsize=1)
def opened_model(preset: str, adapter: Path | None, device: str) -> LoadedModel:
    """Return the model of a preset, with an adapter if one is named; the last one is kept.

    Raises `HarnessError` where a library, the model or the adapter is missing.
    """
    for name in NEEDED:
        if importlib.util.find_spec(name) is None:
            how = f"install it by: {runnable('make install-sft')}, or judge without it by --engine symbolic"
            raise HarnessError(f"the model needs {name}, which is not installed; {how}")
    return load_preset(preset, device, adapter=adapter)


@dataclass(frozen=True, slots=True)
class LocalJudge(Generic[ItemT, JudgementT]):
    """Asks a loaded model in a chat: of labels the likeliest is taken, objects are written under their schema.

    The confidence is the probability of the label, or of the first token of the verdict.
    """

    loaded: LoadedModel
    form: QuestionForm[ItemT, JudgementT]
    name: str = "chat"
    at_once: int = AT_ONCE

    def judge(self, items: Sequence[ItemT]) -> Iterator[JudgementT]:
        """Yield a judgement on each item, in order; an item whose prompt is too long is not judged."""
        for start in range(0, len(items), AT_ONCE):
            part = items[start : start + AT_ONCE]
            chats = [[{"role": "user", "content": self.form.prompt(item)}] for item in part]
            prompts = [chat_prompt(self.loaded.tokenizer, chat) for chat in chats]
            reasons = [self._unfit(item, prompt) for item, prompt in zip(part, prompts, strict=True)]
            fit = [place for place, reason in enumerate(reasons) if not reason]
            answers = self._answers([part[place] for place in fit], [prompts[place] for place in fit])
            for reason in reasons:
                yield self.form.unjudged(reason) if reason else next(answers)

    def _unfit(self, item: ItemT, prompt: Sequence[int]) -> str:
        if len(prompt) > LONGEST_PROMPT:
            return f"the prompt has {len(prompt):,} tokens, of {LONGEST_PROMPT:,} at most"
        return self.form.lacks(item)

    def _answers(self, items: Sequence[ItemT], prompts: Sequence[list[int]]) -> Iterator[JudgementT]:
        if self.form.choices:
            yield from map(self.form.labelled, choice_probabilities(self.loaded, prompts, self.form.choices))
            return
        objects = decoded(self.loaded, prompts, list(map(self.form.schema, items)), START, MOST_TOKENS)
        for item, written in zip(items, objects, strict=True):
            verdict = str(written.record.get("verdict"))
            chance = sum(share for text, share in written.first.items() if verdict.startswith(text[:1]))
            yield self.form.read_or_unjudged(json.dumps(written.record), item, min(1.0, chance))
