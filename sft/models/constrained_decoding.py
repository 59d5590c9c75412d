"""Constrained decoding: a language model writes only objects that satisfy a JSON schema."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from pydantic_core import from_json

from sft.models.base_model import LoadedModel
from sft.models.text_generation import allowed_tokens, generated_tokens, grammar_tokens

LAYOUT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""The layout of `json.dumps`, which the targets of training have."""
MOST_ALLOWED = 64


@dataclass(frozen=True, slots=True)
class DecodingRequest:
    """A request for a text after `prompt` that begins with `start` and satisfies `schema`."""

    prompt: Sequence[int]
    schema: Mapping[str, Any]
    start: str


@dataclass(frozen=True, slots=True)
class DecodedObject:
    """A written object; `first` has the probabilities of the tokens that may follow the start, by their text.

    `first` is empty if more than 64 tokens may follow.
    """

    record: dict[str, Any]
    first: Mapping[str, float] = field(default_factory=dict)


def decoded(loaded: LoadedModel, requests: Sequence[DecodingRequest], most: int) -> list[DecodedObject]:
    """Return the objects that a model writes greedily, all in one batch; one that is not finished after `most` tokens has what was written."""
    if not requests:
        return []
    tokenizer, tokens = loaded.tokenizer, grammar_tokens(loaded)
    starts = [list(tokenizer.encode(request.start, add_special_tokens=False)) for request in requests]
    rows = [[*request.prompt, *start] for request, start in zip(requests, starts, strict=True)]
    matchers = [_matcher(tokens, request, start) for request, start in zip(requests, starts, strict=True)]
    grammar = _GrammarMask(matchers, max(map(len, rows)))
    written = []
    endings = generated_tokens(loaded, rows, most, logits_processor=[grammar])
    for request, ending, first in zip(requests, endings, grammar.first, strict=True):
        text = tokenizer.decode(ending, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        shares = {tokenizer.decode([token]): share for token, share in first.items()}
        written.append(DecodedObject(partial_object(request.start + text), shares))
    return written


def _matcher(tokens: Any, request: DecodingRequest, start: Sequence[int]) -> Any:
    from llguidance import LLMatcher

    grammar = LLMatcher.grammar_from_json_schema(json.dumps(request.schema), defaults=LAYOUT)
    matcher = LLMatcher(tokens, grammar, log_level=0)
    if matcher.is_error() or not matcher.consume_tokens(list(start)):
        raise ValueError(f"the schema does not allow the start {request.start!r}: {matcher.get_error()}")
    return matcher


class _GrammarMask:
    """A logits processor of transformers that excludes the tokens that the matchers of llguidance do not allow.

    There is a matcher for each row; `given` is the length of the prompts. `first` are the probabilities of the tokens that may be the first
    of each row, where they are few.
    """

    def __init__(self, matchers: Sequence[Any], given: int) -> None:
        self._matchers, self._given = list(matchers), given
        self.first: list[dict[int, float]] = [{} for _ in matchers]

    def __call__(self, ids: Any, logits: Any) -> Any:
        """Return the logits: rows x vocabulary, both in and out."""
        import torch

        begun = ids.shape[1] > self._given
        for row, matcher in enumerate(self._matchers):
            if begun and not matcher.is_stopped():
                matcher.consume_token(int(ids[row, -1]))
        allowed = allowed_tokens(self._matchers, logits.shape[1])
        logits = logits.float().masked_fill(~torch.from_numpy(allowed).to(logits.device), float("-inf"))
        if not begun:
            shares = logits.softmax(-1).cpu().numpy()
            for row, possible in enumerate(allowed):
                tokens = np.flatnonzero(possible)
                if len(tokens) <= MOST_ALLOWED:
                    self.first[row] = {int(token): float(shares[row, token]) for token in tokens}
        return logits


def partial_object(text: str) -> dict[str, Any]:
    """Return the object of a text that may end within it; empty where it is no object."""
    try:
        record = from_json(text.strip(), allow_partial="trailing-strings")
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}
