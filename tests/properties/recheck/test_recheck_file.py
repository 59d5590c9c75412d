"""Laws of the re-check of a file: its manifest, the records around a record, exit status, output and scripts."""

import gzip
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from harness.domain import Status
from harness.json_form import with_digest
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from oracles.proofs.file_consistency import FileConsistency
from oracles.proofs.solvers import SolverName
from properties.recheck.file_recheck import recheck_file
from tests.cases import cases, rows
from tests.certified_records import certified_flaw_records, certified_variant_records

Record = dict[str, Any]


@cache
def conceptual() -> tuple[Record, ...]:
    """Return the conceptual flaws of some bundled problems, made by the first test that needs them."""
    return tuple(record for record in certified_flaw_records() if record["certificate"]["mutant"] is not None)


def sealed(folder: Path, records: list[Record], *, stage: str = "mutation", name: str = "conceptual") -> Path:
    """Return the path of records in a sealed stage."""
    RunFolder(folder).stage(stage).seal({f"{name}.jsonl": records}, {})
    return folder / stage / f"{name}.jsonl"


REWRITTEN: dict[str, Callable[[list[str]], list[str]]] = {
    "nothing": lambda lines: lines,
    "bytes": lambda lines: [f"{lines[0]} ", *lines[1:]],
    "removed": lambda lines: lines[1:],
    "added": lambda lines: [*lines, json.dumps(conceptual()[5])],
}


@cases("change", [*REWRITTEN, "moved", "twice", "foreign question"])
def test_a_file_is_what_its_manifest_sealed(change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes changed, a record removed or added, another file's records, an id twice, a problem with two questions: exit status 1, with the reason."""
    first, *others = conceptual()[:3]
    added = {
        "twice": [first],
        "foreign question": [with_digest({**conceptual()[3], "question": first["question"] + " "})],
    }
    path = sealed(tmp_path / change, [first, *others, *added.get(change, [])])
    if change in REWRITTEN:
        lines = REWRITTEN[change](path.read_text(encoding="utf-8").splitlines())
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    if change == "moved":
        path.rename(path := path.with_name("computational.jsonl"))
    assert main(["recheck", str(path)]) == (0 if change == "nothing" else 1)
    shown = capsys.readouterr().out
    reason = {"twice": "flaw_id: expected an id of its own", "foreign question": "question: expected that of line 1"}
    assert change == "nothing" or reason.get(change, "manifest.json: expected") in shown


VARIANT_FILES = {"nothing": ""} | dict(
    rows("""a variant dropped → twin_of: expected | a near-twin of another variant → twin_of: expected
a near-twin above its variant → twin_of: expected | a flaw among variants → certificate.claim: expected variant
another source → source: expected that of line | another tier → tier: expected that of line
another confidence → provenance: expected that of line""")
)


@cases("change", VARIANT_FILES)
def test_records_agree_with_the_others_of_their_file(change: str) -> None:
    """A manifest that is written anew hides no near-twin without its variant, no row of another file, and no source that the others contradict."""
    records = [record for record in certified_variant_records() if record["problem_id"] == "mini-018"]
    place = next(place for place, record in enumerate(records) if record["twin_of"] is not None)
    twin = records[place]
    other = next(own for own in records if own["class_label"] != 1 and own["variant_id"] != twin["twin_of"])
    changed = {
        "a near-twin of another variant": {"twin_of": other["variant_id"]},
        "another source": {"source": {**twin["source"], "seed": 1}},
        "another tier": {"tier": 5},
        "another confidence": {"provenance": {**twin["provenance"], "confidence": 0.75}},
    }
    records[place] = {**twin, **changed.get(change, {})}
    if change == "a variant dropped":
        records = [record for record in records if record["variant_id"] != twin["twin_of"]]
    if change == "a near-twin above its variant":
        records[place - 1 : place + 1] = [twin, records[place - 1]]
    if change == "a flaw among variants":
        records.append(conceptual()[0])
    consistency = FileConsistency("variants.jsonl")
    found = [consistency.problem(number, record) for number, record in enumerate(records, start=1)]
    reasons = [reason for reason in found if reason is not None]
    assert bool(reasons) is (change != "nothing")
    assert change == "nothing" or any(reason.startswith(VARIANT_FILES[change]) for reason in reasons), reasons


@pytest.mark.parametrize(
    ("jobs", "solver"),
    [
        (2, SolverName.CVC5),
        *(pytest.param(jobs, solver, marks=pytest.mark.slow) for jobs, solver in ((1, "z3"), (2, "z3"), (1, "cvc5"))),
    ],
)
def test_a_file_is_told_by_its_exit_status(
    jobs: int, solver: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 where all is confirmed, 1 with the counts and one line for each record that is not; each record has its script."""
    file, scripts = tmp_path / "records.jsonl.gz", tmp_path / "scripts"
    records = [*conceptual()[:10], *certified_variant_records()]
    lines = list(map(json.dumps, records))
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    options = ["--solver", str(solver), "--jobs", str(jobs), "--smtlib", str(scripts), "--corpus", "mini"]
    assert main(["recheck", str(file), *options]) == 0
    shown = capsys.readouterr().out
    assert "REFUTED line" not in shown
    for claim in ("contradictory", "solvable", "underspecified", "inequivalent-mutant"):
        assert re.search(rf"{claim}\W+[1-9][0-9]*\W+0\W+0", shown)
    names = [path.name for path in sorted(scripts.iterdir())]
    assert names == [f"{place:07d}.smt2" for place in range(1, len(records) + 1)]
    assert (scripts / names[-1]).read_text(encoding="ascii") == records[-1]["certificate"]["smtlib"]
    broken = json.dumps({**conceptual()[40], "digest": "0" * 64})
    file.write_bytes(gzip.compress("\n".join([*lines, broken, "{", *[broken] * 30]).encode()))
    assert main(["recheck", str(file), *options]) == 1
    shown = capsys.readouterr().out
    place = len(records) + 1
    assert f"REFUTED line {place}, {conceptual()[40]['problem_id']}, inequivalent-mutant: digest: expected" in shown
    assert f"REFUTED line {place + 1}, ?, ?: malformed-record: no JSON" in shown
    assert "… and 12 more" in shown


def test_hostile_lines_are_one_refuted_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Broken JSON, no object, fields of other types: one line each, no traceback, no escape codes; a file without sources is not confirmed."""
    hostile = [
        "{",
        "null",
        "7",
        "[]",
        "{}",
        json.dumps({**conceptual()[0], "problem_id": "\x1b[31m" * 10, "label": "L2"}),
    ]
    file = tmp_path / "flaws.jsonl"
    file.write_text("\n".join(hostile), encoding="utf-8")
    assert main(["recheck", str(file)]) == 1
    shown = capsys.readouterr()
    assert shown.err == ""
    assert len(re.findall(r"^REFUTED line [0-9]+, ", shown.out, re.MULTILINE)) == len(hostile)
    assert "\x1b" not in shown.out
    bare = with_digest({name: value for name, value in conceptual()[0].items() if name != "source"})
    file.write_text(json.dumps(bare), encoding="utf-8")
    assert [result.status for result in recheck_file(file, SolverName.Z3)] == [Status.UNKNOWN]
    assert main(["recheck", str(file)]) == 1
    assert "UNKNOWN line 1" in capsys.readouterr().out
