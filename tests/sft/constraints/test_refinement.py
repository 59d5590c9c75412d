"""Tests of refinement: a model gets at most three solver reports without the answer, or its drafts vote, and the best program is kept."""

import csv
import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sft.constraints import generation
from sft.constraints.generation import WriterSettings
from sft.constraints.output_forms import OutputForm
from sft.constraints.refinement import (
    COLUMNS,
    DRAFTS,
    LONGEST_MESSAGE,
    TABLE,
    Course,
    JudgedProgram,
    judged_program,
    refine_programs,
)
from tests.sft.constraints.fakes import ScriptedWriter, formatted_run, tiny_problem

RIGHT = tiny_problem(0).program
LOOSE = RIGHT.replace("(assert (= had 2))\n", "(assert (< 0 had 3))\n")
TIGHT = RIGHT.replace("(check-sat)", "(assert (> had 8))\n(check-sat)")
BROKEN = RIGHT.replace("(= had 2))", "(= had 2)")
OTHER = RIGHT.replace("(= had 2)", "(= had 3)")
WHETHER = "(set-logic QF_LIA)\n(declare-const had Int)\n(assert (< had 2))\n(assert (> had 8))\n(check-sat)\n"
MESSAGES = {
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
    for program, messages in MESSAGES.items():
        message = judged_program(program, "").message
        assert any(message.startswith(wanted) for wanted in messages)
        assert bool(message) == (program not in {RIGHT, WHETHER})
        assert len(message) <= LONGEST_MESSAGE
        assert "\n" not in message


def refined(
    folder: Path, first: str, says: Callable[[str], str], form: OutputForm, **plan: Any
) -> tuple[list[dict[str, str]], list[dict[str, Any]], ScriptedWriter]:
    """Refine the same program for each of four problems; return the table, the records of the rounds, and the writer."""
    folder.mkdir(exist_ok=True)
    run = formatted_run(folder, form=form, **plan)
    problems = run.stage("smt-format").records("evaluation.jsonl")
    run.stage("smt-train").seal({}, {})
    answers = [{"id": problem["id"], "program": first} for problem in problems]
    run.stage("smt-distilled").seal({"answers.jsonl": answers}, {})
    writer = ScriptedWriter(says)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generation, "writer_of", lambda *_, **__: writer)
        stage = refine_programs(run, WriterSettings("tiny"), held=False)
    rows = list(csv.DictReader(stage.lines(TABLE)))
    programs = {record["id"]: record["program"] for record in stage.records("answers.jsonl")}
    return [{**row, "program": programs[row["id"]]} for row in rows], stage.records("rounds.jsonl"), writer


@pytest.mark.parametrize(
    ("first", "says", "cells", "kept"),
    [
        (BROKEN, RIGHT, ("false", "true", "1"), RIGHT.strip()),
        (RIGHT, "(exit)", ("true", "true", "0"), RIGHT),
        (LOOSE, BROKEN, ("true", "true", "3"), LOOSE),
        (BROKEN, BROKEN, ("false", "false", "3"), BROKEN),
    ],
)
def test_the_best_program_is_kept(first: str, says: str, cells: tuple[str, ...], kept: str, tmp_path: Path) -> None:
    """A corrected program ends the questions, a right one has none, a worse one is not kept; the first of three rounds is not sampled."""
    rows, rounds, writer = refined(tmp_path, first, lambda _: says, OutputForm.REASONING)
    assert {tuple(row[name] for name in COLUMNS[1:]) for row in rows} == {cells}
    assert {row["program"] for row in rows} == {kept}
    assert len(writer.asked) == 4 * int(cells[-1])
    drawn = [(1, False), (2, True), (3, True)][: int(cells[-1])]
    assert sorted({(record["round"], record["drawn"]) for record in rounds}) == drawn


def test_what_solvers_say_of_the_last_program_goes_back(tmp_path: Path) -> None:
    """Each round has the program of the last one with its message; none depends on the answer that the record knows."""
    asked = []
    programs = itertools.cycle([*[BROKEN] * 4, *[TIGHT] * 4, *[LOOSE] * 4])
    for gold in ("77", None):
        problems = [
            replace(tiny_problem(number), gold=gold, satisfiable=None, unique=None, reasoning=())
            for number in range(30)
        ]
        folder = tmp_path / str(gold)
        _, rounds, writer = refined(folder, LOOSE, lambda _: next(programs), OutputForm.REASONING, problems=problems)
        asked.append(writer.asked)
        assert [record["said"].partition(" ")[0] for record in rounds[::4]] == ["answer", "error:", "unsat:"]
        assert all(record["said"] in text for record, text in zip(rounds, writer.asked, strict=True))
    assert asked[0] == asked[1] != []


def test_drafts_vote() -> None:
    """The commonest outcome of the drafts without objection is kept, in whatever order they come; then no further draft is asked for."""
    again = RIGHT + "; again\n"
    drafts = [judged_program(program, "") for program in (RIGHT, OTHER, LOOSE, BROKEN, again)]
    for order in itertools.permutations(drafts):
        course = Course(list[JudgedProgram](order), votes=True)
        assert course.best[0].program == next(draft.program for draft in order if draft.program in {RIGHT, again})
        assert (course.decided(4), course.decided(5)) == (True, False)


def test_a_program_written_clause_by_clause_is_drawn_until_the_vote_is_decided(tmp_path: Path) -> None:
    """The first program, to which nothing is objected, is outvoted by more than half of all drafts; the model is told nothing."""
    rows, rounds, writer = refined(tmp_path, OTHER, lambda _: RIGHT, OutputForm.CLAUSES)
    needed = DRAFTS // 2 + 1
    assert {(row["iterations"], row["program"]) for row in rows} == {(str(needed), RIGHT.strip())}
    assert len(writer.asked) == 4 * needed
    assert sorted({record["round"] for record in rounds if record["drawn"]}) == list(range(1, needed + 1))
    assert not [asked for asked in writer.asked if "assert" in asked]
