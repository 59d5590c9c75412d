"""Judgements of a language model alone: a fine-tuned model gives marks, any other model writes the JSON object."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.solution.labels import CORRECT, FLAWED, ErrorClass, ErrorType
from sft.models.constrained_decoding import Decoder, DecodingRequest
from sft.models.line_marks import CLASS_OF, MarkWriter
from sft.models.text_generation import chat_prompt
from sft.samples.items import Truth
from sft.samples.solution_judgement import Judgement
from sft.samples.solution_text import clean
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.combiner.combiner import SOUND, Combiner
from sft.verifier.diagnosis.decision import decide
from sft.verifier.language_model.level_judgements import trained_form
from sft.verifier.language_model.zero_shot import messages_of
from sft.verifier.line_scores.token_trees import shortened_item, unread_by_model

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.models.base_model import LoadedModel
    from sft.samples.items import Item
    from sft.verifier.engine_registry import EngineSettings
    from sft.verifier.line_scores.scorer import Scorer
    from sft.verifier.model_scores import Scores

NEEDED = ("torch", "transformers", "peft")
LONGEST_WRITTEN = 240
"""In characters: the most of an explanation by a model."""
MOST_TOKENS = 384
"""Of the text after the start; at most 130 characters, each at most one token, precede the explanation."""
AT_ONCE = 16
START = '{"verdict": "'
UNSAID = "The model gave no explanation."


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """A loaded model with its scorer and its writer; `adapted` tells whether it has an adapter."""

    loaded: LoadedModel
    scorer: Scorer
    writer: MarkWriter
    adapted: bool


def has_adapter(settings: EngineSettings) -> bool:
    """Tell whether there is an adapter: the settings name one, or the preset has its own."""
    return settings.adapter is not None or (settings.folder / "adapter_config.json").is_file()


def opened_model(settings: EngineSettings) -> OpenedModel:
    """Return the preset's model with the adapter of the settings' folder, if there is one; it is loaded once.

    Raises:
        HarnessError: a library, the model or a named adapter is missing.
    """
    for name in NEEDED:
        if importlib.util.find_spec(name) is None:
            message = f"the model needs {name}, which is not installed; install it by: {runnable('make install-sft')}, or judge without it by --engine symbolic"
            raise HarnessError(message)
    return _opened(settings.preset, str(settings.folder) if has_adapter(settings) else "", settings.device)


@lru_cache(maxsize=1)
def _opened(preset: str, folder: str, device: str) -> OpenedModel:
    from sft.models.base_model import load_base, load_with_adapter
    from sft.verifier.line_scores.scorer import Scorer

    loaded = load_with_adapter(preset, folder, device) if folder else load_base(preset, device)
    return OpenedModel(loaded, Scorer(loaded.model, loaded.tokenizer), MarkWriter(loaded.tokenizer), bool(folder))


def scorer_of(settings: EngineSettings) -> Scorer:
    """Return the scorer of the model with its adapter; errors as in `opened_model`, and there must be an adapter."""
    if not has_adapter(settings):
        message = f"no adapter in {settings.folder}: train one: {runnable('oracle-factory train --train FILE --out DIR')}, or judge without it by --engine symbolic"
        raise HarnessError(message)
    require_marks(settings)
    return opened_model(settings).scorer


def marks_lines(settings: EngineSettings) -> bool:
    """Tell whether no level is asked and the adapter, which was not trained on one, marks lines; errors as in `trained_form`."""
    return not settings.level and has_adapter(settings) and trained_form(settings.folder) is None


def require_marks(settings: EngineSettings) -> None:
    """Refuse an adapter that was trained on a level and writes no marks.

    Raises:
        HarnessError: the adapter was trained on a level.
    """
    form = trained_form(settings.folder) if has_adapter(settings) else None
    if form is not None:
        raise HarnessError(
            f"{settings.folder}: this adapter answers level {form.level} and marks no lines; ask it by --engine chat"
        )


@dataclass(frozen=True, slots=True)
class MarkEngine:
    """Judges by the marks after each line; the model then writes the explanation of the error that the marks found.

    `combiner` is fitted on the marks alone; without one, the probabilities of the marks are used. Without a `decoder`, the
    explanation names only the line.
    """

    opened: OpenedModel
    combiner: Combiner | None
    decoder: Decoder | None
    name: str = "model"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        for start in range(0, len(items), AT_ONCE):
            batch = items[start : start + AT_ONCE]
            scores = self.opened.scorer.score(batch, twins=False)
            judged = [self._decided(Case(item, score)) for item, score in zip(batch, scores, strict=True)]
            yield from judged if self.decoder is None else self._explained(batch, judged, self.decoder)

    def _decided(self, case: Case) -> Judgement:
        unread = unread_by_model(self.opened.writer, case.item)
        if self.combiner is None:
            return replace(decide(case, {}, class_probabilities(case.scores), {}), unread=unread)
        features = EVIDENCE.features_of(case, self.combiner.evidence)
        judged = decide(case, {}, self.combiner.predict(features), self.combiner.weigh(features))
        return replace(judged, unread=unread)

    def _explained(self, items: Sequence[Item], judged: Sequence[Judgement], decoder: Decoder) -> Iterator[Judgement]:
        wanted = [
            self._wanted(item, judgement) for item, judgement in zip(items, judged, strict=True) if judgement.flawed
        ]
        written = iter(decoder.write(wanted, MOST_TOKENS))
        for judgement in judged:
            yield with_details(judgement, next(written).record["error_details"]) if judgement.flawed else judgement

    def _wanted(self, item: Item, judged: Judgement) -> DecodingRequest:
        """Return the request for the details of a flawed item; only type and explanation are free."""
        types = [error_type for error_type in ErrorType if error_type.error_class is judged.error_class]
        schema = _object({"verdict": {"const": FLAWED}, "error_details": _details(types, [judged.line])})
        start = f'{START}{FLAWED}", "error_details": {{"error_type": "'
        if len(types) == 1:
            start += f'{types[0]}", "erroneous_line_number": "{judged.line}", "explanation": "'
        writer = self.opened.writer
        truth = Truth(flawed=True, error_class=judged.error_class, line=judged.line)
        return DecodingRequest(writer.write(shortened_item(writer, item), truth).ids, schema, start)


def class_probabilities(scores: Scores | None) -> dict[str, float]:
    """Return the probability of each class from the marks alone."""
    probabilities = dict.fromkeys((SOUND, *map(str, ErrorClass)), 0.0)
    for (_, mark), chance in ({} if scores is None else scores.first_error()).items():
        probabilities[CLASS_OF[mark]] += chance
    probabilities[SOUND] = 1 - sum(probabilities.values())
    return probabilities


@dataclass(frozen=True, slots=True)
class ChatEngine:
    """Asks a model without training on marks for the whole object; the verdict's probability is that of its first token."""

    opened: OpenedModel
    decoder: Decoder
    name: str = "model"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        for start in range(0, len(items), AT_ONCE):
            batch, judged = items[start : start + AT_ONCE], []
            for written in self.decoder.write([self._wanted(item) for item in batch], MOST_TOKENS):
                correct = sum(chance for text, chance in written.first.items() if CORRECT.startswith(text[:1]))
                judged.append(judgement_of_answer(written.record, 1 - correct))
            for item, judgement in zip(batch, judged, strict=True):
                yield replace(judgement, unread=unread_by_model(self.opened.writer, item))

    def _wanted(self, item: Item) -> DecodingRequest:
        item = shortened_item(self.opened.writer, item)
        return DecodingRequest(chat_prompt(self.opened.loaded.tokenizer, messages_of(item)), answer_schema(item), START)


