"""Tests of labelled examples in Argilla and Label Studio: they go out, come back, and what other people answer there is audited."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.records.review import EngineAnswer, ExampleLabel, ExampleLine
from harness.solution.labels import ErrorType
from oracle_factory.command import main
from reports.review.exchange.argilla import import_argilla
from reports.review.exchange.argilla_examples import example_settings, export_argilla_examples
from reports.review.exchange.judgement_merge import RefusalReason
from reports.review.exchange.label_studio import import_label_studio
from reports.review.exchange.label_studio_examples import example_config, export_label_studio_examples
from reports.review.labelled_examples import finding_forms, refuting
from reports.review.state.examples import add_example, example_entries, examples_in_force, withdraw_example
from reports.review.state.review_state import ReviewState
from tests.cases import cases
from tests.reports.review.made_candidates import Clock
from tests.reports.review.test_review_examples import CORRECT, FLAWED, JUDGED, example

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from reports.review.exchange.judgement_merge import MergeResult


@pytest.fixture
def state(tmp_path: Path) -> Iterator[ReviewState]:
    """Return an empty review."""
    opened = ReviewState.open(tmp_path / "reviews" / "review.sqlite", clock=Clock(LATER))
    yield opened
    opened.close()


def _fetch_argilla(state: ReviewState, path: Path) -> MergeResult:
    return import_argilla(state, None, path)


def _fetch_label_studio(state: ReviewState, path: Path) -> MergeResult:
    return import_label_studio(state, None, path)


Way = tuple["Callable[[ReviewState, Path], int]", "Callable[[ReviewState, Path], MergeResult]", str]
WAYS: dict[str, Way] = {
    "argilla": (export_argilla_examples, _fetch_argilla, "records.json"),
    "label-studio": (export_label_studio_examples, _fetch_label_studio, "tasks.json"),
}
LATER = 1_780_000_000.0
"""A time in seconds after those of the examples."""
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
LABELS = st.one_of(
    st.just(CORRECT),
    st.builds(
        ExampleLabel,
        verdict=st.just("Flawed"),
        error_type=st.sampled_from([None, *ErrorType]),
        line=st.sampled_from(["L1", "L2", "L7", "FA"]),
        explanation=TEXT.map(lambda text: f"It is {text}."),
    ),
)
ENGINES = st.builds(
    EngineAnswer,
    engine=st.sampled_from(["symbolic", "text & <b>"]),
    verdict=st.sampled_from([None, "Correct", "Flawed"]),
    error_type=st.sampled_from(["", "operator_swap", "computational_error"]),
    line=st.sampled_from(["", "L2", "FA"]),
    confidence=st.floats(0, 1),
)
PEOPLE = st.sampled_from(["ann", "bob", "Ćyd <b> & \u202e"])


@st.composite
def _examples(draw: st.DrawFn) -> list[ExampleLine]:
    """Draw examples as the Verify page sends them: what the audit refutes has a reason."""
    drawn = draw(st.lists(st.tuples(PEOPLE, TEXT, TEXT, LABELS, ENGINES), max_size=4))
    made = []
    for number, (reviewer, question, solution, label, judged) in enumerate(drawn):
        told = example(
            number,
            reviewer=reviewer,
            question=f"{question}?",
            solution=f"{solution} 1+1 = 3\nThat is 4-1 = 3.\n#### 3",
            label=label,
            judged=judged,
        )
        findings = tuple(finding_forms(refuting(told.record())))
        made.append(replace(told, findings=findings, override=f"Because {question}" if findings else ""))
    return made


def _by_time(state: ReviewState) -> list[ExampleLine]:
    return sorted(examples_in_force(state), key=lambda example: example.uid)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=15)
@given(sent=_examples())
def test_examples_go_out_and_come_back(
    way: str, sent: list[ExampleLine], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Every example in force is in an empty review as it was, whatever is in its texts; fetched again, nothing changes."""
    send, fetch, _ = WAYS[way]
    folder = tmp_path_factory.mktemp("trip")
    here, there = (ReviewState.open(folder / name, clock=Clock(LATER)) for name in ("here.sqlite", "there.sqlite"))
    for told in sent:
        add_example(here, told)
    count = send(here, folder / "out" / "examples")
    first = fetch(there, folder / "out")
    assert (first.examples, count, dict(first.refused)) == (len(_by_time(here)), len(_by_time(here)), {})
    assert _by_time(there) == _by_time(here)
    for state in (here, there):
        again = fetch(state, folder / "out")
        assert (again.examples, again.present, dict(again.refused)) == (0, count, {})
    here.close()
    there.close()


@pytest.mark.parametrize("way", WAYS)
def test_withdrawn_examples_stay_away(way: str, state: ReviewState, tmp_path: Path) -> None:
    """What was withdrawn is not sent, and what is withdrawn after it was sent does not come again with the file."""
    send, fetch, _ = WAYS[way]
    add_example(state, example(0))
    add_example(state, example(1, reviewer="bob"))
    withdraw_example(state, example(1, reviewer="bob"))
    assert send(state, tmp_path / "out") == 1
    withdraw_example(state, example(0))
    assert fetch(state, tmp_path / "out").present == 1
    assert examples_in_force(state) == []


