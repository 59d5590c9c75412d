"""Laws of the check of flawed solutions: from the record alone, both solvers confirm true ones and refute altered ones."""

import copy
import json
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings, strategies as st

from harness.domain import Status
from harness.json_form import json_form
from harness.records.content_digest import with_digest
from harness.solution.labels import ErrorType, Label
from oracles.proofs.flaw_certificate import FlawCertificate, FlawCertifier
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from tests.cases import cases
from tests.oracles.proofs.flaw_records import (
    RECORDS,
    SOLUTION,
    Record,
    mutant,
    record,
    skipped,
    slip,
    unfinished,
    wrong_answer,
)
from tests.oracles.proofs.linear_solutions import MUTANTS, SLIPS, Straight

SOLVERS = {name: open_solver(name) for name in SolverName}
Z3 = SOLVERS[SolverName.Z3]


@cases("solver", list(SolverName))
@cases("name", RECORDS)
def test_a_true_record_is_confirmed(name: str, solver: SolverName) -> None:
    """A true record of each kind is confirmed from its JSON alone."""
    found = check_record(json.loads(json.dumps(RECORDS[name]())), SOLVERS[solver])
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
    found = check_record(changed, Z3)
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
    found = check_record(
        {**slip(), "label": json_form(Label.of_error(kind, "L1", "", "")), "certificate": changed},
        Z3,
    )
    assert found.status is Status.REFUTED


def test_a_labelled_line_that_cannot_be_read_is_unknown() -> None:
    """A slip whose line holds no equation is neither shown nor refuted by the text."""
    changed = slip()
    of_text("Half of them is 14 / 2 = 8 birds.", "Half of them makes 8 birds.")(changed)
    found = check_record(changed, Z3)
    assert (found.status, found.reason) == (Status.UNKNOWN, "L2 holds no equation that can be read as the false one")


def test_what_no_solver_can_be_told_is_unknown() -> None:
    """The claim holds by exact evaluation, and that alone confirms nothing."""
    changed = json.loads(json.dumps(slip()))
    of_field("a + math.gcd(b, 8)", "certificate", "oracle", "steps", 0, 2)(changed)
    found = check_record(with_digest(changed), Z3)
    assert (found.status, found.reason) == (Status.UNKNOWN, "the function gcd() has no translation")


def test_a_value_that_a_line_shows_by_chance_is_not_asked_for() -> None:
    """Where the solution's own line has a result only as one of its operands, the flawed line need not have the new one."""
    program = Straight(
        {"a": 95, "b": 80, "c": 90}, (("total", "c * 3"), ("third", "total - b - a"), ("left", "third * 2")), "left"
    )
    solution = "{0} points are 90 * 3 = {0}.\nx = {0} - 80 - 95\nTwice x is {1} * 2 = {2}.\n#### {2}"
    certificate = FlawCertifier.of_trace(program.trace()).mutant(program.with_step(0, "c + 3").trace())
    flawed = solution.format(93, -82, -164).replace("90 * 3", "90 + 3")
    right = solution.format(270, 95, 190)
    made = record(certificate, flawed, ErrorType.OPERATOR_SWAP, "L1", "Adding is wrong.", solution=right)
    assert check_record(made, Z3).reason is None
    stale = {**made, "flawed_solution": flawed.replace("-82 * 2 = -164", "95 and b")}
    assert check_record(stale, Z3).reason == "L3 does not show left = -164"


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
def test_a_hostile_record_is_refuted(place: int) -> None:
    """Broken JSON, missing fields, hostile names, expressions and numbers: refuted in one sentence of printable text."""
    if place < len(HOSTILE):
        hostile = HOSTILE[place]
    else:
        value, *path = EDITS[place - len(HOSTILE)]
        hostile = copy.deepcopy(slip())
        of_field(value, "certificate", *path)(hostile)
    found = check_record(hostile, Z3)
    assert found.status is Status.REFUTED
    assert found.reason
    assert found.reason.isprintable()


EDITED = {
    "other words": ("Half of them is", "Half of these makes", "It is 7.", None),
    "another result": ("10 * 3", "10 * 4", "It is 7.", "L4 holds a false equation"),
    "an explanation with a false equation": ("", "", "14 / 2 = 9 is right.", "holds a false equation"),
    "the false equation quoted": ("", "", "14 / 2 = 8 is wrong.", None),
    "no explanation": ("", "", "...", "is empty"),
}


@cases("kind", EDITED)
def test_a_text_that_a_person_edited_is_checked_by_its_numbers_and_equations(kind: str) -> None:
    """Its words are the person's; a number or an equation that the certificate does not have is refused."""
    old, new, explanation, reason = EDITED[kind]
    made = slip()
    original = {
        "lines": made["flawed_solution"].split("\n"),
        "explanation": made["label"]["error_details"]["explanation"],
    }
    made["label"]["error_details"]["explanation"] = explanation
    flawed = made["flawed_solution"].replace(old, new) if old else made["flawed_solution"]
    found = check_record(with_digest({**made, "flawed_solution": flawed, "review": {"original": original}}), Z3)
    assert (found.reason is None) is (reason is None), found.reason
    assert (reason or "") in (found.reason or "")
