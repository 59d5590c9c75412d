"""Tests of constraint sessions: generated and foreign problems are judged, sealed and deterministic, on any records."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from oracles.constraints.rows import read_constraint_problems
from properties.constraints.claims import CLAIMS
from reports.command import report
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
    path.write_text("".join(f"{record if isinstance(record, str) else json.dumps(record)}\n" for record in records))
    return f"--harness-smt-problems={path}"


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


def test_the_run_has_a_report(judged: SessionOutcome, capsys: pytest.CaptureFixture[str]) -> None:
    """`report RUN` prints the claims, each problem with a finding, and the command of the page, which writes it with clauses and findings."""
    assert report(str(judged.run)) == 0
    printed = capsys.readouterr().out
    assert report(str(judged.run), constraints=True) == 0
    page = (judged.run / "report" / "constraints.html").read_text("utf-8")
    # Whether a repair is decided depends on the ways to break a program that chance chose.
    told = [
        [verdict["status"] for verdict in claims.values() if verdict["method"] != SKIPPED]
        for claims in verdicts(judged).values()
    ]
    count = sum(set(statuses) != {"CONFIRMED"} for statuses in told)
    for words in (f"Programs with a finding: {count} of 6", "it does not entail 5; answer may be 4"):
        assert words in printed
        assert words in page
    assert f"report {judged.run} --constraints" in printed.replace("\n", "")
    assert page.count('<table class="clauses">') == 6


@pytest.mark.slow
def test_made_problems_hold_all_their_claims(terminal: SessionTerminal) -> None:
    """Three of each domain: nothing is refuted, and all but repairs are confirmed or not claimed."""
    made = session(terminal, "--harness-smt-count=3", "--harness-smt-seed=5")
    assert (made.status, made.outcomes["failed"], made.outcomes["error"]) == (0, 0, 0), made.output
    found = verdicts(made)
    assert len(found) == 12
    claimed = [verdict for claims in found.values() for claim, verdict in claims.items() if claim != "repaired"]
    assert {verdict["method"] for verdict in claimed if verdict["status"] == "UNKNOWN"} <= {SKIPPED}


def test_tables_are_read_too(tmp_path: Path) -> None:
    """Of CSV the rows are problems, named after the file and their number; one without a program has an empty one."""
    table = tmp_path / "mine.csv"
    with table.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["problem", "reasoning", "program"])
        writer.writerows([["Twice two?", "It is four.\nSo four.", PROGRAM], ["Twice two?", "", ""]])
    found = read_constraint_problems([table])
    assert [(problem.id, problem.domain, problem.program) for problem in found] == [
        ("mine-1", "foreign", PROGRAM),
        ("mine-2", "foreign", ""),
    ]
    assert found[0].reasoning == ("It is four.", "So four.")


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
