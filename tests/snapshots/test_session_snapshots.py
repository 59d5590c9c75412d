"""Tests of snapshots in sessions: correct, wrong, missing and obsolete ones, and their update."""

import shutil
from pathlib import Path

import pytest

from snapshots.texts.subjects import MUTATIONS, subjects
from tests.properties.session_process import SessionOutcome, SessionTerminal

FEW = "mini-00 or every"
"""The problems mini-001 to mini-009, and the item that looks for left-overs."""


@pytest.fixture
def terminal(tmp_path: Path) -> SessionTerminal:
    """Return where a test starts its sessions."""
    return SessionTerminal(tmp_path, tmp_path / "cache")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the snapshots of a few problems; tests leave it as it is."""
    base = tmp_path_factory.mktemp("written")
    ended = _session(SessionTerminal(base, base / "cache"), base / "kept", "--snapshot-update")
    assert ended.status == 0, ended.output
    return base / "kept"


@pytest.fixture
def kept(written: Path, tmp_path: Path) -> Path:
    """Return a copy of these snapshots that a test may change."""
    return shutil.copytree(written, tmp_path / "kept")


def _session(
    terminal: SessionTerminal, kept: Path, *options: str, selection: str = FEW, processes: int = 0
) -> SessionOutcome:
    return terminal.run(
        None,
        "-m",
        "trace",
        "-k",
        selection,
        f"--snapshot-dirname={kept}",
        *options,
        processes=processes,
        target="snapshots",
    )


NOTHING_MADE = "from snapshots.texts import mutations\nmutations.bundled_flaws = dict\n"
"""A plugin under which no operator makes anything: what a session does with snapshots takes no flaws."""


def _mutations(terminal: SessionTerminal, kept: Path, *options: str, processes: int = 0) -> SessionOutcome:
    options = ("-m", "mutation", f"--snapshot-dirname={kept}", *options)
    return terminal.run(None, *options, processes=processes, plugin=NOTHING_MADE, target="snapshots")


def _names(kept: Path) -> list[str]:
    return sorted(path.name for path in (kept / "test_traces").iterdir())


FILES = [f"mini-00{number}.trace.txt" for number in range(1, 10)]


@pytest.mark.slow
@pytest.mark.parametrize("processes", [0, 2])
def test_written_snapshots_are_found_again(kept: Path, terminal: SessionTerminal, processes: int) -> None:
    """One process writes a file a problem; in one process or two each is found, and none taken for unused."""
    assert _names(kept) == FILES
    ended = _session(terminal, kept, processes=processes)
    assert (ended.status, ended.outcomes["passed"]) == (0, 10), ended.output
    assert "9 snapshots passed." in ended.output
    assert "unused" not in ended.output


@pytest.mark.parametrize("processes", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_a_mismatch_fails_with_its_diff(kept: Path, terminal: SessionTerminal, processes: int) -> None:
    """The failure shows the changed line marked in its surroundings, the file, how to review and how to reproduce it."""
    path = kept / "test_traces" / "mini-001.trace.txt"
    path.write_text(path.read_text().replace("= 54 → all_seedlings", "= 55 → all_seedlings"))
    ended = _session(terminal, kept, processes=processes)
    assert (ended.status, ended.outcomes["failed"], ended.outcomes["passed"]) == (1, 1, 9), ended.output
    assert "1 finding" in ended.output
    assert f"differs from {path}" in ended.output
    assert (
        "\n-                 = 55 → all_seedlings (L3)\n+                 = 54 → all_seedlings (L3)\n" in ended.output
    )
    assert "\n                  = 6 * 9\n" in ended.output
    assert "L4 " not in ended.output
    assert "make snapshots" in ended.output
    assert "snapshots/test_traces.py::test_trace[mini-001:birch~annotation]" in ended.output
    assert "Traceback" not in ended.output
    assert "AssertionError" not in ended.output


def test_a_missing_snapshot_fails(kept: Path, terminal: SessionTerminal) -> None:
    """A problem without a snapshot is a finding, and nothing is written."""
    (kept / "test_traces" / "mini-002.trace.txt").unlink()
    ended = _session(terminal, kept)
    assert (ended.status, ended.outcomes["failed"]) == (1, 1), ended.output
    assert "mini-002.trace.txt yet" in ended.output
    assert _names(kept) == [name for name in FILES if "002" not in name]


@pytest.mark.slow
def test_mutations_are_compared_as_traces_are(terminal: SessionTerminal, tmp_path: Path) -> None:
    """Each operator's file is written and found again by workers; one that differs and one that is of nothing are findings."""
    kept = tmp_path / "kept"
    operators = [subject.name for subject in subjects([MUTATIONS])]
    ended = _mutations(terminal, kept, "--snapshot-update")
    assert (ended.status, ended.outcomes["passed"]) == (0, len(operators) + 1), ended.output
    folder = kept / "test_mutations"
    assert sorted(path.name for path in folder.iterdir()) == [f"{operator}.mutation.txt" for operator in operators]
    changed, left = folder / "off_by_n.mutation.txt", folder / "gone.mutation.txt"
    changed.write_text(changed.read_text().replace("makes no", "makes one"))
    left.touch()
    ended = _mutations(terminal, kept, processes=2)
    assert (ended.status, ended.outcomes["failed"], ended.outcomes["passed"]) == (1, 2, len(operators) - 1), (
        ended.output
    )
    assert f"test_mutations[off_by_n] differs from {changed}" in ended.output
    assert "\n-    makes one flawed solution of the bundled problems\n" in ended.output
    assert f"1 unused, of no operator of the suite:\n  {left}" in ended.output
    assert "snapshots/test_mutations.py::test_every_snapshot_is_of_an_operator" in ended.output
    assert "Traceback" not in ended.output


