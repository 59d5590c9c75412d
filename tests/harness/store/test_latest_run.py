"""Tests of the name `latest`: it stands for the run that sealed the wanted stage last, whatever the link says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings, strategies as st

from harness.store.run_folder import LATEST, RunFolder, link_latest, on_inputs, with_stage

if TYPE_CHECKING:
    import pytest

STAGES = ("formalization", "mutation", "label")


@settings(max_examples=40, deadline=None)
@given(
    seals=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(STAGES)), max_size=8),
    wanted=st.sampled_from(STAGES),
)
def test_latest_has_the_stage_that_is_asked_for(
    tmp_path_factory: pytest.TempPathFactory, seals: list[tuple[str, str]], wanted: str
) -> None:
    """Of runs that seal stages in any order it is the last one with that stage; without any, the path stays."""
    runs = tmp_path_factory.mktemp("runs")
    for number, (name, stage) in enumerate(seals):
        sealed = RunFolder(runs / name).stage(stage)
        sealed.seal({}, {})
        os.utime(sealed.manifest_path, ns=(number, number))
        link_latest(runs / name)
    having = [name for name, stage in seals if stage == wanted]
    assert with_stage(runs / LATEST, wanted) == runs / (having[-1] if having else LATEST)
    assert with_stage(runs / "a", wanted) == runs / "a"
    if seals:
        assert (runs / LATEST).resolve() == (runs / seals[-1][0]).resolve()


def test_latest_on_the_same_inputs(tmp_path: Path) -> None:
    """A session goes on with the run on its own inputs; files of other programs are passed over, and a folder called `latest` is no link."""
    notes = {
        "a": '{"fingerprint": "x"}',
        "b": '{"fingerprint": "y"}',
        "c": "[1]",
        "d": "{",
        "e": '{"fingerprint": ["x"]}',
    }
    for number, (name, text) in enumerate(notes.items()):
        (tmp_path / name).mkdir()
        (tmp_path / name / "inputs.json").write_text(text)
        os.utime(tmp_path / name / "inputs.json", ns=(number, number))
    link_latest(tmp_path / "b")
    assert on_inputs(tmp_path / LATEST, "x") == tmp_path / "a"
    assert on_inputs(tmp_path / LATEST, "z") == tmp_path / LATEST
    (tmp_path / LATEST).unlink()
    (tmp_path / LATEST).mkdir()
    link_latest(tmp_path / "a")
    assert on_inputs(tmp_path / LATEST, "x") == tmp_path / LATEST
