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
HOSTILE = (
    json.dumps(labelled("3 + 4 = 8\n<script>alert(1)</script>\u202e\x1b[31m]0;owned\x07[red]= 9", "L1")),
    json.dumps(labelled("x" * 1_100_000, "L1")),
    json.dumps(labelled("(" * 9_000 + "1" + ")" * 9_000 + " = 2", "L1")),
    json.dumps(labelled("9" * 15_000 + " + 1 = 2", "L1")),
    json.dumps(labelled("=" * 15_000, "L1")),
    json.dumps(labelled("1 / 0 = 2\n2 ** 9 ** 9 = 3", "L1")),
    json.dumps(labelled("\ud800 = 5", "L1")),
    "[" * 50_000,
    "7",
    '{"problem_id": "a::b[c]", "solution": "1 + 1 = 3", "label": "correct"}',
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


def test_the_terminal_tells_files_and_causes(audited: SessionOutcome) -> None:
    """The terminal lists files and causes, with an example of each."""
    assert "6 labels, 1 rejected" in audited.output
    assert "1  label-on-another-line  p-1 L1: 3 + 4 = 8" in audited.output


@pytest.mark.slow
def test_selected_problems_select_their_records(options: list[str], terminal: SessionTerminal) -> None:
    """Records of other problems, and those of none, are left out."""
    ended = terminal.run(None, *options, "-m", "label", "--harness-problems=p-1", "--harness-gate=none")
    assert (ended.status, ended.outcomes) == (0, {"passed": 2, "finding": 1, "xfailed": 1})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processes", "options", "message"),
    [(0, (), "no labelled solutions"), (2, ("--harness-labels=nowhere.jsonl",), "no such file")],
    ids=["none", "missing"],
)
def test_misuse_is_one_message(
    terminal: SessionTerminal, processes: int, options: tuple[str, ...], message: str
) -> None:
    """No labelled solutions, or a file that is not there: status 4, no traceback."""
    ended = terminal.run(None, *options, "-m", "label", processes=processes)
    assert (ended.status, message in ended.output, "Traceback" in ended.output) == (4, True, False)


@pytest.mark.slow
def test_hostile_records_end_nothing(tmp_path: Path, terminal: SessionTerminal) -> None:
    """Each is judged or rejected; none reaches the terminal as it is."""
    options = write(tmp_path / "hostile.jsonl", HOSTILE).split()
    ended = terminal.run(None, *options, "-m", "label", "--harness-gate=none")
    counts = ended.manifest("label")["counts"]
    assert (ended.status, counts["records"], counts["rejected"]) == (0, len(HOSTILE), 3)
    assert not {"\x1b[31m", "\u202e", "\x07"} & set(ended.output)
    assert "Traceback" not in ended.output
