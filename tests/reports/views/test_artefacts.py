"""Tests of the reader of artefacts: which runs the reports refuse to read."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from reports.html.run_report import write_report
from reports.terminal.run_summary import print_findings, print_summary
from reports.views.artefacts import NotSealedError, RunNotFoundError, TamperedError, find_run, open_stage

READERS: dict[str, Callable[[Path], object]] = {
    "summary": lambda run: print_summary(run, Console(quiet=True)),
    "findings": lambda run: print_findings(run, Console(quiet=True)),
    "html": write_report,
}


def edit_manifest(run: Path, **changes: object) -> None:
    """Change entries of the manifest of `run`."""
    path = run / "formalization" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


@pytest.mark.parametrize("read", READERS.values(), ids=READERS.keys())
def test_unsealed_run_is_refused(run: Path, read: Callable[[Path], object]) -> None:
    """No report is made of a stage whose manifest does not say that it is sealed."""
    edit_manifest(run, sealed=False)
    with pytest.raises(NotSealedError, match=r"expected sealed true, found False.*pytest"):
        read(run)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS.keys())
def test_tampered_run_is_refused(run: Path, read: Callable[[Path], object]) -> None:
    """No report is made of an artefact that changed after it was sealed."""
    path = run / "formalization" / "verdicts.jsonl"
    path.write_text(path.read_text().replace("REFUTED", "CONFIRMED"))
    with pytest.raises(TamperedError, match=r"verdicts\.jsonl: expected sha256"):
        read(run)


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
    (run / "formalization" / "oracles.jsonl").unlink()
    with pytest.raises(TamperedError, match=r"oracles\.jsonl.*missing"):
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
