"""Tests of the constraint filter: it keeps usable rows, locates the faults of the others and loses no row."""

from __future__ import annotations

import csv
import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.problem_files import write_problems
from harness.smtlib.constraint_problem import COLUMNS
from oracle_factory.command import main
from oracles.constraints.row_filter import filter_rows, structural_check
from oracles.constraints.rows import ConstraintRow, read_rows
from tests.cases import cases

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (= x 1))\n(check-sat)\n"


def row(program: Any, problem: Any = "What is x?", **more: Any) -> ConstraintRow:
    """Return a row with a program."""
    return ConstraintRow("a", {"problem": problem, "program": program, **more})


@cases(
    ("given_row", "reason", "place"),
    [
        (row(GOOD), None, None),
        (row("(declare-const x Int)\n(assert (= x 1)\n(check-sat)\n"), "unclosed-parenthesis", (2, 1)),
        (row("(declare-const x Int)\n(assert (= x 1)))\n(check-sat)\n"), "stray-parenthesis", (2, 17)),
        (row("(declare-const x Int)\n(assert (= y 1))\n(check-sat)\n"), None, None),
        (row("(declare-const x Int)\n(assert (= x 1))\n(exit)\n(check-sat)\n"), "refused-command", (3, 1)),
        (row("(declare-const x Int)\n(declare-const y Int)(check-sat)\n"), "no-assertion", None),
        (row("(set-logic QF_LIA)\n(assert (= 1 1))\n(check-sat)\n"), "no-declaration", None),
        (row("(check-sat)"), "too-short", None),
        (row(GOOD + " " * 30_000), "too-long", None),
        (row(None), "no-program", None),
        (row(["(check-sat)"]), "no-program", None),
        (row(GOOD, problem=""), "no-problem", None),
        (ConstraintRow("a", {}, "expected an object, found 3"), "unreadable-row", None),
    ],
)
def test_reasons_and_places(given_row: ConstraintRow, reason: str | None, place: tuple[int, int] | None) -> None:
    """Each criterion has a reason of its own, with line and column where there are any."""
    found = structural_check(given_row)
    assert found.reason == reason
    if place is not None:
        assert (found.line, found.column) == place
    assert bool(found.message) == (reason is not None)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return good and bad rows as JSON lines, compressed ones, and a table."""
    folder = tmp_path_factory.mktemp("rows")
    made = [problem for domain in DOMAINS for problem in domain.problems(5, seed=1, size=ProblemSize.SMALL)]
    write_problems(folder, made)
    odd = [
        "not json",
        "3",
        "[]",
        '{"id": 4}',
        '{"program": null}',
        json.dumps({"problem": "p", "program": GOOD + "\x00"}),
    ]
    odd += [json.dumps({"id": "twice", "problem": "p", "program": GOOD})] * 2
    with gzip.open(folder / "odd.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write("\n".join(odd) + "\n\n")
    text = f'problem,reasoning,program\n"a, b","one\ntwo","{GOOD}"\nshort\n"=cmd|x","",")("\n'
    (folder / "table.csv").write_text(text, encoding="utf-8")
    return [folder / "problems.jsonl", folder / "odd.jsonl.gz", folder / "table.csv"]


def test_no_row_is_lost(files: list[Path], tmp_path: Path) -> None:
    """Each row that came in is in one of the files that come out, once, with what it held."""
    rows = list(read_rows(files))
    assert len(rows) == 20 + 8 + 3
    assert len({row.id for row in rows}) == len(rows)
    found = filter_rows(rows, tmp_path, workers=2)
    valid, broken = (
        [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text("utf-8").splitlines()]
        for name in ("valid", "broken")
    )
    assert [len(valid), len(broken)] == [found.valid, found.rows - found.valid] == [23, 8]
    assert sorted(row["id"] for row in (*valid, *broken)) == sorted(row.id for row in rows)
    assert sum(found.reasons.values()) == len(broken)
    programs = {row.id: row.record.get("program") for row in rows}
    assert all(record.get("program") == programs[record["id"]] for record in (*valid, *broken))


def test_tables_say_the_same(files: list[Path], tmp_path: Path) -> None:
    """The tables hold the rows of the JSON files in the same order; the broken ones with reason, line and column."""
    assert main(["smt", "filter", *map(str, files), "-o", str(tmp_path), "--workers", "2"]) == 0
    for name, columns in (("valid", COLUMNS), ("broken", (*COLUMNS, "reason", "line", "column"))):
        records = [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text("utf-8").splitlines()]
        with (tmp_path / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        assert tuple(rows[0]) == columns
        assert len(rows) == len(records)
        for record, cells in zip(records, rows, strict=True):
            program = record.get("program")
            assert cells["program"] == (program.replace("\x00", "\ufffd") if isinstance(program, str) else "")
            if name == "broken":
                assert cells["reason"] == record["reason"]
                assert cells["line"] == ("" if record["line"] is None else str(record["line"]))


def test_solvers_have_the_last_word(tmp_path: Path) -> None:
    """What our reader accepts and a solver does not is broken, too, with the solver named."""
    nonlinear = "(set-logic QF_LIA)(declare-const x Int)(assert (= (* x x) 4))(check-sat)"
    found = filter_rows([row(GOOD), row(nonlinear)], tmp_path, workers=1)
    assert found.valid == 1
    (record,) = (json.loads(line) for line in (tmp_path / "broken.jsonl").read_text("utf-8").splitlines())
    assert record["reason"] in {"solver-error", "narrow-logic"}


@settings(max_examples=80, deadline=None)
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
    assert len(found.row.cells()) == 3
