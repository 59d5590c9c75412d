"""Tests of constraint sessions: generated and foreign problems are judged, sealed and deterministic, on any records."""

import json
from pathlib import Path
from typing import Any

import pytest

from properties.stages.smt import CLAIMS
from tests.json_lines import write_lines
from tests.properties.session_process import Record, SessionOutcome, SessionTerminal

PROGRAM = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const answer Int)\n(assert (< 1 x 3))\n(assert (= answer (* 2 x)))\n(check-sat)\n"


def problem(name: str, program: str = PROGRAM, **more: Any) -> Record:
    """Return a problem whose answer is four."""
    return {"id": name, "domain": "sums", "problem": "Twice two?", "program": program, "gold": "4", **more}


GOOD = problem("a-good", satisfiable=True, unique=True)
LOOSE = problem("b-loose", PROGRAM.replace("(< 1 x 3)", "(< 0 x 3)"), satisfiable=True, unique=True)
WRONG = problem("c-wrong", gold="5", satisfiable=True, unique=True)
IMPOSSIBLE = problem("d-impossible", PROGRAM.replace("(< 1 x 3)", "(< 3 x 1)"), gold=None, satisfiable=False)
BROKEN = problem("e-broken", PROGRAM.replace("(* 2 x)))", "(* 2 x))"))
SILENT = {"id": "f-silent", "problem": "Twice two?", "program": PROGRAM}
RECORDS = (GOOD, LOOSE, WRONG, IMPOSSIBLE, BROKEN, SILENT)
SKIPPED = "nothing-said"
EXPECTED = {
    "a-good": "CONFIRMED CONFIRMED CONFIRMED CONFIRMED",
    "b-loose": "CONFIRMED CONFIRMED REFUTED REFUTED",
    "c-wrong": "CONFIRMED CONFIRMED CONFIRMED REFUTED",
    "d-impossible": f"CONFIRMED CONFIRMED {SKIPPED} {SKIPPED}",
    "e-broken": f"REFUTED {SKIPPED} {SKIPPED} REFUTED",
    "f-silent": f"CONFIRMED {SKIPPED} {SKIPPED} {SKIPPED}",
}
"""Valid, satisfiable, unique, entails; whether it is repaired depends on the ways that chance chose."""
HOSTILE = (
    json.dumps(problem("h-1", '(set-logic QF_LIA)(push)(echo "\u202e\x1b[31m</script>")(exit)')),
    json.dumps(problem("h-2", "(" * 100_000)),
    json.dumps(problem("h-3", PROGRAM.replace("3", "9" * 20_000))),
    json.dumps(problem("h-4", PROGRAM.replace("(assert", "(assert (forall ((y Int)) (= (* y y y) x)))\n(assert", 1))),
    json.dumps(problem("h-5", "\ud800", problem="\ud800")),
    json.dumps({"id": "a::b[c]", "problem": 3, "program": ["x"]}),
    "[" * 50_000,
    "7",
)


def session(terminal: SessionTerminal, *options: str) -> SessionOutcome:
    """Run the stage."""
    return terminal.run(None, "-m", "smt", *options)


def write(path: Path, records: tuple[Record | str, ...]) -> str:
    """Write problems as JSONL and return the option that names them."""
    return f"--harness-smt-problems={write_lines(path, records)}"


@pytest.fixture(scope="module")
def option(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the option that names six problems."""
    return write(tmp_path_factory.mktemp("given") / "six.jsonl", RECORDS)


@pytest.fixture(scope="module")
def judged(option: str, tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> SessionOutcome:
    """Return the undisturbed session; tests leave it as it is."""
    return session(SessionTerminal(tmp_path_factory.mktemp("judged-smt"), embeddings_cache), option)


def verdicts(ended: SessionOutcome) -> dict[str, dict[str, Record]]:
    """Return the verdicts by problem and claim."""
    found: dict[str, dict[str, Record]] = {}
    for record in ended.records("verdicts", "smt"):
        found.setdefault(record["problem_id"], {})[record["claim"]] = record
    return found


def test_each_claim_is_judged(judged: SessionOutcome) -> None:
    """Valid, satisfiable, unique and entails, each as it is; what a record does not say is no claim; a repair never means something else."""
    found = verdicts(judged)
    told = {
        name: " ".join(
            SKIPPED if verdict["method"] == SKIPPED else verdict["status"]
            for verdict in (claims[claim] for claim in CLAIMS[:4])
        )
        for name, claims in found.items()
    }
    assert told == EXPECTED, judged.output
    assert {claims["repaired"]["status"] for claims in found.values()} <= {"CONFIRMED", "UNKNOWN"}
    assert found["e-broken"]["repaired"]["method"] == SKIPPED


def test_findings_fail_and_say_why(judged: SessionOutcome) -> None:
    """A refuted claim fails with what the solvers found; the session ends with status 1 and the page of the run; `latest` stays with other stages."""
    assert (judged.status, judged.outcomes["failed"], judged.outcomes["error"]) == (1, 5, 0), judged.output
    for words in (
        "it does not entail 5; answer may be 4",
        "unclosed-parenthesis",
        "6 constraint problems",
        "CONFIRMED",
    ):
        assert words in judged.output
    assert f"report: {judged.run / 'report' / 'constraints.html'}" in judged.output.replace("\n", "")
    assert not (judged.runs / "latest").exists()


def test_the_stage_is_sealed_with_problems_and_counts(judged: SessionOutcome) -> None:
    """The problems as they were read, and of each claim how many were confirmed."""
    problems = judged.records("problems", "smt")
    assert [written["id"] for written in problems] == sorted(record["id"] for record in RECORDS)
    manifest = judged.manifest("smt")
    assert manifest["smt"]["problems"] == ["six.jsonl"]
    assert manifest["counts"]["sums valid"] == {"CONFIRMED": 4, "REFUTED": 1}
    assert manifest["counts"]["foreign entails"] == {SKIPPED: 1}


@pytest.mark.slow
def test_hostile_problems_are_findings(terminal: SessionTerminal, tmp_path: Path) -> None:
    """Each ends in a verdict and none in an error; nothing of them reaches the terminal."""
    ended = session(terminal, write(tmp_path / "hostile.jsonl", HOSTILE))
    assert (ended.status, ended.outcomes["error"]) == (1, 0), ended.output
    assert len(verdicts(ended)) == len(HOSTILE)
    assert not {"\x1b", "\u202e"}.intersection(ended.output)


@pytest.mark.slow
def test_no_process_of_solvers_is_left(option: str, terminal: SessionTerminal) -> None:
    """After the session, interrupted by its first finding or not."""
    session(terminal, option, "-x")
    assert terminal.left_running() == []
