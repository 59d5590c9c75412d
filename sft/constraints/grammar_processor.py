"""A logits processor that allows only SMT-LIB2 programs, whose terms use only what the program has declared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.smtlib.grammar import CHECK, declared_prefix, grammar_after
from harness.smtlib.grammar_notation import GrammarNotation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sft.models.base_model import LoadedModel


@dataclass(slots=True)
class _Row:
    """A program that is being written: its tokens, the beginning that its matcher is made for, and the matcher."""

    matcher: Any
    begun: str = ""
    tokens: list[int] = field(default_factory=list)


class GrammarProcessor:
    """A logits processor of transformers: what may not follow in any program is made impossible.

    After each line that declares, the grammar is made anew, so that terms hold nothing but what is declared.
    """

    def __init__(self, loaded: LoadedModel, rows: int, given: int) -> None:
        from llguidance.hf import from_tokenizer

        self._tokenizer = loaded.tokenizer
        vocabulary = int(loaded.model.get_output_embeddings().weight.shape[0])
        self._tokens = from_tokenizer(loaded.tokenizer, n_vocab=max(vocabulary, len(loaded.tokenizer)))
        self._given = given
        first = self._matcher("", [])
        self._rows = [_Row(first.deep_copy()) for _ in range(rows)]

    def _matcher(self, commands: str, tokens: Sequence[int]) -> Any:
        from llguidance import LLMatcher

        matcher = LLMatcher(
            self._tokens, LLMatcher.grammar_from_lark(grammar_after(commands, GrammarNotation.LARK)), log_level=0
        )
        return None if matcher.is_error() or matcher.try_consume_tokens(list(tokens)) < len(tokens) else matcher

    def __call__(self, ids: Any, logits: Any) -> Any:
        """Return the logits: rows x vocabulary, both in and out."""
        import torch
        from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

        width = logits.shape[1]
        bits = allocate_token_bitmask(len(self._rows), width)
        begun = ids.shape[1] > self._given
        for place, row in enumerate(self._rows):
            if begun and not row.matcher.is_stopped():
                self._go_on(row, int(ids[place, -1]))
            fill_next_token_bitmask(row.matcher, bits, place)
        allowed = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")[:, :width].astype(bool)
        return logits.float().masked_fill(~torch.from_numpy(allowed).to(logits.device), float("-inf"))

    def _go_on(self, row: _Row, token: int) -> None:
        row.tokens.append(token)
        row.matcher.consume_token(token)
        text = self._tokenizer.decode(row.tokens, clean_up_tokenization_spaces=False)
        begun = declared_prefix(text)
        if begun != row.begun:
            row.begun = begun
            # A token that says more than two names may not fit the next grammar; then the one before it holds on.
            row.matcher = self._matcher(begun, row.tokens) or row.matcher


def completed_program(text: str) -> str:
    """Return a program that was cut off without its last line, and checked."""
    if CHECK in text:
        return text
    return "\n".join([*text.split("\n")[:-1], CHECK])
