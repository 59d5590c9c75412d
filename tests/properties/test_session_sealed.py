"""Tests of sealed stages: their hashes and counts are correct,and the same bytes whatever the workers and the cache."""

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from properties.engine.inputs import followed_link
from tests.properties.session_process import InputFiles, SessionOutcome, SessionTerminal

LOADED = """
import sys

def pytest_sessionfinish():
    heavy = ("torch", "transformers", "networkx", "z3", "scipy", "oracles", "reports", "rich", "datasets")
    print("LOADED", *sorted(set(heavy) & set(sys.modules)))
"""
DOCUMENTED = [
    "calibration.jsonl",
    "consensus.jsonl",
    "manifest.json",
    "models.jsonl",
    "oracles.jsonl",
    "problems.jsonl",
    "programs.jsonl",
    "verdicts.jsonl",
]


@pytest.fixture
def manifest(judged: SessionOutcome) -> dict[str, Any]:
    """Return the manifest of the undisturbed session."""
    content: dict[str, Any] = json.loads((judged.stage / "manifest.json").read_text())
    return content


def test_manifest_states_every_file(judged: SessionOutcome, manifest: dict[str, Any]) -> None:
    """The manifest names each file beside itself, its SHA-256 and its number of lines."""
    assert manifest["files"] == {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "records": content.count(b"\n")}
        for name, content in judged.files().items()
        if name != "manifest.json"
    }


def test_counts_are_right(judged: SessionOutcome, manifest: dict[str, Any]) -> None:
    """The manifest's counts are those of the verdicts, of the problems and of the oracles."""
    counts = Counter(f"{record['claim']} {record['status']}" for record in judged.records("verdicts"))
    others = {"problems": len(judged.records("problems")), "oracles": len(judged.records("oracles"))}
    assert manifest["counts"] == {**counts, **others}


def test_oracles_stage_is_sealed_alike(judged: SessionOutcome) -> None:
    """The stage that later stages read holds the same oracles, under a manifest of its own."""
    stage = judged.run / "oracles"
    entry = json.loads((stage / "manifest.json").read_text())["files"]["oracles.jsonl"]
    content = (stage / "oracles.jsonl").read_bytes()
    assert (content, hashlib.sha256(content).hexdigest()) == (judged.files()["oracles.jsonl"], entry["sha256"])


def test_latest_names_the_run_that_it_leads_to(tmp_path: Path) -> None:
    """A session on `latest` goes on with that run; a link to nothing, or to itself, and no run at all are said."""
    (tmp_path / "first").mkdir()
    link = tmp_path / "latest"
    with pytest.raises(HarnessError, match="no run has ended here yet"):
        followed_link(link, "--harness-run")
    link.symlink_to("first")
    assert followed_link(link, "--harness-run") == tmp_path / "first"
    for target in ("latest", "second"):
        link.unlink()
        link.symlink_to(target)
        with pytest.raises(HarnessError, match=f"is a link to {target}, which is no run; remove it"):
            followed_link(link, "--harness-run")


def test_latest_points_to_the_run(judged: SessionOutcome) -> None:
    """`runs/latest` is the run sealed last."""
    assert (judged.runs / "latest").resolve() == judged.run.resolve()


def test_other_sessions_load_nothing_of_the_stage(terminal: SessionTerminal) -> None:
    """A session that judges nothing imports no solver, no encoder and no report."""
    target = str(Path(__file__).parents[1] / "harness" / "test_plugin.py")
    ended = terminal.run(None, "--collect-only", "-q", "-s", target=target, plugin=LOADED)
    assert [line for line in ended.output.splitlines() if line.startswith("LOADED")] == ["LOADED"]


def test_tests_leave_nothing_running(judged: SessionOutcome, embeddings_cache: Path) -> None:
    """An undisturbed session ends with all its processes."""
    assert SessionTerminal(judged.runs.parent, embeddings_cache).left_running() == []


def test_sealed_stage_holds_the_documented_files_only(judged: SessionOutcome) -> None:
    """Nothing else is left in the folder: no shards, no scratch, no partial files."""
    assert sorted(judged.files()) == DOCUMENTED


def test_workers_change_no_byte(tiny: InputFiles, terminal: SessionTerminal, judged: SessionOutcome) -> None:
    """Two workers write what one process writes."""
    assert terminal.run(tiny, processes=2).files() == judged.files()


@pytest.mark.slow
def test_cold_cache_changes_no_byte(tiny: InputFiles, cold_terminal: SessionTerminal, judged: SessionOutcome) -> None:
    """Embeddings made in this session and embeddings made in an earlier one give the same."""
    assert cold_terminal.run(tiny, processes=2).files() == judged.files()
