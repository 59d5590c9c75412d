"""Test of hostile records of five kinds, through every stage in one session: nothing is executed, nothing takes long, nothing else is harmed."""

import json
from pathlib import Path

import pytest

from tests.json_lines import write_lines
from tests.properties import hostile_corpus
from tests.properties.session_process import (
    TINY_PROBLEMS,
    TINY_RESPONSES,
    Record,
    SessionOutcome,
    SessionTerminal,
    write_inputs,
)

STAGES = ("formalization", "template", "mutation", "variant", "label", "smt")
RIGHT = "def solve(n: int = 6):\n    return n * 2"
LONGEST_ITEM = 5.0
MOST_MEMORY = 1 << 20
"""KiB of a process."""
MEASURE = """
import json, os, pathlib, re, resource

HERE = pathlib.Path(os.environ["ORACLE_FACTORY_TEST_SESSION"])
slowest = {}

def pytest_runtest_logreport(report):
    slowest[report.nodeid] = max(report.duration, slowest.get(report.nodeid, 0))

def pytest_unconfigure():
    # The ru_maxrss of a process is at least what its parent had when it was started.
    own = re.search(r"VmHWM:\\s*(\\d+)", pathlib.Path("/proc/self/status").read_text())
    used = [int(own[1]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss]
    measured = {"memory": max(used), "slowest": sorted(slowest.items(), key=lambda item: item[1])[-3:]}
    (HERE / "measured.json").write_text(json.dumps(measured))
"""


def tiny_verdicts(ended: SessionOutcome) -> list[Record]:
    """Return the verdicts on the models' programs for the other problems."""
    return [
        record
        for record in ended.records("verdicts")
        if record["problem_id"].startswith("t-") and "annotation" not in (record["left"], record["right"])
    ]


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_hostile_records_do_no_harm(
    step: int, terminal: SessionTerminal, judged: SessionOutcome, tmp_path: Path
) -> None:
    """Every stage is sealed, no file comes to be, no item takes five seconds, the process no gigabyte.

    A hostile answer is REFUTED and one of the right ones beside it is the oracle; what is said of other problems is the same.
    """
    witness = tmp_path / "witness"
    kinds = {made.__name__: made(str(witness)) for made in hostile_corpus.KINDS}
    kinds = {name: records[::step] for name, records in kinds.items()}
    attacked = [record["problem_id"] for record in kinds["answers"]]
    right = [{"problem_id": problem_id, "model": model, "response": RIGHT} for problem_id in attacked for model in "ab"]
    inputs = write_inputs(
        tmp_path / "both",
        [*TINY_PROBLEMS, *kinds["problems"]],
        [*TINY_RESPONSES, *right, *kinds["answers"], *kinds["templates"]],
    )
    given = (
        *("-m", " or ".join(STAGES), "--harness-formalizations=annotation"),
        f"--harness-labels={write_lines(tmp_path / 'labels.jsonl', kinds['labels'])}",
        f"--harness-smt-problems={write_lines(tmp_path / 'programs.jsonl', kinds['programs'])}",
    )
    ended = terminal.run(inputs, *given, plugin=MEASURE)
    assert (ended.status, "Traceback" in ended.output) == (1, False), ended.output[-3000:]
    assert [name for name in STAGES if not (ended.run / name / "manifest.json").is_file()] == []
    assert not list(tmp_path.rglob("witness*"))
    screened = ended.verdicts("ut1")
    assert {screened[problem_id, "hostile"]["status"] for problem_id in attacked} == {"REFUTED"}
    oracles = {record["problem_id"]: record["model"] for record in ended.records("oracles")}
    assert "hostile" not in {oracles[problem_id] for problem_id in attacked}
    assert tiny_verdicts(ended) == tiny_verdicts(judged)
    measured = json.loads((terminal.folder / "measured.json").read_text())
    assert measured["memory"] <= MOST_MEMORY
    assert measured["slowest"][-1][1] <= LONGEST_ITEM
