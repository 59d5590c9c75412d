"""Tests of the recheck of flaws: from the record alone, both solvers confirm true ones and refute altered ones."""

import copy
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.domain import Status
from harness.json_form import json_form
from harness.solution.labels import ErrorType, Label
from oracle_factory.command import main
from oracles.certificates.flaw_certificate import FlawCertificate, FlawCertifier
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.record_recheck import recheck
from tests.cases import cases
from tests.oracles.certificates.linear_solutions import MUTANTS, SLIPS, Straight
from tests.oracles.recheck.flaw_records import (
    RECORDS,
    SOLUTION,
    Record,
    Words,
    mutant,
    record,
    renamed,
    resealed,
    skipped,
    slip,
    unfinished,
    wrong_answer,
)

SOLVERS = {name: open_solver(name) for name in SolverName}


@cases("solver", list(SolverName))
@cases("name", RECORDS)
def test_a_true_record_is_confirmed(name: str, solver: SolverName) -> None:
    """A true record of each kind is confirmed from its JSON alone."""
    found = recheck(json.loads(json.dumps(RECORDS[name]())), SOLVERS[solver])
    assert (found.status, found.reason) == (Status.CONFIRMED, None)


def of_text(old: str, new: str) -> Callable[[Record], None]:
    """Return a tampering with the flawed solution."""

    def tamper(changed: Record) -> None:
        assert old in changed["flawed_solution"]
        changed["flawed_solution"] = changed["flawed_solution"].replace(old, new)

    return tamper


def of_field(value: Any, *path: str | int) -> Callable[[Record], None]:
    """Return a tampering with one field."""

    def tamper(changed: Record) -> None:
        place: Any = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return tamper


LABEL = ("label", "error_details")
CERTIFICATE = ("certificate",)
TAMPERED: dict[str, tuple[Callable[[], Record], Callable[[Record], None], str]] = {
    "a second false line": (slip, of_text("10 * 3", "10 * 4"), "L4 holds a false equation"),
    "a stale result": (slip, of_text("<<14-8+4=10>>10", "<<14-8+4=10>>11"), "L3 holds a false equation"),
    "the right line instead of the false one": (
        slip,
        of_text("14 / 2 = 8", "16 / 2 = 8"),
        "L2 holds no false equation",
    ),
    "a line before the error": (slip, of_text("There are 10 + 4", "There were 10 + 4"), "L1, before the error, is not"),
    "a number that is not stated": (
        slip,
        of_text("That is 10 * 3 = <<10*3=30>>30", "That is 15 * 2 = <<15*2=31>>31"),
        "L4 holds a false",
    ),
    "a value missing from its line": (
        slip,
        of_text("14 - 8 + 4 = <<14-8+4=10>>10", "some"),
        "L3 does not show rest = 10",
    ),
    "another answer in the text": (slip, of_text("#### 30", "#### 31"), "the flawed solution answers otherwise"),
    "no answer in the text": (slip, of_text("#### 30", "The end"), "does not end in '####'"),
    "a line more": (slip, of_text("That is 10 * 3", "So\nthat is 10 * 3"), "5 lines before the answer"),
    "the wrong line labelled": (
        slip,
        of_field("L3", *LABEL, "erroneous_line_number"),
        "L3 is labelled, the error is on L2",
    ),
    "the answer labelled": (slip, of_field("FA", *LABEL, "erroneous_line_number"), "FA is labelled"),
    "another class": (slip, of_field("conceptual_error", *LABEL, "error_class"), "is of the class"),
    "a conceptual label for a slip": (slip, of_field(mutant()["label"], "label"), "one-false-equation is certified"),
    "a slip's label for a mutant": (mutant, of_field(slip()["label"], "label"), "inequivalent-mutant is certified"),
    "a false equation in a mutant": (
        mutant,
        of_text("25 * 3 = <<25*3=75>>75", "25 * 4 = <<25*3=75>>75"),
        "L4 holds a false",
    ),
    "a false stated value": (mutant, of_field("76", *CERTIFICATE, "stated", "left"), "is false"),
    "the oracle's answer": (mutant, of_field("33", *CERTIFICATE, "stated", "left"), "is false"),
    "another oracle": (
        slip,
        of_field([["a", "11"], ["b", "4"]], *CERTIFICATE, "oracle", "inputs"),
        "false equation should be",
    ),
    "a solution with another answer": (
        slip,
        of_field(SOLUTION.replace("#### 33", "#### 34"), "solution"),
        "the solution answers",
    ),
    "from and to swapped": (
        slip,
        of_field({"line": "L2", "variable": "half", "from": "8", "to": "7"}, *CERTIFICATE, "change"),
        "should read",
    ),
    "a second place": (mutant, of_field("a - b", *CERTIFICATE, "mutant", "steps", 0, 2), "is false"),
    "a second place, stated truly": (
        mutant,
        of_field("a + b + 1 - 1", *CERTIFICATE, "mutant", "steps", 0, 2),
        "2 places differ",
    ),
    "another claim": (slip, of_field("inequivalent-mutant", *CERTIFICATE, "claim"), "needs a mutant"),
    "a mutant for a slip": (slip, of_field(mutant()["certificate"]["mutant"], *CERTIFICATE, "mutant"), "has no mutant"),
    "an input twice": (
        slip,
        of_field([["a", "10"], ["a", "10"], ["b", "4"]], *CERTIFICATE, "oracle", "inputs"),
        "an input is given twice",
    ),
    "a line that is not there": (
        slip,
        lambda changed: changed.update(flawed_solution="#### 30"),
        "the flawed solution has no line 'L2'",
    ),
    "a step left out on another line": (
        skipped,
        of_field("L3", *LABEL, "erroneous_line_number"),
        "L3 is labelled, the error is on L2",
    ),
    "a changed line before the last one": (unfinished, of_text("Half of", "Half"), "L2, before the error"),
    "a wrong answer that is worked out": (
        wrong_answer,
        of_text("11 * 3 = <<11*3=33>>33", "11 * 1 = <<11*1=11>>11"),
        "L4, before the error",
    ),
}


