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
"""As `json.dumps` writes, and as the targets of training are written."""
MOST_ALLOWED = 64
CUT = "…"


@dataclass(frozen=True, slots=True)
class DecodingRequest:
    """What to write: after `prompt`, a text that begins with `start` and satisfies `schema`."""

    prompt: Sequence[int]
    schema: Mapping[str, Any]
    start: str


@dataclass(frozen=True, slots=True)
class DecodedObject:
    """An object as it was written; `first` are the tokens that could follow the start, by text, with their probabilities.

    `first` is empty where the start left more than 64 of them.
    """

    record: dict[str, Any]
    first: Mapping[str, float] = field(default_factory=dict)


class Decoder:
    """Decodes greedily under grammars of llguidance, several texts at a time."""

    def __init__(self, loaded: LoadedModel) -> None:
        from llguidance.hf import from_tokenizer

        self._loaded = loaded
        self._vocabulary = int(loaded.model.get_output_embeddings().weight.shape[0])
        self._tokens = from_tokenizer(loaded.tokenizer, n_vocab=max(self._vocabulary, len(loaded.tokenizer)))

    def write(self, wanted: Sequence[DecodingRequest], most: int) -> list[DecodedObject]:
        """Return what the model writes, each within `most` tokens; a text that is not finished then is cut and closed."""
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
                # What a model's own configuration says of sampling does not go with greedy decoding.
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
    """A logits processor of transformers: rows of logits with what the grammars do not allow made impossible."""

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
    """Return the object of a text that may be cut off in its last string or after it: what is open is closed.

    Raises:
        ValueError: the text was cut anywhere else.
    """
    text = text.strip()
    depth, inside = _open(text)
    # An escape may be cut too: of a pair of them, at most eleven characters stand there.
    for cut in range(12 if inside else 1):
        end = text[: len(text) - cut].rstrip() + CUT + '"' if inside else text
        try:
            record: dict[str, Any] = json.loads(end + "}" * depth)
        except ValueError:
            continue
        return record
    raise ValueError(f"cut before its last string: {text[-60:]!r}")


def _open(text: str) -> tuple[int, bool]:
    """Return how many braces are open at the end of a text, those in strings left out, and whether a string is."""
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
