"""Tests of session outcomes: items pass, fail or xfail by their verdicts, and the gate sets the exit status."""

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.properties.session_process import (
    TINY_PROBLEMS,
    TINY_RESPONSES,
    InputFiles,
    SessionOutcome,
    SessionTerminal,
    write_inputs,
)

RIGHT = [response for response in TINY_RESPONSES if response["problem_id"] in {"t-1", "t-2"}]
JUNIT_GATES = ("findings", "none", "consensus")
AGREED = [response for response in RIGHT if response["model"] != "yew" or response["problem_id"] != "t-1"]


@pytest.fixture(scope="module")
def agreed(tmp_path_factory: pytest.TempPathFactory) -> InputFiles:
    """Return two problems on which all formalizations are right and agree."""
    return write_inputs(tmp_path_factory.mktemp("agreed"), TINY_PROBLEMS[:2], AGREED)


def test_items_end_as_their_verdicts_say(judged: SessionOutcome) -> None:
    """As many items pass, fail and xfail as claims are CONFIRMED, REFUTED and UNKNOWN; findings alone give no ERROR."""
    statuses = Counter(record["status"] for record in judged.records("verdicts"))
    assert judged.outcomes == {
        "passed": statuses["CONFIRMED"],
        "failed": statuses["REFUTED"],
        "xfailed": statuses["UNKNOWN"],
    }
    assert min(statuses.values()) > 0


def test_finding_is_one_line(judged: SessionOutcome) -> None:
    """A finding is shown on one line: item, verdict, method, reason; no traceback stands anywhere."""
    line = "test_ut1[t-3:yew] REFUTED: exact: gives 5, gold is 15"
    assert (judged.output.splitlines().count(line), "Traceback" in judged.output) == (1, False)


def test_open_claim_says_why(judged: SessionOutcome) -> None:
    """An xfail carries the reason of its verdict."""
    lines = [line for line in judged.output.splitlines() if "XFAIL" in line and "test_ut1[t-5:oak]" in line]
    assert [line for line in lines if "UNKNOWN" in line and "gold" in line]


@pytest.mark.slow
def test_broken_encoder_is_an_error_in_setup(tiny: InputFiles, terminal: SessionTerminal) -> None:
    """Where embeddings cannot be kept, items that need them are ERRORs, no findings, and the rest is judged.

    The ERROR says in a few lines that the encoder failed and why.
    """
    ended = terminal.run(tiny, "-rE", environment={"ORACLE_FACTORY_CACHE": "/dev/null"})
    errors = sorted(line.split(" - ")[0] for line in ended.output.splitlines() if line.startswith("ERROR "))
    module = "ERROR properties/test_formalization.py::"
    items = [f"test_{claim}[{problem}:oak~yew]" for claim in ("ut2", "ut3") for problem in ("t-2", "t-3")]
    assert errors == [module + item for item in items]
    said, traced = "the embeddings of texts cannot be kept" in ended.output, "def add" in ended.output
    assert (said, traced) == (True, False)


@pytest.mark.slow
@pytest.mark.parametrize(("gate", "processes"), [("findings", 0), ("consensus", 0), ("none", 0), ("none", 2)])
def test_machinery_error_fails_under_every_gate(
    tiny: InputFiles, terminal: SessionTerminal, gate: str, processes: int
) -> None:
    """Broken machinery never ends with status 0, whatever the gate, and leaves the stage unsealed."""
    options = (f"--harness-gate={gate}", "--harness-min-confidence=0")
    ended = terminal.run(tiny, *options, processes=processes, environment={"ORACLE_FACTORY_CACHE": "/dev/null"})
    assert (ended.status != 0, ended.sealed) == (True, False)


def test_gate_findings_fails_on_findings(judged: SessionOutcome) -> None:
    """By default a finding ends the session with status 1."""
    assert judged.status == 1


def test_gate_findings_passes_without_findings(gates: dict[str, SessionOutcome]) -> None:
    """Without a finding the session ends with status 0."""
    assert gates["agreed"].status == 0


