"""Tests of the snapshot suites: each subject has one reviewed file, a change is a finding, and workers write nothing."""

import shutil
import subprocess
import sys
from pathlib import Path

from hypothesis import given, strategies as st

from snapshots import test_mutations, test_traces, test_variants, texts
from tests.cases import cases

ROOT = Path(__file__).parents[2]
SUITES = {
    "test_traces": ("test_trace", test_traces.names),
    "test_mutations": ("test_mutations", test_mutations.names),
    "test_variants": ("test_variants", test_variants.names),
}


def session(*options: str) -> subprocess.CompletedProcess[str]:
    """Run the snapshots of one problem, or the given items, in a session of their own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@cases("suite", SUITES)
def test_every_file_has_a_subject_and_every_subject_a_file(suite: str) -> None:
    """No snapshot is left over from a problem or an operator that is gone, and none is missing."""
    function, names = SUITES[suite]
    files = {path.name for path in (ROOT / "snapshots" / "__snapshots__" / suite).iterdir()}
    assert files == {f"{function}[{name}].txt" for name in names()}


def test_a_change_is_a_finding_and_an_update_accepts_it(tmp_path: Path) -> None:
    """A changed and a missing snapshot fail their items with the lines that differ and the next command; an update mends them."""
    two = ("-n0", "-k", "mini-001 or mini-002", f"--snapshot-dirname={tmp_path}", "-m", "trace", "snapshots")
    kept = (
        ROOT / "snapshots" / "__snapshots__" / "test_traces" / f"test_trace[mini-00{number}].txt" for number in (1, 2)
    )
    (tmp_path / "test_traces").mkdir()
    path, other = (Path(shutil.copy(file, tmp_path / "test_traces")) for file in kept)
    reviewed = path.read_text()
    path.write_text(reviewed.replace("= 71", "= 72"))
    other.unlink()
    changed = session(*two)
    assert changed.returncode == 1
    assert all(words in changed.stdout for words in ("2 findings", "has no snapshot yet", "make snapshots"))
    assert any(line.startswith("-") and "= 72" in line for line in changed.stdout.splitlines())
    assert (path.read_text() != reviewed, other.exists()) == (True, False)
    assert session(*two, "--snapshot-update").returncode == 0
    assert (path.read_text(), other.exists()) == (reviewed, True)


def test_workers_update_nothing() -> None:
    """Under xdist an update is refused with the command that does it."""
    ended = session("-n2", "snapshots", "--snapshot-update", "-m", "trace")
    assert ended.returncode == 4
    assert "expected one process to update snapshots" in ended.stderr
    assert "-n0 snapshots --snapshot-update" in ended.stderr


@given(st.text(), st.text())
def test_different_texts_are_seen_as_different(left: str, right: str) -> None:
    """What is shown is printable on one line, and differs where the texts differ."""
    shown = [texts.visible_text(text) for text in (left, right)]
    assert (shown[0] == shown[1]) == (left == right)
    assert all(text.isprintable() for text in shown)


def test_the_sample_of_an_operator_depends_on_its_changes_alone() -> None:
    """Records in another order give the same sample, and one more record replaces at most one that is shown."""
    records = [
        {"problem_id": f"mini-{number % 20 + 1:03}", "mutation": {"line": "L1", "to": str(number)}}
        for number in range(60)
    ]

    def shown(of: list[texts.Record]) -> set[str]:
        text = texts.operator_text("x", of, lambda record: [f"changed to {record['mutation']['to']}"])
        return {line for line in text.splitlines() if line.startswith("changed")}

    whole = shown(records)
    assert len(whole) == texts.MOST_RECORDS
    assert shown(records[::-1]) == whole
    assert len(whole - shown(records[:-1])) <= 1
