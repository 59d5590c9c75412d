"""The pytest plugin of the training stage: its marker and its command line options."""

from dataclasses import dataclass
from functools import cache

import pytest

TINY, AUTO, ON_CUDA = "tiny", "auto", "qwen3-4b"


@dataclass(frozen=True, slots=True)
class PresetChoice:
    """The preset that a session trains, and why."""

    name: str
    why: str


def preset_of(config: pytest.Config) -> PresetChoice:
    """Return the preset that `--harness-sft-preset` names; by default a real one where CUDA is there and its weights can be had, else the tiny one."""
    named = str(config.getoption("harness_sft_preset"))
    return PresetChoice(named, "as --harness-sft-preset says") if named != AUTO else preset_by_device()


@cache
def preset_by_device() -> PresetChoice:
    """Return the preset for the devices of this machine."""
    import torch

    if not torch.cuda.is_available():
        return PresetChoice(TINY, "there is no CUDA device; it takes seconds and learns next to nothing")
    from sft.models.base_model import unreachable
    from sft.models.presets import read_preset

    if why := unreachable(str(read_preset(ON_CUDA)["model"])):
        return PresetChoice(TINY, f"there is CUDA, but the weights of {ON_CUDA} cannot be had: {why}")
    return PresetChoice(ON_CUDA, f"there is CUDA: {torch.cuda.get_device_name()}")


PRESET = f"the model to train: tiny, which takes seconds and learns next to nothing, or a preset of sft/models/presets (default: {ON_CUDA} where CUDA and its weights are there, else tiny)"
MINUTES = "about how long the whole suite is to take: half of it is for eight trainings of equal length, and the number of solutions that are judged follows from it; 15 suits the smallest preset on two cores (default: 95)"
OUT = "keep data, adapters and sealed figures here, where a session that was cut off continues (default: in a temporary folder)"
RUNS = "a run folder whose sealed stages the data are made of; may be given again (default: latest of --harness-runs)"
EVALUATION = "an evaluation file whose problems may be in no set; may be given again"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the stage's options."""
    group = parser.getgroup("harness", "oracle-factory")
    group.addoption("--harness-sft-preset", default=AUTO, metavar="NAME|PATH", help=PRESET)
    group.addoption("--harness-sft-minutes", type=float, default=95.0, metavar="X", help=MINUTES)
    group.addoption("--harness-sft-out", default="", metavar="DIR", help=OUT)
    group.addoption("--harness-sft-runs", action="append", default=[], metavar="RUN", help=RUNS)
    group.addoption("--harness-sft-evaluation", action="append", default=[], metavar="FILE", help=EVALUATION)


def pytest_report_collectionfinish(config: pytest.Config, items: list[pytest.Item]) -> list[str]:
    """Say which model the session trains, and why, before it begins."""
    if not any(item.get_closest_marker("sft") for item in items) or config.option.collectonly:
        return []
    choice = preset_of(config)
    return [f"sft: trains the preset {choice.name}: {choice.why}"]


def pytest_configure(config: pytest.Config) -> None:
    """Declare the stage's marker."""
    config.addinivalue_line("markers", "sft: the verifier: datasets, training, the adapter and what is written with it")
