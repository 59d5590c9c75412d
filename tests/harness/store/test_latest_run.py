"""Tests of the name `latest`: it stands for the run that sealed the wanted stage last, whatever the link says."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from hypothesis import given, settings, strategies as st

from harness.store.latest_run import LATEST, link_latest, on_inputs, with_stage
from harness.store.run_folder import RunFolder

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


def test_latest_on_the_same_inputs(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A session goes on with the run on its own inputs; files of other programs are passed over."""
    runs = tmp_path_factory.mktemp("runs")
    for number, (name, text) in enumerate(
        {
            "a": '{"fingerprint": "x"}',
            "b": '{"fingerprint": "y"}',
            "c": "[1]",
            "d": "{",
            "e": '{"fingerprint": ["x"]}',
        }.items()
    ):
        (runs / name).mkdir()
        (runs / name / "inputs.json").write_text(text)
        os.utime(runs / name / "inputs.json", ns=(number, number))
    link_latest(runs / "b")
    assert on_inputs(runs / LATEST, "x") == runs / "a"
    assert on_inputs(runs / LATEST, "z") == runs / LATEST


def test_a_folder_of_that_name_is_itself(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A run that somebody has called `latest` is no link."""
    runs = tmp_path_factory.mktemp("runs")
    RunFolder(runs / "a").stage("label").seal({}, {})
    RunFolder(runs / LATEST).stage("mutation").seal({}, {})
    link_latest(runs / "a")
    assert with_stage(runs / LATEST, "label") == runs / LATEST
    assert json.loads((runs / LATEST / "mutation" / "manifest.json").read_text())["sealed"] is True
