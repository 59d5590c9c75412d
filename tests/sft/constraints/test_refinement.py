"""Tests of refinement: a model gets at most three solver reports without the answer, and the best program is kept."""

from __future__ import annotations

import csv
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sft.constraints import refinement as refining
from sft.constraints.feedback import LONGEST, judge
from sft.constraints.generation import WriterSettings
from sft.constraints.prompts import OutputForm
from sft.constraints.refinement import COLUMNS, DRAFTS, TABLE
from tests.sft.constraints.fakes import ScriptedWriter, formatted_run, tiny_problem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RIGHT = tiny_problem(0).program
LOOSE = RIGHT.replace("(assert (= had 2))\n", "(assert (< 0 had 3))\n")
TIGHT = RIGHT.replace("(check-sat)", "(assert (> had 8))\n(check-sat)")
BROKEN = RIGHT.replace("(= had 2))", "(= had 2)")
OTHER = RIGHT.replace("(= had 2)", "(= had 3)")
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


def test_what_solvers_say() -> None:
    """An error with its place, what clashes, or a second answer, in a short line; nothing of a program they find nothing against."""
    for program in judge({str(number): program for number, program in enumerate(SAID)}).values():
        assert any(program.said.startswith(wanted) for wanted in SAID[program.program])
        assert bool(program.said) == (program.program not in {RIGHT, WHETHER})
        assert len(program.said) <= LONGEST
        assert "\n" not in program.said


def refined(
    folder: Path, first: str, says: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, **plan: Any
) -> tuple[list[dict[str, str]], list[dict[str, Any]], ScriptedWriter]:
    """Refine the same program for each of four problems; return the table, the records of the rounds, and the writer."""
    folder.mkdir(exist_ok=True)
    run = formatted_run(folder, **plan)
    problems = run.stage("smt-format").records("evaluation.jsonl")
    run.stage("smt-train").seal({}, {})
    answers = [{"id": problem["id"], "program": first} for problem in problems]
    run.stage("smt-distilled").seal({"answers.jsonl": answers}, {})
    writer = ScriptedWriter(says)
    monkeypatch.setattr(refining, "writer_of", lambda *_, **__: writer)
    stage = refining.refine_programs(run, WriterSettings("tiny"), held=False, loaded=lambda: None)  # type: ignore[arg-type,return-value]  # the writer needs no model
    rows = list(csv.DictReader(stage.read(TABLE).splitlines()))
    programs = {record["id"]: record["program"] for record in stage.records("answers.jsonl")}
    return [{**row, "program": programs[row["id"]]} for row in rows], stage.records("rounds.jsonl"), writer


@pytest.mark.parametrize(
    ("first", "says", "cells", "kept"),
    [
        (BROKEN, RIGHT, ("false", "true", "1"), RIGHT.strip()),
        (RIGHT, "(exit)", ("true", "true", "0"), RIGHT),
        (LOOSE, BROKEN, ("true", "true", "3"), LOOSE),
        (LOOSE, LOOSE, ("true", "true", "3"), LOOSE),
    ],
)
def test_the_best_program_is_kept(
    first: str,
    says: str,
    cells: tuple[str, ...],
    kept: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A corrected program ends the questions, a right one has none, a worse one is dropped; what was asked before is drawn."""
    rows, rounds, writer = refined(tmp_path, first, lambda _: says, monkeypatch, form=OutputForm.REASONING)
    assert {tuple(row[name] for name in COLUMNS[1:]) for row in rows} == {cells}
    assert {row["program"] for row in rows} == {kept}
    assert len(writer.asked) == 4 * int(cells[-1])
    drawn = [(1, False), (2, True), (3, True)][: int(cells[-1])]
    assert sorted({(record["round"], record["drawn"]) for record in rounds}) == drawn


def test_three_rounds_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that writes another broken program each time is asked three times, and none is drawn."""
    numbers = iter(range(1000))
    rows, rounds, writer = refined(
        tmp_path, BROKEN, lambda _: BROKEN.replace("had", f"had{next(numbers)}"), monkeypatch, form=OutputForm.REASONING
    )
    assert {tuple(row[name] for name in COLUMNS[1:]) for row in rows} == {("false", "false", "3")}
    assert (len(writer.asked), {record["drawn"] for record in rounds}) == (12, {False})


def test_nothing_told_depends_on_gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked is the same where the records know another answer, or none."""
    asked = []
    for gold in ("77", None):
        problems = [
            replace(tiny_problem(number), gold=gold, satisfiable=None, unique=None, reasoning=())
            for number in range(30)
        ]
        _, _, writer = refined(
            tmp_path / str(gold),
            LOOSE,
            lambda _: TIGHT,
            monkeypatch,
            problems=problems,
            form=OutputForm.REASONING,
        )
        asked.append(writer.asked)
    assert asked[0]
    assert asked[0] == asked[1]


def test_drafts_vote() -> None:
    """The commonest outcome of the drafts without objection is kept, in whatever order they come; then no further draft is asked for."""
    judged = judge({"right": RIGHT, "other": OTHER, "loose": LOOSE, "broken": BROKEN, "again": RIGHT + "; again\n"})
    for order in itertools.permutations(judged):
        first, *drafts = [judged[name] for name in order]
        course = refining.Course(first, first, drafts=[first])
        for draft in drafts:
            course.vote(draft)
        assert course.last == judged[next(name for name in order if name in {"right", "again"})]
        assert (course.decided(4), course.decided(5)) == (True, False)


def test_a_program_written_clause_by_clause_is_drawn_until_the_vote_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first program, to which nothing is objected, is outvoted by more than half of all drafts; the model is told nothing."""
    rows, _, writer = refined(tmp_path, OTHER, lambda _: RIGHT, monkeypatch, form=OutputForm.CLAUSES)
    needed = DRAFTS // 2 + 1
    assert {(row["iterations"], row["program"]) for row in rows} == {(str(needed), RIGHT.strip())}
    assert len(writer.asked) == 4 * needed
    assert writer.drawn
    assert not [asked for asked in writer.asked if "assert" in asked]
