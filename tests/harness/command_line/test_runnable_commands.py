"""Hints name programs as a person can type them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.command_line.runnable_commands import runnable
from harness.paths import ROOT
from tests.cases import cases


@pytest.mark.parametrize(("activated", "below"), [(True, True), (False, True), (False, False)])
def test_a_hint_runs_whether_or_not_the_environment_is_activated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, activated: bool, below: bool
) -> None:
    """A name that the shell finds stays; otherwise the hint has the path, relative below the current folder, quoted."""
    programs, elsewhere = tmp_path / "my env" / "bin", tmp_path / "elsewhere"
    for folder in (programs, elsewhere):
        folder.mkdir(parents=True)
        for name in ("python", "oracle-factory"):
            (folder / name).write_text("#!/bin/sh\n")
            (folder / name).chmod(0o755)
    monkeypatch.setattr("sys.executable", str(programs / "python"))
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, [programs, elsewhere] if activated else [elsewhere, programs])))
    monkeypatch.chdir(tmp_path if below else elsewhere)
    path = "'my env/bin/oracle-factory'" if below else f"'{programs}/oracle-factory'"
    assert runnable("oracle-factory report 'a b'") == f"{'oracle-factory' if activated else path} report 'a b'"
    assert runnable("no-such-program x") == "no-such-program x"


@cases(
    ("command", "elsewhere"),
    [
        ("make install-sft", f"make -C {ROOT} install-sft"),
        ("make", f"make -C {ROOT}"),
        (
            "pytest -n auto -m mutation --harness-run='a b'",
            f"pytest {ROOT}/properties -n auto -m mutation '--harness-run=a b'",
        ),
        (
            "pytest -n0 'snapshots/test_traces.py::test_trace[a b]'",
            f"pytest -n0 '{ROOT}/snapshots/test_traces.py::test_trace[a b]'",
        ),
        ("pytest -m sft -n0 snapshots", f"pytest -m sft -n0 {ROOT}/snapshots"),
        ("streamlit run reports/app/main.py -- --run a", f"streamlit run {ROOT}/reports/app/main.py -- --run a"),
        ("oracle-factory report pyproject.toml", "oracle-factory report pyproject.toml"),
    ],
)
def test_a_hint_runs_in_any_folder(command: str, elsewhere: str, tmp_path: Path) -> None:
    """Outside the project's folder, `make` is told where the Makefile is, and pytest and Streamlit where the files are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
        patch.chdir(ROOT)
        assert runnable(command) == command
        patch.chdir(tmp_path)
        assert runnable(command) == elsewhere


def test_a_printed_target_of_make_runs_in_any_folder(tmp_path: Path) -> None:
    """A shell in another folder lists the targets by it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        listed = subprocess.run(runnable("make help"), shell=True, check=True, capture_output=True, text=True)  # noqa: S602  # our own command, as a person types it
    assert "install-scale" in listed.stdout