@cases("kind", TAMPERED)
def test_a_tampered_record_is_refuted(kind: str) -> None:
    """Whatever was tampered with, the record itself gives it away, in one sentence."""
    made, tamper, reason = TAMPERED[kind]
    changed = copy.deepcopy(made())
    tamper(changed)
    found = recheck(changed, SOLVERS[SolverName.Z3])
    assert found.status is Status.REFUTED
    assert reason in str(found.reason)


@given(SLIPS | MUTANTS, st.data())
@settings(max_examples=60)
def test_any_program_with_a_lie_about_its_values_is_refuted(certificate: FlawCertificate, data: st.DataObject) -> None:
    """Whatever the text, a certificate with one stated value changed never passes."""
    changed = json_form(certificate.record())
    variable = data.draw(st.sampled_from(sorted(changed["stated"])))
    changed["stated"][variable] = str(data.draw(st.integers(-99, 99))) + "/97"
    kind = ErrorType.COMPUTATIONAL if certificate.mutant is None else ErrorType.OPERATOR_SWAP
    found = recheck(
        {**slip(), "label": json_form(Label.of_error(kind, "L1", "", "")), "certificate": changed},
        SOLVERS[SolverName.Z3],
    )
    assert found.status is Status.REFUTED


def test_a_labelled_line_that_cannot_be_read_is_unknown() -> None:
    """A slip whose line holds no equation is neither shown nor refuted by the text."""
    changed = slip()
    of_text("Half of them is 14 / 2 = 8 birds.", "Half of them makes 8 birds.")(changed)
    found = recheck(changed, SOLVERS[SolverName.Z3])
    assert (found.status, found.reason) == (Status.UNKNOWN, "L2 holds no equation that can be read as the false one")


