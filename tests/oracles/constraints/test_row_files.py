"""Tests of the files of filter and validate: no row is lost, faults have their places, and an interrupted validation goes on."""

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from generators.constraints.problem.domain import DOMAINS, ProblemSize, write_problems
from harness.records.constraint import COLUMNS
from harness.store.progress_line import StageProgress
from oracle_factory.command import main
from oracles.constraints.rows import ConstraintRow, read_rows, structural_check, validate_rows
from oracles.constraints.solver_processes import SolverLimits
from tests.json_lines import read_lines
from tests.oracles.constraints.programs import program

ROOT = Path(__file__).resolve().parents[3]
GOOD = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (= x 1))\n(check-sat)\n"


def table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@given(
    st.dictionaries(
        st.sampled_from(["id", "problem", "program", "reasoning"]),
        st.one_of(st.none(), st.text(), st.integers(), st.lists(st.text())),
    )
)
def test_any_row_has_a_verdict(record: dict[str, Any]) -> None:
    """Whatever a row holds, it is judged without an exception, and what it held comes out again."""
    found = structural_check(ConstraintRow("a", record))
    assert found.reason is not None
    assert json.loads(json.dumps(found.record()))["id"] == "a"
    assert tuple(found.row.cells()) == COLUMNS


def test_no_row_is_lost(tmp_path: Path) -> None:
    """Each row that came in is in one of the files that come out, once, with what it held; the tables say the same in the same order."""
    made = [problem for domain in DOMAINS for problem in domain.problems(5, seed=1, size=ProblemSize.SMALL)]
    write_problems(tmp_path, made)
    odd = ["not json", "3", "[]", '{"id": 4}', '{"program": null}']
    odd += [json.dumps({"problem": "p", "program": GOOD + "\x00"})]
    odd += [json.dumps({"id": "twice", "problem": "p", "program": GOOD})] * 2
    with gzip.open(tmp_path / "odd.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write("\n".join(odd) + "\n\n")
    text = f'problem,reasoning,program\n"a, b","one\ntwo","{GOOD}"\nshort\n"=cmd|x","",")("\n'
    (tmp_path / "table.csv").write_text(text, encoding="utf-8")
    files, out = [tmp_path / name for name in ("problems.jsonl", "odd.jsonl.gz", "table.csv")], tmp_path / "out"
    rows = list(read_rows(files))
    assert len({row.id for row in rows}) == len(rows) == 20 + 8 + 3
    assert main(["smt", "filter", *map(str, files), "-o", str(out), "--workers", "2"]) == 0
    valid, broken = read_lines(out / "valid.jsonl"), read_lines(out / "broken.jsonl")
    assert [len(valid), len(broken)] == [23, 8]
    assert sorted(record["id"] for record in (*valid, *broken)) == sorted(row.id for row in rows)
    programs = {row.id: row.record.get("program") for row in rows}
    assert all(record.get("program") == programs[record["id"]] for record in (*valid, *broken))
    for name, records, more in (("valid", valid, ()), ("broken", broken, ("reason", "line", "column"))):
        for record, cells in zip(records, table(out / f"{name}.csv"), strict=True):
            assert tuple(cells) == (*COLUMNS, *more)
            held = record.get("program")
            assert cells["program"] == (held.replace("\x00", "\ufffd") if isinstance(held, str) else "")
            assert all(cells[column] == str(record[column] or "") for column in more)


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of problems, some of them broken."""
    folder = tmp_path_factory.mktemp("problems")
    made = [problem for domain in DOMAINS for problem in domain.problems(4, seed=1, size=ProblemSize.SMALL)]
    broken = [replace(case, id=f"{case.id}-cut", program=case.program[:-40]) for case in made[::5]]
    write_problems(folder, [*made, *broken])
    return folder / "problems.jsonl"


def test_validation_writes_a_row_for_each_program(
    problems: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command writes a row `id,valid,error` for each problem and a record with all that was found."""
    assert main(["smt", "validate", str(problems), "-o", str(tmp_path / "out"), "--workers", "2"]) == 0
    ids = [row.id for row in read_rows([problems])]
    rows = table(tmp_path / "out" / "validation_results.csv")
    assert list(rows[0]) == ["id", "valid", "error"]
    for name, found in zip(ids, rows, strict=True):
        cut = name.endswith("-cut")
        assert (found["id"], found["valid"], bool(found["error"])) == (name, "false" if cut else "true", cut)
    assert [record["id"] for record in read_lines(tmp_path / "out" / "validation.jsonl")] == ids
    assert "correct" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["validation.jsonl", "validation_results.csv"]


def test_interrupted_validation_goes_on(tmp_path: Path) -> None:
    """What was found before Ctrl-C is kept, a line that was cut off is found again, other rows and limits begin anew, and the files are the same."""
    rows = [ConstraintRow(str(number), {"program": program(f"(= x {number})")}) for number in range(5)]
    assert "judged before" not in validate_rows(rows, tmp_path / "whole", limits=SolverLimits(), workers=1)

    class Interrupted(StageProgress):
        def advanced(self, count: int, **more: Any) -> None:
            super().advanced(count, **more)
            if self._done == 3:
                raise KeyboardInterrupt

    progress = Interrupted("validate", io.StringIO())
    with pytest.raises(KeyboardInterrupt):
        validate_rows(rows, tmp_path / "again", limits=SolverLimits(), workers=1, progress=progress)
    (partial_file,) = (tmp_path / "again").iterdir()
    with partial_file.open("a", encoding="utf-8") as stream:
        stream.write('{"place": 4, "valida')
    for changed, limits in ((rows[::-1], SolverLimits()), (rows, SolverLimits(work=5_000_000))):
        assert "judged before" not in validate_rows(changed, tmp_path / "again", limits=limits, workers=1)
    assert validate_rows(rows, tmp_path / "again", limits=SolverLimits(), workers=1)["judged before"] == 3
    for name in ("validation_results.csv", "validation.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_killed_validation_goes_on(problems: Path, tmp_path: Path) -> None:
    """A process that is killed amid its work leaves what it found to the next one, and its workers end by themselves."""
    command = [sys.executable, "-m", "oracle_factory", "smt", "validate", *[str(problems)] * 3]
    command += ["-o", str(tmp_path), "--workers", "1"]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": "."}, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not any(path.stat().st_size > 2_000 for path in tmp_path.glob(".*")):
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    counts = validate_rows(list(read_rows([problems] * 3)), tmp_path, limits=SolverLimits(), workers=2)
    assert 0 < counts["judged before"] < counts["programs"]


def test_the_field_of_the_program_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another column is read where it is named; a file in which no program is found says which names there are, with status 1."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"id": "a", "problem": "p", "code": program("(= x 1)")}) + "\n", encoding="utf-8")
    assert main(["smt", "validate", str(rows), "-o", str(tmp_path / "none")]) == 1
    assert "its fields are id, problem, code; name the program by --field" in capsys.readouterr().err
    assert main(["smt", "validate", str(rows), "-o", str(tmp_path / "out"), "--field", "code"]) == 0