@pytest.mark.slow
@pytest.mark.parametrize("processes", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_a_left_over_snapshot_fails(kept: Path, terminal: SessionTerminal, processes: int) -> None:
    """A file of no problem is named as unused and stays."""
    left = kept / "test_traces" / "mini-999.trace.txt"
    left.touch()
    ended = _session(terminal, kept, processes=processes)
    assert (ended.status, ended.outcomes["failed"], ended.outcomes["passed"]) == (1, 1, 9), ended.output
    assert f"1 unused, of no problem of the suite:\n  {left}" in ended.output
    assert left.exists()


def test_an_update_writes_what_differs_and_removes_what_is_left_over(
    kept: Path, terminal: SessionTerminal, written: Path
) -> None:
    """After an update the files are those of the suite, and the next session passes."""
    folder = kept / "test_traces"
    (folder / "mini-001.trace.txt").write_text("changed\n")
    (folder / "mini-002.trace.txt").unlink()
    (folder / "mini-999.trace.txt").touch()
    ended = _session(terminal, kept, "--snapshot-update")
    assert ended.status == 0, ended.output
    assert _names(kept) == FILES
    assert all((folder / name).read_text() == (written / "test_traces" / name).read_text() for name in FILES)


@pytest.mark.slow
def test_an_update_of_a_part_leaves_the_rest(kept: Path, terminal: SessionTerminal) -> None:
    """Problems that are deselected, or whose data are absent, keep their snapshots."""
    folder = kept / "test_traces"
    (folder / "mini-003.trace.txt").write_text("changed\n")
    (folder / "gsm8k-train-1.trace.txt").write_text("kept\n")
    shown = terminal.run(
        None,
        "--snapshot-update",
        f"--snapshot-dirname={kept}",
        "--deselect=snapshots/test_traces.py::test_trace[mini-003:birch~annotation]",
        "-k",
        f"{FEW} or gsm8k-train-1:",
        target="snapshots",
        environment={"SHARED_DATA": str(kept / "nowhere")},
    )
    assert (shown.status, shown.outcomes["skipped"]) == (0, 1), shown.output
    assert (folder / "mini-003.trace.txt").read_text() == "changed\n"
    assert (folder / "gsm8k-train-1.trace.txt").read_text() == "kept\n"


@pytest.mark.slow
def test_absent_data_skip_with_a_reason(kept: Path, terminal: SessionTerminal) -> None:
    """Without GSM8K its problems are skipped, the reason names the place and the variable to set."""
    nowhere = {"SHARED_DATA": str(kept / "nowhere")}
    ended = terminal.run(None, "-m", "trace", "-k", "gsm8k", "-rs", target="snapshots", environment=nowhere)
    assert (ended.status, ended.outcomes["skipped"]) == (0, 28), ended.output
    assert f"no GSM8K at {kept}/nowhere/gsm8k/train.jsonl; set SHARED_DATA" in " ".join(ended.output.split())


@pytest.mark.parametrize(
    "options",
    [
        "-n2 --snapshot-update",
        *(
            pytest.param(options, marks=pytest.mark.slow)
            for options in (
                "-nauto --snapshot-update",
                "-n1 --snapshot-update-new-only",
                "--tx=2*popen --dist=load --snapshot-update",
            )
        ),
    ],
)
def test_an_update_by_workers_is_refused(kept: Path, terminal: SessionTerminal, options: str) -> None:
    """It ends with status 4 and one message that names both commands to use instead; nothing is written."""
    (kept / "test_traces" / "mini-001.trace.txt").unlink()
    command = terminal.command("-m", "trace", f"--snapshot-dirname={kept}", *options.split(), "snapshots")
    ended = terminal.execute([word for word in command if word != "-n0"])
    assert ended.status == 4, ended.output
    assert ended.output.count("pytest -n0 snapshots --snapshot-update") == 1
    assert ended.output.count("make snapshots") == 1
    assert "Traceback" not in ended.output
    assert "mini-001.trace.txt" not in _names(kept)


@pytest.mark.slow
def test_collecting_removes_nothing(kept: Path, terminal: SessionTerminal) -> None:
    """`--collect-only --snapshot-update` leaves every file, left-overs too."""
    (kept / "test_traces" / "mini-999.trace.txt").touch()
    ended = _session(terminal, kept, "--snapshot-update", "--collect-only", selection="mini")
    assert ended.status == 0, ended.output
    assert _names(kept) == [*FILES, "mini-999.trace.txt"]


DYING = "import os\ndef test_other():\n    if 'PYTEST_XDIST_WORKER' in os.environ:\n        os._exit(1)\n"


@pytest.mark.slow
@pytest.mark.parametrize(("dies", "processes"), [(False, 0), (False, 2), (True, 2)])
def test_sessions_without_snapshots_say_nothing_of_them(
    terminal: SessionTerminal, kept: Path, dies: bool, processes: int
) -> None:
    """A session of another suite prints no word on snapshots, though it collects this one too and a worker dies."""
    (terminal.folder / "test_other.py").write_text(DYING if dies else "def test_other():\n    pass\n")
    ended = terminal.run(
        None,
        "-k",
        "test_other",
        f"--snapshot-dirname={kept}",
        "--max-worker-restart=0",
        str(terminal.folder / "test_other.py"),
        processes=processes,
        target="snapshots",
    )
    assert ended.status == int(dies), ended.output
    assert ended.outcomes["failed" if dies else "passed"] == 1, ended.output
    assert "snapshot" not in ended.output.replace("snapshots/", "")
    assert "warning" not in ended.output
    assert [path.name for path in kept.iterdir()] == ["test_traces"]
