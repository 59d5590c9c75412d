"""Tests of refinement: a model gets at most three solver reports without the answer, and the best program is kept."""

from __future__ import annotations

import csv
import itertools
from typing import TYPE_CHECKING, Any

import pytest

from harness.json_form import json_form
from harness.store.run_folder import RunFolder, dump
from sft.constraints import refinement as refining
from sft.constraints.dataset import ProblemSplitPlan, make_dataset as make_data
from sft.constraints.feedback import LONGEST, judge
from sft.constraints.generation import WriterSettings
from sft.constraints.prompts import OutputForm
from sft.constraints.refinement import COLUMNS, DRAFTS, TABLE
from tests.sft.constraints.fakes import ScriptedWriter, tiny_problem, write_tiny_problems

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RIGHT = tiny_problem(0).program
LOOSE = RIGHT.replace("(assert (= had 2))\n", "(assert (< 0 had 3))\n")
TIGHT = RIGHT.replace("(check-sat)", "(assert (> had 8))\n(check-sat)")
BROKEN = RIGHT.replace("(= had 2))", "(= had 2)")
WHETHER = "(set-logic QF_LIA)\n(declare-const had Int)\n(assert (< had 2))\n(assert (> had 8))\n(check-sat)\n"


SAID = {
    RIGHT: [""],
    WHETHER: [""],
    LOOSE: ["answer may be 4 or 5: had=2", "answer may be 5 or 4: had=1"],
    TIGHT: ["unsat: (= had 2) (> had 8)"],
    BROKEN: ["error: unclosed-parenthesis: line 4"],
    "": ["error: empty"],
    f"(exit){RIGHT}": ["error: refused-command"],
    f"(assert {'(not ' * 400}x{')' * 400})(check-sat)": ["error: "],
}


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    """Return what is said of each of these programs."""
    found = judge({str(number): program for number, program in enumerate(SAID)})
    return {program.program: program.said for program in found.values()}


def test_what_solvers_say(told: dict[str, str]) -> None:
    """An error with its place, what clashes, or a second answer; nothing of a program they find nothing against."""
    assert [
        (program, said)
        for program, said in told.items()
        if not any(said.startswith(wanted) for wanted in SAID[program])
    ] == []
    assert {program for program, said in told.items() if not said} == {RIGHT, WHETHER}


def test_what_is_said_is_a_short_line(told: dict[str, str]) -> None:
    """A report to the model is one short line, however long the program is."""
    assert all(len(said) <= LONGEST and "\n" not in said for said in told.values())


def refined(
    tmp_path: Path,
    first: str,
    says: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    form: OutputForm = OutputForm.REASONING,
) -> tuple[list[dict[str, str]], list[dict[str, Any]], ScriptedWriter]:
    """Refine the same program for each of some problems; return the table, the final programs, and the writer."""
    run = RunFolder(tmp_path / "run")
    make_data(
        run,
        write_tiny_problems(tmp_path / "problems.jsonl", 30),
        None,
        ProblemSplitPlan((0.5, 0.2, 0.3), 5, 4, form=form),
    )
    problems = run.stage("smt-format").records("evaluation.jsonl")
    run.stage("smt-train").seal({}, {})
    answers = [{"id": problem["id"], "program": first} for problem in problems]
    run.stage("smt-distilled").seal({"answers.jsonl": answers}, {})
    writer = ScriptedWriter(says)
    monkeypatch.setattr(refining, "writer_of", lambda *_, **__: writer)
    stage = refining.refine_programs(run, WriterSettings("tiny"), held=False, loaded=lambda: None)  # type: ignore[arg-type,return-value]  # the writer needs no model
    rows = list(csv.DictReader(stage.read(TABLE).splitlines()))
    return rows, stage.records("answers.jsonl"), writer


def test_a_corrected_program_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After one round nothing more is asked; the table has four columns and a row for each problem."""
    rows, final, writer = refined(tmp_path, BROKEN, lambda _: RIGHT, monkeypatch)
    assert [list(row) for row in rows] == [list(COLUMNS)] * 4
    assert {tuple(row[name] for name in COLUMNS[1:]) for row in rows} == {("false", "true", "1")}
    assert {record["program"] for record in final} == {RIGHT.strip()}
    assert len(writer.asked) == 4


def test_what_is_right_is_not_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A right program is not asked about, and stays as it was."""
    rows, final, writer = refined(tmp_path, RIGHT, lambda _: "(exit)", monkeypatch)
    assert {tuple(row[name] for name in COLUMNS[1:]) for row in rows} == {("true", "true", "0")}
    assert ({record["program"] for record in final}, writer.asked) == ({RIGHT}, [])


