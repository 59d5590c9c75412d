"""Laws of the provenance of records: it agrees with itself and with the sealed oracles of its run."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.domain import Status
from harness.json_form import json_form
from harness.records.content_digest import with_digest
from harness.records.formalization import OracleProvenance, OracleRecord
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from tests.cases import cases
from tests.certified_records import certified_flaw_records, certified_variant_records

Record = dict[str, Any]
Z3 = open_solver(SolverName.Z3)
ALONE = {"formalized": False, "oracle": None, "clique_size": None, "confidence": None}
SOUND: dict[str, Record | None] = {
    "no formalization stage": ALONE,
    "a clique": {"formalized": True, "oracle": "alder", "clique_size": 2, "confidence": 0.5},
    "a probability": {"formalized": True, "oracle": "alder", "clique_size": 2, "confidence": 0.5, "p_right": 0.75},
    "alone": {"formalized": True, "oracle": "birch", "clique_size": 1, "confidence": 0},
    "not recorded": None,
}
UNSOUND: dict[str, Any] = {
    "an oracle of no stage": {**ALONE, "oracle": "alder"},
    "a size of no stage": {**ALONE, "clique_size": 2},
    "a confidence of no stage": {**ALONE, "confidence": 0.5},
    "a probability of no stage": {**ALONE, "p_right": 0.5},
    "more than certain": {"formalized": True, "oracle": "alder", "clique_size": 2, "confidence": 0.5, "p_right": 1.5},
    "nothing of a stage": {**ALONE, "formalized": True},
    "no confidence": {"formalized": True, "oracle": "alder", "clique_size": 2, "confidence": None},
    "another alone": {"formalized": True, "oracle": "alder", "clique_size": 1, "confidence": 0},
    "confidence of one": {"formalized": True, "oracle": "birch", "clique_size": 1, "confidence": 0.5},
    "nobody": {"formalized": True, "oracle": "alder", "clique_size": 0, "confidence": 0},
    "below zero": {"formalized": True, "oracle": "alder", "clique_size": 2, "confidence": -0.5},
    "no number": {"formalized": True, "oracle": "alder", "clique_size": 2, "confidence": "1"},
    "no truth": {**ALONE, "formalized": 0},
    "a text": "alder",
    "a hidden character": {"formalized": True, "oracle": "al\u200bder", "clique_size": 2, "confidence": 0.5},
}


def records() -> list[Record]:
    """Return a flaw of each kind and a variant."""
    flaws = certified_flaw_records()
    return [
        next(flaw for flaw in flaws if flaw["certificate"]["mutant"] is None),
        next(flaw for flaw in flaws if flaw["certificate"]["mutant"] is not None),
        certified_variant_records()[0],
    ]


def resting_on(record: Record, provenance: Any) -> Record:
    """Return a record with another provenance, or without one, and the digest of that."""
    rest = {name: value for name, value in record.items() if name != "provenance"}
    return with_digest(rest if provenance is None else {**rest, "provenance": provenance})


@cases("name", SOUND)
def test_what_agrees_with_itself_is_confirmed(name: str) -> None:
    """With a stage, without one, alone, and of an earlier version, which recorded nothing."""
    for record in records():
        found = check_record(resting_on(record, SOUND[name]), Z3)
        assert found.status is Status.CONFIRMED, found.reason


@cases("name", UNSOUND)
def test_what_contradicts_itself_is_refused(name: str) -> None:
    """With a digest of its own; the reason names the field."""
    for record in records():
        found = check_record(resting_on(record, UNSOUND[name]), Z3)
        assert found.status is Status.REFUTED
        assert "provenance" in (found.reason or "")


def oracle(problem_id: str, *, clique: tuple[str, ...] = ("alder", "birch", "cedar", "elm")) -> Record:
    """Return the oracle that the records say they rest on."""
    return json_form(
        OracleRecord(
            problem_id=problem_id,
            model="alder",
            dialect=None,
            code=None,
            parameters=(),
            value=None,
            reason=None,
            repairs=(),
            confidence=1.125,
            clique_size=len(clique),
            p_right=0.9375,
            provenance=OracleProvenance(run="0", clique=clique, pairs=()),
        )
    )


CLAIMS: dict[str, tuple[Record, str | None]] = {
    "the same": ({}, None),
    "another oracle": ({"oracle": "cedar"}, "provenance.oracle: expected 'alder', as the run's oracle has it"),
    "another size": ({"clique_size": 5}, "provenance.clique_size: expected '4'"),
    "another confidence": ({"confidence": 1.25}, "provenance.confidence: expected '1.125'"),
    "another probability": ({"p_right": 0.99}, "provenance.p_right: expected '0.9375'"),
    "a file of an earlier version": ({"p_right": None}, None),
}


@cases("name", CLAIMS)
def test_a_run_holds_its_records_to_its_oracles(
    name: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever computes digests and seals the stage anew is refused by the sealed oracles beside it."""
    change, reason = CLAIMS[name]
    chosen = [flaw for flaw in certified_flaw_records() if flaw["certificate"]["mutant"] is not None][:3]
    flaws = [resting_on(flaw, {**flaw["provenance"], **change}) for flaw in chosen]
    run = RunFolder(tmp_path_factory.mktemp("run"))
    run.stage("oracles").seal(
        {"oracles.jsonl": [oracle(name) for name in sorted({flaw["problem_id"] for flaw in flaws})]}, {}
    )
    run.stage("mutation").seal({"conceptual.jsonl": flaws}, {})
    assert main(["recheck", str(run.folder / "mutation" / "conceptual.jsonl")]) == (0 if reason is None else 1)
    assert (reason or "") in " ".join(capsys.readouterr().out.split())


