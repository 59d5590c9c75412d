"""Tests of labelled examples: what a person says of a pasted solution is kept, exchanged, sealed and drawn under its own kind of trust."""

import json
import re
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.errors import HarnessError
from harness.records.review import EngineAnswer, ExampleLabel, ExampleLine
from harness.solution.labels import ErrorType, TypeNames
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from reports.review.examples import add_example, example_entries, examples_in_force, withdraw_example
from reports.review.exchange import RefusalReason, export_lines, import_lines
from reports.review.review_schema import APPLICATION, DECISIONS
from reports.review.review_state import ReviewState
from reports.review.seal import DISAGREE, REFUTED, sealed_examples
from sft.datasets.sources import RunSource
from sft.samples.items import Sample, Trust
from tests.cases import cases
from tests.reports.hostile import HOSTILE

QUESTION = "A bakery bakes 120 rolls in the morning and half as many in the afternoon. How many rolls is that?"
WRONG_IDEA = "In the afternoon it bakes 120*2 = 240 rolls.\nThat makes 120+240 = 360 rolls.\n#### 360"
FLAWED = ExampleLabel(
    verdict="Flawed", error_type=ErrorType.OPERATOR_SWAP, line="L1", explanation="Half as many is 120/2, not 120*2."
)
CORRECT = ExampleLabel(verdict="Correct")


def example(number: int = 0, **changed: Any) -> ExampleLine:
    """Return an example of ann."""
    told = ExampleLine(
        uid=f"example-{number}",
        reviewer="ann",
        undoes=None,
        question=QUESTION,
        solution=WRONG_IDEA,
        label=FLAWED,
        judged=EngineAnswer(engine="symbolic", verdict="Correct", confidence=0.5),
        findings=(),
        override="",
        at=f"2026-01-01T00:00:{number % 60:02}.000000+00:00",
    )
    return replace(told, **changed)