def _gate_lines(ended: SessionOutcome) -> list[str]:
    """Return what a session says of its gate."""
    return [line for line in ended.output.splitlines() if line.startswith("harness: ")]


@pytest.fixture(scope="module")
def gates(
    tiny: InputFiles, agreed: InputFiles, embeddings_cache: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, SessionOutcome]:
    """Return sessions under the gates, without workers."""
    folder = tmp_path_factory.mktemp("gates")

    def _junit(name: str) -> tuple[str]:
        return (f"--junit-xml={folder / name}.xml",)

    sessions = {
        "agreed": (*agreed.options, "properties"),
        "findings": (*tiny.options, *_junit("findings"), "properties"),
        "none": (*tiny.options, "--harness-gate=none", *_junit("none"), "properties"),
        "consensus": (*tiny.options, "--harness-gate=consensus", *_junit("consensus"), "properties"),
        "partial": (*tiny.options, "--harness-gate=consensus", "-k", "test_ut1", "properties"),
    }
    return SessionTerminal(folder, embeddings_cache).run_in_turn(sessions)


def test_gate_none_passes_findings(gates: dict[str, SessionOutcome]) -> None:
    """Under the gate `none` findings do not fail the session, and no count says that something failed."""
    assert (gates["none"].status, gates["none"].outcomes["findings"] > 0) == (0, True)
    assert gates["none"].outcomes["failed"] == 0
    assert "findings, not failures" in gates["none"].output.splitlines()[-1]


def test_the_last_lines_are_the_users(gates: dict[str, SessionOutcome]) -> None:
    """Before the counts of pytest stands what came of the run, whatever the gate says."""
    told = {ended.output.strip().splitlines()[-2] for name, ended in gates.items() if name in JUNIT_GATES}
    assert told == {
        "6 problems: 6 oracles, 1 needs a look (t-5). 7 of 27 claims refuted (expected: 3 pairs of programs that differ, 3 programs with a wrong answer or none; to mend: 1 answer that cannot be judged, duplicate)."
    }


@pytest.mark.parametrize("gate", JUNIT_GATES)
def test_the_xml_says_what_the_gate_says(gates: dict[str, SessionOutcome], gate: str) -> None:
    """The JUnit XML has a failure exactly if the session fails: the findings under their gate, the problems under `consensus`.

    Every finding is a property of its test, whatever the gate.
    """
    ended = gates[gate]
    suite = ET.parse(ended.runs.parent.parent / f"{gate}.xml").getroot()[0]  # noqa: S314  # what the session wrote
    refuted = sum(record["status"] == "REFUTED" for record in ended.records("verdicts"))
    failures = {"findings": refuted, "none": 0, "consensus": 1}[gate]
    assert (int(suite.attrib["failures"]), len(list(suite.iter("failure")))) == (failures, failures)
    assert bool(failures) is (ended.status != 0)
    assert sum(entry.get("name") == "finding" for entry in suite.iter("property")) == refuted
    assert (
        int(suite.attrib["tests"])
        == len(list(suite.iter("testcase")))
        == len(ended.records("verdicts")) + (gate == "consensus")
    )


def test_gate_consensus_names_the_problems(gates: dict[str, SessionOutcome]) -> None:
    """Under the gate `consensus` a problem below the minimum fails the session, and one line names it."""
    expected = "harness: 3 problems below --harness-min-confidence 0.5: t-3 (0.00), t-4 (0.00), t-6 (0.00)"
    assert (gates["consensus"].status, _gate_lines(gates["consensus"])) == (1, [expected])


def test_gate_consensus_fails_what_it_cannot_judge(gates: dict[str, SessionOutcome]) -> None:
    """Under the gate `consensus` a selection that leaves claims open fails and says how many."""
    lines = _gate_lines(gates["partial"])
    assert (gates["partial"].status, lines) == (1, ["harness: no consensus: 14 claims are not judged"])
