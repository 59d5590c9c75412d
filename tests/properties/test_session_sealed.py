"""Tests of sealed stages: their hashes and counts are correct, and other sessions load nothing of them."""

import hashlib
from collections import Counter
from pathlib import Path

import pytest

from harness.errors import HarnessError
from properties.engine.inputs import followed_link
from tests.cases import texts
from tests.properties.session_process import SessionOutcome, SessionTerminal

LOADED = """
import sys

def pytest_sessionfinish():
    heavy = ("torch", "transformers", "networkx", "z3", "scipy", "oracles", "reports", "rich", "datasets")
    print("LOADED", *sorted(set(heavy) & set(sys.modules)))
"""
DOCUMENTED = texts("""calibration.jsonl | consensus.jsonl | manifest.json | models.jsonl | oracles.jsonl | problems.jsonl
programs.jsonl | verdicts.jsonl""")


def test_manifests_state_every_file(judged: SessionOutcome) -> None:
    """Beside the documented files only: the SHA-256 and lines of each, and counts of the verdicts, problems and oracles.

    The stage that later stages read holds the same oracles, under a manifest of its own.
    """
    files, manifest = judged.files(), judged.manifest("formalization")
    assert sorted(files) == DOCUMENTED
    assert manifest["files"] == {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "records": content.count(b"\n")}
        for name, content in files.items()
        if name != "manifest.json"
    }
    counts = Counter(f"{record['claim']} {record['status']}" for record in judged.records("verdicts"))
    others = {"problems": len(judged.records("problems")), "oracles": len(judged.records("oracles"))}
    assert manifest["counts"] == {**counts, **others}
    oracles = (judged.run / "oracles" / "oracles.jsonl").read_bytes()
    assert oracles == files["oracles.jsonl"]
    assert judged.manifest("oracles")["files"] == {"oracles.jsonl": manifest["files"]["oracles.jsonl"]}


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


def test_other_sessions_load_nothing_of_the_stage(terminal: SessionTerminal) -> None:
    """A session that judges nothing imports no solver, no encoder and no report."""
    target = str(Path(__file__).parents[1] / "harness" / "test_plugin.py")
    ended = terminal.run(None, "--collect-only", "-q", "-s", target=target, plugin=LOADED)
    assert [line for line in ended.output.splitlines() if line.startswith("LOADED")] == ["LOADED"]
