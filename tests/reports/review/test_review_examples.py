"""Tests of labelled examples: what a person says of a pasted solution is kept, exchanged, sealed and drawn under its own kind of trust."""

import json
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.errors import HarnessError
from harness.records.review import EngineAnswer, ExampleLabel, ExampleLine
from harness.solution.labels import ErrorType
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from reports.review.examples import add_example, example_entries, examples_in_force, withdraw_example
from reports.review.exchange import RefusalReason, export_lines, import_lines
from reports.review.review_state import ReviewState
from reports.review.seal import DISAGREE, REFUTED, sealed_examples
from sft.datasets.sources import RunSource
from sft.samples.items import Sample, Trust
from tests.reports.hostile import HOSTILE

QUESTION = "A bakery bakes 120 rolls in the morning and half as many in the afternoon. How many rolls is that?"
WRONG_IDEA = "In the afternoon it bakes 120*2 = 240 rolls.\nThat makes 120+240 = 360 rolls.\n#### 360"
FLAWED = ExampleLabel(
    verdict="Flawed", error_type=ErrorType.OPERATOR_SWAP, line="L1", explanation="Half as many is 120/2, not 120*2."
)
CORRECT = ExampleLabel(verdict="Correct")
JUDGED = EngineAnswer(engine="symbolic", verdict="Correct", confidence=0.5)


def example(number: int = 0, **changed: Any) -> ExampleLine:
    """Return an example of ann."""
    told = ExampleLine(
        uid=f"example-{number}",
        reviewer="ann",
        undoes=None,
        question=QUESTION,
        solution=WRONG_IDEA,
        label=FLAWED,
        judged=JUDGED,
        findings=(),
        override="",
        at=f"2026-01-01T00:00:{number % 60:02}.000000+00:00",
    )
    return replace(told, **changed)


