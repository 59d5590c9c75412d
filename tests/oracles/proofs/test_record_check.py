"""Laws of the check of one record: both solvers confirm true records, and each tampering of `tamperings.jsonl` is refuted.

A line of that file changes fields of a true record by their paths: a value, a text `old` that becomes `new`, or a long value as a part
and how many `times` it stands. `anew` writes the script of a variant again, as its changed fields have it; `status` is REFUTED unless said.
"""

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from harness.constraint_system import ProblemClass
from harness.domain import Status
from harness.json_form import json_form, with_digest
from harness.records.mutation import FlawCertificate, FlawRecord
from harness.solution.labels import ErrorType, Label
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from oracles.proofs.validity_certificate import ValidityCertificate
from oracles.proofs.validity_script import ambiguity, contradiction
from tests.cases import cases, lines_beside
from tests.oracles.proofs import constraint_systems, flaw_records
from tests.oracles.proofs.constraint_systems import PEARS, anew, fact, system, with_system
from tests.oracles.proofs.flaw_records import Record, slip
from tests.oracles.proofs.linear_solutions import MUTANTS, SLIPS

SOLVERS = {name: open_solver(name) for name in SolverName}
Z3 = SOLVERS[SolverName.Z3]
VARIANTS = {name: json.loads(json.dumps(made(Z3))) for name, made in constraint_systems.RECORDS.items()}
TRUE = {**{name: made() for name, made in flaw_records.RECORDS.items()}, **VARIANTS}
TAMPERINGS = {
    f"{place}: {line['record']}, {line['says']}": line
    for place, line in enumerate(lines_beside(__file__, "tamperings.jsonl"), start=1)
}


@cases("solver", list(SolverName))
@cases("name", TRUE)
def test_a_true_record_is_confirmed(name: str, solver: SolverName) -> None:
    """A true record of each kind is confirmed from its JSON alone, by the name of its claim."""
    found = check_record(json.loads(json.dumps(TRUE[name])), SOLVERS[solver])
    assert (found.status, found.reason) == (Status.CONFIRMED, None)
    if name in VARIANTS:
        assert found.claim == ("contradictory" if name in {"restated", "limited"} else name)


def changed(value: Any, old: Any) -> Any:
    """Return the value that a tampering gives a field."""
    match value:
        case {"old": part, "new": other}:
            return old.replace(part, other, 1)
        case {"times": [part, times], **rest}:
            return part * times + rest.get("then", part * 0)
        case {"keys": count}:
            return {str(number): "1" for number in range(count)}
    return value


def put(record: Record, path: list[str | int], value: Any) -> None:
    """Change the field of a record at a path."""
    holder: Any = record
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = changed(value, holder.get(path[-1]) if isinstance(holder, dict) else holder[path[-1]])


@cases("name", TAMPERINGS)
def test_a_tampered_record_is_refuted_or_unknown(name: str) -> None:
    """The record itself shows it, in one sentence of printable text, whether or not its digest is computed anew.

    What cannot be read or solved refutes nothing, and exact evaluation alone confirms nothing: some are `UNKNOWN`.
    """
    line = TAMPERINGS[name]
    record = copy.deepcopy(TRUE[line["record"]])
    for path, value in line["changes"]:
        put(record, path, value)
    if line.get("anew"):
        record = anew(record)
    sealed, expected = record if "\\ud800" in json.dumps(record) else with_digest(record), line.get("status", "REFUTED")
    for tampered in (sealed,) if expected == "UNKNOWN" else (record, sealed):
        found = check_record(tampered, Z3)
        assert found.status.name == expected
        assert expected != "UNKNOWN" or line.get("reason", found.reason) == found.reason
        assert line.get("reason", "") in str(found.reason)
        assert found.reason
        assert found.reason.isprintable()


@cases("record", [None, 7, [], {}, ValueError("Expecting value")])
def test_what_is_not_a_record_is_refuted(record: Any) -> None:
    """Broken JSON and other values are refuted by a reason."""
    found = check_record(record, Z3)
    assert found.status is Status.REFUTED
    assert found.reason
    assert found.reason.isprintable()


