"""Tests of the page of constraint runs: findings come first, hostile text stays text, and a run without programs is refused."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from harness.records.constraint import NOTHING_SAID
from harness.store.run_folder import RunFolder
from reports.html.static_pages import write_constraints
from reports.terminal.stages import print_stage
from reports.views.artefacts import find_run
from reports.views.constraint_runs import constraint_run
from reports.views.tables import Table
from tests.reports.stage_records import verdict_record
from tests.reports.terminal.printing import printed

HOSTILE = "</script><img src=x onerror=alert(1)>{{ 7*7 }}"
SIGNS = "\x1b[31m[bold]\u202e"
PROGRAM = "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n"


def problem_record(name: str, text: str) -> dict[str, Any]:
    """Return a constraint problem with `text` at the end of its texts."""
    problem = {"id": f"{name}{text}", "domain": f"d{text}", "problem": f"x is above 3.{text}", "reasoning": []}
    return {**problem, "program": f"{PROGRAM}; {text}"}


def sealed_run(folder: Path, text: str = "") -> Path:
    """Return a run whose validation is sealed: one program without a finding, and one with a clause that nothing states."""
    run, problems = RunFolder(folder), [problem_record(name, text) for name in ("a", "b")]
    sound = {"valid": True, "error": text, "satisfiable": True, "unique": True, "correct": True, "answer": None}
    sound["by_solver"] = {"z3": "sat", "cvc5": f"sat{text}"}
    found = [{"id": problem["id"], **sound} for problem in problems]
    clause = {"text": f"x is below 9.{text}", "asks": False, "option": False, "assertions": []}
    alignments: list[dict[str, Any]] = [
        {"id": problems[0]["id"], "clauses": [], "unaligned": [f"(> x 3){text}"], "unstated": []},
        {"id": problems[1]["id"], "clauses": [clause], "unaligned": [], "unstated": [clause["text"]]},
    ]
    repair = {"id": problems[0]["id"], "repaired": True, "by": "edits", "certain": True, "doubts": [text], "edits": []}
    repairs = [{**repair, "reason": text, "broken": text}]
    run.stage("smt-repair").seal({"problems.jsonl": problems, "repairs.jsonl": repairs}, {"counts": {"repaired": 1}})
    files = {"validation.jsonl": found, "alignment.jsonl": alignments}
    run.stage("smt-validate").seal(files, {"counts": {text or "valid": 2}})
    return folder


def judged_run(folder: Path, text: str = "") -> Path:
    """Return a run whose suite is sealed: one problem with a refuted claim, and one of which the record says nothing."""
    verdicts = [
        verdict_record("entails", f"a{text}", f"d{text}", None, "REFUTED", reason=f"answer may be 4{text}"),
        verdict_record("entails", f"b{text}", f"d{text}", None, "UNKNOWN", method=NOTHING_SAID, reason=text),
    ]
    counts = {f"d{text} entails": {"REFUTED": 1, NOTHING_SAID: 1}}
    files = {"problems.jsonl": [problem_record(name, text) for name in ("a", "b")], "verdicts.jsonl": verdicts}
    RunFolder(folder).stage("smt").seal(files, {"counts": counts})
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


def test_a_refuted_claim_of_the_suite_is_a_finding(tmp_path: Path) -> None:
    """A claim that the record does not make is none; the table counts both by domain and claim."""
    run = constraint_run(judged_run(tmp_path / "run"))
    assert [(card.problem.id, card.findings) for card in run.cards] == [("a", ("entails: answer may be 4",)), ("b", ())]
    (claims,) = (block for section in run.tables for block in section.blocks if isinstance(block, Table))
    assert list(claims.rows) == [["d", "entails", 0, 0, 1, 1]]
    assert "entails: answer may be 4" in write_constraints(tmp_path / "run").read_text("utf-8")


@pytest.mark.parametrize("stage", ["smt", "smt-validate"])
def test_the_terminal_says_what_the_page_says(tmp_path: Path, stage: str) -> None:
    """Findings of suite and pipeline, and the command that writes the page; hostile text is printed as text."""
    folder = (judged_run if stage == "smt" else sealed_run)(tmp_path / "run", SIGNS)
    text = printed(lambda console: print_stage(folder, stage, console), color=True)
    assert "Programs with a finding: 1 of 2" in text
    assert f"report {folder} --constraints" in text
    assert "\x1b[31m" not in text
    assert "[bold]" in text


@pytest.mark.parametrize("name", ["problems.jsonl", "verdicts.jsonl", "validation.jsonl"])
def test_what_was_changed_after_it_was_sealed_is_refused(tmp_path: Path, name: str) -> None:
    """Of the suite and of the pipeline, whatever the file."""
    folder = judged_run(tmp_path / "run") if name != "validation.jsonl" else sealed_run(tmp_path / "run")
    changed = next(path for path in folder.glob(f"*/{name}"))
    changed.write_text(changed.read_text("utf-8").replace("a", "c", 1), "utf-8")
    with pytest.raises(HarnessError, match="changed after"):
        constraint_run(folder)


def test_a_pipeline_that_was_begun_is_told_how_to_go_on(tmp_path: Path) -> None:
    """A folder with steps and without validated programs names `smt run` on it; a folder without any names the formalization stage."""
    (tmp_path / "run" / "smt-generate").mkdir(parents=True)
    with pytest.raises(HarnessError, match=f"smt run --run {tmp_path / 'run'}"):
        find_run(str(tmp_path / "run"))
    (tmp_path / "none").mkdir()
    with pytest.raises(HarnessError, match="-m formalization"):
        find_run(str(tmp_path / "none"))


def test_a_run_without_programs_is_refused(tmp_path: Path) -> None:
    """The message names the command that makes programs."""
    with pytest.raises(HarnessError, match="smt run"):
        write_constraints(tmp_path)
