"""Constrained decoding: a language model writes only objects that satisfy a JSON schema."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sft.models.base_model import LoadedModel

LAYOUT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""The layout of `json.dumps`, which the targets of training have."""
MOST_ALLOWED = 64
CUT = "…"


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


class Decoder:
    """Decodes greedily under grammars of llguidance, several texts in one batch."""

    def __init__(self, loaded: LoadedModel) -> None:
        from llguidance.hf import from_tokenizer

        self._loaded = loaded
        self._vocabulary = int(loaded.model.get_output_embeddings().weight.shape[0])
        self._tokens = from_tokenizer(loaded.tokenizer, n_vocab=max(self._vocabulary, len(loaded.tokenizer)))

    def write(self, wanted: Sequence[DecodingRequest], most: int) -> list[DecodedObject]:
        """Return the written objects; a text that is not finished after `most` tokens is cut and closed."""
        import torch
        from transformers import LogitsProcessorList

        if not wanted:
            return []
        tokenizer = self._loaded.tokenizer
        starts = [list(tokenizer.encode(request.start, add_special_tokens=False)) for request in wanted]
        rows = [[*request.prompt, *start] for request, start in zip(wanted, starts, strict=True)]
        longest = max(map(len, rows))
        pad = tokenizer.pad_token_id
        ids = torch.tensor([[pad] * (longest - len(row)) + row for row in rows], device=self._loaded.device)
        mask = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in rows], device=self._loaded.device)
        grammar = _Grammar(
            [self._matcher(request, start) for request, start in zip(wanted, starts, strict=True)], longest
        )
        with torch.inference_mode():
            generated = self._loaded.model.generate(
                input_ids=ids,
                attention_mask=mask,
                max_new_tokens=most,
                do_sample=False,
                # The sampling options of a model's own configuration conflict with greedy decoding.
                temperature=None,
                top_p=None,
                top_k=None,
                pad_token_id=pad,
                eos_token_id=tokenizer.eos_token_id,
                logits_processor=LogitsProcessorList([grammar]),
            )
        texts = [
            request.start
            + tokenizer.decode(row[longest:], skip_special_tokens=True, clean_up_tokenization_spaces=False)
            for request, row in zip(wanted, generated.tolist(), strict=True)
        ]
        return [
            DecodedObject(closed_object(text), {tokenizer.decode([token]): share for token, share in first.items()})
            for text, first in zip(texts, grammar.first, strict=True)
        ]

    def _matcher(self, wanted: DecodingRequest, start: Sequence[int]) -> Any:
        from llguidance import LLMatcher

        grammar = LLMatcher.grammar_from_json_schema(json.dumps(wanted.schema), defaults=LAYOUT)
        matcher = LLMatcher(self._tokens, grammar, log_level=0)
        if matcher.is_error() or not matcher.consume_tokens(list(start)):
            raise ValueError(f"the schema does not allow the start {wanted.start!r}: {matcher.get_error()}")
        return matcher


class _Grammar:
    """A logits processor of transformers that excludes the tokens that the grammars do not allow."""

    def __init__(self, matchers: Sequence[Any], given: int) -> None:
        self._matchers, self._given = matchers, given
        self.first: list[dict[int, float]] = [{} for _ in matchers]

    def __call__(self, ids: Any, logits: Any) -> Any:
        """Return the logits: rows x vocabulary, both in and out."""
        import torch
        from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

        begun = ids.shape[1] > self._given
        width = logits.shape[1]
        bits = allocate_token_bitmask(len(self._matchers), width)
        for row, matcher in enumerate(self._matchers):
            if begun and not matcher.is_stopped():
                matcher.consume_token(int(ids[row, -1]))
            fill_next_token_bitmask(matcher, bits, row)
        allowed = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")[:, :width].astype(bool)
        logits = logits.float().masked_fill(~torch.from_numpy(allowed).to(logits.device), float("-inf"))
        if not begun:
            shares = logits.softmax(-1).cpu().numpy()
            for row, possible in enumerate(allowed):
                tokens = np.flatnonzero(possible)
                if len(tokens) <= MOST_ALLOWED:
                    self.first[row] = {int(token): float(shares[row, token]) for token in tokens}
        return logits


def closed_object(text: str) -> dict[str, Any]:
    """Return the object of a text that may end in or after its last string; open strings and braces are closed.

    Raises:
        ValueError: the text ends at another place.
    """
    text = text.strip()
    depth, inside = _open(text)
    # The text may end within an escape; a pair of escapes has at most twelve characters.
    for cut in range(12 if inside else 1):
        end = text[: len(text) - cut].rstrip() + CUT + '"' if inside else text
        try:
            record: dict[str, Any] = json.loads(end + "}" * depth)
        except ValueError:
            continue
        return record
    raise ValueError(f"cut before its last string: {text[-60:]!r}")


def _open(text: str) -> tuple[int, bool]:
    """Return the number of open braces at the end of a text, without those in strings, and whether a string is open."""
    depth, inside, escaped = 0, False, False
    for letter in text:
        if escaped:
            escaped = False
        elif inside and letter == "\\":
            escaped = True
        elif letter == '"':
            inside = not inside
        elif not inside:
            depth += (letter == "{") - (letter == "}")
    return depth, inside