def test_what_no_solver_can_be_told_is_unknown() -> None:
    """The claim holds by exact evaluation, and that alone confirms nothing."""
    changed = json.loads(json.dumps(slip()))
    of_field("a + math.gcd(b, 8)", "certificate", "oracle", "steps", 0, 2)(changed)
    found = recheck(resealed(changed), SOLVERS[SolverName.Z3])
    assert (found.status, found.reason) == (Status.UNKNOWN, "the function gcd() has no translation")


def test_a_value_that_a_line_shows_by_chance_is_not_asked_for() -> None:
    """Where the solution's own line has a result only as one of its operands, the flawed line need not have the new one."""
    program = Straight(
        {"a": 95, "b": 80, "c": 90}, (("total", "c * 3"), ("third", "total - b - a"), ("left", "third * 2")), "left"
    )
    solution = "{0} points are 90 * 3 = {0}.\nx = {0} - 80 - 95\nTwice x is {1} * 2 = {2}.\n#### {2}"
    certificate = FlawCertifier.of_trace(program.trace()).mutant(program.with_step(0, "c + 3").trace())
    flawed = solution.format(93, -82, -164).replace("90 * 3", "90 + 3")
    words = Words(
        "operator_swap",
        "90 * 3",
        "90 + 3",
        "Here adding is the wrong operation; multiplying gives 90 * 3 = 270.",
        ("the answer is of the same size", "the answer is negative"),
    )
    right = solution.format(270, 95, 190)
    made = record(certificate, flawed, ErrorType.OPERATOR_SWAP, "L1", words, right.split("\n")[0], solution=right)
    assert recheck(made, SOLVERS[SolverName.Z3]).reason is None
    stale = {**made, "flawed_solution": flawed.replace("-82 * 2 = -164", "95 and b")}
    assert recheck(stale, SOLVERS[SolverName.Z3]).reason == "L3 does not show left = -164"


HOSTILE: list[Any] = [
    None,
    7,
    [],
    {},
    ValueError("Expecting value"),
    {**slip(), "certificate": None},
    {**slip(), "label": "L2"},
    {**slip(), "needs_edit": 1},
    {**slip(), "flawed_solution": None},
    {**slip(), "flawed_solution": ""},
    {**slip(), "flawed_solution": "#" * 90_000},
    {**slip(), "flawed_solution": "=" * 90_000 + "\n#### 30"},
    {**slip(), "flawed_solution": "\n" * 90_000},
    {**slip(), "flawed_solution": "x" * 200_000},
    {**slip(), "solution": "####"},
    {**slip(), "problem_id": "\x1b[31m" * 10, "operator": 3},
]
EDITS: list[tuple[Any, ...]] = [
    ("9" * 5000, "stated", "half"),
    ("1/0", "stated", "half"),
    (7, "stated", "half"),
    ({"half": "8"}, "stated"),
    ({}, "stated"),
    ("__import__('os').system('id')", "oracle", "steps", 1, 2),
    ("(" * 3000, "oracle", "steps", 1, 2),
    ("9**9**9", "oracle", "steps", 1, 2),
    ("[x for x in range(10**9)]", "oracle", "steps", 1, 2),
    ("-" * 3000 + "1", "oracle", "steps", 1, 2),
    ("half", "oracle", "steps", 1, 2),
    ("__class__", "oracle", "steps", 1, 1),
    ("a|b", "oracle", "steps", 1, 1),
    ("ﬁ", "oracle", "steps", 1, 1),
    ("", "oracle", "steps", 1, 1),
    ("L0", "oracle", "steps", 1, 0),
    ("L99999999999", "oracle", "steps", 1, 0),
    (["L1"], "oracle", "steps", 1),
    ([["L1", "a", "1"]] * 300, "oracle", "steps"),
    ([], "oracle", "steps"),
    ("nowhere", "oracle", "answer"),
    ({"a": "10"}, "oracle", "inputs"),
    ("\ud800", "oracle", "answer"),
    ("all is well", "claim"),
    (None, "change"),
    ({"line": "L2", "variable": "half", "from": 7, "to": 8}, "change"),
]


