"""Tests of sealed reviews: they hold exactly the accepted candidates, each proved again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.command_line.runnable_commands import runnable
from harness.domain import Status
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.records.review import CandidateTexts, Decision
from harness.store.run_folder import RunFolder, run_option
from oracle_factory.command import main
from oracles.proofs.solvers import SolverName
from properties.recheck.file_recheck import recheck_file
from reports.review.candidate_queue import CandidateQueue, LeasedCandidate
from reports.review.candidates import Candidates
from reports.review.review_state import ReviewPlan, ReviewState
from reports.review.seal import seal
from sft.datasets.sources import RunSource
from sft.samples.items import Sample
from tests.json_lines import write_lines
from tests.reports.review.made_candidates import leased, name_of, ruling

Decide = Callable[..., LeasedCandidate]
ACCEPT, REJECT, SKIP = Decision.ACCEPT, Decision.REJECT, Decision.SKIP


@pytest.fixture
def real(mutation_run: Path) -> Candidates:
    """Return the candidates of a few problems of the bundled corpus."""
    return Candidates.open([mutation_run / "mutation" / "conceptual.jsonl"])


@pytest.fixture
def decide(real: Candidates, state: ReviewState) -> Decide:
    """Return a function by which ann and bob decide on the next candidate, or cyd on the one of a name."""
    queue = CandidateQueue(real, state)

    def decided(*decisions: Decision, name: str = "", says: str = "", last: str = "", **more: Any) -> LeasedCandidate:
        for reviewer, decision in zip(("cyd",) if name else ("ann", "bob"), decisions, strict=False):
            taken = leased(queue.take(name, reviewer, reviewer) if name else queue.next(reviewer, reviewer))
            lines = (*taken.texts.lines[:-1], last or taken.texts.lines[-1])
            texts = CandidateTexts(lines, f"{taken.texts.explanation}{says}")
            assert state.decide(taken.candidate, taken.lease, ruling(decision, texts, **more)).entry is not None
            name = name_of(taken)
        return taken

    return decided


def _sealed(run: Path, name: str) -> list[dict[str, Any]]:
    return RunFolder(run).stage("review").records(f"{name}.jsonl")


def test_accepted_record_is_the_candidates_with_the_texts(
    mutation_run: Path, real: Candidates, decide: Decide, state: ReviewState, tmp_path: Path
) -> None:
    """It is the mutation's, with the texts as decided, nothing left to edit, and what its review was; a data set has it as a sample."""
    taken = decide(ACCEPT, says=" So it goes.", note="fine")
    assert dict(+seal(RunFolder(mutation_run), real, state).counts) == {"accepted": 1}
    (record,) = _sealed(mutation_run, "accepted")
    review, before = record.pop("review"), json.loads(json.dumps(taken.candidate.record))
    before["label"]["error_details"]["explanation"] += " So it goes."
    del record["digest"], before["digest"]
    assert record == {**before, "needs_edit": False, "edits": []}
    (entry,) = state.entries()
    assert (review["original"], review["edited"]) == (json_form(taken.texts), True)
    kept = ("reviewer", "decision", "override", "note", "decided_at", "version")
    expected = ("ann", "accept", "", "fine", entry.at, taken.candidate.version)
    assert tuple(review[name] for name in kept) == expected
    read = RunSource.of(mutation_run, ["review"], "MIT").read()
    samples = [sample for sample in read if isinstance(sample, Sample) and sample.operator]
    assert [(sample.sample_id, sample.solution, sample.truth.explanation) for sample in samples] == [
        (record["flaw_id"], record["flawed_solution"], entry.texts.explanation)
    ]
    out = tmp_path / "datasets"
    assert main(["datasets", "--run", str(mutation_run), "--stages", "review", "--out", str(out)]) == 0


def test_accepted_records_are_proved_again(
    mutation_run: Path, real: Candidates, decide: Decide, state: ReviewState
) -> None:
    """Every accepted record is confirmed from itself alone, by the other solver, too."""
    for _ in range(12):
        decide(ACCEPT)
    assert seal(RunFolder(mutation_run), real, state).counts["accepted"] == 12
    path = mutation_run / "review" / "accepted.jsonl"
    statuses = [verdict.status for name in SolverName for verdict in recheck_file(path, name)]
    assert statuses == [Status.CONFIRMED] * 24


def test_no_label_without_a_proof(mutation_run: Path, real: Candidates, decide: Decide, state: ReviewState) -> None:
    """A text that no longer says what its label says is not accepted, whatever was written beside it."""
    finding = {"kind": "answer", "where": "FA", "message": "The steps lead elsewhere."}
    decide(ACCEPT, last="#### 123456", findings=(finding,), override="I know better.")
    sealed = seal(RunFolder(mutation_run), real, state)
    assert dict(+sealed.counts) == {"overridden": 1}
    (record,) = _sealed(mutation_run, "overridden")
    review = record["review"]
    assert (review["override"], review["recheck"]["status"]) == ("I know better.", "REFUTED")
    assert sealed.reasons == {review["recheck"]["reason"]: 1}


