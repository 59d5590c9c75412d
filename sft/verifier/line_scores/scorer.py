"""The scorer: log-probabilities of each line, of each mark after it, and of each of its twins."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from sft.models.line_marks import Mark, MarkWriter
from sft.verifier.line_scores.token_trees import row_of
from sft.verifier.model_scores import PlaceScore, Scores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.items import Item
    from sft.verifier.line_scores.token_trees import TokenTree, TwinTokens
    from sft.verifier.model_scores import Twin

TOKENS_OF_BATCH = {"cpu": 2_048, "cuda": 24_576}
"""At most so many tokens, padding included, unless a single item has more."""
ROWS_AT_ONCE = 2_048
"""The logits of so many places are held in memory at one time."""
ITEMS_AT_ONCE = 256


class DecoderScorer:
    """The layers and the output head of a causal language model of transformers, with or without an adapter."""

    def __init__(self, model: Any) -> None:
        base = model.get_base_model() if hasattr(model, "get_base_model") else model
        self._body, self._head = base.get_decoder(), base.get_output_embeddings()
        self._device = self._head.weight.device


class Scorer(DecoderScorer):
    """A causal language model with its tokenizer, on the device that the model is on.

    The scores of an item do not depend on the other items of the call, except for the noise of the number format.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        super().__init__(model)
        self._tokens = TOKENS_OF_BATCH.get(self._device.type, TOKENS_OF_BATCH["cpu"])
        self._writer = MarkWriter(tokenizer)

    def score(
        self, items: Sequence[Item], *, twins: bool, made: Sequence[Sequence[Twin]] | None = None
    ) -> list[Scores]:
        """Return the scores of each item, in order; `made` are their twins if they exist already."""
        if twins and made is None:
            from sft.verifier.twins.line_twins import twins_of

            made = [twins_of(item) for item in items]
        if made is None or not twins:
            made = [()] * len(items)
        rows = [row_of(self._writer, item, item_twins) for item, item_twins in zip(items, made, strict=True)]
        scores: dict[int, Scores] = {}
        for batch in batches_by_length([len(row.ids) for row in rows], self._tokens):
            scores.update(zip(batch, self._scored([rows[place] for place in batch]), strict=True))
        return [scores[place] for place in range(len(rows))]

    def _scored(self, rows: Sequence[TokenTree]) -> Iterator[Scores]:
        import torch

        with torch.inference_mode():
            longest = max(1, *(len(row.ids) for row in rows))
            ids = torch.zeros((len(rows), longest), dtype=torch.long)
            depths = torch.zeros((len(rows), longest), dtype=torch.long)
            for number, row in enumerate(rows):
                ids[number, : len(row.ids)] = torch.tensor(row.ids, dtype=torch.long)
                depths[number, : len(row.ids)] = torch.tensor(row.depths, dtype=torch.long)
            states = self._body(
                input_ids=ids.to(self._device),
                position_ids=depths.to(self._device),
                attention_mask=self._mask(rows, longest),
                use_cache=False,
            ).last_hidden_state
            for row, state in zip(rows, states, strict=True):
                yield self._summed(row, state)

    def _mask(self, rows: Sequence[TokenTree], longest: int) -> Any:
        """Return the additive attention mask: batch, 1, tokens, tokens."""
        import numpy as np
        import torch

        seen = np.zeros((len(rows), longest, longest), dtype=np.bool_)
        seen[:, range(longest), range(longest)] = True
        for row, visible in zip(rows, seen, strict=True):
            for at, parent in enumerate(row.parents):
                if parent >= 0:
                    visible[at] |= visible[parent]
        dtype = self._head.weight.dtype
        allowed = torch.zeros(seen.shape, dtype=dtype, device=self._device)
        hidden = torch.from_numpy(~seen).to(self._device)
        return allowed.masked_fill_(hidden, torch.finfo(dtype).min).unsqueeze(1)

    def _summed(self, row: TokenTree, state: Any) -> Scores:
        """Return the scores of a row whose last hidden states are `state`: tokens, width."""
        logs = self._wanted(row, state)
        asked = [place.asked for place in row.places] + [twin.asked for twin in row.twins]
        marks = iter(self._marks(asked, state))
        places = [
            PlaceScore(place.name, next(marks), sum(logs[number] for number in place.tokens), len(place.tokens))
            for place in row.places
        ]
        twins = [_judged(twin, logs, next(marks)) for twin in row.twins]
        return Scores(tuple(places), tuple(sorted(twins, key=lambda twin: -twin.gain)))

    def _wanted(self, row: TokenTree, state: Any) -> list[float]:
        """Return the wanted log-probabilities, in nats, in their order."""
        import torch

        logs: list[float] = []
        pairs = iter(row.wanted)
        while batch := list(islice(pairs, ROWS_AT_ONCE)):
            parents, inverse = torch.tensor([parent for parent, _ in batch]).unique(return_inverse=True)
            table = self._head(state[parents.to(self._device)]).float().log_softmax(-1)
            tokens = torch.tensor([token for _, token in batch], device=self._device)
            logs += table[inverse.to(self._device), tokens].tolist()
        return logs

    def _marks(self, asked: Sequence[int], state: Any) -> list[dict[Mark, float]]:
        """Return the probabilities of the marks at places of the row, among the marks."""
        import torch

        if not asked:
            return []
        first = torch.tensor([self._writer.first[mark] for mark in Mark], device=self._device)
        chosen = self._head.weight[first].float()
        table = (state[torch.tensor(asked, device=self._device)].float() @ chosen.T).softmax(-1)
        return [dict(zip(Mark, probabilities, strict=True)) for probabilities in table.tolist()]


def batches_by_length(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Yield batches of places of rows, rows of similar length together.

    A batch has at most `most_tokens` tokens, padding included, unless a single row has more.
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > most_tokens:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _judged(branch: TwinTokens, logs: Sequence[float], marks: dict[Mark, float]) -> Twin:
    ours = [logs[number] for number in branch.tokens]
    its = [logs[number] for number in branch.instead]
    return replace(branch.twin, gain=sum(ours) - sum(its), step=ours[0] - its[0], right=marks[Mark.RIGHT])
