"""The baselines of a verifier: the commonest label, and a local model that is asked without examples."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.llm.answer_store import AnswerStore, RequestClaim
from harness.llm.client import POLL
from harness.llm.messages import Message, Reply, Request
from harness.solution.labels import CORRECT, FLAWED, ErrorClass, ErrorType
from sft.models.base_model import load_base
from sft.models.text_generation import chat_text
from sft.samples.solution_judgement import Judgement
from sft.verifier.engines.chat import asked_form
from sft.verifier.language_model.level_judgements import LevelEngine, form_of
from sft.verifier.language_model.model_judgements import MarkEngine, marks_lines, opened_model
from sft.verifier.language_model.zero_shot import INSTRUCTION, ZeroShotEngine, item_prompt, messages_of, read_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sft.evaluation.dataset_items import EvaluationItem
    from sft.models.base_model import LoadedModel
    from sft.samples.items import Item
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings
    from sft.verifier.language_model.provider_model import ZeroShotAccess

MAJORITY = "majority"
TRAINED = "trained"
"""An adapter alone, of a level or of marks, without the guard that decides what is proved before an engine is asked."""
LONGEST_ANSWER = 128
LONGEST_PROMPT = 2_048
_GUESSED = "This is the commonest judgement among the items."


@dataclass(frozen=True, slots=True)
class MajorityBaseline:
    """Gives every item the commonest judgement of the items: the best baseline that does not read them."""

    judgement: Judgement
    name: str = MAJORITY

    @classmethod
    def of(cls, items: Sequence[EvaluationItem]) -> MajorityBaseline:
        """Return the engine for items whose truth is known: the commonest verdict, and the commonest error among flawed ones."""
        truths = [item.sample.truth for item in items]
        flawed = [truth for truth in truths if truth.flawed]
        share = len(flawed) / max(1, len(truths))
        classes = Counter(truth.error_class for truth in flawed if truth.error_class is not None)
        commonest = max(
            classes, key=lambda error_class: (classes[error_class], str(error_class)), default=ErrorClass.CONCEPTUAL
        )
        if share < 1 / 2 or (share == 1 / 2 and classes[commonest] < len(truths) - len(flawed)):
            return cls(Judgement(flawed=False, confidence=1 - share))
        types = Counter(truth.error_type for truth in flawed if truth.error_type and truth.error_class == commonest)
        lines = Counter(truth.line for truth in flawed if truth.line)
        error_type = ErrorType(max(types, key=lambda name: (types[name], name), default=_DEFAULTS[commonest]))
        line = max(lines, key=lambda name: (lines[name], name), default="L1")
        return cls(Judgement(True, share, commonest, error_type, line, _GUESSED))  # noqa: FBT003  # the fields in their order

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield the same judgement for each item."""
        for _ in items:
            yield self.judgement


_DEFAULTS = {
    ErrorClass.COMPUTATIONAL: str(ErrorType.COMPUTATIONAL),
    ErrorClass.CONCEPTUAL: str(ErrorType.INPUT_MISREPRESENTATION),
    ErrorClass.SKIPPED_STEP: str(ErrorType.SKIPPED_STEP),
}


