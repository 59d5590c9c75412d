"""Tests of trust: what nobody reviewed trains only if it needs no edit, is plausible, and its audit is clean."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.domain import Status, Verdict
from harness.json_form import json_form
from harness.records.mutation import LEAST_PLAUSIBILITY
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from sft.samples.items import Trust
from tests.cases import cases
from tests.sft.datasets.sealed_runs import Record, rows_of, sealed_run

NAMES = [f"p-{number}" for number in range(6)]
FILES = ("computational.jsonl", "conceptual.jsonl")
OPTIONS = ["--levels", "none", "--balance", "as-is", "--most-per-problem", "9"]


def _with(**changed: Any) -> Callable[[Record], Record]:
    """Return a function that changes fields of a record."""
    return lambda record: {**record, **changed}


def _mislabelled(record: Record) -> Record:
    """Return a record whose label names the other line."""
    details = record["label"]["error_details"]
    line = "L2" if details["erroneous_line_number"] == "L1" else "L1"
    return {**record, "label": {**record["label"], "error_details": {**details, "erroneous_line_number": line}}}


NEEDS_EDIT = _with(needs_edit=True)
IMPLAUSIBLE = _with(plausibility={"score": LEAST_PLAUSIBILITY - 0.001, "reasons": ["odd"]})


def _run(folder: Path, spoil: Callable[[Record], Record], operators: tuple[str, ...]) -> Path:
    """Seal a mutation stage in which the records of some operators are spoilt."""
    run = RunFolder(sealed_run(folder, NAMES, stages=("mutation",)))
    stage = run.stage("mutation")
    files = {
        name: [
            spoil(record) if record["operator"] in operators or not operators else record
            for record in stage.records(name)
        ]
        for name in FILES
    }
    stage.seal(dict(files.items()), {})
    return run.folder


def _made(run: Path, out: Path, *options: str) -> Counter[tuple[str, str]]:
    """Return the records of the datasets of a run by operator and trust."""
    assert main(["datasets", "--run", str(run), "--out", str(out), *OPTIONS, *options]) == 0
    return Counter((row["operator"], row["trust"]) for row in rows_of(out, "samples-*"))


@cases(
    ("spoil", "operator", "why"),
    [
        (NEEDS_EDIT, "operator_swap", "needs an edit"),
        (IMPLAUSIBLE, "operator_swap", "plausibility below 0.3"),
        (_mislabelled, "off_by_n", "the audit of its label is not clean"),
    ],
)
def test_what_something_speaks_against_is_left_out_and_counted(
    tmp_path_factory: pytest.TempPathFactory, spoil: Callable[[Record], Record], operator: str, why: str
) -> None:
    """An edit to make, a low plausibility, a label that its audit does not confirm; the others are taken as before."""
    folder = tmp_path_factory.mktemp("trust")
    run, out = _run(folder / "run", spoil, (operator,)), folder / "out"
    made = _made(run, out)
    assert not [name for name, _ in made if name == operator]
    assert {trust for name, trust in made if name} == {str(Trust.CLEAN)}
    card = (out / "README.md").read_text("utf-8")
    assert f"| nobody reviewed it: {why} | {len(NAMES) * 3} |" in card
    widened = _made(run, folder / "wide", "--include-unreviewed")
    assert widened[operator, str(Trust.WIDENED)] == len(NAMES) * 3
    card = (folder / "wide" / "README.md").read_text("utf-8")
    assert f"| {why} | {len(NAMES) * 3} |" in card


def test_reviewed_candidates_train_whatever_speaks_against_them(tmp_path: Path) -> None:
    """A person saw the edit and the plausibility; the correct solutions are the corpus's own."""
    run = RunFolder(_run(tmp_path / "run", NEEDS_EDIT, ("operator_swap",)))
    flaws = run.stage("mutation").records("conceptual.jsonl")
    accepted = [IMPLAUSIBLE(flaw) for flaw in flaws if flaw["operator"] == "operator_swap"]
    run.stage("review").seal({"accepted.jsonl": accepted}, {})
    made = _made(run.folder, tmp_path / "out")
    assert made["operator_swap", str(Trust.REVIEWED)] == len(NAMES) * 3
    assert made["", str(Trust.GIVEN)] == len(NAMES)
    card = (tmp_path / "out" / "README.md").read_text("utf-8")
    assert f"| reviewed | a flawed solution that a reviewer accepted | {len(NAMES) * 3} | 0 |" in card


def test_nothing_left_is_an_error_that_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Correct solutions alone are no training set for a verifier; nothing is written."""
    run = _run(tmp_path / "run", NEEDS_EDIT, ())
    assert main(["datasets", "--run", str(run), "--out", str(tmp_path / "out"), *OPTIONS]) == 2
    said = capsys.readouterr().err
    assert "no flawed solution is left" in said
    assert "needs an edit" in said
    assert "--include-unreviewed" in said
    assert not (tmp_path / "out").exists()


def _audit_sealed(run: Path, clean: Callable[[int], bool], *, audited: bool = True) -> None:
    """Seal a label stage that calls the records clean whose places are so; without `audited` it is of other bytes."""
    folder = RunFolder(run)
    verdicts = []
    for file in FILES:
        for place, record in enumerate(folder.stage("mutation").records(file)):
            status = Status.CONFIRMED if clean(place) else Status.REFUTED
            name = f"{file.removesuffix('.jsonl')}#{place}"
            verdicts.append(json_form(Verdict("label", record["problem_id"], name, None, status, "equations")))
    files = folder.stage("mutation").manifest()["files"]
    hashes = {name.removesuffix(".jsonl"): entry["sha256"] if audited else "0" for name, entry in files.items()}
    folder.stage("label").seal({"verdicts.jsonl": verdicts}, {"audited": hashes})


@pytest.mark.parametrize("audited", [True, False])
def test_a_sealed_audit_is_not_made_again(tmp_path: Path, audited: bool) -> None:  # a parameter
    """What the run audited counts as that said; an audit of other bytes counts for nothing."""
    run = _run(tmp_path / "run", dict, ())
    records = [record for file in FILES for record in RunFolder(run).stage("mutation").records(file)]
    _audit_sealed(run, lambda place: place % 2 == 0, audited=audited)
    made = _made(run, tmp_path / "out", "--include-unreviewed")
    widened = sum(count for (_, trust), count in made.items() if trust == Trust.WIDENED)
    clean = sum(count for (operator, trust), count in made.items() if trust == Trust.CLEAN and operator)
    assert widened + clean == len(records)
    assert (widened == 0) is not audited
    if audited:
        assert abs(widened - clean) <= 2
