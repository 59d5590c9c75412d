"""The comparison of two runs: what changed, in the terminal and on a page, and that hostile texts do not act."""

import copy
from pathlib import Path
from typing import Any

import pytest

from harness.domain import Status
from oracle_factory.command import main
from reports.html.static_pages import write_comparison
from reports.views.artefacts import open_stage
from reports.views.phrases import pair_of
from reports.views.run_comparison import RunComparison, compare_runs
from tests.reports.hostile import ACTING, hostile_artefacts
from tests.reports.stage_records import formalization_records, program_record, seal_stage

Records = dict[str, list[dict[str, Any]]]


def changed_records() -> Records:
    """Return the small formalization stage after another run.

    The oracle of p-1 is another program, a pair that was confirmed is refuted, a program of p-2 was written anew and has an oracle, p-3 is new.
    """
    records: Records = copy.deepcopy(formalization_records())
    (first, *_) = [record for record in records["consensus"] if record["problem_id"] == "p-1"]
    first["oracle"] = "bob" if first["oracle"] != "bob" else "ada"
    for verdict in records["verdicts"]:
        if (verdict["claim"], verdict["left"], verdict["right"]) == ("ut3", "ada", "bob"):
            verdict["status"], verdict["reason"] = "REFUTED", "with a = 4: ada gives 8, bob gives 9"
        if (verdict["claim"], verdict["problem_id"]) == ("ut1", "p-2") and verdict["left"] == "ada":
            verdict["status"] = "CONFIRMED"
    records["programs"] = [
        program_record("p-2", "ada", "8", price="4")
        if (record["problem_id"], record["model"]) == ("p-2", "ada")
        else record
        for record in records["programs"]
    ]
    for record in records["programs"]:
        if (record["problem_id"], record["model"]) == ("p-1", first["oracle"]):
            record["code"] = record["code"].replace("a * b", "b * a")
    for record in records["consensus"]:
        if record["problem_id"] == "p-2":
            record |= {"oracle": "ada", "clique": ["ada"], "clique_size": 1}
    records["problems"].append({**records["problems"][0], "problem_id": "p-3"})
    return records


def compared(folder: Path, before: Records, after: Records) -> tuple[RunComparison, Path]:
    """Return the comparison of two runs with these records, and the second run."""
    runs = [seal_stage(folder / name, "formalization", records) for name, records in (("old", before), ("new", after))]
    return compare_runs(*map(open_stage, runs)), runs[1]


def test_each_change_is_found(tmp_path: Path) -> None:
    """Another oracle, a gained one, a refuted pair, a program written anew and a new problem are found, and nothing else."""
    comparison, _ = compared(tmp_path, formalization_records(), changed_records())
    assert [(change.problem_id, str(change.kind)) for change in comparison.oracles] == [
        ("p-1", "another program of the same value"),
        ("p-2", "gained"),
    ]
    assert [
        (change.after.claim, pair_of(change.after), change.before.status, change.after.status, change.program_changed)
        for change in comparison.verdicts
    ] == [
        ("ut1", "ada", Status.REFUTED, Status.CONFIRMED, True),
        ("ut3", "ada ~ bob", Status.CONFIRMED, Status.REFUTED, True),
    ]
    assert (comparison.shared, comparison.only_before, comparison.only_after) == (2, (), ("p-3",))
    assert comparison.sentence.startswith(
        "2 problems in both runs: 2 changed their oracle (1 another program of the same value, 1 gained); 2 of 10 claims"
    )
    assert comparison.sentence.endswith("1 problem only in new.")


def test_the_command_prints_the_changes_and_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`compare A B --html` prints the changes, cut at `--most`, ends with the sentence and the page, which shows both programs."""
    comparison, new = compared(tmp_path, formalization_records(), changed_records())
    assert main(["compare", str(tmp_path / "old"), str(new), "--html", "--most", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == [comparison.sentence, f"page: {new / 'report' / 'compare.html'}"]
    assert "  … and 1 more; all by --html" in lines
    page = (new / "report" / "compare.html").read_text(encoding="utf-8")
    assert "return a * b" in page
    assert "return b * a" in page
    assert main(["compare", str(tmp_path / "old"), str(tmp_path / "none")]) == 2


def test_hostile_texts_do_not_act(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Markup and control characters of a run reach neither the terminal nor the page as such."""
    before, after = (hostile_artefacts(records) for records in (formalization_records(), changed_records()))
    comparison, new = compared(tmp_path, before, after)
    assert comparison.oracles
    assert comparison.verdicts
    page = write_comparison(new, comparison).read_text(encoding="utf-8")
    assert "<img" not in page
    assert not ACTING & set(page)
    assert main(["compare", str(tmp_path / "old"), str(new)]) == 0
    assert not ACTING & set(capsys.readouterr().out)
