"""`oracle-factory run` with input that cannot be used: one message, status 2, before anything is made."""

import fcntl
import io
from pathlib import Path

import pytest

from oracle_factory.command import main
from tests.cases import cases
from tests.properties.factory.factory_process import MINI

BAD = [
    (["nowhere.jsonl", "annotation"], "corpus 'nowhere.jsonl': no such file"),
    (["mini", "nowhere.jsonl"], "nowhere.jsonl"),
    (["mini", "empty.jsonl"], "empty.jsonl"),
    (["mini", "foreign.jsonl"], "none of the 1 formalizations can be judged"),
    (["mini"], "Missing argument"),
    (["mini", "annotation", "--problems", "mini-999"], "--problems 'mini-999': no such problem id"),
    (["mini", "annotation", "--slice", "3/2"], "--slice '3/2': expected K/N"),
    (["mini", "annotation", "--exclude", "nowhere.json"], "--exclude 'nowhere.json': cannot be read as JSON"),
    (["mini", "annotation", "--evaluation", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
    (
        ["mini", "annotation", "--address", "127.0.0.1:6379"],
        "--address 127.0.0.1:6379: needs --engine ray, found --engine",
    ),
    (["mini", "annotation", "--levels", "1,9"], "--levels: expected names of 1, 2, 3, 4, 5, max, validator"),
    (["mini", "annotation", "--processes", "0"], "--processes"),
    (["mini", "annotation", "--min-clique", "0"], "--min-clique"),
    (["mini", "annotation", "--min-confidence", "inf"], "--min-confidence: expected a number such as 0.5, found inf"),
    (["others", "annotation"], "corpus 'others': a folder without files of records; give a file of JSON lines"),
    (["twice.jsonl", "annotation"], "the problem id 'p' occurs twice, in records 1 and 3; ids must be unique"),
    (["mini", "annotation", "--encoder", "./nowhere"], "--encoder './nowhere': no such folder; give the folder of a"),
    (["mini", "annotation", "--out", "file"], "--out file: is a file; expected a folder"),
    (["mini", "annotation", "--out", "others"], "--out others: holds files that are no part of a run, such as"),
    (["mini", "annotation", "--out", "file/run"], "file"),
]


@cases(("arguments", "message"), [pytest.param(*case, id=str(place)) for place, case in enumerate(BAD)])
def test_unusable_input(arguments: list[str], message: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What cannot be used ends the command with one line that names it, and no stage is begun."""
    folder = tmp_path_factory.mktemp("bad")
    (folder / "file").write_text("")
    (folder / "others").mkdir()
    (folder / "others" / "letter.txt").write_text("")
    (folder / "empty.jsonl").write_text("")
    (folder / "twice.jsonl").write_text("".join(f'{{"id": "{name}", "question": "?"}}\n' for name in "pqp"))
    (folder / "foreign.jsonl").write_text('{"problem_id": "other-1", "model": "m", "response": "x"}\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        told = io.StringIO()
        patch.setattr("sys.stderr", told)
        given = arguments if "--out" in arguments else [*arguments, "--out", "run"]
        assert main(["run", *given]) == 2
    assert message in told.getvalue()
    assert "Traceback" not in told.getvalue()
    assert not list(folder.glob("run/*/*"))


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
