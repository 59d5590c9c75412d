"""Probabilities of a few possible answers after a prompt, by a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sft.models.base_model import LoadedModel


def choice_probabilities(
    loaded: LoadedModel, prompts: Sequence[Sequence[int]], choices: Sequence[str]
) -> list[dict[str, float]]:
    """Return the probability of each choice after each prompt; those of one prompt sum to one.

    A choice is followed by the token that ends a text, as training writes a completion.
    """
    tokenizer = loaded.tokenizer
    endings = [
        list(tokenizer.encode(choice + (tokenizer.eos_token or "\n"), add_special_tokens=False)) for choice in choices
    ]
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
    sums = [
        float(sum(shares[row, place, token] for place, token in enumerate(ending)))
        for row, ending in enumerate(endings)
    ]
    chances: list[float] = torch.tensor(sums).softmax(0).tolist()
    return chances
