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
    import torch

    tokenizer = loaded.tokenizer
    endings = [
        list(tokenizer.encode(choice + (tokenizer.eos_token or "\n"), add_special_tokens=False)) for choice in choices
    ]
    chances = []
    for prompt in prompts:
        rows = [[*prompt, *ending] for ending in endings]
        longest = max(map(len, rows))
        pad = tokenizer.pad_token_id or 0
        # Padding stands at the end, where no earlier token attends to it.
        ids = torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows], device=loaded.device)
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows], device=loaded.device)
        first = len(prompt) - 1
        with torch.inference_mode():
            logits = loaded.model(
                input_ids=ids, attention_mask=mask, use_cache=False, logits_to_keep=longest - first
            ).logits.float()
        shares = logits.log_softmax(-1)
        sums = torch.stack(
            [
                sum(
                    (shares[row, place, token] for place, token in enumerate(ending)),
                    torch.zeros((), device=shares.device),
                )
                for row, ending in enumerate(endings)
            ]
        )
        chances.append(dict(zip(choices, sums.softmax(0).tolist(), strict=True)))
    return chances