@cases("told", ["its own", "another"])
def test_a_correct_solution_ends_with_the_answer_of_its_oracle(
    told: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    """A flawed solution that is sealed as the correct one, and the correct one as flawed, are told apart by the run's oracle."""
    flaw = next(flaw for flaw in certified_flaw_records() if flaw["certificate"]["mutant"] is not None)
    side = flaw["solution" if told == "its own" else "flawed_solution"]
    run = RunFolder(tmp_path_factory.mktemp("run"))
    sealed = {**oracle(flaw["problem_id"]), "value": side.rpartition("#### ")[2].replace(",", "")}
    run.stage("oracles").seal({"oracles.jsonl": [sealed]}, {})
    run.stage("mutation").seal({"conceptual.jsonl": [flaw]}, {})
    assert main(["recheck", str(run.folder / "mutation" / "conceptual.jsonl")]) == (0 if told == "its own" else 1)
    assert ("solution: expected the answer" in " ".join(capsys.readouterr().out.split())) is (told != "its own")


def test_a_source_outside_the_clique_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The model of a record is a member of the clique, and the run has an oracle of its problem."""
    flaws = [flaw for flaw in certified_flaw_records() if flaw["certificate"]["mutant"] is not None][:1]
    run = RunFolder(tmp_path)
    run.stage("mutation").seal({"conceptual.jsonl": flaws}, {})
    path = str(run.folder / "mutation" / "conceptual.jsonl")
    run.stage("oracles").seal(
        {"oracles.jsonl": [oracle(flaws[0]["problem_id"], clique=("alder", "cedar", "elm", "fir"))]}, {}
    )
    assert main(["recheck", path]) == 1
    assert "model: expected a member of the clique, found 'birch'" in " ".join(capsys.readouterr().out.split())
    run.stage("oracles").seal({"oracles.jsonl": [oracle("another")]}, {})
    assert main(["recheck", path]) == 1
    assert "the run has no oracle of the problem" in " ".join(capsys.readouterr().out.split())


def test_changed_oracles_are_no_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of oracles that was changed after it was sealed is told."""
    flaws = [flaw for flaw in certified_flaw_records() if flaw["certificate"]["mutant"] is not None][:1]
    run = RunFolder(tmp_path)
    run.stage("mutation").seal({"conceptual.jsonl": flaws}, {})
    run.stage("oracles").seal({"oracles.jsonl": [oracle(flaws[0]["problem_id"])]}, {})
    path = run.folder / "oracles" / "oracles.jsonl"
    path.write_text(json.dumps({**oracle(flaws[0]["problem_id"]), "confidence": 2.0}) + "\n")
    assert main(["recheck", str(run.folder / "mutation" / "conceptual.jsonl")]) == 1
    assert "was changed after the stage was sealed" in " ".join(capsys.readouterr().out.split())