def answer_schema(item: Item) -> dict[str, Any]:
    """Return the schema of an answer on an item: Correct without details, or Flawed at one of its places."""
    flawed = _details(list(ErrorType), list(item.places()))
    return {
        "anyOf": [
            _object({"verdict": {"const": CORRECT}, "error_details": {"type": "null"}}),
            _object({"verdict": {"const": FLAWED}, "error_details": flawed}),
        ]
    }


def _details(types: Sequence[ErrorType], lines: Sequence[str]) -> dict[str, Any]:
    return _object(
        {
            "error_type": {"enum": [str(error_type) for error_type in types]},
            "erroneous_line_number": {"enum": list(lines)},
            "explanation": {"type": "string", "minLength": 1, "maxLength": LONGEST_WRITTEN},
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def judgement_of_answer(record: dict[str, Any], flawed: float) -> Judgement:
    """Return the judgement of an object that satisfies `answer_schema`; `flawed` is the probability of that verdict."""
    if record["verdict"] == CORRECT:
        return Judgement(flawed=False, confidence=1 - flawed)
    return with_details(Judgement(flawed=True, confidence=flawed), record["error_details"])


def with_details(judged: Judgement, details: dict[str, str]) -> Judgement:
    """Return a judgement with the type, line and explanation that a model wrote."""
    error_type = ErrorType(details["error_type"])
    return Judgement(
        flawed=True,
        confidence=min(1.0, max(0.0, judged.confidence)),
        error_class=error_type.error_class,
        error_type=error_type,
        line=details["erroneous_line_number"],
        explanation=" ".join(clean(details["explanation"]).split()) or UNSAID,
        evidence=judged.evidence,
        unread=judged.unread,
    )