@settings(max_examples=25)
@given(
    texts=st.lists(st.text(max_size=40).map(lambda text: f"{text} 1+1 = 3"), min_size=1, max_size=4),
    reviewer=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).map(lambda name: f"n{name}"),
    names=st.sampled_from(TypeNames),
)
def test_examples_come_back_as_they_were_sent(
    texts: list[str], reviewer: str, names: TypeNames, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever is in the texts and however types are named, an example is read from the state, and from another state after export and import, as it was."""
    folder = tmp_path_factory.mktemp("examples")
    here, there = (ReviewState.open(folder / name) for name in ("here.sqlite", "there.sqlite"))
    for number, text in enumerate(texts):
        told = {"question": f"{text}?", "solution": text, "label": replace(FLAWED, explanation=text)}
        assert [add_example(here, example(number, reviewer=reviewer, **told)) for _ in range(2)] == [True, False]
    assert export_lines(here, folder / "sent.jsonl", names=names) == len(texts)
    assert names.of(ErrorType.OPERATOR_SWAP) in (folder / "sent.jsonl").read_text("utf-8")
    results = [import_lines(there, folder / "sent.jsonl") for _ in range(2)]
    assert [(result.examples, result.present) for result in results] == [(len(texts), 0), (0, len(texts))]
    assert example_entries(here) == example_entries(there)
    kept = [entry.solution.encode("utf-8", "replace") for entry in example_entries(here)]
    assert kept == [text.encode("utf-8", "replace") for text in texts]
    here.close()
    there.close()


def test_withdrawn_example_is_out_of_force_and_stays_in_the_log(state: ReviewState, tmp_path: Path) -> None:
    """A withdrawal, too, is a line of the export; withdrawing twice changes nothing; another's example cannot be withdrawn."""
    add_example(state, example())
    for _ in range(2):
        withdraw_example(state, example())
    assert examples_in_force(state) == []
    assert [entry.undoes for entry in example_entries(state)] == [None, "example-0"]
    export_lines(state, tmp_path / "sent.jsonl")
    sent, withdrawal = (json.loads(line) for line in (tmp_path / "sent.jsonl").read_text("utf-8").splitlines())
    (tmp_path / "foreign.jsonl").write_text(f"{json.dumps(sent)}\n{json.dumps({**withdrawal, 'reviewer': 'bob'})}\n")
    other = ReviewState.open(tmp_path / "other.sqlite")
    merged = import_lines(other, tmp_path / "foreign.jsonl")
    assert (merged.examples, merged.refused) == (1, {RefusalReason.UNKNOWN_UNDO: 1})
    assert examples_in_force(other) == [example()]
    other.close()


@cases(
    "changed",
    [
        {"label": replace(FLAWED, line="")},
        {"label": replace(FLAWED, explanation="  ")},
        {"label": replace(CORRECT, line="L1")},
        {"reviewer": " "},
        {"solution": "\n"},
        {"solution": "1" * 100_001},
        {"findings": ({"kind": "x", "where": "L1", "message": "y"},)},
    ],
)
def test_incomplete_example_is_refused(changed: dict[str, Any], state: ReviewState) -> None:
    """A label that lacks something is refused in a sentence, and nothing is stored."""
    with pytest.raises(HarnessError, match="expected"):
        add_example(state, example(**changed))
    assert example_entries(state) == []


def test_seal_sets_aside_what_is_refuted_or_disputed() -> None:
    """Nothing that the audit refutes, and nothing that two people label differently, is an example."""
    right = "120/2 = 60\n60+120 = 180\n#### 180"
    told: list[dict[str, Any]] = [
        {},
        {"reviewer": "bob"},
        {"solution": WRONG_IDEA.replace("= 240", "= 250"), "label": CORRECT, "override": "I say so."},
        {"solution": right, "label": CORRECT},
        {"solution": right, "reviewer": "bob"},
    ]
    sealed = sealed_examples(example(number, **changed) for number, changed in enumerate(told))
    (kept,) = sealed["examples"]
    assert (kept["flawed_solution"], len(kept["review"]["labels"])) == (WRONG_IDEA, 2)
    assert sorted(record["review"]["aside"].split(":")[0] for record in sealed["set_aside"]) == sorted(
        [DISAGREE, REFUTED]
    )


def test_datasets_draw_examples_as_labelled_by_a_reviewer(
    mutation_run: Path, state: ReviewState, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The seal of a run without flawed solutions holds the examples, a dataset names their kind of trust, and thresholds of oracles leave them out."""
    run = tmp_path / "judged"
    shutil.copytree(mutation_run, run, ignore=shutil.ignore_patterns("mutation"))
    (run / "formalization").mkdir(exist_ok=True)
    hostile = f"{HOSTILE.replace(chr(0xD800), '')} 120*2 = 240"
    add_example(state, example())
    add_example(state, example(1, question=f"{hostile}?", solution=f"{hostile}\n#### 240"))
    assert main(["review", "seal", "--run", str(run), "--state", str(state.path)]) == 0
    assert "2 labelled on the Verify page" in capsys.readouterr().out
    assert len(RunFolder(run).stage("review").records("examples.jsonl")) == 2
    samples = [sample for sample in RunSource.of(run, ["review"], "MIT").read() if isinstance(sample, Sample)]
    assert {sample.trust for sample in samples} == {Trust.LABELLED}
    labelled = {(sample.solution, sample.truth.error_type, sample.truth.line) for sample in samples}
    assert (WRONG_IDEA, "operator_swap", "L1") in labelled
    out = tmp_path / "datasets"
    made = ["datasets", "--run", str(run), "--stages", "review", "--balance", "as-is", "--out", str(out)]
    assert main(made) == 0
    card = (out / "README.md").read_text("utf-8")
    assert re.search(rf"\| {Trust.LABELLED} \| a solution that a reviewer pasted .* \| 2 \|", card)
    assert main([*made, "--min-clique", "2"]) != 0


def test_state_of_version_1_gets_the_table(tmp_path: Path) -> None:
    """A file of the version before opens with everything in it, takes examples, and opens again."""
    path = tmp_path / "old.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(f"{DECISIONS}; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1;")
    connection.execute("UPDATE plan SET target = 7")
    connection.commit()
    connection.close()
    for count in (1, 2):
        state = ReviewState.open(path)
        assert state.plan.target == 7
        assert add_example(state, example(count))
        assert len(example_entries(state)) == count
        state.close()