def test_each_decision_stands_in_one_file(
    mutation_run: Path, real: Candidates, decide: Decide, state: ReviewState
) -> None:
    """Rejected ones stand apart with their reason, skipped ones nowhere; a disputed one is nobody's until a third decides."""
    state.say(ReviewPlan(double=1.0))
    kinds = {
        "accepted": (ACCEPT, ACCEPT),
        "rejected": (REJECT, REJECT),
        "disputed": (ACCEPT, REJECT),
        "awaiting": (ACCEPT,),
        "skipped": (SKIP,),
    }
    names = {kind: name_of(decide(*decisions)) for kind, decisions in kinds.items()}
    assert dict(+seal(RunFolder(mutation_run), real, state).counts) == dict.fromkeys(kinds, 1)
    for kind in ("accepted", "rejected", "disputed"):
        assert [record["flaw_id"] for record in _sealed(mutation_run, kind)] == [names[kind]]
    assert _sealed(mutation_run, "rejected")[0]["review"]["reason"] == "implausible"
    (disputed,) = _sealed(mutation_run, "disputed")
    assert [decision["decision"] for decision in disputed["review"]["decisions"]] == ["accept", "reject"]
    decide(ACCEPT, name=names["disputed"])
    assert seal(RunFolder(mutation_run), real, state).counts["accepted"] == 2


def test_decisions_on_what_is_not_there_are_counted(
    mutation_run: Path, ten: Candidates, decide: Decide, state: ReviewState, tmp_path: Path
) -> None:
    """Decisions on other candidates, and on another version of these, are sealed nowhere and counted."""
    foreign = leased(CandidateQueue(ten, state).next("ann", "ann"))
    state.decide(foreign.candidate, foreign.lease, ruling(ACCEPT, foreign.texts))
    decide(ACCEPT)
    records = RunFolder(mutation_run).stage("mutation").records("conceptual.jsonl")
    changed = write_lines(tmp_path / "changed.jsonl", ({**record, "more": 1} for record in records))
    sealed = seal(RunFolder(mutation_run), Candidates.open([changed]), state)
    assert dict(+sealed.counts) == {"absent": 1, "other_version": 1}


def test_the_command_seals_and_shows_progress(
    mutation_run: Path, decide: Decide, state: ReviewState, capsys: pytest.CaptureFixture[str],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """`oracle-factory review` prints how far the review is and seals it."""
    monkeypatch.chdir(tmp_path)
    state.say(ReviewPlan())
    decide(ACCEPT)
    decide(REJECT)
    where = ["--run", str(mutation_run), "--state", str(state.path)]
    assert main(["review", "progress", *where]) == 0
    stage = RunFolder(mutation_run).stage("mutation")
    count = sum(len(stage.records(f"{name}.jsonl")) for name in ("computational", "conceptual"))
    (line,) = (line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("all"))
    assert line[-7:-4] == ["untouched", f"1/{count}", "1"]
    assert main(["review", "seal", *where]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].endswith("1 accepted, each proved again")
    assert shown[1:] == ["1 rejected"]


def test_the_command_tells_how_reviewers_agree(
    decide: Decide, state: ReviewState, capsys: pytest.CaptureFixture[str]
) -> None:
    """`agreement` prints the coefficients of all reviewers and of each two, the confusion, and what is disputed."""
    state.say(ReviewPlan(double=1.0))
    for number in range(10):
        decide(*((REJECT, REJECT), (ACCEPT, REJECT), (ACCEPT, ACCEPT))[min(max(number - 1, 0), 2)])
    assert main(["review", "agreement", "--state", str(state.path)]) == 0
    shown = capsys.readouterr().out
    assert "10 candidates judged by several reviewers: 90% of pairs of judgements the same, alpha 0.7" in shown
    assert "ann and bob: kappa 0.7" in shown
    assert "  7 times accept and accept" in shown
    assert "1 are judged differently:" in shown


def test_init_states_the_plan_and_keeps_what_it_is_not_given(
    mutation_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each option changes its part of the plan alone; the line says what is to be judged."""
    path = tmp_path / "review.sqlite"
    for options in (["--target", "5"], ["--double", "0.25"]):
        assert main(["review", "init", "--run", str(mutation_run), "--state", str(path), *options]) == 0
    assert "accept 5 in each, two reviewers judge 25%" in capsys.readouterr().out
    opened = ReviewState.open(path)
    assert opened.plan == ReviewPlan(5, 0.25)
    opened.close()


@pytest.mark.parametrize("command", [["init"], ["progress"], ["seal"], ["export", "--undecided", "1", "--out", "x"]])
def test_without_candidates_nothing_is_created(
    command: list[str], run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run without candidates is one message that names the command to make them, and no file is left behind."""
    missing = tmp_path / "none" / "review.sqlite"
    assert main(["review", *command, "--run", str(run), "--state", str(missing)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{runnable('pytest')} -n auto -m mutation {run_option(run)}" in said
    assert not missing.exists()


def test_what_cannot_be_written_leaves_no_half_seal(
    mutation_run: Path, real: Candidates, decide: Decide, state: ReviewState
) -> None:
    """A stage that could not be written whole is not sealed, so that nothing reads it."""
    decide(ACCEPT)
    (mutation_run / "review" / "rejected.jsonl").mkdir(parents=True)
    with pytest.raises(OSError, match=r"rejected\.jsonl"):
        seal(RunFolder(mutation_run), real, state)
    with pytest.raises(HarnessError, match="unfinished"):
        RunFolder(mutation_run).stage("review").manifest()
