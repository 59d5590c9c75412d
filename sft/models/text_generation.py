"""Text of a language model: chats as prompts, batches of prompts, objects by a JSON schema, and the probability of a few answers."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic_core import from_json

from sft.models.base_model import LoadedModel

LAYOUT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""The layout of `json.dumps`, which the targets of training have."""
MOST_ALLOWED = 64


def chat_prompt(tokenizer: Any, chat: Sequence[Mapping[str, str]]) -> list[int]:
    """Return the tokens of a chat up to the answer, by the tokenizer's template or, without one, a turn a line.

    Where a template refuses a system turn, as Gemma's does, the turn stands before the user's first one.
    """
    if not getattr(tokenizer, "chat_template", None):
        return list(tokenizer.encode("\n".join(turn["content"] for turn in chat) + "\n"))
    from jinja2.exceptions import TemplateError

    try:
        text = tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
    except TemplateError:
        if [turn["role"] for turn in chat[:2]] != ["system", "user"]:
            raise
        first = {"role": "user", "content": f"{chat[0]['content']}\n\n{chat[1]['content']}"}
        text = tokenizer.apply_chat_template([first, *chat[2:]], tokenize=False, add_generation_prompt=True)
    # The template writes the tokens that begin a text itself.
    return list(tokenizer.encode(text, add_special_tokens=False))


def generated_tokens(
    loaded: LoadedModel, prompts: Sequence[Sequence[int]], most: int, **options: Any
) -> list[list[int]]:
    """Return at most so many tokens after each prompt, greedily unless `options` of transformers say otherwise."""
    import torch

    longest, pad = max(map(len, prompts)), loaded.tokenizer.pad_token_id
    ids = torch.tensor([[pad] * (longest - len(row)) + list(row) for row in prompts], device=loaded.device)
    mask = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in prompts], device=loaded.device)
    # The sampling options of a model's own configuration conflict with greedy decoding.
    greedy = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    with torch.inference_mode():
        generated = loaded.model.generate(
            input_ids=ids,
            attention_mask=mask,
            max_new_tokens=most,
            pad_token_id=pad,
            eos_token_id=loaded.tokenizer.eos_token_id,
            **{**greedy, **options},
        )
    return [row[longest:] for row in generated.tolist()]


class Interruption:
    """A stopping criterion of transformers that asks `goes_on` after each token, and ends all rows where it says no; then it is `interrupted`."""

    def __init__(self, goes_on: Callable[[], bool]) -> None:
        self._goes_on = goes_on
        self.interrupted = False

    def __call__(self, ids: Any, _scores: Any, **_: Any) -> Any:
        """Return for each row whether it ends here."""
        import torch

        self.interrupted = self.interrupted or not self._goes_on()
        return torch.full((ids.shape[0],), self.interrupted, device=ids.device)


def grammar_tokens(loaded: LoadedModel) -> Any:
    """Return the vocabulary of a model as llguidance reads it."""
    from llguidance.hf import from_tokenizer

    vocabulary = int(loaded.model.get_output_embeddings().weight.shape[0])
    return from_tokenizer(loaded.tokenizer, n_vocab=max(vocabulary, len(loaded.tokenizer)))


def allowed_tokens(matchers: Sequence[Any], width: int) -> npt.NDArray[np.bool_]:
    """Return which tokens each matcher of llguidance allows next: matchers x `width` tokens.

    `llguidance.torch` applies the same masks, but compiles a kernel for it first, which takes ten seconds.
    """
    from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

    bits = allocate_token_bitmask(len(matchers), width)
    for row, matcher in enumerate(matchers):
        fill_next_token_bitmask(matcher, bits, row)
    return np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")[:, :width].astype(bool)


def grammar_matcher(tokens: Any, grammar: str, begun: Sequence[int]) -> Any:
    """Return the matcher of llguidance for a grammar after the tokens that a text begins with, of the vocabulary `tokens`.

    Raises:
        ValueError: it is no grammar, or it does not allow them.
    """
    from llguidance import LLMatcher

    matcher = LLMatcher(tokens, grammar, log_level=0)
    if matcher.is_error() or matcher.try_consume_tokens(list(begun)) < len(begun):
        raise ValueError(f"the grammar does not allow the beginning of a text: {matcher.get_error()}")
    return matcher


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
    from llguidance import LLMatcher

    tokenizer, tokens = loaded.tokenizer, grammar_tokens(loaded)
    begun = list(tokenizer.encode(start, add_special_tokens=False))
    rows = [[*prompt, *begun] for prompt in prompts]
    grammars = [LLMatcher.grammar_from_json_schema(json.dumps(schema), defaults=LAYOUT) for schema in schemas]
    mask = _GrammarMask([grammar_matcher(tokens, grammar, begun) for grammar in grammars], max(map(len, rows)))
    written = []
    endings = generated_tokens(loaded, rows, most, logits_processor=[mask])
    for ending, first in zip(endings, mask.first, strict=True):
        text = tokenizer.decode(ending, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        shares = {tokenizer.decode([token]): share for token, share in first.items()}
        written.append(DecodedObject(partial_object(start + text), shares))
    return written


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


def choice_probabilities(
    loaded: LoadedModel, prompts: Sequence[Sequence[int]], choices: Sequence[str]
) -> list[dict[str, float]]:
    """Return the probability of each choice after each prompt; those of one prompt sum to one.

    A choice is followed by the token that ends a text, as training writes a completion.
    """
    tokenizer, end = loaded.tokenizer, loaded.tokenizer.eos_token or "\n"
    endings = [list(tokenizer.encode(choice + end, add_special_tokens=False)) for choice in choices]
    return [dict(zip(choices, _shares(loaded, prompt, endings), strict=True)) for prompt in prompts]


def _shares(loaded: LoadedModel, prompt: Sequence[int], endings: Sequence[Sequence[int]]) -> list[float]:
    """Return the probability of each ending among these; the prompt is read once, not once an ending."""
    import torch

    count, longest = len(endings), max(map(len, endings))
    with torch.inference_mode():
        read = loaded.model(input_ids=torch.tensor([prompt], device=loaded.device), use_cache=True, logits_to_keep=1)
        steps = [read.logits.float().expand(count, 1, -1)]
        if longest > 1:
            read.past_key_values.batch_repeat_interleave(count)
            # Padding stands at the end, where no earlier token attends to it.
            rows = [[*ending[:-1], *[0] * (longest - len(ending))] for ending in endings]
            mask = [[1] * (len(prompt) + len(ending) - 1) + [0] * (longest - len(ending)) for ending in endings]
            written = loaded.model(
                input_ids=torch.tensor(rows, device=loaded.device),
                attention_mask=torch.tensor(mask, device=loaded.device),
                past_key_values=read.past_key_values,
                use_cache=True,
            )
            steps.append(written.logits.float())
        shares = torch.cat(steps, dim=1).log_softmax(-1)
    sums = [float(shares[row, range(len(ending)), ending].sum()) for row, ending in enumerate(endings)]
    chances: list[float] = torch.tensor(sums).softmax(0).tolist()
    return chances
