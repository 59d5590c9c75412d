"""Tests of the reader of artefacts: which runs the reports refuse to read."""

import json
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.json_form import with_digest
from reports.views.artefacts import RunNotFoundError, SealedStage, find_run, open_stage
from tests.cases import cases
from tests.reports.stage_records import formalization_records, seal_stage

FAULTS = {
    "manifest.json": [
        (None, "the stage is unfinished, not sealed"),
        ('{"sealed": false}', r"not a manifest of a sealed stage.*pytest"),
        ("{", "not a manifest of a sealed stage"),
        ("[]", "not a manifest of a sealed stage"),
        ('{"files": {}}', r"expected the file problems\.jsonl"),
    ],
    "consensus.jsonl": [(None, r"consensus\.jsonl.*missing")],
}


@cases("file, content, words", [(file, *fault) for file, faults in FAULTS.items() for fault in faults])
def test_stage_that_is_not_sealed_whole_is_refused(tmp_path: Path, file: str, content: str | None, words: str) -> None:
    """The message has what was found, and the command that makes the stage."""
    run = seal_stage(tmp_path / "run", "formalization", formalization_records())
    path = run / "formalization" / file
    before = json.loads(path.read_text()) if file == "manifest.json" else {}
    path.unlink()
    if content is not None:
        before.pop("digest")
        is_object = content.startswith('{"')
        path.write_text(json.dumps(with_digest({**before, **json.loads(content)})) if is_object else content)
    with pytest.raises(HarnessError, match=words):
        open_stage(run)


def test_run_is_found_by_name_and_by_path(run: Path, template_run: Path) -> None:
    """A run is named as under `runs/` or by its path, whatever its stages; a mistyped name is answered with the one that was meant."""
    assert find_run("small", runs=run.parent) == find_run(str(run), runs=run.parent) == run
    assert find_run("mini", runs=template_run.parent) == template_run
    for name, meant in (("smal", "small"), ("minu", "mini")):
        with pytest.raises(RunNotFoundError, match=f"did you mean {meant}"):
            find_run(name, runs=run.parent)


def test_records_of_one_problem_only(run: Path) -> None:
    """Asking for a problem yields its records, not those that merely mention it."""
    assert [program.model for program in open_stage(run).programs("p-2")] == ["ada", "bob"]


def test_lines_of_other_problems_are_not_parsed(tmp_path: Path) -> None:
    """Where ids are numbers, a line that has the same digits elsewhere is passed over without reading it as JSON."""
    (tmp_path / "formalization").mkdir()
    (tmp_path / "formalization/lines.jsonl").write_text('{"checked": 17, unread\n{"problem_id": "17"}\n')
    assert list(SealedStage(tmp_path, {}).numbered_forms("lines.jsonl", "17")) == [(2, {"problem_id": "17"})]
