"""Tests of the page of constraint runs: findings come first, hostile text stays text, and a run without programs is refused."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from harness.errors import HarnessError
from harness.store.run_folder import RunFolder
from reports.html.constraints_page import write_constraints
from reports.views.constraint_runs import constraint_run

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "</script><img src=x onerror=alert(1)>{{ 7*7 }}"
PROGRAM = "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n"


def sealed_run(folder: Path, text: str = "") -> Path:
    """Return a run whose validation is sealed: one program without a finding, and one with a clause that nothing states."""
    run = RunFolder(folder)
    problems = [
        {
            "id": f"{name}{text}",
            "domain": "d",
            "problem": f"x is above 3.{text}",
            "reasoning": [],
            "program": f"{PROGRAM}; {text}",
        }
        for name in ("a", "b")
    ]
    found: list[dict[str, Any]] = [
        {
            "id": problem["id"],
            "valid": True,
            "error": text,
            "satisfiable": True,
            "unique": True,
            "correct": True,
            "answer": None,
        }
        | {"by_solver": {"z3": "sat", "cvc5": f"sat{text}"}}
        for problem in problems
    ]
    clause = {"text": f"x is below 9.{text}", "asks": False, "option": False, "assertions": []}
    alignments: list[dict[str, Any]] = [
        {"id": problems[0]["id"], "clauses": [], "unaligned": [f"(> x 3){text}"], "unstated": []},
        {"id": problems[1]["id"], "clauses": [clause], "unaligned": [], "unstated": [clause["text"]]},
    ]
    repairs = [
        {
            "id": problems[0]["id"],
            "repaired": True,
            "by": "edits",
            "certain": True,
            "doubts": [text],
            "edits": [],
            "reason": text,
            "broken": text,
        }
    ]
    run.stage("smt-repair").seal({"problems.jsonl": problems, "repairs.jsonl": repairs}, {"counts": {"repaired": 1}})
    run.stage("smt-validate").seal(
        {"validation.jsonl": found, "alignment.jsonl": alignments}, {"counts": {text or "valid": 2}}
    )
    return folder


def test_a_clause_that_nothing_states_is_a_finding(tmp_path: Path) -> None:
    """The problem with the finding comes first, and says which clause it is; the page says how many there are."""
    run = constraint_run(sealed_run(tmp_path / "run"))
    assert [card.problem.id for card in run.cards] == ["b", "a"]
    assert run.cards[0].findings == ("no assertion states “x is below 9.”",)
    assert (run.with_findings, run.total, run.cards[0].verdicts) == (1, 2, (("cvc5", "sat"), ("z3", "sat")))
    assert "No assertion states this." in write_constraints(tmp_path / "run").read_text("utf-8")


def test_a_run_of_an_earlier_release_has_a_page(tmp_path: Path) -> None:
    """Stages that were sealed without alignments and without repairs show problems and verdicts."""
    run = RunFolder(sealed_run(tmp_path / "run"))
    for stage, name in (("smt-repair", "problems.jsonl"), ("smt-validate", "validation.jsonl")):
        records = list(run.stage(stage).records(name))
        shutil.rmtree(run.stage(stage).folder)
        run.stage(stage).seal({name: records}, {"counts": {}})
    shown = constraint_run(run.folder)
    assert ([card.problem.id for card in shown.cards], shown.with_findings) == (["a", "b"], 0)
    assert "x is above 3." in write_constraints(run.folder).read_text("utf-8")


def test_hostile_text_is_escaped(tmp_path: Path) -> None:
    """Whatever stands in a problem, a program, a doubt or an answer of a solver, the page holds no element of it."""
    page = write_constraints(sealed_run(tmp_path / "run", HOSTILE)).read_text("utf-8")
    assert "<img" not in page
    assert "49" not in page.partition("<main>")[2]
    assert "&lt;img src=x" in page


def test_a_run_without_programs_is_refused(tmp_path: Path) -> None:
    """The message says what makes them."""
    with pytest.raises(HarnessError, match="smt run"):
        write_constraints(tmp_path)
