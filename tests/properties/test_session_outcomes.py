"""Tests of session outcomes: items pass, fail or xfail by their verdicts, the gate sets the exit status, and sealed files are hashed and counted."""

import hashlib
from collections import Counter
from pathlib import Path

import pytest

from harness.errors import HarnessError
from properties.engine.inputs import followed_link
from tests.cases import texts
from tests.properties.session_process import (
    TINY_PROBLEMS,
    TINY_RESPONSES,
    InputFiles,
    SessionOutcome,
    SessionTerminal,
    write_inputs,
)

GATES = ("findings", "none", "consensus")


def test_items_end_as_their_verdicts_say(judged: SessionOutcome) -> None:
    """As many items pass, fail and xfail as claims are CONFIRMED, REFUTED and UNKNOWN; a finding is one line, an open claim has its reason."""
    statuses = Counter(record["status"] for record in judged.records("verdicts"))
    counts = {"passed": statuses["CONFIRMED"], "failed": statuses["REFUTED"], "xfailed": statuses["UNKNOWN"]}
    assert (judged.outcomes, judged.status, min(statuses.values()) > 0) == (counts, 1, True)
    lines = [line.rstrip() for line in judged.output.splitlines()]
    line = "t-3      yew      gives 5, the known answer is 15"
    assert (lines.count(line), "Traceback" in judged.output) == (1, False)
    assert [line for line in lines if "XFAIL" in line and "test_ut1[t-5:oak]" in line and "gold" in line]


@pytest.mark.slow
@pytest.mark.parametrize(("gate", "processes"), [("findings", 0), ("consensus", 0), ("none", 0), ("none", 2)])
def test_broken_machinery_fails_under_every_gate(
    tiny: InputFiles, terminal: SessionTerminal, gate: str, processes: int
) -> None:
    """Where embeddings cannot be kept, items that need them are ERRORs of a few lines, the rest is judged, nothing is sealed."""
    options = ("-rE", f"--harness-gate={gate}", "--harness-min-confidence=0")
    ended = terminal.run(tiny, *options, processes=processes, environment={"ORACLE_FACTORY_CACHE": "/dev/null"})
    assert (ended.status != 0, ended.sealed) == (True, False)
    errors = {line.split(" - ")[0] for line in ended.output.splitlines() if line.startswith("ERROR properties/")}
    module = "ERROR properties/test_formalization.py::"
    items = (f"test_{claim}[{problem}:oak~yew]" for claim in ("ut2", "ut3") for problem in ("t-2", "t-3"))
    assert errors == {module + item for item in items}
    assert ("the embeddings of texts cannot be kept" in ended.output, "def add" in ended.output) == (True, False)


@pytest.fixture(scope="module")
def gates(
    tiny: InputFiles, embeddings_cache: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, SessionOutcome]:
    """Return sessions under the gates, without workers: on two problems that are agreed on, on all, and on a part."""
    folder = tmp_path_factory.mktemp("gates")
    right = [
        response
        for response in TINY_RESPONSES
        if response["problem_id"] == "t-2" or (response["problem_id"] == "t-1" and response["model"] != "yew")
    ]
    agreed = write_inputs(folder / "agreed inputs", TINY_PROBLEMS[:2], right)
    sessions = {gate: (*tiny.options, f"--harness-gate={gate}", "properties") for gate in GATES}
    sessions["agreed"] = (*agreed.options, "properties")
    sessions["partial"] = (*tiny.options, "--harness-gate=consensus", "-k", "test_ut1", "properties")
    return SessionTerminal(folder, embeddings_cache).run_in_turn(sessions)


def test_the_gate_sets_the_status(gates: dict[str, SessionOutcome]) -> None:
    """Findings fail their own gate alone; below the minimum, and where claims are open, the gate `consensus` fails with one line."""
    statuses = dict.fromkeys(("findings", "consensus", "partial"), 1) | dict.fromkeys(("none", "agreed"), 0)
    assert {name: ended.status for name, ended in gates.items()} == statuses
    said = {
        name: [line for line in ended.output.splitlines() if line.startswith("harness: ")]
        for name, ended in gates.items()
    }
    below = "harness: 3 problems below --harness-min-confidence 0.5: t-3 (0.00), t-4 (0.00), t-6 (0.00)"
    assert said == {
        **{name: [] for name in gates},
        "consensus": [below],
        "partial": ["harness: no consensus: 14 claims are not judged"],
    }
    assert gates["none"].outcomes["findings"] > 0 == gates["none"].outcomes["failed"]
    assert "findings, not failures" in gates["none"].output.splitlines()[-1]


def test_the_end_says_what_came_of_the_run_and_of_the_gate(gates: dict[str, SessionOutcome]) -> None:
    """One sentence of the run, whatever the gate says; the last line before the counts of pytest names the gate and its condition."""
    sentence = "6 problems: 6 oracles, none needs a look. 7 of 27 claims refuted."
    assert [gates[name].output.count(sentence) for name in GATES] == [1] * len(GATES)
    last = {name: gates[name].output.strip().splitlines()[-2] for name in GATES}
    design = "7 findings fail this session by design; --harness-gate=consensus asks for oracles only"
    assert last["findings"] == f"gate findings: {design}"
    assert last["none"] == "gate none: findings do not fail this session"


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