@cases("name", FlawRecord.__dataclass_fields__)
def test_each_field_that_is_gone_or_of_another_type_is_refuted(name: str) -> None:
    """A record needs all its fields; a number, a list or null in the place of one is refused."""
    for record in (slip(), VARIANTS["solvable"]):
        if name in record and record[name] is not None and name != "tier":
            less = {key: value for key, value in record.items() if key != name}
            for hostile in (less, *({**record, name: value} for value in (7.5, [{}], "\x1b[31m" * 50_000))):
                assert check_record(hostile, Z3).status is Status.REFUTED


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[list[str | int], int]]:
    """Yield the path to each text or number of a JSON value and each place of a digit in it."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, key))
    elif isinstance(value, str | int) and not isinstance(value, bool):
        for found in re.finditer(r"[0-9]", str(value)):
            yield list(path), found.start()


@cases("name", VARIANTS)
def test_each_changed_digit_of_a_variant_is_refuted(name: str) -> None:
    """Anywhere in certificate, system, core, models, gold answer or edits: each digit of each, one at a time."""
    parts = {key: VARIANTS[name][key] for key in ("certificate", "system", "core", "models", "gold", "edits")}
    every = list(places(parts))
    assert len(every) > 50
    for path, place in every:
        holder: Any = parts
        for key in path:
            holder = holder[key]
        text = str(holder)
        text = f"{text[:place]}{(int(text[place]) + 1) % 10}{text[place + 1 :]}"
        record = copy.deepcopy(VARIANTS[name])
        put(record, path, int(text) if isinstance(holder, int) else text)
        assert check_record(record, Z3).status is Status.REFUTED, (path, place, text[:80])


@given(SLIPS | MUTANTS, st.data())
def test_any_program_with_a_lie_about_its_values_is_refuted(certificate: FlawCertificate, data: st.DataObject) -> None:
    """Whatever the text, a certificate with one stated value changed never passes."""
    stated = {name: str(value) for name, value in certificate.stated.items()}
    stated[data.draw(st.sampled_from(sorted(stated)))] = f"{data.draw(st.integers(-99, 99))}/97"
    kind = ErrorType.COMPUTATIONAL if certificate.mutant is None else ErrorType.OPERATOR_SWAP
    record = {**slip(), "label": json_form(Label.of_error(kind, "L1", "", ""))}
    record["certificate"]["stated"] = stated
    assert check_record(with_digest(record), Z3).status is Status.REFUTED


@pytest.mark.parametrize("code", ["a * 9 / b", "a // b"])
def test_a_label_by_division_by_zero_is_refused(code: str) -> None:
    """A script that a solver would answer as expected, were quotients by zero anything."""
    problem = system({"a": 4, "b": 0}, {"s": code})
    values: dict[str, Any] = {"a": 4, "b": 0, "s": 3}
    models = (values, {**values, "s": 2})
    false = ValidityCertificate(ProblemClass.UNDERSPECIFIED, problem, ambiguity(problem, models[:1] * 2), (), models)
    assert check_record(constraint_systems.record(false, (50, 51, "0")), Z3).status is Status.REFUTED
    stated, core = replace(problem, facts=(*problem.facts, fact("s", 7, "stated"))), ("stated:s",)
    clash = ValidityCertificate(ProblemClass.CONTRADICTORY, stated, contradiction(stated, core), core)
    assert check_record(constraint_systems.record(clash, (50, 51, "7")), Z3).status is Status.REFUTED


def test_what_is_nonlinear_in_what_is_open_is_unknown() -> None:
    """A high power of what is open: no solver ends on it, and nothing is refuted."""
    given = replace(PEARS.facts[2], name="fact:s", variable="s", value=29, span=(50, 52), words="She gives away 29.")
    steps = (*PEARS.steps, *system({}, {"s": "given * left * given"}).steps)
    record = {**VARIANTS["contradictory"], "core": ["fact:s"]}
    found = check_record(with_system(record, replace(PEARS, facts=(*PEARS.facts[:2], given), steps=steps)), Z3)
    reason = "the constraints: no solver ends on what is nonlinear in given"
    assert (found.status, found.reason) == (Status.UNKNOWN, reason)


EDITED = {
    "other words": ("Half of them is", "Half of these makes", "It is 7.", None),
    "another result": ("10 * 3", "10 * 4", "It is 7.", "L4 holds a false equation"),
    "a false comparison": ("legs.", "legs, as 11 > 14.", "It is 7.", "L4 holds a false equation"),
    "an explanation with a false equation": ("", "", "14 / 2 = 9 is right.", "holds a false equation"),
    "the false equation quoted": ("", "", "14 / 2 = 8 is wrong.", None),
    "no explanation": ("", "", "...", "is empty"),
}


@cases("kind", EDITED)
def test_a_text_that_a_person_edited_is_checked_by_its_numbers_and_equations(kind: str) -> None:
    """Its words are the person's; a number or an equation that the certificate does not have is refused."""
    old, new, explanation, reason = EDITED[kind]
    made = slip()
    details = made["label"]["error_details"]
    made["review"] = {"original": {"lines": made["flawed_solution"].split("\n"), "explanation": details["explanation"]}}
    details["explanation"] = explanation
    found = check_record(with_digest({**made, "flawed_solution": made["flawed_solution"].replace(old, new, 1)}), Z3)
    assert (found.reason is None) is (reason is None), found.reason
    assert (reason or "") in (found.reason or "")
