"""A logits processor that allows only SMT-LIB2 programs, whose terms use only what the program has declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.smtlib.grammar import CHECK, declared_prefix, grammar_after
from harness.smtlib.grammar_notation import GrammarNotation
from sft.models.text_generation import GrammarMask, grammar_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sft.models.base_model import LoadedModel


class GrammarProcessor(GrammarMask):
    """A logits processor of transformers that excludes tokens that no program can continue with.

    After each declaration, the grammar is rebuilt, so that terms use declared names only.
    """

    def __init__(self, loaded: LoadedModel, rows: int, given: int) -> None:
        self._tokenizer, self._tokens = loaded.tokenizer, grammar_tokens(loaded)
        first = self._matcher("", [])
        super().__init__([first.deep_copy() for _ in range(rows)], given)
        self._written: list[list[int]] = [[] for _ in range(rows)]
        self._begun = [""] * rows

    def _matcher(self, commands: str, tokens: Sequence[int]) -> Any:
        from llguidance import LLMatcher

        matcher = LLMatcher(
            self._tokens, LLMatcher.grammar_from_lark(grammar_after(commands, GrammarNotation.LARK)), log_level=0
        )
        return None if matcher.is_error() or matcher.try_consume_tokens(list(tokens)) < len(tokens) else matcher

    def consume(self, row: int, token: int) -> None:
        """Continue a program, under a new grammar after a declaration."""
        super().consume(row, token)
        self._written[row].append(token)
        begun = declared_prefix(self._tokenizer.decode(self._written[row], clean_up_tokenization_spaces=False))
        if begun != self._begun[row]:
            self._begun[row] = begun
            # A token of more than two names may not fit the next grammar; then the previous grammar stays.
            self.matchers[row] = self._matcher(begun, self._written[row]) or self.matchers[row]


def completed_program(text: str) -> str:
    """Return a truncated program without its last line, ended by `(check-sat)`."""
    if CHECK in text:
        return text
    return "\n".join([*text.split("\n")[:-1], CHECK])
