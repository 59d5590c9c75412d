"""The pytest plugin of the training stage: its marker and its command line options."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TINY = "tiny"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the stage's options."""
    group = parser.getgroup("harness", "oracle-factory")
    group.addoption(
        "--harness-sft-preset",
        default=TINY,
        metavar="NAME|PATH",
        help="the model to train: tiny, which takes seconds and learns next to nothing (default), or a preset of sft/models/presets",
    )
    group.addoption(
        "--harness-sft-minutes",
        type=float,
        default=95.0,
        metavar="X",
        help="about how long the whole suite is to take: half of it is for eight trainings of equal length, and the number of solutions that are judged follows from it; 15 suits the smallest preset on two cores (default: 95)",
    )
    group.addoption(
        "--harness-sft-out",
        default="",
        metavar="DIR",
        help="keep data, adapters and sealed figures here, where a session that was cut off continues (default: in a temporary folder)",
    )
    group.addoption(
        "--harness-sft-runs",
        action="append",
        default=[],
        metavar="RUN",
        help="a run folder whose sealed stages the data are made of; may be given again (default: latest of --harness-runs)",
    )
    group.addoption(
        "--harness-sft-evaluation",
        action="append",
        default=[],
        metavar="FILE",
        help="an evaluation file whose problems may be in no set; may be given again",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the stage's marker."""
    config.addinivalue_line("markers", "sft: the verifier: datasets, training, the adapter and what is written with it")
