"""Judgements of problems by a language model, asked with the prompt that training on the level `validator` writes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.llm.messages import Message, Request
from harness.llm.provider import split_model_name
from sft.datasets.level_labels import Level
from sft.datasets.prompts import problem_prompt
from sft.models.constrained_decoding import Decoder, DecodingRequest
from sft.models.text_generation import chat_prompt
from sft.samples.problem_judgement import LONGEST_REASON, VERDICT_OF, ProblemJudgement
from sft.samples.solution_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from harness.constraint_system import ProblemClass
    from sft.models.base_model import LoadedModel
    from sft.verifier.language_model.provider_model import ProviderModel

SETTINGS = "settings.json"
START = '{"verdict": "'
AT_ONCE = 8
MOST_TOKENS = 256
LONGEST_PROMPT = 3_000
LONGEST_ANSWER = 4_000
LONGEST_WRITTEN = 240
UNSAID = "The model gave no reason."
_VERDICTS = {str(verdict): problem_class for problem_class, verdict in VERDICT_OF.items()}
_OBJECT = re.compile(r"\{[^{}]*\}")
_NAMED = re.compile(rf"\b({'|'.join(_VERDICTS)})\b", re.IGNORECASE)


def _object(problem_class: ProblemClass, verdict: str, longest: int) -> dict[str, Any]:
    properties = {
        "verdict": {"const": verdict},
        "class_label": {"const": int(problem_class)},
        "reason": {"type": "string", "minLength": 1, "maxLength": longest},
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def answer_schema(longest: int = LONGEST_REASON) -> dict[str, Any]:
    """Return the schema of an answer, whose label belongs to its verdict; `longest` is the length of a reason."""
    return {"anyOf": [_object(problem_class, verdict, longest) for verdict, problem_class in _VERDICTS.items()]}


def read_answer(text: str, confidence: float = 1.0) -> ProblemJudgement:
    """Return the judgement of a model's text: of the object in it, else of the one verdict that it names.

    A text that names none or several of the verdicts is not judged.
    """
    text = text[:LONGEST_ANSWER].strip()
    for candidate in (text, *_OBJECT.findall(text)):
        try:
            record = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        verdict = record.get("verdict") if isinstance(record, dict) else None
        if isinstance(verdict, str) and verdict in _VERDICTS:
            reason = record.get("reason")
            return _judgement(verdict, reason if isinstance(reason, str) else "", confidence)
    named = {match.lower() for match in _NAMED.findall(text)}
    if len(named) == 1:
        return _judgement(named.pop(), "", confidence)
    return ProblemJudgement.unjudged(f"The model's answer names no verdict: {text[:60]!r}.")


def _judgement(verdict: str, reason: str, confidence: float) -> ProblemJudgement:
    words = " ".join(reason.split()).encode("utf-8", "replace").decode()
    return ProblemJudgement(_VERDICTS[verdict], confidence, words or UNSAID)


@dataclass(frozen=True, slots=True)
class ProviderValidator:
    """Any model that `harness.llm` reaches; its certainty is not known, so its confidence is 1."""

    model: ProviderModel
    at_once: int = 32

    def judge(self, questions: Sequence[str]) -> Iterator[ProblemJudgement]:
        """Yield a judgement on each text, in order; errors as in `ProviderModel.answers`."""
        provider, model = split_model_name(self.model.spec)
        requests = [
            Request(
                provider,
                model,
                (Message("user", problem_prompt(clean(question))),),
                schema=answer_schema(),
                max_tokens=MOST_TOKENS,
            )
            for question in questions
        ]
        for answer in self.model.answers(requests):
            yield ProblemJudgement.unjudged(answer.fault) if answer.fault else read_answer(answer.text)


@dataclass(frozen=True, slots=True)
class ChatValidator:
    """A local model, which writes its answers under their schema; confidence is the probability of the verdict's first letter."""

    loaded: LoadedModel
    at_once: int = AT_ONCE

    def judge(self, questions: Sequence[str]) -> Iterator[ProblemJudgement]:
        """Yield a judgement on each text, in order; a prompt that is too long is not judged."""
        for start in range(0, len(questions), AT_ONCE):
            yield from self._judged(questions[start : start + AT_ONCE])

    def _judged(self, questions: Sequence[str]) -> list[ProblemJudgement]:
        tokenizer = self.loaded.tokenizer
        prompts = [
            chat_prompt(tokenizer, [{"role": "user", "content": problem_prompt(clean(question))}])
            for question in questions
        ]
        asked = [number for number, prompt in enumerate(prompts) if len(prompt) <= LONGEST_PROMPT]
        schema = answer_schema(LONGEST_WRITTEN)
        wanted = [DecodingRequest(prompts[number], schema, START) for number in asked]
        written = dict(zip(asked, Decoder(self.loaded).write(wanted, MOST_TOKENS), strict=True))
        judged = []
        for number, prompt in enumerate(prompts):
            if number not in written:
                message = f"The prompt has {len(prompt):,} tokens, of {LONGEST_PROMPT:,} at most."
                judged.append(ProblemJudgement.unjudged(message))
                continue
            record = written[number].record
            chance = sum(
                share for text, share in written[number].first.items() if record["verdict"].startswith(text[:1])
            )
            judged.append(_judgement(record["verdict"], str(record["reason"]), min(1.0, max(0.0, chance))))
        return judged


def require_trained(folder: Path) -> None:
    """Check that an adapter was trained to validate problems.

    Raises:
        HarnessError: it was not.
    """
    try:
        level = json.loads((folder / SETTINGS).read_text("utf-8")).get("level")
    except (OSError, ValueError, AttributeError):
        level = None
    if level != Level.VALIDATOR:
        message = f"the adapter {folder} was trained on {f'level {level}' if level else 'no level'}"
        raise HarnessError(
            f"{message}: expected one that this trained: {runnable('oracle-factory train --level validator --train FILE --out DIR')}"
        )