def _answered(way: str, record: dict[str, Any], user: str, **answers: str) -> None:
    """Answer a record as the program itself writes it: without a status or a reviewer's name."""
    if way == "argilla":
        for question, value in answers.items():
            record["responses"].setdefault(question, []).append({"value": value, "user_id": user})
        return
    result = [
        {
            "id": question,
            "from_name": question,
            "to_name": "question",
            "type": "choices" if question in {"verdict", "error_type"} else "textarea",
            "value": {"choices": [value]} if question in {"verdict", "error_type"} else {"text": [value]},
        }
        for question, value in answers.items()
    ]
    record["annotations"].append({"id": 1, "result": result, "completed_by": {"id": 3, "email": user}})


@pytest.mark.parametrize("way", WAYS)
def test_other_people_label_there(way: str, state: ReviewState, tmp_path: Path) -> None:
    """An answer of somebody else is an example of theirs, once; a correct one against the audit needs a reason."""
    send, fetch, name = WAYS[way]
    add_example(state, example(solution="120/2 = 50\n60+120 = 180\n#### 180", label=replace(FLAWED, error_type=None)))
    send(state, tmp_path / "out")
    file = tmp_path / "out" / name
    (record,) = json.loads(file.read_text("utf-8"))
    _answered(way, record, "eve@example.org", verdict="Flawed", line="L1", explanation="Half of 120 is 60.")
    _answered(way, record, "dan@example.org", verdict="Correct")
    _answered(way, record, "fay@example.org", verdict="Correct", override="It is rounded.")
    _answered(way, record, "gil@example.org", verdict="Flawed", line="L8", explanation="There is no such line.")
    _answered(way, record, "hal@example.org", explanation="I am still thinking.")
    file.write_text(json.dumps([record]), "utf-8")
    merged = fetch(state, file)
    refused = {RefusalReason.OVERRIDE_MISSING: 2, RefusalReason.UNLABELLED: 1}
    assert (merged.examples, merged.present, merged.refused) == (2, 1, refused)
    labels = {entry.reviewer.removeprefix("label-studio:"): entry for entry in examples_in_force(state)}
    assert set(labels) == {"ann", "eve@example.org", "fay@example.org"}
    assert labels["eve@example.org"].label.error_type is None
    assert labels["fay@example.org"].findings
    assert {entry.judged for entry in labels.values()} == {JUDGED}
    again = fetch(state, file)
    assert (again.examples, again.present) == (0, 3)


@pytest.mark.parametrize("way", WAYS)
def test_who_labelled_otherwise_here_is_not_overruled(way: str, state: ReviewState, tmp_path: Path) -> None:
    """Where the person labels the text otherwise in this review, what comes back is refused; an equal label is known."""
    send, fetch, _ = WAYS[way]
    add_example(state, example(0))
    send(state, tmp_path / "out")
    for label, refused in ((CORRECT, {RefusalReason.CONFLICT: 1}), (FLAWED, {})):
        there = ReviewState.open(tmp_path / f"{label.verdict}.sqlite", clock=Clock(LATER))
        add_example(there, example(5, label=label))
        merged = fetch(there, tmp_path / "out")
        assert (merged.examples, merged.present, merged.refused) == (0, 1 - len(refused), refused)
        assert [entry.label for entry in examples_in_force(there)] == [label]
        there.close()


ODD: dict[str, list[tuple[str, object, RefusalReason]]] = {
    "argilla": [
        ("metadata.example_id", "", RefusalReason.MALFORMED),
        ("metadata.example_id", "'; DROP TABLE log", RefusalReason.MALFORMED),
        ("metadata.labelled_at", "yesterday", RefusalReason.MALFORMED),
        ("metadata.labelled_at", "2031-01-01T00:00:00+00:00", RefusalReason.FUTURE),
        ("metadata.engine_verdict", "Perhaps", RefusalReason.MALFORMED),
        ("metadata.engine_confidence", float("nan"), RefusalReason.MALFORMED),
        ("metadata.engine_confidence", "sure", RefusalReason.MALFORMED),
        ("fields", None, RefusalReason.MALFORMED),
        ("fields.solution", " ", RefusalReason.MALFORMED),
        ("fields.question", "x" * 100_001, RefusalReason.MALFORMED),
        ("responses.verdict.0.value", "Perhaps", RefusalReason.MALFORMED),
        ("responses.verdict.0.value", ["Flawed"], RefusalReason.UNLABELLED),
        ("responses.verdict.0.status", "draft", RefusalReason.UNLABELLED),
        ("responses.error_type.0.value", "mood", RefusalReason.MALFORMED),
        ("responses.line.0.value", "the first", RefusalReason.MALFORMED),
        ("responses.line", [], RefusalReason.MALFORMED),
        ("responses.explanation.0.value", "", RefusalReason.MALFORMED),
        ("responses.verdict.0.user_id", None, RefusalReason.MALFORMED),
        ("responses", [1], RefusalReason.MALFORMED),
    ],
    "label-studio": [
        ("data.example_id", "", RefusalReason.MALFORMED),
        ("data.labelled_at", "9999-12-31T23:59:59-14:00", RefusalReason.MALFORMED),
        ("data.engine_line", "L0", RefusalReason.MALFORMED),
        ("data.question", 7, RefusalReason.MALFORMED),
        ("annotations", {}, RefusalReason.MALFORMED),
        ("annotations.0.result.0.value.choices", ["Perhaps"], RefusalReason.MALFORMED),
        ("annotations.0.result.0.value.choices", [], RefusalReason.UNLABELLED),
        ("annotations.0.result.0.value", {"rectanglelabels": ["pen"]}, RefusalReason.UNLABELLED),
        ("annotations.0.result.2.value.text", ["the first"], RefusalReason.MALFORMED),
    ],
}


