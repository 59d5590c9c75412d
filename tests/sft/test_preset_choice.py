"""The preset that a session of the training stage takes: a real one where it can be trained, and why, told before anything is trained."""

import subprocess
import sys

import pytest

from harness.paths import ROOT
from sft import plugin


@pytest.mark.parametrize(
    ("cuda", "unreachable", "name", "why"),
    [
        (False, "", plugin.TINY, "no CUDA device"),
        (True, "ConnectError: no route", plugin.TINY, "cannot be had: ConnectError: no route"),
        (True, "", plugin.ON_CUDA, "there is CUDA: a card"),
    ],
)
def test_a_real_preset_is_taken_where_its_weights_are(
    monkeypatch: pytest.MonkeyPatch, *, cuda: bool, unreachable: str, name: str, why: str
) -> None:
    """Without CUDA, or where the weights cannot be had, it is the tiny one, and the reason says which of both."""
    monkeypatch.setattr("torch.cuda.is_available", lambda: cuda)
    monkeypatch.setattr("torch.cuda.get_device_name", lambda: "a card")
    monkeypatch.setattr("sft.models.base_model.unreachable", lambda _: unreachable)
    choice = plugin.preset_by_device.__wrapped__()
    assert choice.name == name
    assert why in choice.why


def test_a_session_says_at_once_what_it_trains() -> None:
    """The line stands before the first result."""
    words = ("-q", "-m", "sft", "sft", "-k", "test_data_hold_no_excluded_problem", "--harness-sft-preset=tiny")
    words += ("--harness-runs=none",)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("sft: trains the preset tiny: as --harness-sft-preset says\n")
