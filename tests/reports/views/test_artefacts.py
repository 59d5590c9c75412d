"""Tests of the reader of artefacts: which runs the reports refuse to read."""

import json
from pathlib import Path

import pytest

from harness.store.manifest import with_digest
from reports.views.artefacts import NotSealedError, RunNotFoundError, TamperedError, find_run, open_stage


def edit_manifest(run: Path, **changes: object) -> None:
    """Change entries of the manifest of `run`, as if it had been sealed so."""
    path = run / "formalization" / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["digest"]
    path.write_text(json.dumps(with_digest({**manifest, **changes})))


def test_manifest_that_does_not_say_sealed_is_refused(run: Path) -> None:
    """The message has what the manifest says, and the command that makes the stage."""
    edit_manifest(run, sealed=False)
    with pytest.raises(NotSealedError, match=r"expected sealed true, found False.*pytest"):
        open_stage(run)


def test_missing_manifest_is_refused(run: Path) -> None:
    """A stage without a manifest is still running or was stopped."""
    (run / "formalization" / "manifest.json").unlink()
    with pytest.raises(NotSealedError, match="no manifest"):
        open_stage(run)


@pytest.mark.parametrize("text", ["{", "[]", "true"])
def test_manifest_that_is_no_object_is_refused(run: Path, text: str) -> None:
    """A manifest that is not a JSON object seals nothing."""
    (run / "formalization" / "manifest.json").write_text(text)
    with pytest.raises(NotSealedError):
        open_stage(run)


def test_missing_artefact_is_refused(run: Path) -> None:
    """An artefact that the manifest seals must be there."""
    (run / "formalization" / "consensus.jsonl").unlink()
    with pytest.raises(TamperedError, match=r"consensus\.jsonl.*missing"):
        open_stage(run)


def test_manifest_without_a_needed_artefact_is_refused(run: Path) -> None:
    """A manifest that leaves out an artefact cannot vouch for it."""
    edit_manifest(run, files={})
    with pytest.raises(NotSealedError, match=r"expected the file problems\.jsonl"):
        open_stage(run)


def test_run_is_found_by_name_and_by_path(run: Path) -> None:
    """A run is named as under `runs/` or by its path."""
    assert find_run("small", runs=run.parent) == find_run(str(run), runs=run.parent) == run


def test_run_with_templates_only_is_found(template_run: Path) -> None:
    """A run that holds no formalization stage, but another, is a run."""
    assert find_run("mini", runs=template_run.parent) == template_run
    with pytest.raises(RunNotFoundError, match="did you mean mini"):
        find_run("minu", runs=template_run.parent)


def test_unknown_run_names_the_closest(run: Path) -> None:
    """A mistyped name is answered with the name that was meant."""
    with pytest.raises(RunNotFoundError, match="did you mean small"):
        find_run("smal", runs=run.parent)


def test_records_of_one_problem_only(run: Path) -> None:
    """Asking for a problem yields its records, not those that merely mention it."""
    assert [program.model for program in open_stage(run).programs("p-2")] == ["ada", "bob"]
