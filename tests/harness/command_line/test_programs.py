"""Hints name programs as a person can type them."""

import os
from pathlib import Path

import pytest

from harness.command_line.programs import runnable


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
