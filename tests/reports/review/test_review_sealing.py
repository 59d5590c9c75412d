"""Tests of sealed reviews: they hold exactly the accepted candidates, each proved again."""

import json
from collections.abc import Iterator
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
from tests.reports.review.made_candidates import accepted, leased, name_of, ruling


@pytest.fixture
def real(mutation_run: Path, tmp_path: Path) -> Iterator[Candidates]:
    """Return the candidates of a few problems of the bundled corpus."""
    candidates = Candidates.open([mutation_run / "mutation" / "conceptual.jsonl"], cache=tmp_path / "cache")
    yield candidates
    candidates.close()


@pytest.fixture
def desk(real: Candidates, state: ReviewState) -> CandidateQueue:
    """Return the queue of those candidates."""
    return CandidateQueue(real, state)


def _next(queue: CandidateQueue, reviewer: str = "ann") -> LeasedCandidate:
    return leased(queue.next(reviewer, reviewer))


def _sealed(run: Path, name: str) -> list[dict[str, Any]]:
    return RunFolder(run).stage("review").records(name)


def _explained(taken: LeasedCandidate) -> CandidateTexts:
    return CandidateTexts(taken.texts.lines, f"{taken.texts.explanation} So it goes.")


def test_an_accepted_record_is_the_candidates_with_the_texts(
    mutation_run: Path, real: Candidates, desk: CandidateQueue, state: ReviewState
) -> None:
    """An accepted record is the mutation's, with the texts as decided, nothing left to edit, and what its review was."""
    taken = _next(desk)
    texts = _explained(taken)
    state.decide(taken.candidate, taken.lease, ruling(Decision.ACCEPT, texts, note="fine"))
    sealed = seal(RunFolder(mutation_run), real, state)
    assert dict(+sealed.counts) == {"accepted": 1}
    (record,) = _sealed(mutation_run, "accepted.jsonl")
    review = record.pop("review")
    before = json.loads(json.dumps(taken.candidate.record))
    before["label"]["error_details"]["explanation"] = texts.explanation
    record.pop("digest")
    before.pop("digest")
    assert record == {**before, "needs_edit": False, "edits": []}
    (entry,) = state.entries()
    assert review["original"] == json_form(taken.texts)
    assert review["edited"] is True
    expected = ("ann", "accept", "", "fine", entry.at, taken.candidate.version)
    kept = ("reviewer", "decision", "override", "note", "decided_at", "version")
    assert tuple(review[name] for name in kept) == expected


def test_accepted_records_are_proved_again(
    mutation_run: Path, real: Candidates, desk: CandidateQueue, state: ReviewState
) -> None:
    """Every accepted record is confirmed from itself alone, by the other solver, too."""
    for _ in range(12):
        taken = _next(desk)
        state.decide(taken.candidate, taken.lease, accepted(taken))
    assert seal(RunFolder(mutation_run), real, state).counts["accepted"] == 12
    path = mutation_run / "review" / "accepted.jsonl"
    statuses = [verdict.status for name in SolverName for verdict in recheck_file(path, name)]
    assert statuses == [Status.CONFIRMED] * 24


def test_no_label_without_a_proof(
    mutation_run: Path, real: Candidates, desk: CandidateQueue, state: ReviewState
) -> None:
    """A text that no longer says what its label says is not accepted, whatever was written beside it."""
    taken = _next(desk)
    gone = CandidateTexts((*taken.texts.lines[:-1], "#### 123456"), taken.texts.explanation)
    finding = {"kind": "answer", "where": "FA", "message": "The steps lead elsewhere."}
    against = ruling(Decision.ACCEPT, gone, findings=(finding,), override="I know better.")
    assert state.decide(taken.candidate, taken.lease, against).entry is not None
    sealed = seal(RunFolder(mutation_run), real, state)
    assert dict(+sealed.counts) == {"overridden": 1}
    assert not _sealed(mutation_run, "accepted.jsonl")
    (record,) = _sealed(mutation_run, "overridden.jsonl")
    assert record["review"]["override"] == "I know better."
    assert record["review"]["recheck"]["status"] == "REFUTED"
    assert sealed.reasons == {record["review"]["recheck"]["reason"]: 1}


def test_each_decision_stands_in_one_file(
    mutation_run: Path, real: Candidates, desk: CandidateQueue, state: ReviewState
) -> None:
    """Rejected ones stand apart with their reason, skipped ones nowhere; a disputed one is nobody's until a third decides."""
    state.say(ReviewPlan(double=1.0))
    names = {}
    for kind, decisions in {
        "accepted": (Decision.ACCEPT, Decision.ACCEPT),
        "rejected": (Decision.REJECT, Decision.REJECT),
        "disputed": (Decision.ACCEPT, Decision.REJECT),
        "awaiting": (Decision.ACCEPT,),
        "skipped": (Decision.SKIP,),
    }.items():
        taken = _next(desk)
        names[kind] = name_of(taken)
        for reviewer, decision in zip(("ann", "bob"), decisions, strict=False):
            again = leased(desk.take(name_of(taken), reviewer, reviewer))
            state.decide(again.candidate, again.lease, ruling(decision, again.texts))
    sealed = seal(RunFolder(mutation_run), real, state)
    assert dict(+sealed.counts) == {"accepted": 1, "rejected": 1, "disputed": 1, "awaiting": 1, "skipped": 1}
    for kind in ("accepted", "rejected", "disputed"):
        assert [record["flaw_id"] for record in _sealed(mutation_run, f"{kind}.jsonl")] == [names[kind]]
    (rejected,) = _sealed(mutation_run, "rejected.jsonl")
    assert rejected["review"]["reason"] == "implausible"
    (disputed,) = _sealed(mutation_run, "disputed.jsonl")
    assert [decision["decision"] for decision in disputed["review"]["decisions"]] == ["accept", "reject"]
    third = leased(desk.take(names["disputed"], "cyd", "cyd"))
    state.decide(third.candidate, third.lease, accepted(third))
    assert seal(RunFolder(mutation_run), real, state).counts["accepted"] == 2


