"""Tests of the run folder, its lock and the name `latest`: a killed process loses and holds nothing, and only complete, unchanged files are trusted."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from harness.errors import HarnessError
from harness.store.run_folder import (
    LATEST,
    LOCK,
    RunFolder,
    Stage,
    code_fingerprint,
    fingerprint,
    held_lock,
    link_latest,
    on_inputs,
    run_option,
    with_stage,
)
from tests.cases import cases

if TYPE_CHECKING:
    import pytest

RECORDS = [
    {"key": number, "text": text}
    for number, text in enumerate(["plain", "é\u2028\u0085\x00", "\ud800", 'quote " and \\', "a\nb\rc", ""])
]
ROOT = Path(__file__).resolve().parents[3]


def sealed(folder: Path) -> Stage:
    """Return a sealed stage."""
    stage = RunFolder(folder).stage("formalization")
    stage.seal({"records.jsonl": RECORDS, "none.jsonl": []}, {"seed": 7})
    return stage


def test_sealed_records_come_back(tmp_path: Path) -> None:
    """Records are read back unchanged, with line separators, NUL and lone surrogates; the manifest counts and hashes them, and the bytes hold neither time nor place."""
    stage = sealed(tmp_path / "one")
    assert (stage.records("records.jsonl"), stage.records("none.jsonl")) == (RECORDS, [])
    manifest, data = stage.manifest(), (stage.folder / "records.jsonl").read_bytes()
    assert manifest["files"]["records.jsonl"] == {"sha256": hashlib.sha256(data).hexdigest(), "records": len(RECORDS)}
    assert (manifest["files"]["none.jsonl"]["records"], manifest["seed"], manifest["stage"]) == (0, 7, "formalization")
    other = sealed(tmp_path / "two").folder
    assert all((other / path.name).read_bytes() == path.read_bytes() for path in stage.folder.iterdir())


@cases(
    ("changed", "message"),
    [
        (lambda data: data + b"x", "was changed after the stage was sealed"),
        (lambda data: data + b"\n", "remove .* and run the stage again"),
        (lambda data: data + b'{"key":9}\n', "was changed"),
        (lambda data: data.partition(b"\n")[0] + b"\n", "was changed"),
        (lambda _: None, "the manifest names this file, but it is missing"),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, changed: Callable[[bytes], bytes | None], message: str) -> None:
    """A file with other content than the sealed one is reported with what to do, even if it is valid JSON."""
    stage = sealed(tmp_path)
    path = stage.folder / "records.jsonl"
    data = changed(path.read_bytes())
    path.unlink() if data is None else path.write_bytes(data)
    with pytest.raises(HarnessError, match=message):
        stage.records("records.jsonl")


@cases("name", ["other.jsonl", "manifest.json"])
def test_a_file_that_was_not_sealed_is_refused(tmp_path: Path, name: str) -> None:
    """What is not in the manifest is not part of the stage, even if it lies there."""
    stage = sealed(tmp_path)
    (stage.folder / "other.jsonl").write_text("{}\n")
    with pytest.raises(HarnessError, match="is not part of the sealed stage"):
        stage.records(name)


@cases("text", ["", "{", "[]", "{}", '{"sealed": false}', '{"sealed": true}', '{"sealed": true, "files": []}'])
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    """A manifest that was cut off or edited is a message, not a traceback."""
    stage = sealed(tmp_path)
    stage.manifest_path.write_text(text)
    with pytest.raises(HarnessError, match="is not a manifest of a sealed stage"):
        stage.records("records.jsonl")


@given(st.data())
def test_no_changed_manifest_is_read(data: st.DataObject) -> None:
    """Whatever byte, field or file name of a manifest is changed, the message names the folder to remove; nothing outside is read."""
    with tempfile.TemporaryDirectory() as folder:
        stage = sealed(Path(folder))
        text = stage.manifest_path.read_text()
        if data.draw(st.booleans()):
            place = data.draw(st.integers(0, len(text) - 1))
            changed = text[:place] + data.draw(st.sampled_from(["", "0", '"', "}", "é"])) + text[place + 1 :]
        else:
            manifest = json.loads(text)
            name = data.draw(st.sampled_from([*manifest, "../../other", "/etc/passwd", ".hidden", "a/b"]))
            odd = data.draw(st.sampled_from([None, 3, [], {}, "x", {"sha256": "0", "records": 1}]))
            if name in manifest:
                manifest[name] = odd
            else:
                del manifest["digest"]
                manifest["files"][name] = {"sha256": "0" * 64, "records": 1}
            changed = json.dumps(manifest)
        try:
            unchanged = json.loads(changed) == json.loads(text)
        except ValueError:
            unchanged = False
        stage.manifest_path.write_text(changed)
        if unchanged:
            assert stage.manifest() == json.loads(text)
            return
        with pytest.raises(
            HarnessError, match=f"is not a manifest of a sealed stage .*; remove {re.escape(str(stage.folder))} and"
        ):
            stage.manifest()


FULL = """
import resource, sys, pathlib
from harness.errors import StorageError
from harness.store.run_folder import RunFolder
resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000))
stage = RunFolder(pathlib.Path(sys.argv[1])).stage("label")
shard, kept = stage.shard("w"), 0
try:
    for number in range(1_000):
        shard.append({"number": number, "text": "x" * 80})
        kept += 1
