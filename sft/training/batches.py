"""The batches of a run: the choice of sequences for each batch, and their collation into tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sft.models.line_marks import TargetKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from sft.training.token_sequences import TokenSequences

GROUPED = 50
"""The number of batches that are drawn together and sorted by length, so that padding is small and the order random."""
ROUNDED = 8
"""Lengths are padded to a multiple of this number, for tensor cores."""


def batches_of(
    lengths: npt.NDArray[np.int64], batch_size: int, *, epochs: float, seed: int, in_order: bool = False
) -> list[npt.NDArray[np.int64]]:
    """Return the numbers of the sequences in each batch of a run: whole epochs, the last one cut short.

    Every batch has `batch_size` sequences, or all if there are fewer; the rest at the end of an epoch is left out. With `in_order`
    the first epoch has the sequences in the order they are given in, such as from easy to hard; later ones are drawn as ever.
    """
    batch_size = min(batch_size, len(lengths))
    each = len(lengths) // batch_size
    wanted = max(1, round(each * epochs))
    batches: list[npt.NDArray[np.int64]] = []
    epoch = 0
    while len(batches) < wanted:
        epoch += 1
        if in_order and epoch == 1:
            batches += list(np.arange(each * batch_size).reshape(-1, batch_size))
            continue
        random = np.random.default_rng([seed, epoch - 1])
        order = random.permutation(len(lengths))[: each * batch_size]
        drawn: list[npt.NDArray[np.int64]] = []
        for start in range(0, len(order), GROUPED * batch_size):
            group = order[start : start + GROUPED * batch_size]
            group = group[np.argsort(-lengths[group], kind="stable")]
            drawn += list(group.reshape(-1, batch_size))
        batches += [drawn[number] for number in random.permutation(len(drawn))]
    return batches[:wanted]


def runs_of(lengths: npt.NDArray[np.int64], batch_size: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield batches of all sequences once, the longest first."""
    order = np.argsort(-lengths, kind="stable")
    for start in range(0, len(order), batch_size):
        yield order[start : start + batch_size]


@dataclass(frozen=True, slots=True)
class Collator:
    """Makes the tensors of a batch.

    `input_ids` and `attention_mask` are (sequences, longest); `positions` are the numbers of those tokens, counted through
    the flattened batch, that a target follows, `targets` the ids of the targets, `kinds` their kinds and `weights` the weights of their
    kinds times those of their sequences, in the order of `positions`.
    """

    sequences: TokenSequences
    weights: Mapping[TargetKind, float]
    padding: int

    def __call__(self, numbers: Sequence[int]) -> dict[str, Any]:
        """Return the tensors of the sequences of these numbers."""
        import torch

        offsets = self.sequences.offsets
        lengths = np.array([offsets[number + 1] - offsets[number] for number in numbers])
        width = -(-int(lengths.max()) // ROUNDED) * ROUNDED
        ids = np.full((len(numbers), width), self.padding, np.int64)
        kinds = np.zeros((len(numbers), width), np.uint8)
        for row, number in enumerate(numbers):
            span = slice(offsets[number], offsets[number + 1])
            ids[row, : lengths[row]] = self.sequences.ids[span]
            kinds[row, : lengths[row]] = self.sequences.kinds[span]
        table = np.array([self.weights.get(kind, 0.0) for kind in TargetKind], np.float32)
        rows, columns = np.nonzero(table[kinds[:, 1:]])
        said = kinds[rows, columns + 1]
        return {
            "input_ids": torch.from_numpy(ids),
            "attention_mask": torch.from_numpy((np.arange(width) < lengths[:, None]).astype(np.int64)),
            "positions": torch.from_numpy(rows * width + columns),
            "targets": torch.from_numpy(ids[rows, columns + 1]),
            "weights": torch.from_numpy(table[said] * self.sequences.weights[np.asarray(numbers)][rows]),
            "kinds": torch.from_numpy(said.astype(np.int64)),
        }