@cases("place", range(len(HOSTILE) + len(EDITS)))
def test_a_hostile_record_is_one_refuted_line(place: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Broken JSON, missing fields, hostile names, expressions and numbers: one sentence, no traceback, no escape codes."""
    if place < len(HOSTILE):
        hostile = HOSTILE[place]
    else:
        value, *path = EDITS[place - len(HOSTILE)]
        hostile = copy.deepcopy(slip())
        of_field(value, "certificate", *path)(hostile)
    found = recheck(hostile, SOLVERS[SolverName.Z3])
    assert found.status is Status.REFUTED
    assert found.reason
    file = tmp_path / "flaws.jsonl"
    file.write_text("{" if isinstance(hostile, Exception) else json.dumps(hostile), encoding="utf-8")
    assert main(["recheck", str(file)]) == 1
    shown = capsys.readouterr()
    assert shown.err == ""
    assert len(re.findall(r"^REFUTED line 1, ", shown.out, re.MULTILINE)) == 1
    assert "\x1b" not in shown.out


@pytest.mark.parametrize(
    ("jobs", "solver"),
    [
        (2, SolverName.CVC5),
        pytest.param(1, SolverName.Z3, marks=pytest.mark.slow),
        pytest.param(2, SolverName.Z3, marks=pytest.mark.slow),
        pytest.param(1, SolverName.CVC5, marks=pytest.mark.slow),
    ],
)
def test_a_file_is_told_by_its_exit_status(
    jobs: int, solver: SolverName, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 where all is confirmed, 1 with the counts and one line for each record that is not."""
    file = tmp_path / "flaws.jsonl.gz"
    lines = [json.dumps(renamed(RECORDS[name](), f"p-{place}")) for place in range(20) for name in RECORDS]
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    options = ["--solver", str(solver), "--jobs", str(jobs)]
    assert main(["recheck", str(file), *options]) == 0
    assert "REFUTED line" not in capsys.readouterr().out
    broken = renamed(slip(), "p-20")
    of_text("10 * 3", "10 * 4")(broken)
    file.write_bytes(gzip.compress("\n".join([*lines, json.dumps(broken), "{", *[json.dumps(broken)] * 30]).encode()))
    assert main(["recheck", str(file), *options]) == 1
    shown = capsys.readouterr().out
    assert "REFUTED line 101, p-20, one-false-equation: L4 holds a false equation" in shown
    assert "REFUTED line 102, ?, ?: malformed-record: no JSON" in shown
    assert "… and 12 more" in shown


def test_scripts_are_written_for_any_solver(tmp_path: Path) -> None:
    """One file a record, by its line, with the answer each query should have."""
    file = tmp_path / "flaws.jsonl"
    file.write_text("\n".join(json.dumps(RECORDS[name]()) for name in RECORDS), encoding="utf-8")
    assert main(["recheck", str(file), "--smtlib", str(tmp_path / "scripts")]) == 0
    written = sorted((tmp_path / "scripts").iterdir())
    assert [path.name for path in written] == [f"{place:07d}.smt2" for place in range(1, len(RECORDS) + 1)]
    assert all(path.read_text(encoding="ascii").startswith("(set-logic QF_NIRA)") for path in written)


@pytest.mark.parametrize("content", [None, b"", b"\x1f\x8b broken"])
def test_a_file_that_holds_nothing_confirms_nothing(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing or broken file is a usage error of one line, an empty one is not a success."""
    file = tmp_path / ("flaws.jsonl.gz" if content else "flaws.jsonl")
    if content is not None:
        file.write_bytes(content)
    assert main(["recheck", str(file)]) == (1 if content == b"" else 2)
    assert capsys.readouterr().err.count("\n") == (0 if content == b"" else 1)