except StorageError as error:
    print(error)
read = [record["number"] for record in stage.shard_records()]
assert read == list(range(kept)), (read, kept)
try:
    stage.seal({"records.jsonl": [{"text": "x" * 80}] * 1_000}, {})
except StorageError as error:
    print(error)
assert not stage.sealed and not list(stage.folder.glob(".*.partial"))
"""


def test_a_full_disk_is_one_message(tmp_path: Path) -> None:
    """What was written before is read, nothing is sealed, and no half of a file stays."""
    command = [sys.executable, "-c", FULL, str(tmp_path)]
    ended = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert [line.partition(": ")[2][:18] for line in lines] == ["cannot be written "] * 2


@pytest.mark.parametrize(("made", "state"), [(False, "missing"), (True, "unfinished")])
def test_an_unsealed_stage_is_refused(tmp_path: Path, *, made: bool, state: str) -> None:
    """The message says how to finish it."""
    stage = RunFolder(tmp_path / "mine").stage("formalization")
    if made:
        stage.shard("w").append({"a": 1})
    option = re.escape(f"--harness-run={tmp_path / 'mine'}")
    with pytest.raises(HarnessError, match=f"the stage is {state}, not sealed; run it again with {option}"):
        stage.manifest()


def test_an_option_names_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name in the folder of runs, where pytest looks for names, else by its path; in one word of a shell."""
    monkeypatch.chdir(tmp_path)
    assert run_option(Path("runs/mine")) == run_option(tmp_path / "runs" / "mine") == "--harness-run=mine"
    assert run_option(Path("mine")) == f"--harness-run={tmp_path / 'mine'}"
    assert run_option(tmp_path / "a run") == f"'--harness-run={tmp_path / 'a run'}'"


def test_concurrent_processes_lose_nothing(tmp_path: Path) -> None:
    """Four processes append at once, two of them to one file: every record is whole."""
    script = "import sys, pathlib\nfrom harness.store.run_folder import Shard\nshard = Shard(pathlib.Path(sys.argv[1]))\nfor number in range(500):\n    shard.append({'by': sys.argv[2], 'number': number, 'text': 'x' * 300})\n"
    shards = tmp_path / "s" / "shards"
    processes = [
        subprocess.Popen([sys.executable, "-c", script, str(shards / name), by], cwd=ROOT)
        for name, by in (("a.jsonl", "1"), ("b.jsonl", "2"), ("b.jsonl", "3"), ("c.jsonl", "4"))
    ]
    for process in processes:
        process.wait()
    found = sorted((record["by"], record["number"]) for record in RunFolder(tmp_path).stage("s").shard_records())
    assert found == [(by, number) for by in "1234" for number in range(500)]


SEALER = """
import pathlib, sys
from harness.store.run_folder import RunFolder
stage = RunFolder(pathlib.Path(sys.argv[1])).stage("s")
print("ready", flush=True)
for attempt in range(10_000):
    stage.seal({name: [{"attempt": attempt, "text": "x" * 2000}] * 200 for name in ("a.jsonl", "b.jsonl", "c.jsonl")}, {"attempt": attempt})
"""


