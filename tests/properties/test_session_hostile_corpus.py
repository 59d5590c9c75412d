"""Test of two hundred hostile records of five kinds, through every stage: nothing is executed, nothing takes long, nothing else is harmed."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.properties import hostile_corpus
from tests.properties.session_process import (
    TINY_PROBLEMS,
    TINY_RESPONSES,
    Record,
    SessionOutcome,
    SessionTerminal,
    write_inputs,
)

pytestmark = pytest.mark.slow

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
    with open(HERE / "measured.jsonl", "a") as stream:
        stream.write(json.dumps({"items": len(slowest), "memory": max(used), "slowest": sorted(slowest.items(), key=lambda item: item[1])[-3:]}) + "\\n")
"""


def _lines(path: Path, records: Iterable[Record]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def _of_tiny(ended: SessionOutcome, name: str, stage: str = "formalization") -> list[Record]:
    """Return the records of the other problems but for their probabilities, which the run's models are estimated from, and the run."""
    return [
        {field: value for field, value in record.items() if not field.startswith("p_right") and field != "provenance"}
        for record in ended.records(name, stage)
        if str(record.get("problem_id", "")).startswith("t-")
    ]


def test_two_hundred_hostile_records_do_no_harm(terminal: SessionTerminal, tmp_path: Path) -> None:
    """No file comes to be, no item takes five seconds, no process a gigabyte, and what is said of other problems is the same."""
    witness = tmp_path / "witness"
    hostile = str(witness)
    made = [
        hostile_corpus.answers(hostile),
        hostile_corpus.templates(hostile),
        hostile_corpus.labels(hostile),
        hostile_corpus.problems(hostile)[-len(hostile_corpus.TEXTS) :],
        hostile_corpus.programs(hostile),
    ]
    assert sum(map(len, made)) == 200
    alone = write_inputs(tmp_path / "alone", TINY_PROBLEMS, TINY_RESPONSES)
    both = write_inputs(
        tmp_path / "both", [*TINY_PROBLEMS, *hostile_corpus.problems(hostile)], [*TINY_RESPONSES, *made[0], *made[1]]
    )
    stages = "formalization or template or mutation or variant"
    expected = terminal.run(alone, "-m", stages, "--harness-formalizations=annotation", runs="runs-alone")
    ended = terminal.run(both, "-m", stages, "--harness-formalizations=annotation", plugin=MEASURE, runs="runs-stages")
    labels = f"--harness-labels={_lines(tmp_path / 'labels.jsonl', made[2])}"
    audited = terminal.run(
        None, labels, f"--harness-corpus={both.corpus}", "-m", "label", plugin=MEASURE, runs="runs-labels"
    )
    problems = f"--harness-smt-problems={_lines(tmp_path / 'programs.jsonl', made[4])}"
    solved = terminal.run(None, problems, "-m", "smt", plugin=MEASURE, runs="runs-smt")
    for outcome in (ended, audited, solved):
        assert (outcome.status, "Traceback" in outcome.output) == (1, False), outcome.output[-3000:]
    for outcome, names in (
        (ended, ("formalization", "template", "mutation", "variant")),
        (audited, ("label",)),
        (solved, ("smt",)),
    ):
        assert [name for name in names if not (outcome.run / name / "manifest.json").is_file()] == []
    assert not witness.exists()
    assert not list(tmp_path.rglob("witness*"))
    for name in ("verdicts", "consensus", "oracles"):
        assert _of_tiny(ended, name) == _of_tiny(expected, name)
    measured = [json.loads(line) for line in (terminal.folder / "measured.jsonl").read_text().splitlines()]
    assert len(measured) == 3
    assert [
        record for record in measured if record["memory"] > MOST_MEMORY or record["slowest"][-1][1] > LONGEST_ITEM
    ] == []
