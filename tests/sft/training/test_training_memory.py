"""The memory of training a preset, reckoned without its weights."""

from __future__ import annotations

import re

import pytest

from harness.paths import ROOT
from sft.models.presets import Preset
from sft.models.training_memory import GB, training_memory
from sft.training.adapter import card
from sft.training.config import settings_of
from tests.cases import cases

PUBLISHED = {
    "smollm2-135m": 0.1345,
    "qwen3-4b": 4.02,
    "phi-4-mini": 3.84,
    "mistral-7b-instruct": 7.25,
    "gemma-7b": 8.54,
    "llama-3-8b": 8.03,
}
"""Billions of weights, by the models' own cards."""


@cases("preset", PUBLISHED)
def test_a_shape_gives_the_published_number_of_weights(preset: str) -> None:
    """A model of a preset's shape has as many weights as the published one, within half a percent."""
    assert training_memory(Preset.of(preset), 16).weights / 1e9 == pytest.approx(PUBLISHED[preset], rel=0.005)


@cases("preset", PUBLISHED)
def test_the_manual_says_the_reckoned_memory(preset: str) -> None:
    """The table of presets in the manual has the reckoned gigabytes."""
    settings = settings_of(preset)
    memory = training_memory(Preset.of(preset), settings.rank)
    row = next(line for line in (ROOT / "docs/training.md").read_text("utf-8").splitlines() if f"`{preset}`" in line)
    said = [float(number) for number in re.findall(r"([\d.]+) GB", row)]
    quantized = settings.quantization == "nf4"
    assert said == [round(memory.base_bytes(nf4=quantized) / GB, 1), round(memory.adapter_bytes / GB, 1)]


@cases("preset", PUBLISHED)
def test_a_card_says_what_was_measured(preset: str) -> None:
    """The card of an adapter names what was checked of its preset; a model that never fitted here is not called measured."""
    checked = Preset.of(preset).checked
    assert checked in card(settings_of(preset), {})
    assert ("never trained at full size" in checked) == (preset != "smollm2-135m")
