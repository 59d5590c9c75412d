"""The writer of programs: batches of prompts to a language model, free or under the grammar."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.smtlib.grammar import CHECK, VALUE
from sft.constraints.grammar_processor import GrammarProcessor, completed_program
from sft.models.text_generation import Interruption, chat_prompt, generated_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.models.base_model import LoadedModel

_FENCE = re.compile(r"```[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_BEGINNING = re.compile(r"\((?:set-|declare-|define-|assert\b)")
GoesOn = Callable[[float], bool]
"""A function that takes the number of programs of a batch written so far, with parts, after each token, and returns whether there is time for more."""
TEMPERATURE, TOP_P = 0.8, 0.95
"""The sampling of a text where the greedy one was written before."""
_BEYOND = 24
"""The number of last tokens that are decoded to detect the end of a program, which has half as many."""


@dataclass(frozen=True, slots=True)
class WrittenProgram:
    """A generated text, the program in it, and whether the text was cut at the maximum number of tokens."""

    text: str
    program: str
    cut: bool


@dataclass(frozen=True, slots=True)
class ProgramWriter:
    """A model that writes batches of texts of at most `most` tokens, `held` to the grammar or not.

    Decoding is greedy; with a `seed`, texts are sampled, the same ones each time.
    """

    loaded: LoadedModel
    batch: int = 16
    most: int = 320
    held: bool = False
    seed: int | None = None

    def drawing(self, seed: int) -> ProgramWriter:
        """Return the writer with sampling."""
        return replace(self, seed=seed)

    def write(
        self,
        chats: Sequence[Sequence[dict[str, str]]],
        known: Callable[[int], bool] = lambda _: False,
        goes_on: GoesOn = lambda _: True,
    ) -> Iterator[dict[int, WrittenProgram]]:
        """Yield the programs of a batch by the numbers of their chats; a batch has chats of similar length.

        A batch whose chats are all `known` is skipped. Batches are the same in each run, so that an interrupted run can
        continue with the same results. Where `goes_on` says no, the batch ends with the programs that are complete.
        """
        prompts = [chat_prompt(self.loaded.tokenizer, chat) for chat in chats]
        order = sorted(range(len(prompts)), key=lambda number: (len(prompts[number]), number))
        for start in range(0, len(order), self.batch):
            numbers = order[start : start + self.batch]
            if not all(map(known, numbers)):
                written = self._batch([prompts[number] for number in numbers], goes_on)
                yield {number: program for number, program in zip(numbers, written, strict=True) if program}

    def _batch(self, prompts: Sequence[list[int]], goes_on: GoesOn) -> list[WrittenProgram | None]:
        """Return what is written after each prompt, `None` where it was interrupted."""
        import torch

        longest = max(map(len, prompts))
        stop = Interruption(lambda tokens: goes_on(len(prompts) * tokens / self.most))
        options: dict[str, Any] = {"stopping_criteria": [_Ended(self.loaded.tokenizer, longest), stop]}
        if self.held:
            options["logits_processor"] = [GrammarProcessor(self.loaded, len(prompts), longest)]
        if self.seed is not None:
            options |= {"do_sample": True, "temperature": TEMPERATURE, "top_p": TOP_P, "top_k": 0}
        with torch.random.fork_rng():
            torch.manual_seed(self.seed or 0)
            rows = generated_tokens(self.loaded, prompts, self.most, **options)
        return [None if stop.interrupted and not self._is_whole(tokens) else self._written(tokens) for tokens in rows]

    def _is_whole(self, tokens: list[int]) -> bool:
        """Tell whether a text has come to its end."""
        tokenizer = self.loaded.tokenizer
        return (
            len(tokens) >= self.most
            or tokens[-1] in {tokenizer.eos_token_id, tokenizer.pad_token_id}
            or is_complete(tokenizer.decode(tokens[-_BEYOND:]))
        )

    def _written(self, tokens: list[int]) -> WrittenProgram:
        tokenizer = self.loaded.tokenizer
        text = str(tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False))
        cut = len(tokens) >= self.most and tokenizer.eos_token_id not in tokens and CHECK not in text
        return WrittenProgram(text, program_in(completed_program(text) if self.held else text), cut)


class _Ended:
    """A stopping criterion of transformers: a program ends with `(check-sat)`, or with `(get-value (answer))` if that follows."""

    def __init__(self, tokenizer: Any, given: int) -> None:
        self._tokenizer, self._given = tokenizer, given

    def __call__(self, ids: Any, _scores: Any, **_: Any) -> Any:
        """Return for each row whether its program is complete."""
        import torch

        rows = ids[:, max(self._given, ids.shape[1] - _BEYOND) :].tolist()
        return torch.tensor([is_complete(self._tokenizer.decode(row)) for row in rows], device=ids.device)


def is_complete(text: str) -> bool:
    """Tell whether a text has a whole program that cannot continue."""
    _, checked, rest = text.partition(CHECK)
    rest = rest.lstrip()
    return bool(checked and rest) and (rest.startswith(VALUE) or not VALUE.startswith(rest))


def program_in(text: str) -> str:
    """Return the program in a text: the content of a code fence, otherwise the text from the first parenthesis to the end of the program."""
    fenced = _FENCE.search(text)
    if fenced and "(" in fenced[1]:
        text = fenced[1]
    # Reasoning before a program may have parentheses of its own.
    begun = _BEGINNING.search(text)
    _, opened, rest = text[begun.start() if begun else 0 :].partition("(")
    program, checked, rest = (opened + rest).partition(CHECK)
    value = VALUE if rest.lstrip().startswith(VALUE) else ""
    return f"{program}{checked}\n{value}".strip() if checked else program.strip()