@pytest.mark.parametrize(
    "delays", [range(1, 12, 4), pytest.param(range(12), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_a_kill_while_sealing_never_leaves_a_false_manifest(tmp_path: Path, delays: range) -> None:
    """Killed at any moment of sealing again and again, the stage is whole or unfinished, never sealed with other files."""
    for attempt in delays:
        folder = tmp_path / str(attempt)
        with subprocess.Popen([sys.executable, "-c", SEALER, folder], cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.02 + attempt * 0.013)
            process.kill()
        stage = RunFolder(folder).stage("s")
        if stage.sealed:
            records = (record for name in ("a.jsonl", "b.jsonl", "c.jsonl") for record in stage.records(name))
            assert {record["attempt"] for record in records} == {stage.manifest()["attempt"]}


def test_resealing_is_never_half_visible(tmp_path: Path) -> None:
    """While files are replaced there is no manifest: a reader sees an unfinished stage, not a changed one."""
    stage = sealed(tmp_path)

    def looking() -> Iterator[dict[str, object]]:
        yield {"sealed": stage.sealed}

    stage.seal({"records.jsonl": RECORDS, "state.jsonl": looking()}, {})
    assert stage.records("state.jsonl") == [{"sealed": False}]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"fingerprint": null}', '{"fingerprint": "abc"}'])
def test_a_run_is_bound_to_its_inputs(tmp_path: Path, text: str) -> None:
    """The same inputs may go on; others are told both fingerprints, and a folder whose note is broken is not taken for ours."""
    run = RunFolder(tmp_path / "mine")
    run.claim("abc", {"corpus": "mini"})
    run.claim("abc", {"corpus": "mini"})
    run.fingerprint_path.write_text(text)
    recorded = "abc" if "abc" in text else "None"
    words = rf"other inputs, options or code \({recorded}, not xyz\); choose another name or remove it"
    with pytest.raises(HarnessError, match=words):
        run.claim("xyz", {})


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_fingerprints_tell_inputs_apart(left: list[str], right: list[str]) -> None:
    """Equal for equal parts in order, different where a part moved over a boundary."""
    assert (fingerprint(left) == fingerprint(right)) is (left == right)


def test_code_fingerprints_follow_content_and_names(tmp_path: Path) -> None:
    """A changed or renamed module or word list changes the hash, another file does not, and a folder that was moved is refused."""
    with pytest.raises(FileNotFoundError, match="no folder of code: package in"):
        code_fingerprint(tmp_path, ["package"])
    package = tmp_path / "package"
    package.mkdir()
    found = []
    for name, text in (("a.py", "x = 1"), ("notes.txt", "x"), ("a.py", "x = 2"), ("b.py", ""), ("words.toml", "")):
        (package / name).write_text(text)
        found.append(code_fingerprint(tmp_path, ["package"]))
    assert (found[0] == found[1], len(set(found))) == (True, 4)


HOLDER = """
import sys, pathlib
from harness.store.run_folder import held_lock
with held_lock(pathlib.Path(sys.argv[1]), "--run"):
    print("held", flush=True)
    sys.stdin.read()
"""
ADDING = """
import sys, pathlib
from harness.store import run_folder
run_folder.PATIENCE = 60
path = pathlib.Path(sys.argv[1])
for _ in range(20):
    with run_folder.held_lock(path, "--run"):
        count = path / "count"
        number = int(count.read_text()) if count.exists() else 0
        count.write_text(str(number + 1))
"""


def started(script: str, folder: Path) -> subprocess.Popen[str]:
    """Start a script on a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, str(folder)]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_the_owner_is_named_and_a_dead_one_holds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process is refused by the process, the host and the time of the first; after a kill it is not."""
    monkeypatch.setattr("harness.store.run_folder.PATIENCE", 0.1)
    owner = started(HOLDER, tmp_path)
    assert owner.stdout is not None
    assert owner.stdout.readline() == "held\n"
    words = rf"--run {re.escape(str(tmp_path))}: another run works in this folder: process {owner.pid} on .+, since 20.+; wait"
    with pytest.raises(HarnessError, match=words), held_lock(tmp_path, "--run"):
        pass
    owner.send_signal(signal.SIGKILL)
    owner.communicate()
    with held_lock(tmp_path, "--run"):
        assert (tmp_path / LOCK).exists()
    assert list(tmp_path.iterdir()) == []


def test_holders_come_one_after_the_other(tmp_path: Path) -> None:
    """Of four processes that count up in turns no count is lost, although each deletes the file of the lock."""
    processes = [started(ADDING, tmp_path) for _ in range(4)]
    assert [process.communicate(timeout=60)[0] for process in processes] == [""] * 4
    assert [process.returncode for process in processes] == [0] * 4
    assert (tmp_path / "count").read_text() == "80"


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
