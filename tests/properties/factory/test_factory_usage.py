"""`oracle-factory run` with input that cannot be used: one message, status 2, before anything is made."""

import fcntl
from pathlib import Path

import pytest

from oracle_factory.command import main
from tests.properties.factory.factory_process import MINI


def test_a_folder_in_use_or_of_other_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two runs do not work in one folder at once; one that holds a run on other inputs is refused by the name of the option."""
    monkeypatch.setattr("harness.store.run_lock.PATIENCE", 0.3)
    with (tmp_path / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["run", *MINI, "--out", str(tmp_path)]) == 2
    assert f"--out {tmp_path}: another run works in this folder" in capsys.readouterr().err
    (tmp_path / "inputs.json").write_text('{"fingerprint": "0123456789abcdef"}')
    assert main(["run", *MINI, "--out", str(tmp_path)]) == 2
    assert f"--out {tmp_path}: the folder holds a run on other inputs, options or code" in capsys.readouterr().err
