"""The files of an adapter, or of an encoder that is trained whole: weights in bfloat16, and a card with its training and its figures."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.llm.model_weights import HUB_ID, PACKAGE
from sft.datasets.levels import LABELS, LabelForm, Level, LevelForm
from sft.models.base_model import number_format
from sft.models.presets import GB, Preset, training_memory
from sft.training.config import STEPS, TrainingSettings


def save_adapter(model: Any, folder: Path, base: str) -> None:
    """Round the adapter of a model, or all weights of one without an adapter, to bfloat16, so that it computes as after loading, and write it; `base` names the model.

    PEFT finds a base by its folder or its id on the hub, so the local package is named by its id.
    """
    import torch

    adapters = getattr(model, "peft_config", {})
    weights = [weight for name, weight in model.named_parameters() if "lora_" in name or not adapters]
    for weight in weights:
        weight.data = weight.data.to(torch.bfloat16)
    for adapter in adapters.values():
        adapter.base_model_name_or_path = _hub_name(base)
    model.save_pretrained(folder, **({"save_embedding_layers": False} if adapters else {}))
    for weight in weights:
        weight.data = weight.data.to(number_format(str(model.device)))


def card(settings: TrainingSettings, metrics: Mapping[str, Any]) -> str:
    """Return the card of a verifier's adapter in Markdown: its model, how it was trained, and what it reached."""
    trained = "Trained on chats."
    if settings.level:
        level, labels, answers = Level(settings.level), LabelForm(settings.labels), "the answer is a JSON object."
        if level in LABELS:
            written = zip(LevelForm(level, labels).choices, LABELS[level], strict=True)
            answers = f"the answers are {', '.join(f'`{mark}` ({label.meaning})' for mark, label in written)}."
        trained = (
            f"Trained on the prompt and completion of level {level}, its labels as {labels} (`sft/datasets/levels.py`); {answers}\n\n"
            "Asked with exactly this prompt by `oracle-factory verify FILE --adapter FOLDER`."
        )
    about = (
        f"{trained} Rank {settings.rank}, alpha {settings.alpha}, all linear layers, bfloat16. The settings are in `settings.json`, "
        f"the validation was on problems that training did not see.{_checked(settings)}"
    )
    return adapter_card(settings, "math, verification", about, metrics)


def _checked(settings: TrainingSettings) -> str:
    """Return the measurements of the preset before this run, and its computed memory; empty for a preset of the user's own."""
    preset = Preset.of(settings.preset)
    if not preset.checked or not preset.shape:
        return ""
    memory = training_memory(preset, settings.rank)
    base = memory.base_bytes(nf4=settings.quantization == "nf4")
    return (
        f"\n\nOf the preset `{settings.preset}` was measured before: {preset.checked}. Reckoned: {memory.weights / 1e9:.2f} billion weights in "
        f"{base / GB:.1f} GB, {memory.adapter / 1e6:.1f} million of the adapter in {memory.adapter_bytes / GB:.1f} GB with gradients and "
        "Adam's moments; activations come on top."
    )


def adapter_card(settings: TrainingSettings, tags: str, about: str, metrics: Mapping[str, Any]) -> str:
    """Return a card in Markdown: the model and the tags, a text, and a table of metrics by name."""
    whole = settings.level == STEPS
    library, title = ("transformers", "Step classifier") if whole else ("peft", "LoRA adapter")
    reached = "\n".join(
        f"| {name.replace('_', ' ')} | {f'{value:.4g}' if isinstance(value, float) else value} |"
        for name, value in sorted(metrics.items())
    )
    return (
        f"---\nbase_model: {_hub_name(settings.model)}\nlibrary_name: {library}\ntags: [{'' if whole else 'lora, '}{tags}]\n---\n\n"
        f"# {title} of {settings.preset}\n\n{about}\n\n| | |\n|---|---|\n{reached}\n"
    )


def _hub_name(model: str) -> str:
    return HUB_ID if model == PACKAGE else model
