"""The memory of training a preset, reckoned from the sizes of its model without its weights."""

from dataclasses import dataclass

from harness.errors import HarnessError
from sft.models.presets import Preset

NF4_BITS = 4.127
"""Of a weight in 4 bits with doubly quantized scales: blocks of 64 weights, of 256 scales (Dettmers et al. 2023, QLoRA)."""
TRAINED_BYTES = 16
"""Of a trained weight: itself, its gradient and the two moments of Adam, in float32."""
GB = 1e9
GPUS = (16, 24, 80)
"""Gigabytes of common GPUs."""


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


def memory_table(preset: str, rank: int, *, nf4: bool) -> str:
    """Return the reckoned memory of a preset, and what it leaves for activations on common GPUs.

    Raises:
        HarnessError: the preset does not state the sizes of its model.
    """
    described = Preset.of(preset)
    if not described.shape:
        raise HarnessError(f"--dry-run: the preset {preset!r} states no shape, from which the memory is reckoned")
    memory = training_memory(described, rank)
    base, adapter = memory.base_bytes(nf4=nf4) / GB, memory.adapter_bytes / GB
    lines = [f"{preset}: {base:.1f} GB of weights, {adapter:.1f} GB of the adapter with gradients and Adam's moments"]
    for size in GPUS:
        left = size - base - adapter
        lines.append(
            f"{size} GB: {f'{left:.1f} GB are left for activations' if left > 0 else 'too small for the weights'}"
        )
    return "\n".join(lines)