@settings(max_examples=25)
@given(
    texts=st.lists(st.text(max_size=40).map(lambda text: f"{text} 1+1 = 3"), min_size=1, max_size=4),
    reviewer=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).map(lambda name: f"n{name}"),
)
def test_examples_come_back_as_they_were_sent(
    texts: list[str], reviewer: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever is in the texts, an example is read from the state, and from another state after export and import, as it was."""
    folder = tmp_path_factory.mktemp("examples")
    here, there = (ReviewState.open(folder / name) for name in ("here.sqlite", "there.sqlite"))
    sent = [
        example(number, question=f"{text}?", solution=text, reviewer=reviewer, label=replace(FLAWED, explanation=text))
        for number, text in enumerate(texts)
    ]
    for told in sent:
        assert add_example(here, told)
        assert not add_example(here, told)
    assert export_lines(here, folder / "sent.jsonl") == len(sent)
    assert import_lines(there, folder / "sent.jsonl").examples == len(sent)
    assert import_lines(there, folder / "sent.jsonl").present == len(sent)
    assert example_entries(here) == example_entries(there)
    shown = [entry.solution.encode("utf-8", "replace").decode() for entry in example_entries(here)]
    assert shown == [text.encode("utf-8", "replace").decode() for text in texts]
    here.close()
    there.close()


def test_withdrawn_example_is_out_of_force_and_stays_in_the_log(state: ReviewState, tmp_path: Path) -> None:
    """A withdrawal, too, is a line of the export; withdrawing twice changes nothing; another's example cannot be withdrawn."""
    add_example(state, example())
    withdraw_example(state, example())
    withdraw_example(state, example())
    assert examples_in_force(state) == []
    assert [entry.undoes for entry in example_entries(state)] == [None, "example-0"]
    export_lines(state, tmp_path / "sent.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "sent.jsonl").read_text("utf-8").splitlines()]
    other = ReviewState.open(tmp_path / "other.sqlite")
    (tmp_path / "foreign.jsonl").write_text(
        "".join(f"{json.dumps(line)}\n" for line in (lines[0], {**lines[1], "reviewer": "bob"}))
    )
    merged = import_lines(other, tmp_path / "foreign.jsonl")
    assert (merged.examples, merged.refused) == (1, {RefusalReason.UNKNOWN_UNDO: 1})
    assert examples_in_force(other) == [example()]
    other.close()


INCOMPLETE = {
    "no-line": {"label": replace(FLAWED, line="")},
    "no-explanation": {"label": replace(FLAWED, explanation="  ")},
    "correct-with-line": {"label": replace(CORRECT, line="L1")},
    "no-name": {"reviewer": " "},
    "no-solution": {"solution": "\n"},
    "too-long": {"solution": "1" * 100_001},
    "findings-unanswered": {"findings": ({"kind": "x", "where": "L1", "message": "y"},)},
}


@pytest.mark.parametrize("name", INCOMPLETE)
def test_incomplete_example_is_refused(name: str, state: ReviewState) -> None:
    """A label that lacks something is refused in a sentence, and nothing is stored."""
    with pytest.raises(HarnessError, match="expected"):
        add_example(state, example(**INCOMPLETE[name]))
    assert example_entries(state) == []


def test_seal_sets_aside_what_is_refuted_or_disputed() -> None:
    """Nothing that the audit refutes, and nothing that two people label differently, is an example."""
    slip = WRONG_IDEA.replace("= 240", "= 250")
    sealed = sealed_examples(
        [
            example(0),
            example(1, reviewer="bob"),
            example(2, solution=slip, label=CORRECT, override="I say so."),
            example(3, solution="120/2 = 60\n60+120 = 180\n#### 180", label=CORRECT),
            example(4, solution="120/2 = 60\n60+120 = 180\n#### 180", reviewer="bob"),
        ]
    )
    (kept,) = sealed["examples"]
    assert (kept["flawed_solution"], len(kept["review"]["labels"])) == (WRONG_IDEA, 2)
    reasons = sorted(str(record["review"]["aside"]).split(":")[0] for record in sealed["set_aside"])
    assert reasons == sorted([DISAGREE, REFUTED])


def test_datasets_draw_examples_as_labelled_by_a_reviewer(
    mutation_run: Path, state: ReviewState, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The seal of the command holds the example, a dataset names its kind of trust, and thresholds of oracles leave it out."""
    add_example(state, example())
    hostile = f"{HOSTILE.replace(chr(0xD800), '')} 120*2 = 240"
    add_example(state, example(1, question=f"{hostile}?", solution=f"{hostile}\n#### 240"))
    assert main(["review", "seal", "--run", str(mutation_run), "--state", str(state.path)]) == 0
    assert "2 labelled on the Verify page" in capsys.readouterr().out
    source = RunSource.of(mutation_run, ["review"], "MIT")
    samples = [sample for sample in source.read() if isinstance(sample, Sample)]
    assert {sample.trust for sample in samples} == {Trust.LABELLED}
    assert {(sample.solution, sample.truth.error_type, sample.truth.line) for sample in samples} >= {
        (WRONG_IDEA, "operator_swap", "L1")
    }
    out = tmp_path / "datasets"
    made = ["datasets", "--run", str(mutation_run), "--stages", "review", "--balance", "as-is", "--out", str(out)]
    assert main(made) == 0
    card = (out / "README.md").read_text("utf-8")
    assert f"| {Trust.LABELLED} | {Trust.LABELLED.words} | 2 |" in card
    assert main([*made, "--min-clique", "2"]) != 0


def test_examples_alone_are_sealed_without_candidates(
    mutation_run: Path, state: ReviewState, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run without flawed solutions takes the examples of the Verify page."""
    run = tmp_path / "judged"
    shutil.copytree(mutation_run, run, ignore=shutil.ignore_patterns("mutation"))
    (run / "formalization").mkdir(exist_ok=True)
    add_example(state, example())
    where = ["--run", str(run), "--state", str(state.path)]
    assert main(["review", "seal", *where]) == 0
    assert "1 labelled on the Verify page" in capsys.readouterr().out
    assert len(list(RunFolder(run).stage("review").records("examples.jsonl"))) == 1


def test_state_of_version_1_gets_the_table(tmp_path: Path) -> None:
    """A file of the version before opens with everything in it, takes examples, and opens again."""
    from reports.review.state_file import APPLICATION, DECISIONS

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
