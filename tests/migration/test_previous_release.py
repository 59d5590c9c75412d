"""Tests that runs and reviews of an earlier version open: they were written by commit c7b9f153, on two problems of the corpus mini."""

from __future__ import annotations

import sqlite3
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oracle_factory.command import main
from reports.review.state.review_state import ReviewState

if TYPE_CHECKING:
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


def test_its_records_are_read(previous: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reports show it, certificates hold, the next questions are found, and datasets are made of it."""
    done = {
        name: _command(capsys, *arguments)
        for name, arguments in {
            "report": ("report", previous),
            "page": ("report", previous, "--html"),
            "problem": ("report", previous, "--problem", "mini-001"),
            "flaws": ("recheck", previous / "mutation" / "computational.jsonl"),
            "variants": ("recheck", previous / "variant" / "variants.jsonl"),
            "datasets": ("datasets", "--run", previous, "--corpus", "mini", "--out", tmp_path / "datasets"),
        }.items()
    }
    assert {name: status for name, (status, _) in done.items()} == dict.fromkeys(done, 0), done
    assert "2 problems" in done["report"][1]


def test_its_review_is_read(review: Path, previous: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its decisions and drafts are there, and the review goes on."""
    state = ReviewState.open(review)
    entries, drafts = state.entries(), state.drafts()
    state.close()
    assert [(entry.reviewer, entry.decision.value) for entry in entries] == [("ann", "accept"), ("ann", "reject")]
    assert [draft.texts.explanation for draft in drafts] == ["An explanation of candidate 2."]
    status, output = _command(capsys, "review", "progress", "--run", previous, "--state", review)
    assert (status, "Traceback" in output) == (0, False), output


def test_a_session_does_not_go_on_with_it(previous: Path, terminal: SessionTerminal) -> None:
    """Other code may judge otherwise: the run is refused in one message and stays as it is."""
    before = {path: path.read_bytes() for path in previous.rglob("*") if path.is_file()}
    ended = terminal.run(None, "-m", "formalization", "--harness-problems=0:2", f"--harness-run={previous}")
    assert (ended.status, "Traceback" in ended.output) == (4, False)
    assert "the folder holds a run on other inputs, options or code" in ended.output
    assert {path: path.read_bytes() for path in previous.rglob("*") if path.is_file()} == before
