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
class DecodedObject:
    """A written object; `first` has the probabilities of the tokens that may follow the start, by their text.

    `first` is empty if more than 64 tokens may follow.
    """

    record: dict[str, Any]
    first: Mapping[str, float] = field(default_factory=dict)


def decoded(
    loaded: LoadedModel, prompts: Sequence[Sequence[int]], schemas: Sequence[Mapping[str, Any]], start: str, most: int
) -> list[DecodedObject]:
    """Return the objects that a model writes greedily after `start`, one for each prompt by its schema, all in one batch.

    An object that is not finished after `most` tokens has what was written.
    """
    if not prompts:
        return []
    tokenizer, tokens = loaded.tokenizer, grammar_tokens(loaded)
    begun = list(tokenizer.encode(start, add_special_tokens=False))
    rows = [[*prompt, *begun] for prompt in prompts]
    grammar = _GrammarMask([_matcher(tokens, schema, begun) for schema in schemas], max(map(len, rows)))
    written = []
    endings = generated_tokens(loaded, rows, most, logits_processor=[grammar])
    for ending, first in zip(endings, grammar.first, strict=True):
        text = tokenizer.decode(ending, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        shares = {tokenizer.decode([token]): share for token, share in first.items()}
        written.append(DecodedObject(partial_object(start + text), shares))
    return written


def _matcher(tokens: Any, schema: Mapping[str, Any], begun: Sequence[int]) -> Any:
    from llguidance import LLMatcher

    matcher = LLMatcher(tokens, LLMatcher.grammar_from_json_schema(json.dumps(schema), defaults=LAYOUT), log_level=0)
    if matcher.is_error() or not matcher.consume_tokens(list(begun)):
        raise ValueError(f"the schema does not allow the start of an answer: {matcher.get_error()}")
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
