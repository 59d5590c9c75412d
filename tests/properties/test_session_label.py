"""Tests of label sessions: without formalizations, sealed and deterministic, on any records."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.properties.session_process import Record, SessionOutcome, SessionTerminal

PROBLEM: Record = {"problem_id": "p-1", "question": "3 and 4 cats, 5 legs?", "answer": "3 + 4 = 7\n7 * 5 = 35\n#### 35"}


def labelled(text: str, line: str, **more: Any) -> Record:
    """Return a record with a computational label."""
    details = {"error_type": "computational_error", "erroneous_line_number": line}
    return {
        "problem_id": "p-1",
        "flawed_solution": text,
        "label": {"verdict": "Flawed", "error_details": details},
        **more,
    }


SLIP = "3 + 4 = 8\n8 * 5 = 40\n#### 40"
LINES = (
    json.dumps(labelled(SLIP, "L1", operator="off_by_n")),
    json.dumps(labelled(SLIP, "L2")),
    json.dumps(labelled("Nobody can say, 40 perhaps.\n#### 40", "L1")),
    "{broken",
    json.dumps({"question": PROBLEM["question"], "solution": "7 * 5 = 35\nA: 35", "is_correct": True}),
    json.dumps({"problem_id": "other", "solution": "1 + 1 = 2\n#### 2", "label": "correct"}),
)


def write(path: Path, lines: tuple[str, ...]) -> str:
    """Write a labelled dataset beside a corpus and return both options."""
    corpus = path.with_name("corpus.jsonl")
    corpus.write_text(json.dumps(PROBLEM) + "\n")
    path.write_text("".join(f"{line}\n" for line in lines))
    return f"--harness-corpus={corpus} --harness-labels={path}"


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the options that name six records and their corpus."""
    return write(tmp_path_factory.mktemp("labels") / "six.jsonl", LINES).split()


@pytest.fixture(scope="module")
def audited(options: list[str], tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> SessionOutcome:
    """Return the undisturbed session; tests leave it as it is."""
    return SessionTerminal(tmp_path_factory.mktemp("audited"), embeddings_cache).run(None, *options, "-m", "label")


def test_each_record_is_judged_without_a_formalization(audited: SessionOutcome) -> None:
    """One test a record; a broken line is a finding with its reason."""
    verdicts = audited.records("verdicts", "label")
    found = [(verdict["problem_id"], verdict["left"], verdict["status"]) for verdict in verdicts]
    assert (audited.status, audited.outcomes) == (1, {"passed": 3, "failed": 2, "xfailed": 1})
    assert found == [
        ("other", "six#5", "CONFIRMED"),
        ("p-1", "six#0", "CONFIRMED"),
        ("p-1", "six#1", "REFUTED"),
        ("p-1", "six#2", "UNKNOWN"),
        ("p-1", "six#4", "CONFIRMED"),
        ("six#3", "six#3", "REFUTED"),
    ]


def test_the_stage_is_sealed_with_its_counts(audited: SessionOutcome) -> None:
    """The manifest counts verdicts by file and records by cause."""
    counts = audited.manifest("label")["counts"]
    assert counts == {
        "records": 6,
        "rejected": 1,
        "files": {"six": {"CONFIRMED": 3, "REFUTED": 2, "UNKNOWN": 1}},
        "causes": {"six": {"label-on-another-line": 1, "malformed-record": 1, "nothing-checked": 1}},
    }
