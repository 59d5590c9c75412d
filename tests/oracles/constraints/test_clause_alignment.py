"""Tests of the alignment of assertions with the clauses of their problem: what is stated, and what is missing."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from harness.records.constraint import ConstraintProblem
from oracle_factory.command import main
from oracles.constraints.clause_alignment import align_clauses
from tests.cases import cases
from tests.json_lines import read_lines, write_lines

if TYPE_CHECKING:
    import pytest


@cache
def problems() -> list[ConstraintProblem]:
    """Return problems of each domain that have an answer."""
    made = (problem for domain in DOMAINS for problem in domain.problems(60, seed=11, size=ProblemSize.SMALL))
    return [problem for problem in made if problem.gold]


def test_a_complete_program_is_not_accused() -> None:
    """Of programs that state every clue, at most one in 25 is said to miss one."""
    accused = [problem.id for problem in problems() if align_clauses(problem.problem, problem.program).missing]
    assert len(accused) <= len(problems()) / 25, accused


def test_assertions_stand_with_their_clauses() -> None:
    """Of assertions whose words are known, about one in eleven stands with another clause or with none: in this sample at most one in eight."""
    counts: Counter[bool] = Counter()
    for problem in problems():
        alignment = align_clauses(problem.problem, problem.program)
        for place, stated in zip(alignment.clause_of, problem.stated, strict=bool(problem.stated)):
            if words := " ".join(re.findall(r"\w+", stated.lower())):
                clause = "" if place is None else " ".join(re.findall(r"\w+", alignment.clauses[place].text.lower()))
                counts[bool(clause) and (words in clause or clause in words)] += 1
    assert counts[False] * 8 <= counts.total()


def row_program(*names: str) -> str:
    """Return a program about three names in a row, which states both clauses."""
    head = "".join(f"(declare-const {name} Int)\n" for name in names)
    clues = "".join(f"(assert (< {left} {right}))\n" for left, right in itertools.pairwise(names))
    return f"{head}(assert (distinct {' '.join(names)}))\n{clues}(check-sat)\n"


@cases("name", ["Uma", "The first house"])
def test_a_clause_without_an_assertion_is_missing(name: str) -> None:
    """A clause about constants that were mentioned before and that nothing states is found; options and questions are not."""
    text = f"{name}, Ben and Cem stand in a row. {name} is left of Ben. Ben is left of Cem. Which is true? A) Cem is first. B) Ben is first."
    whole = row_program(name.lower().replace(" ", "_"), "ben", "cem")
    assert align_clauses(text, whole).missing == ()
    alignment = align_clauses(text, whole.replace("(assert (< ben cem))\n", ""))
    assert [alignment.clauses[place].text for place in alignment.missing] == ["Ben is left of Cem."]


def test_the_command_names_clauses_that_nothing_states(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each row has its clauses with what states them; the report shows programs that lack one, and right ones are counted apart."""
    text = "Uma, Ben and Cem stand in a row. Uma is left of Ben. Ben is left of *Cem*."
    whole = row_program("uma", "ben", "cem")
    rows = [
        {"id": "whole", "context": text, "smt": whole, "verdict": "right"},
        {"id": "short", "context": text, "smt": whole.replace("(assert (< ben cem))\n", ""), "verdict": "wrong"},
    ]
    source = write_lines(tmp_path / "rows.jsonl", rows)
    given = [str(source), "-o", str(tmp_path / "out"), "--field", "smt", "--text", "context"]
    assert main(["smt", "align", *given]) == 0
    told = capsys.readouterr().out.split("written")[0].split()
    assert [word for word in told if word.isdigit()] == ["2", "1"]
    records = read_lines(tmp_path / "out" / "alignment.jsonl")
    assert [record["unstated"] for record in records] == [[], ["Ben is left of *Cem*."]]
    assert records[0]["clauses"][1]["assertions"] == ["(< uma ben)"]
    shown = (tmp_path / "out" / "alignment.md").read_text("utf-8")
    assert "whole" not in shown
    assert r"* Ben is left of \*Cem\*. **(no assertion states this)**" in shown