@dataclass(slots=True)
class LocalZeroShot:
    """The model of a preset without an adapter, asked in a chat for the JSON object; greedy decoding without a grammar.

    Its answers are stored like those of other providers, under the provider `transformers`.
    """

    loaded: Callable[[], LoadedModel]
    model: str
    asking: ZeroShotAccess
    batch: int = 8
    name: str = "zero-shot"
    _model: LoadedModel | None = None

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield the model's judgements; an answer that is not the object is repaired.

        Raises:
            HarnessError: an answer is missing in offline mode.
        """
        with AnswerStore(self.asking.path) as store:
            store.recover()
            for start in range(0, len(items), self.batch):
                part = [(self._request(item), item) for item in items[start : start + self.batch]]
                self._ask(store, {request.key: (request, item) for request, item in part})
                for request, _ in part:
                    reply = store.answer(request.key)
                    if reply is None:
                        raise self.asking.refused(request)
                    probability = json.loads(reply.raw)["probability"]
                    yield read_answer(_PREFILL + reply.text, probability=probability)

    def _request(self, item: Item) -> Request:
        turns = (Message("user", item_prompt(item)), Message("assistant", _PREFILL))
        return Request("transformers", self.model, turns, system=INSTRUCTION, max_tokens=LONGEST_ANSWER)

    def _ask(self, store: AnswerStore, wanted: dict[str, tuple[Request, Item]]) -> None:
        """Let the model write the missing answers; wait for those that another process is writing."""
        while not self.asking.offline and (
            missing := [question for key, question in wanted.items() if store.answer(key) is None]
        ):
            claims = [(store.claim(request, 0), item) for request, item in missing]
            ours = [(claim, item) for claim, item in claims if isinstance(claim, RequestClaim)]
            started = time.perf_counter()
            try:
                answers = self._write([messages_of(item) for _, item in ours]) if ours else []
            except BaseException:  # the exception is raised again; no request was answered
                for claim, _ in ours:
                    store.withdrawn(claim)
                raise
            seconds = (time.perf_counter() - started) / max(1, len(ours))
            for (claim, _), answer in zip(ours, answers, strict=True):
                store.answered(claim, Reply(str(answer["text"]), raw=json.dumps(answer)), 0, seconds)
            if not ours:
                time.sleep(POLL)

    def _write(self, chats: Sequence[list[dict[str, str]]]) -> list[dict[str, object]]:
        """Return the continuations of the prefilled answers, with the probability of the verdict `Correct` against `Flawed`."""
        import torch

        if self._model is None:
            self._model = self.loaded()
        tokenizer, model = self._model.tokenizer, self._model.model
        tokenizer.padding_side, tokenizer.truncation_side = "left", "left"
        prompts = [chat_text(tokenizer, chat) for chat in chats]
        given = tokenizer(
            [prompt + _PREFILL for prompt in prompts],
            return_tensors="pt",
            padding=True,
            truncation=True,
            max_length=LONGEST_PROMPT,
            add_special_tokens=False,
        ).to(self._model.device)
        with torch.inference_mode():
            generated = model.generate(
                **given,
                max_new_tokens=LONGEST_ANSWER,
                do_sample=False,
                return_dict_in_generate=True,
                output_scores=True,
                pad_token_id=tokenizer.pad_token_id,
            )
        first = [tokenizer.encode(word, add_special_tokens=False)[0] for word in (CORRECT, FLAWED)]
        odds = generated.scores[0][:, first].float().softmax(dim=1)[:, 0].tolist()
        width = given["input_ids"].shape[1]
        texts = tokenizer.batch_decode(generated.sequences[:, width:], skip_special_tokens=True)
        return [
            {"text": text, "probability": round(probability, 6)} for text, probability in zip(texts, odds, strict=True)
        ]


_PREFILL = '{"verdict": "'


def open_baseline(
    name: str, settings: EngineSettings, asking: ZeroShotAccess, items: Sequence[EvaluationItem]
) -> Engine | None:
    """Return the baseline of a name, `None` for another name; `items` are those of one dataset."""
    if name == MAJORITY:
        return MajorityBaseline.of(items)
    if name == TRAINED and marks_lines(settings):
        return MarkEngine(opened_model(settings), None, None, name)
    if name == TRAINED:
        return LevelEngine(opened_model(settings).loaded, asked_form(settings), name)
    if name == "zero-shot" and settings.level:
        return LevelEngine(load_base(settings.preset, settings.device), form_of(settings.level, settings.labels), name)
    if name == "zero-shot":
        return LocalZeroShot(lambda: load_base(settings.preset, settings.device), settings.preset, asking)
    return ZeroShotEngine.opened(settings, asking) if name == "zero-shot-llm" else None
