"""The memory of training a preset, reckoned from the sizes of its model without its weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sft.models.presets import Preset

NF4_BITS = 4.127
"""Of a weight in 4 bits with doubly quantized scales: blocks of 64 weights, of 256 scales (Dettmers et al. 2023, QLoRA)."""
TRAINED_BYTES = 16
"""Of a trained weight: itself, its gradient and the two moments of Adam, in float32."""
GB = 1e9


@dataclass(frozen=True, slots=True)
class TrainingMemory:
    """The numbers of weights of a model and of its adapter, and the bytes that they take; activations come on top.

    `weights` counts all weights, tied ones once, `linear` those of the layers that take an adapter and are kept in 4 bits.
    """

    weights: int
    linear: int
    adapter: int

    def base_bytes(self, *, nf4: bool) -> float:
        """Return the bytes of the frozen weights; what is not in 4 bits is in bfloat16."""
        return self.linear * (NF4_BITS / 8 if nf4 else 2) + (self.weights - self.linear) * 2

    @property
    def adapter_bytes(self) -> int:
        """Return the bytes of the adapter while it is trained."""
        return self.adapter * TRAINED_BYTES


def training_memory(preset: Preset, rank: int) -> TrainingMemory:
    """Return the memory of a preset's model with an adapter of a rank on every linear layer but the head; errors as in `configuration`."""
    import torch
    import transformers

    configuration = preset.configuration(**preset.shape)
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(configuration, dtype=torch.bfloat16)
    head = model.get_output_embeddings()
    layers = [module for module in model.modules() if isinstance(module, torch.nn.Linear) and module is not head]
    return TrainingMemory(
        sum(weight.numel() for weight in model.parameters()),
        sum(layer.weight.numel() for layer in layers),
        sum(rank * (layer.in_features + layer.out_features) for layer in layers),
    )
