"""Tests of the re-check on tampered records: every field of every kind, changed by rule, is refused."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.tampering import FREE, tampered
from harness.domain import Status
from harness.records.content_digest import with_digest
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.record_recheck import recheck
from tests.cases import cases
from tests.certified_records import certified_flaw_records, certified_variant_records

Z3 = open_solver(SolverName.Z3)
KINDS = {
    "computational": lambda: [one for one in certified_flaw_records() if one["certificate"]["mutant"] is None],
    "conceptual": lambda: [one for one in certified_flaw_records() if one["certificate"]["mutant"] is not None],
    "variant": lambda: list(certified_variant_records()),
}
BOUND = ("label", "flawed_solution", "solution", "core", "gold", "models", "certificate.mutant", "certificate.stated")
"""Fields that no computing of the digest anew makes acceptable when one word, number, sign or line is changed."""


@cases("kind", KINDS)
def test_what_the_pipeline_makes_is_confirmed(kind: str) -> None:
    """Each record, untouched."""
    refused = [
        (found.reason, one) for one in KINDS[kind]()[::7] if (found := recheck(one, Z3)).status is not Status.CONFIRMED
    ]
    assert not refused, refused[0]


@cases("kind", KINDS)
def test_no_tampered_field_is_accepted(kind: str) -> None:
    """At least two hundred ways to change a field, none of which the re-check accepts, each refused in one line."""
    ways = set()
    for name, field, rule, record in tampered(kind, KINDS[kind](), 4, resealed=False):
        found = recheck(record, Z3)
        ways.add((name, field, rule))
        assert found.status is not Status.CONFIRMED, (field, rule)
        assert found.reason
        assert "\n" not in found.reason, found.reason
    assert len(ways) >= 200


@cases("kind", KINDS)
def test_a_digest_computed_anew_hides_nothing_that_is_labelled(kind: str) -> None:
    """Whoever changes a label, a solution or a value, and computes the digest too, is refused for what the field says."""
    accepted: Counter[tuple[str, str]] = Counter()
    tried = 0
    for name, field, rule, record in tampered(kind, KINDS[kind](), 4, resealed=True):
        if field.partition(".")[0] in FREE[name] or not field.startswith(BOUND):
            continue
        tried += 1
        accepted[field, rule] += recheck(record, Z3).status is Status.CONFIRMED
    assert tried > 100
    assert not +accepted, +accepted


def sealed(folder: Path, records: list[dict[str, Any]]) -> Path:
    """Return the path of records in a sealed stage."""
    RunFolder(folder).stage("mutation").seal({"conceptual.jsonl": records}, {})
    return folder / "mutation" / "conceptual.jsonl"


@pytest.mark.parametrize("change", ["nothing", "bytes", "removed", "added", "moved", "twice", "foreign question"])
def test_a_file_is_what_its_manifest_sealed(change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes changed, a record removed or added, another file's records, an id twice, a problem with two questions: exit status 1, with the reason."""
    records = KINDS["conceptual"]()[:3]
    path = sealed(tmp_path, records)
    lines = path.read_text(encoding="utf-8").splitlines()
    match change:
        case "bytes":
            path.write_text("\n".join([f"{lines[0]} ", *lines[1:], ""]), encoding="utf-8")
        case "removed":
            path.write_text("\n".join([*lines[1:], ""]), encoding="utf-8")
        case "added":
            path.write_text("\n".join([*lines, json.dumps(KINDS["conceptual"]()[5]), ""]), encoding="utf-8")
        case "moved":
            path.rename(path := path.with_name("computational.jsonl"))
        case "twice":
            path = sealed(tmp_path, [*records, records[0]])
        case "foreign question":
            other = with_digest({**records[0], "question": records[0]["question"] + " "})
            path = sealed(tmp_path, [*records[1:], other])
    assert main(["recheck", str(path)]) == (0 if change == "nothing" else 1)
    shown = capsys.readouterr().out
    reason = {"twice": "flaw_id: expected an id of its own", "foreign question": "question: expected that of line 1"}
    if change != "nothing":
        assert reason.get(change, "manifest.json: expected") in shown