def test_decisions_on_what_is_not_there_are_counted(
    mutation_run: Path, ten: Candidates, desk: CandidateQueue, state: ReviewState, tmp_path: Path
) -> None:
    """Decisions on other candidates, and on another version of these, are sealed nowhere and counted."""
    foreign = _next(CandidateQueue(ten, state))
    state.decide(foreign.candidate, foreign.lease, accepted(foreign))
    own = _next(desk)
    state.decide(own.candidate, own.lease, accepted(own))
    path = mutation_run / "mutation" / "conceptual.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    changed = tmp_path / "changed.jsonl"
    changed.write_text(
        "".join(json.dumps({**record, "question": f"{record['question']} "}) + "\n" for record in records)
    )
    sealed = seal(RunFolder(mutation_run), Candidates.open([changed], cache=tmp_path / "cache"), state)
    assert dict(+sealed.counts) == {"absent": 1, "other_version": 1}


def test_datasets_read_the_stage(
    mutation_run: Path, real: Candidates, desk: CandidateQueue, state: ReviewState, tmp_path: Path
) -> None:
    """`sft.datasets` reads the sealed review: each accepted text is a sample with its label."""
    decided = {}
    for _ in range(8):
        taken = _next(desk)
        texts = _explained(taken)
        decided[name_of(taken)] = texts
        state.decide(taken.candidate, taken.lease, ruling(Decision.ACCEPT, texts))
    seal(RunFolder(mutation_run), real, state)
    read = RunSource.of(mutation_run, ["review"], "MIT").read()
    samples = [sample for sample in read if isinstance(sample, Sample) and sample.operator]
    assert {sample.sample_id: (sample.solution, sample.truth.explanation) for sample in samples} == {
        name: ("\n".join(texts.lines), texts.explanation) for name, texts in decided.items()
    }
    out = tmp_path / "datasets"
    assert main(["datasets", "--run", str(mutation_run), "--stages", "review", "--out", str(out)]) == 0
    assert (out / "README.md").is_file()


def test_the_command_seals_and_shows_progress(
    mutation_run: Path,
    desk: CandidateQueue,
    state: ReviewState,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`oracle-factory review` prints how far the review is and seals it."""
    monkeypatch.chdir(tmp_path)
    for decision in (Decision.ACCEPT, Decision.REJECT):
        taken = _next(desk)
        state.decide(taken.candidate, taken.lease, ruling(decision, taken.texts))
    where = ["--run", str(mutation_run), "--state", str(state.path)]
    assert main(["review", "progress", *where]) == 0
    shown = capsys.readouterr().out
    stage = RunFolder(mutation_run).stage("mutation")
    count = sum(len(list(stage.records(f"{name}.jsonl"))) for name in ("computational", "conceptual"))
    assert [line.split()[-7:-4] for line in shown.splitlines() if line.startswith("all")] == [
        ["untouched", f"1/{count}", "1"]
    ]
    assert main(["review", "seal", *where]) == 0
    shown = capsys.readouterr().out
    assert "1 accepted, each proved again" in shown
    assert "1 rejected" in shown


def test_the_command_tells_how_reviewers_agree(
    ten: Candidates, state: ReviewState, capsys: pytest.CaptureFixture[str]
) -> None:
    """`agreement` prints the coefficients of all reviewers and of each two, the confusion, and what is disputed."""
    state.say(ReviewPlan(double=1.0))
    queue = CandidateQueue(ten, state)
    for number in range(10):
        for reviewer in ("ann", "bob"):
            decision = Decision.REJECT if number < 2 or (number == 2 and reviewer == "bob") else Decision.ACCEPT
            taken = leased(queue.take(list(ten.shortlists(10))[number], reviewer, reviewer))
            state.decide(taken.candidate, taken.lease, ruling(decision, taken.texts))
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
    mutation_run: Path, real: Candidates, desk: CandidateQueue, state: ReviewState
) -> None:
    """A stage that could not be written whole is not sealed, so that nothing reads it."""
    taken = _next(desk)
    state.decide(taken.candidate, taken.lease, accepted(taken))
    (mutation_run / "review" / "rejected.jsonl").mkdir(parents=True)
    with pytest.raises(OSError, match=r"rejected\.jsonl"):
        seal(RunFolder(mutation_run), real, state)
    with pytest.raises(HarnessError, match="unfinished"):
        RunFolder(mutation_run).stage("review").manifest()
