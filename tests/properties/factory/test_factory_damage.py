"""`oracle-factory run` on a folder in use, on damaged input and on a damaged run: one line that says what to do, and nothing lost."""

import fcntl
import io
import re
import shutil
from pathlib import Path
from random import Random

import pytest

from oracle_factory.command import main
from tests.properties.factory.factory_process import MINI, FactoryOutcome, FactoryTerminal

STAGES = ("formalization", "oracles", "mutation", "variant", "label")
MESSAGE = re.compile(r"oracle-factory run: [^\n]+\n\Z")


@pytest.fixture
def finished(undisturbed: FactoryOutcome, tmp_path: Path) -> Path:
    """Return a copy of a finished run."""
    return shutil.copytree(undisturbed.run, tmp_path / "run")


def _again(run: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Return the status of the same command again, and what it told."""
    told = io.StringIO()
    monkeypatch.setattr("sys.stderr", told)
    return main(["run", *MINI, "--problems", "0:3", "--out", str(run), "-j1"]), told.getvalue()


def test_sealed_run_is_shown_again(undisturbed: FactoryOutcome, embeddings_cache: Path) -> None:
    """The same command on a finished run makes nothing, and shows it again."""
    manifests = [path for path in undisturbed.run.glob("*/manifest.json") if path.parent.name != "funnel"]
    before = {path: path.stat().st_mtime_ns for path in manifests}
    again = FactoryTerminal(undisturbed.run.parent, embeddings_cache).run()
    assert again.status == 0, again.stderr
    assert again.stderr.count(": sealed before\n") == 5
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_changed_stages_are_told(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file of each sealed stage that is changed, cut or missing ends the command with a line that names it and the way out."""
    random = Random(0)
    for stage in STAGES:
        for path in sorted((finished / stage).iterdir()):
            whole = path.read_bytes()
            # A stage without its manifest is unfinished, and the manifest itself is what everything is compared with.
            match 0 if path.name == "manifest.json" else random.randrange(3):
                case 0:
                    path.write_bytes(whole[: len(whole) // 2] or b"{}\n")
                case 1:
                    path.write_bytes(whole.replace(b"a", b"b", 1) + b"\n")
                case _:
                    path.unlink()
            status, told = _again(finished, monkeypatch)
            remade = finished / ("formalization" if stage == "oracles" else stage)
            last = told.splitlines(keepends=True)[-1]
            assert (status, bool(MESSAGE.fullmatch(last)), "Traceback" in told) == (2, True, False), told
            assert str(path) in last
            assert f"remove the folder {remade}: the same command makes it again" in last
            path.write_bytes(whole)


@pytest.mark.slow
def test_the_way_out_leads_there(
    finished: Path, undisturbed: FactoryOutcome, embeddings_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stage whose folder is removed is made again, with the same bytes; so are datasets that were changed or cut short."""
    before = undisturbed.files()
    (finished / "label" / "verdicts.jsonl").write_text("")
    assert _again(finished, monkeypatch)[0] == 2
    shutil.rmtree(finished / "label")
    (finished / "datasets" / "level-5" / "train.jsonl").write_text("{}\n")
    (finished / "datasets" / ".x.1.partial").write_text("")
    assert FactoryTerminal(finished.parent, embeddings_cache).run().files() == before
    (finished / "datasets" / "manifest.json").write_text("{")
    (finished / "datasets" / "notes.txt").write_text("my own")
    status, told = _again(finished, monkeypatch)
    assert (status, (finished / "datasets" / "notes.txt").read_text()) == (2, "my own")
    assert "notes.txt: is no part of the datasets; move it away, and the same command continues from there" in told


def test_other_thresholds_are_told_by_their_options(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thresholds that differ from those that a stage was made with are named as this command names them."""
    told = io.StringIO()
    monkeypatch.setattr("sys.stderr", told)
    given = ["run", *MINI, "--problems", "0:3", "--min-clique", "2", "--out", str(finished), "-j1"]
    assert main(given) == 2
    assert "another --out, or remove the folder of the stage" in told.getvalue()
    assert "--harness" not in told.getvalue()


def test_a_defect_names_its_problem(tmp_path: Path, embeddings_cache: Path) -> None:
    """An error of the machinery in a process of the pool ends the run with the problem, the error and the way on."""
    (tmp_path / "killer").mkdir()
    (tmp_path / "killer" / "sitecustomize.py").write_text(DEFECT)
    ended = FactoryTerminal(tmp_path, embeddings_cache).run(limit="1:2", also=tmp_path / "killer")
    assert ended.status == 2
    last = ended.stderr.splitlines()[-1]
    assert "problem 'mini-002': mutation " in last
    assert "(MalformedRecordError in " in last
    assert 'leave the problem out by --exclude FILE with ["mini-002"]' in last
    assert "Traceback" not in ended.stderr


DEFECT = """
import generators.flaws.enumeration as enumeration
from harness.json_form import MalformedRecordError

whole = enumeration.flaws_of

def fail(source, **options):
    if source.problem.problem_id == "mini-002":
        raise MalformedRecordError("field", "something", "else")
    return whole(source, **options)

enumeration.flaws_of = fail
"""


def test_a_folder_in_use_or_of_other_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two runs do not work in one folder at once; one that holds a run on other inputs is refused by the name of the option."""
    monkeypatch.setattr("harness.store.run_folder.PATIENCE", 0.3)
    with (tmp_path / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["run", *MINI, "--out", str(tmp_path)]) == 2
    assert f"--out {tmp_path}: another run works in this folder" in capsys.readouterr().err
    (tmp_path / "inputs.json").write_text('{"fingerprint": "0123456789abcdef"}')
    assert main(["run", *MINI, "--out", str(tmp_path)]) == 2
    assert f"--out {tmp_path}: the folder holds a run on other inputs, options or code" in capsys.readouterr().err