def test_a_worse_program_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that cannot be read does not take the place of one that can."""
    rows, final, writer = refined(tmp_path, LOOSE, lambda _: BROKEN, monkeypatch)
    assert {tuple(row[name] for name in COLUMNS[1:]) for row in rows} == {("true", "true", "3")}
    assert ({record["program"] for record in final}, len(writer.asked)) == ({LOOSE}, 12)


def test_the_same_question_is_answered_by_drawing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that writes the same program again is asked greedily once, then draws; a new program is asked about greedily."""
    _, _, writer = refined(tmp_path, LOOSE, lambda _: LOOSE, monkeypatch)
    assert writer.drawn == [1, 2, 3]
    stuck = RunFolder(tmp_path / "run").stage("smt-refine").records("rounds.jsonl")
    assert sorted({(record["round"], record["drawn"]) for record in stuck}) == [(1, False), (2, True), (3, True)]
    folder = tmp_path / "moving"
    folder.mkdir()
    numbers = iter(range(1000))
    refined(folder, BROKEN, lambda _: BROKEN.replace("had", f"had{next(numbers)}"), monkeypatch)
    assert {record["drawn"] for record in RunFolder(folder / "run").stage("smt-refine").records("rounds.jsonl")} == {
        False
    }


def test_three_rounds_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that writes another broken program each time is asked three times."""
    numbers = iter(range(1000))
    rows, _, writer = refined(tmp_path, BROKEN, lambda _: BROKEN.replace("had", f"had{next(numbers)}"), monkeypatch)
    assert {tuple(row[name] for name in COLUMNS[1:]) for row in rows} == {("false", "false", "3")}
    assert len(writer.asked) == 12


def test_nothing_told_depends_on_gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked is the same where the records know another answer, or none."""
    told = []
    for number, gold in enumerate(("77", None)):
        folder = tmp_path / str(number)
        folder.mkdir()
        source = write_tiny_problems(folder / "all.jsonl", 30)
        records = [
            {**json_form(tiny_problem(number)), "gold": gold, "satisfiable": None, "unique": None}
            for number in range(30)
        ]
        source.write_text("".join(dump(record) + "\n" for record in records))
        run = RunFolder(folder / "run")
        make_data(run, source, None, ProblemSplitPlan((0.5, 0.2, 0.3), 5, 4))
        run.stage("smt-train").seal({}, {})
        kept = run.stage("smt-format").records("evaluation.jsonl")
        run.stage("smt-distilled").seal(
            {"answers.jsonl": [{"id": record["id"], "program": LOOSE} for record in kept]}, {}
        )
        writer = ScriptedWriter(lambda _: TIGHT)
        monkeypatch.setattr(refining, "writer_of", lambda *_, writer=writer, **__: writer)
        refining.refine_programs(run, WriterSettings("tiny"), held=False, loaded=lambda: None)  # type: ignore[arg-type,return-value]  # as above
        told.append(writer.asked)
    assert told[0]
    assert told[0] == told[1]


def test_drafts_vote() -> None:
    """The commonest outcome of the drafts without objection is kept, in whatever order they come; then no further draft is asked for."""
    other = RIGHT.replace("(= had 2)", "(= had 3)")
    judged = judge({"right": RIGHT, "other": other, "loose": LOOSE, "broken": BROKEN, "again": RIGHT + "; again\n"})
    names = ["other", "right", "loose", "broken", "again"]
    for order in itertools.permutations(names):
        first, *drafts = [judged[name] for name in order]
        course = refining.Course(first, first, drafts=[first])
        for draft in drafts:
            course.vote(draft)
        kept = next(name for name in order if name in {"right", "again"})
        assert course.last == judged[kept]
        assert (course.decided(4), course.decided(5)) == (True, False)


def test_a_program_written_clause_by_clause_is_drawn_until_the_vote_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first program, to which nothing is objected, is outvoted by more than half of all drafts; the model is told nothing."""
    wrong = RIGHT.replace("(= had 2)", "(= had 3)")
    rows, final, writer = refined(tmp_path, wrong, lambda _: RIGHT, monkeypatch, OutputForm.CLAUSES)
    needed = DRAFTS // 2 + 1
    assert {row["iterations"] for row in rows} == {str(needed)}
    assert {record["program"] for record in final} == {RIGHT.strip()}
    assert len(writer.asked) == 4 * needed
    assert writer.drawn
    assert not [asked for asked in writer.asked if "assert" in asked]