@cases("way", ODD)
def test_odd_examples_of_other_programs_are_refused(way: str, state: ReviewState, tmp_path: Path) -> None:
    """A record that breaks a rule is refused by its reason; the one beside it is taken."""
    send, fetch, name = WAYS[way]
    add_example(state, example(0))
    add_example(state, example(1, question="Another?"))
    send(state, tmp_path / "out")
    file = tmp_path / "out" / name
    good, other = json.loads(file.read_text("utf-8"))
    for number, (path, value, why) in enumerate(ODD[way]):
        changed = json.loads(json.dumps(other))
        *keys, last = path.split(".")
        place = changed
        for key in keys:
            place = place[int(key)] if isinstance(place, list) else place[key]
        place[last] = value
        file.write_text(json.dumps([good, changed, "junk"]), "utf-8")
        there = ReviewState.open(tmp_path / f"{number}.sqlite", clock=Clock(LATER))
        merged = fetch(there, file)
        assert (path, merged.examples) == (path, 1)
        assert sorted(merged.refused.elements()) == sorted([why, RefusalReason.MALFORMED]), (path, merged.messages)
        there.close()


def test_argilla_is_asked_for_what_is_answered(state: ReviewState, tmp_path: Path) -> None:
    """Names of the settings are unique; each field, answer, suggestion and datum of a record is one that they declare."""
    add_example(state, example(override="So.", judged=replace(JUDGED, verdict="Flawed", line="L2", error_type="other")))
    export_argilla_examples(state, tmp_path)
    declared = {
        part: {setting["name"] for setting in example_settings()[part]} for part in ("fields", "questions", "metadata")
    }
    assert len(set.union(*declared.values())) == sum(map(len, declared.values()))
    (record,) = json.loads((tmp_path / "records.json").read_text("utf-8"))
    assert set(record["fields"]) == declared["fields"]
    assert set(record["responses"]) == declared["questions"]
    assert set(record["suggestions"]) == {"verdict", "line"}
    assert set(record["metadata"]) <= declared["metadata"]


@settings(max_examples=15)
@given(st.text(max_size=60))
def test_label_studio_shows_examples_as_text(title: str) -> None:
    """Whatever the title is, no element of the configuration renders markup, and each value shown is a datum of the task."""
    root = ET.fromstring(example_config(title))  # noqa: S314  # what was just written
    assert {node.tag for node in root.iter()} == {"View", "Header", "Text", "TextArea", "Choices", "Choice"}
    shown = {node.attrib["value"] for node in root.iter() if node.tag == "Text"}
    assert shown == {"$question", "$solution", "$engine_answer"}


@pytest.mark.parametrize("way", WAYS)
def test_the_commands_need_no_candidates_for_examples(
    way: str, state: ReviewState, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no run has flawed solutions, `export` and `import` take examples alone; decisions of a file are refused with the reason."""
    monkeypatch.chdir(tmp_path)
    add_example(state, example())
    export = ["review", "export", "--format", way, "--out", "sent"]
    assert main([*export, "--state", str(state.path)]) == 0
    assert "0 records, and 1 of labelled" in (out := capsys.readouterr().out) or "0 tasks, and 1 of labelled" in out
    there = ["review", "import", "--format", way, "--state", "there.sqlite"]
    assert main([*there, "sent"]) == 0
    assert "0 drafts and 1 examples added" in capsys.readouterr().out
    with closing(ReviewState.open(tmp_path / "there.sqlite")) as opened:
        assert example_entries(opened) == [example()]
    assert main([*export, "--state", "none.sqlite"]) == 2
    assert not (tmp_path / "none.sqlite").exists()
    assert main([*export, "--undecided", "2", "--state", str(state.path)]) == 2
    assert "holds no run; make one" in capsys.readouterr().err
