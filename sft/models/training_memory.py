"""The memory of training a preset, reckoned from the sizes of its model without its weights."""

from __future__ import annotations

from dataclasses import dataclass

from harness.errors import HarnessError
from sft.models.presets import preset_architecture, preset_shape

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
        linear = self.linear * NF4_BITS / 8 if nf4 else self.linear * 2
        return linear + (self.weights - self.linear) * 2

    @property
    def adapter_bytes(self) -> int:
        """Return the bytes of the adapter while it is trained."""
        return self.adapter * TRAINED_BYTES


def training_memory(preset: str, rank: int) -> TrainingMemory:
    """Return the memory of a preset's model with an adapter of a rank on every linear layer but the head.

    Raises:
        HarnessError: there is no such preset, or it names no architecture or no shape.
    """
    import torch
    import transformers

    shape = preset_shape(preset)
    if not shape:
        raise HarnessError(f"the preset {preset!r} has no shape: expected a mapping such as hidden_size: 2560")
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(
            getattr(transformers, preset_architecture(preset))(**shape), dtype=torch.bfloat16
        )
    head = model.get_output_embeddings()
    layers = [module for module in model.modules() if isinstance(module, torch.nn.Linear) and module is not head]
    return TrainingMemory(
        sum(weight.numel() for weight in model.parameters()),
        sum(layer.weight.numel() for layer in layers),
        sum(rank * (layer.in_features + layer.out_features) for layer in layers),
    )
