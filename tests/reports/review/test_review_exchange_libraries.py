"""Tests that Argilla and Label Studio themselves read what is exported, and that what they write again is read here.

The libraries are not among the pinned packages: `pip install argilla label-studio-sdk` in an environment of their own runs these tests.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from harness.records.review import Decision, RejectReason
from reports.review.exchange.argilla import export_argilla, import_argilla
from reports.review.exchange.argilla_examples import export_argilla_examples
from reports.review.exchange.label_studio import export_label_studio, import_label_studio
from reports.review.exchange.label_studio_examples import export_label_studio_examples
from reports.review.labelled_examples import finding_forms, refuting
from reports.review.state.decisions import ReviewPlan
from reports.review.state.examples import add_example, examples_in_force
from reports.review.state.review_state import ReviewState
from tests.reports.review.made_candidates import accepted, leased, ruling
from tests.reports.review.test_review_examples import CORRECT, FLAWED, JUDGED, QUESTION, example

if TYPE_CHECKING:
    from pathlib import Path

    from reports.review.candidates.candidates import Candidates

WHY = "is not installed: it is no dependency of this project"


@pytest.fixture
def reviewed(ten: Candidates, state: ReviewState) -> ReviewState:
    """Return a review with an acceptance, a rejection, a skip and a draft, of two reviewers."""
    from reports.review.candidate_queue import CandidateQueue

    state.say(ReviewPlan(double=1.0))
    queue = CandidateQueue(ten, state)
    for reviewer in ("ann", "bob <b> & \u202e"):
        for decision in Decision:
            taken = leased(queue.next(reviewer, "1"))
            told = (
                accepted(taken)
                if decision is Decision.ACCEPT
                else ruling(decision, taken.texts, reason=RejectReason.OTHER, note="It is <odd> & 'so'.")
                if decision is Decision.REJECT
                else ruling(decision, taken.texts)
            )
            assert state.decide(taken.candidate, taken.lease, told).entry is not None
        taken = leased(queue.next(reviewer, "1"))
        state.save_draft(taken.lease, taken.texts)
    return state


@pytest.fixture
def labelled(state: ReviewState) -> ReviewState:
    """Return a review with examples: a flaw with and without a type, a correct solution against the audit, and no verdict of the engine."""
    hostile = {"reviewer": "bob <b> & \u202e", "question": "How <many> & 'why'?"}
    slip = "120/2 = 50\n#### 50"
    findings = tuple(finding_forms(refuting(CORRECT.of_solution(QUESTION, slip))))
    for told in (
        example(0),
        example(1, **hostile, label=replace(FLAWED, error_type=None, line="FA"), judged=replace(JUDGED, verdict=None)),
        example(2, solution=slip, label=CORRECT, findings=findings, override="It is <odd> & 'so'."),
        example(
            3, question="Another?", judged=replace(JUDGED, verdict="Flawed", line="L2", error_type="operator_swap")
        ),
    ):
        add_example(state, told)
    return state


def _said(state: ReviewState) -> list[tuple[object, ...]]:
    return sorted(
        (entry.candidate_id, entry.reviewer, str(entry.decision), entry.texts.lines, str(entry.reason), entry.note)
        for entry in state.standing()
    )


def _argilla_of(folder: Path, written: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Let the classes of Argilla read a dataset and write its records again; return their number."""
    argilla = pytest.importorskip("argilla", reason=f"argilla {WHY}")
    # Its classes belong to a client; none of them asks the server here, but for the log-in.
    monkeypatch.setattr("argilla._api._client.APIClient._validate_connection", lambda _: None)
    argilla.Argilla(api_url="http://127.0.0.1:9", api_key="none")
    settings = argilla.Settings.from_json(folder / ".argilla" / "settings.json")
    settings.validate()
    about = json.loads((folder / ".argilla" / "dataset.json").read_text("utf-8"))
    dataset = argilla.Dataset(name=about["name"], settings=settings)
    records = [
        argilla.Record.from_dict(record, dataset=dataset)
        for record in json.loads((folder / "records.json").read_text("utf-8"))
    ]
    questions = {question.name for question in settings.questions}
    for record in records:
        model = record.api_model()
        assert {response.question_name for response in record.responses} <= questions
        assert {suggestion.question_name for suggestion in record.suggestions} <= questions
        assert set(model.fields) == {field.name for field in settings.fields}
        assert {datum.name for datum in model.metadata} <= {datum.name for datum in settings.metadata}
    written.write_text(json.dumps([record.to_dict() for record in records]), encoding="utf-8")
    return len(records)


def test_argilla_reads_the_dataset(
    reviewed: ReviewState, ten: Candidates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own classes take settings and records, and what they write again gives the same decisions."""
    count = export_argilla(reviewed, ten, tmp_path / "out", undecided=1)
    written = tmp_path / "written.json"
    assert _argilla_of(tmp_path / "out", written, monkeypatch) == count
    there = ReviewState.open(tmp_path / "there.sqlite")
    merged = import_argilla(there, ten, written)
    assert not merged.refused
    assert _said(there) == _said(reviewed)
    there.close()


def test_argilla_reads_the_examples(labelled: ReviewState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own classes take the labelled examples, and what they write again gives the same examples."""
    count = export_argilla_examples(labelled, tmp_path / "out")
    written = tmp_path / "written.json"
    assert _argilla_of(tmp_path / "out", written, monkeypatch) == count
    there = ReviewState.open(tmp_path / "there.sqlite")
    assert not import_argilla(there, None, written).refused
    assert examples_in_force(there) == examples_in_force(labelled)
    there.close()


def test_label_studio_takes_the_tasks(reviewed: ReviewState, ten: Candidates, tmp_path: Path) -> None:
    """Its own interface takes the configuration, each task, annotation and prediction, and the same tasks are read back."""
    count = export_label_studio(reviewed, ten, tmp_path / "out", undecided=1)
    assert _label_studio_of(tmp_path / "out") == count
    there = ReviewState.open(tmp_path / "there.sqlite")
    merged = import_label_studio(there, ten, tmp_path / "out")
    assert not merged.refused
    assert _said(there) == _said(reviewed)
    there.close()


def test_label_studio_takes_the_examples(labelled: ReviewState, tmp_path: Path) -> None:
    """Its own interface takes the labelled examples, and the same tasks are read back."""
    count = export_label_studio_examples(labelled, tmp_path / "out")
    assert _label_studio_of(tmp_path / "out") == count
    there = ReviewState.open(tmp_path / "there.sqlite")
    assert not import_label_studio(there, None, tmp_path / "out").refused
    assert examples_in_force(there) == examples_in_force(labelled)
    there.close()


def _label_studio_of(folder: Path) -> int:
    """Let the interface of Label Studio check each task, prediction and annotation of a project; return the number of tasks."""
    pytest.importorskip("label_studio_sdk", reason=f"label-studio-sdk {WHY}")
    from label_studio_sdk.label_interface import LabelInterface

    (config,) = folder.glob("*.xml")
    interface = LabelInterface(config.read_text("utf-8"))
    interface.validate()
    tasks = json.loads((folder / "tasks.json").read_text("utf-8"))
    for task in tasks:
        assert interface.validate_task({"data": task["data"]})
        assert [interface.validate_prediction(made, return_errors=True) for made in task["predictions"]] in ([[]], [])
        for annotation in (*task["annotations"], *task["drafts"]):
            assert interface.validate_annotation(annotation), annotation
    return len(tasks)
