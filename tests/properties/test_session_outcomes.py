"""Tests of session outcomes: items pass, fail or xfail by their verdicts, and the gate sets the exit status."""

from collections import Counter
from pathlib import Path

import pytest

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
