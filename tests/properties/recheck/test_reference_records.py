"""Laws of the provenance of records: it agrees with itself and with the sealed oracles of its run."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.domain import Status
from harness.json_form import json_form, with_digest
from harness.records.formalization import OracleProvenance, OracleRecord
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from properties.recheck.reference_records import CorpusProblems
from tests.cases import cases
from tests.certified_records import certified_flaw_records, certified_variant_records

Record = dict[str, Any]
Z3 = open_solver(SolverName.Z3)
ALONE = {"formalized": False, "oracle": None, "clique_size": None, "confidence": None}
OF_TWO = {"formalized": True, "oracle": "alder", "clique_size": 2, "confidence": 0.5}
OF_ONE = {"formalized": True, "oracle": "birch", "clique_size": 1, "confidence": 0}
SOUND: dict[str, Record | None] = {
    "no formalization stage": ALONE,
    "a clique": OF_TWO,
    "a probability": {**OF_TWO, "p_right": 0.75},
    "alone": OF_ONE,
    "not recorded": None,
}
UNSOUND: dict[str, Any] = {
    "an oracle of no stage": {**ALONE, "oracle": "alder"},
    "a size of no stage": {**ALONE, "clique_size": 2},
    "a confidence of no stage": {**ALONE, "confidence": 0.5},
    "a probability of no stage": {**ALONE, "p_right": 0.5},
    "more than certain": {**OF_TWO, "p_right": 1.5},
    "nothing of a stage": {**ALONE, "formalized": True},
    "no confidence": {**OF_TWO, "confidence": None},
    "another alone": {**OF_ONE, "oracle": "alder"},
    "confidence of one": {**OF_ONE, "confidence": 0.5},
    "nobody": {**OF_ONE, "oracle": "alder", "clique_size": 0},
    "below zero": {**OF_TWO, "confidence": -0.5},
    "no number": {**OF_TWO, "confidence": "1"},
    "no truth": {**ALONE, "formalized": 0},
    "a text": "alder",
    "a hidden character": {**OF_TWO, "oracle": "al\u200bder"},
}


def mutant() -> Record:
    """Return a conceptual flaw."""
    return next(flaw for flaw in certified_flaw_records() if flaw["certificate"]["mutant"] is not None)


def records() -> list[Record]:
    """Return a flaw of each kind and a variant."""
    flaws = certified_flaw_records()
    slip = next(flaw for flaw in flaws if flaw["certificate"]["mutant"] is None)
    return [slip, mutant(), certified_variant_records()[0]]


def resting_on(record: Record, provenance: Any) -> Record:
    """Return a record with another provenance, or without one, and the digest of that."""
    rest = {name: value for name, value in record.items() if name != "provenance"}
    return with_digest(rest if provenance is None else {**rest, "provenance": provenance})


@cases("name", [*SOUND, *UNSOUND])
def test_a_provenance_agrees_with_itself(name: str) -> None:
    """With a stage, without one, alone, and of an earlier version; what contradicts itself is refused, with a digest of its own."""
    for record in records():
        found = check_record(resting_on(record, (SOUND | UNSOUND)[name]), Z3)
        assert found.status is (Status.CONFIRMED if name in SOUND else Status.REFUTED), found.reason
        assert name in SOUND or "provenance" in (found.reason or "")


def oracle(name: str, **changes: Any) -> Record:
    """Return the oracle that the records say they rest on, with other fields."""
    clique = changes.pop("clique", ("alder", "birch", "cedar", "elm"))
    record = OracleRecord(
        problem_id=name,
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
    return {**json_form(record), **changes}


def answer(side: str) -> str:
    """Return the answer of a solution of the first flaw."""
    return str(mutant()[side]).rpartition("#### ")[2].replace(",", "")


ANOTHER = "solution: expected the answer"
RUNS: dict[str, tuple[Record, Record, str | None]] = {
    "the same": ({}, {}, None),
    "another oracle": ({"oracle": "cedar"}, {}, "provenance.oracle: expected 'alder', as the run's oracle has it"),
    "another size": ({"clique_size": 5}, {}, "provenance.clique_size: expected '4'"),
    "another confidence": ({"confidence": 1.25}, {}, "provenance.confidence: expected '1.125'"),
    "another probability": ({"p_right": 0.99}, {}, "provenance.p_right: expected '0.9375'"),
    "no probability": ({"p_right": None}, {}, "provenance.p_right: expected '0.9375'"),
    "its own answer": ({}, {"value": answer("solution")}, None),
    "the flawed solution's answer": ({}, {"value": answer("flawed_solution")}, ANOTHER),
    "a source outside the clique": (
        {},
        {"clique": ("alder", "cedar", "elm", "fir")},
        "model: expected a member of the clique, found 'birch'",
    ),
    "no oracle of the problem": ({}, {"problem_id": "another"}, "the run has no oracle of the problem"),
}


@cases("name", RUNS)
def test_a_run_holds_its_records_to_its_oracles(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever computes digests and seals the stage anew is refused by the sealed oracles beside it, unless these were changed, too."""
    change, oracle_change, reason = RUNS[name]
    flaw = resting_on(mutant(), {**mutant()["provenance"], **change})
    run = RunFolder(tmp_path)
    run.stage("oracles").seal({"oracles.jsonl": [oracle(flaw["problem_id"], **oracle_change)]}, {})
    run.stage("mutation").seal({"conceptual.jsonl": [flaw]}, {})
    path = run.folder / "mutation" / "conceptual.jsonl"
    assert main(["recheck", str(path)]) == (0 if reason is None else 1)
    assert (reason or "") in " ".join(capsys.readouterr().out.split())
    changed = {**oracle(flaw["problem_id"]), "confidence": 2.0}
    (run.folder / "oracles" / "oracles.jsonl").write_text(json.dumps(changed) + "\n")
    assert main(["recheck", str(path)]) == 1
    assert "was changed after the stage was sealed" in " ".join(capsys.readouterr().out.split())


MINI = CorpusProblems.of("mini")
CHANGES: dict[str, tuple[str, Any, str]] = {
    "another problem": ("problem_id", "mini-0", "problem_id: expected a problem of the corpus"),
    "another question": ("question", "How many?", "question: expected that of the corpus"),
    "another answer": ("solution", "So it is 5.\n#### 5", "solution: expected the answer"),
    "no answer": ("solution", "So it is 5.", "solution: expected the answer"),
}


@cases("name", CHANGES)
def test_what_the_corpus_has_otherwise_is_refused(name: str) -> None:
    """Of flaws and variants whose question or answer is not that of the corpus, the reason names the field."""
    field, value, reason = CHANGES[name]
    variant = next(record for record in certified_variant_records() if not record["edits"])
    for record in (certified_flaw_records()[0], variant):
        assert (MINI.problem(with_digest({**record, field: value})) or "").startswith(reason)


def test_a_correct_solution_is_that_of_the_corpus() -> None:
    """Other lines with the right answer are refused, but for a problem without a solution, whose answer alone counts."""
    assert {MINI.problem(record) for record in (*certified_flaw_records(), *certified_variant_records())} == {None}
    flaw = certified_flaw_records()[0]
    lines = flaw["solution"].split("\n")
    other = with_digest({**flaw, "solution": "\n".join([*lines[:-1], "So it is.", lines[-1]])})
    assert (MINI.problem(other) or "").startswith("solution: expected that of the corpus")
    problem = MINI.problems[flaw["problem_id"]]
    bare = CorpusProblems({problem.problem_id: replace(problem, solution="")})
    assert (bare.problem(flaw), bare.problem({**flaw, "solution": "#### 1"}) is None) == (None, False)
