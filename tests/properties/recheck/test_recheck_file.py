"""Laws of the re-check of a file: its manifest, the records around a record, exit status, output and scripts."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.domain import Status
from harness.records.content_digest import with_digest
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from oracles.proofs.file_consistency import FileConsistency
from oracles.proofs.solvers import SolverName
from properties.recheck.file_recheck import recheck_file
from tests.cases import cases
from tests.certified_records import certified_flaw_records, certified_variant_records

Record = dict[str, Any]
CONCEPTUAL = tuple(record for record in certified_flaw_records() if record["certificate"]["mutant"] is not None)


def sealed(folder: Path, records: list[Record], *, stage: str = "mutation", name: str = "conceptual") -> Path:
    """Return the path of records in a sealed stage."""
    RunFolder(folder).stage(stage).seal({f"{name}.jsonl": records}, {})
    return folder / stage / f"{name}.jsonl"


@pytest.mark.parametrize("change", ["nothing", "bytes", "removed", "added", "moved", "twice", "foreign question"])
def test_a_file_is_what_its_manifest_sealed(change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes changed, a record removed or added, another file's records, an id twice, a problem with two questions: exit status 1, with the reason."""
    records = list(CONCEPTUAL[:3])
    path = sealed(tmp_path, records)
    lines = path.read_text(encoding="utf-8").splitlines()
    match change:
        case "bytes":
            path.write_text("\n".join([f"{lines[0]} ", *lines[1:], ""]), encoding="utf-8")
        case "removed":
            path.write_text("\n".join([*lines[1:], ""]), encoding="utf-8")
        case "added":
            path.write_text("\n".join([*lines, json.dumps(CONCEPTUAL[5]), ""]), encoding="utf-8")
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


def _twins() -> tuple[list[Record], int]:
    """Return the variants of a problem, and the place of a near-twin."""
    records = [record for record in certified_variant_records() if record["problem_id"] == "mini-018"]
    return records, next(place for place, record in enumerate(records) if record["twin_of"] is not None)


VARIANT_FILES: dict[str, str | None] = {
    "nothing": None,
    "a variant dropped": "twin_of: expected",
    "a near-twin of another variant": "twin_of: expected",
    "a near-twin above its variant": "twin_of: expected",
    "a flaw among variants": "certificate.claim: expected variant",
    "another source": "source: expected that of line",
    "another tier": "tier: expected that of line",
    "another confidence": "provenance: expected that of line",
}


@cases("change", VARIANT_FILES)
def test_records_agree_with_the_others_of_their_file(change: str) -> None:
    """A manifest that is written anew hides no near-twin without its variant, no row of another file, and no source that the others contradict."""
    records, place = _twins()
    twin = records[place]
    match change:
        case "a variant dropped":
            records = [record for record in records if record["variant_id"] != twin["twin_of"]]
        case "a near-twin of another variant":
            other = next(
                record for record in records if record["class_label"] != 1 and record["variant_id"] != twin["twin_of"]
            )
            records[place] = {**twin, "twin_of": other["variant_id"]}
        case "a near-twin above its variant":
            records[place - 1 : place + 1] = [twin, records[place - 1]]
        case "a flaw among variants":
            records.append(CONCEPTUAL[0])
        case "another source":
            records[place] = {**twin, "source": {**twin["source"], "seed": 1}}
        case "another tier":
            records[place] = {**twin, "tier": 5}
        case "another confidence":
            records[place] = {**twin, "provenance": {**twin["provenance"], "confidence": 0.75}}
    consistency = FileConsistency("variants.jsonl")
    found = [
        reason for number, record in enumerate(records, start=1) if (reason := consistency.problem(number, record))
    ]
    expected = VARIANT_FILES[change]
    assert bool(found) is (expected is not None)
    assert expected is None or any(reason.startswith(expected) for reason in found), found


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
    records = [*CONCEPTUAL[:40], *certified_variant_records()]
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
    broken = json.dumps({**CONCEPTUAL[40], "digest": "0" * 64})
    file.write_bytes(gzip.compress("\n".join([*lines, broken, "{", *[broken] * 30]).encode()))
    assert main(["recheck", str(file), *options]) == 1
    shown = capsys.readouterr().out
    place = len(records) + 1
    assert f"REFUTED line {place}, {CONCEPTUAL[40]['problem_id']}, inequivalent-mutant: digest: expected" in shown
    assert f"REFUTED line {place + 1}, ?, ?: malformed-record: no JSON" in shown
    assert "… and 12 more" in shown


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


def test_hostile_lines_are_one_refuted_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Broken JSON, no object, fields of other types: one line each, no traceback, no escape codes; a file without sources is not confirmed."""
    hostile = [
        "{",
        "null",
        "7",
        "[]",
        "{}",
        json.dumps({**CONCEPTUAL[0], "problem_id": "\x1b[31m" * 10, "label": "L2"}),
    ]
    file = tmp_path / "flaws.jsonl"
    file.write_text("\n".join(hostile), encoding="utf-8")
    assert main(["recheck", str(file)]) == 1
    shown = capsys.readouterr()
    assert shown.err == ""
    assert len(re.findall(r"^REFUTED line [0-9]+, ", shown.out, re.MULTILINE)) == len(hostile)
    assert "\x1b" not in shown.out
    bare = with_digest({name: value for name, value in CONCEPTUAL[0].items() if name != "source"})
    file.write_text(json.dumps(bare), encoding="utf-8")
    assert [result.status for result in recheck_file(file, SolverName.Z3)] == [Status.UNKNOWN]
    assert main(["recheck", str(file)]) == 1
    assert "UNKNOWN line 1" in capsys.readouterr().out
