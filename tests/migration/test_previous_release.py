"""Tests of what an earlier version wrote (commit c7b9f153, two problems of the corpus mini): its runs are refused, its reviews open."""

import sqlite3
import tarfile
from pathlib import Path

import pytest

from oracle_factory.command import main
from reports.review.review_state import ReviewState
from tests.properties.session_process import SessionTerminal

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def previous(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the run: formalization, oracles, template, mutation and variant, whose manifests have no hash of their own."""
    folder = tmp_path_factory.mktemp("previous")
    with tarfile.open(HERE / "run.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "previous"


@pytest.fixture
def review(tmp_path: Path) -> Path:
    """Return the state of a review of its flaws: an acceptance, a rejection and a draft."""
    path = tmp_path / "review.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript((HERE / "review.sql").read_text("utf-8"))
    connection.close()
    return path


def _command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = main([*map(str, arguments)])
    return status, "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "command",
    [
        ("report", "RUN"),
        ("report", "RUN", "--html"),
        ("report", "RUN", "--problem", "mini-001"),
        ("datasets", "--run", "RUN", "--corpus", "mini", "--out", "OUT"),
        ("next", "RUN"),
    ],
    ids=" ".join,
)
def test_its_run_is_refused(
    previous: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """Its records are of another format: one message says so and how to make the stage again, and nothing is written."""
    given = [word.replace("RUN", str(previous)).replace("OUT", str(tmp_path / "out")) for word in command]
    status, output = _command(capsys, *given)
    assert (status, "Traceback" in output) == (2, False), output
    assert "the run is of another release" in output
    assert "run the stage again" in output
    assert not (tmp_path / "out").exists()


def test_its_records_are_not_confirmed(previous: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record without the facts that it can be made from again is UNKNOWN, and the message says what was not checked."""
    status, output = _command(capsys, "recheck", previous / "mutation" / "computational.jsonl")
    assert (status, "Traceback" in output) == (1, False), output
    assert "not made again" in output


def test_its_review_is_read(review: Path) -> None:
    """Its decisions and drafts are there."""
    state = ReviewState.open(review)
    entries, drafts = state.entries(), state.drafts()
    state.close()
    assert [(entry.reviewer, entry.decision.value) for entry in entries] == [("ann", "accept"), ("ann", "reject")]
    assert [draft.texts.explanation for draft in drafts] == ["An explanation of candidate 2."]


def test_a_session_does_not_go_on_with_it(previous: Path, terminal: SessionTerminal) -> None:
    """Other code may judge otherwise: the run is refused in one message and stays as it is."""
    before = {path: path.read_bytes() for path in previous.rglob("*") if path.is_file()}
    ended = terminal.run(None, "-m", "formalization", "--harness-problems=0:2", f"--harness-run={previous}")
    assert (ended.status, "Traceback" in ended.output) == (4, False)
    assert "the folder holds a run on other inputs, options or code" in ended.output
    assert {path: path.read_bytes() for path in previous.rglob("*") if path.is_file()} == before
