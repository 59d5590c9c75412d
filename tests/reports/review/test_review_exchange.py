"""Tests of the exchange of reviews as JSON lines: lines give the same decisions once, under the rules of the Review page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.json_form import json_form
from harness.records.review import CandidateTexts, Decision, RejectReason
from oracle_factory.command import main
from reports.review.candidate_queue import CandidateQueue
from reports.review.candidates.candidates import Candidates
from reports.review.exchange import ImportResult, RefusalReason, export_lines, import_lines
from reports.review.state.decisions import ReviewPlan, Ruling
from reports.review.state.review_state import ReviewState
from tests.cases import cases
from tests.reports.review.made_candidates import (
    LINES,
    Clock,
    leased,
    made_record,
    name_of,
    ruling,
    typed,
    write_records,
)

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob", "Ćyd <b> & \u202e"]),
        st.sampled_from([*Decision, "draft", "undo"]),
        st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12),
        st.sampled_from([None, *RejectReason]),
    ),
    max_size=12,
)
Steps = list[tuple[str, str, str, RejectReason | None]]


def _reviewed(folder: Path, pool: Candidates, steps: Steps) -> ReviewState:
    """Return a review in which some reviewers did something; what is accepted against the audit is so in writing."""
    state = ReviewState.open(folder / "here.sqlite", clock=Clock())
    state.say(ReviewPlan(double=1.0))
    queue = CandidateQueue(pool, state)
    for reviewer, step, text, reason in steps:
        if step == "undo":
            state.undo(reviewer, "1")
            continue
        taken = queue.next(reviewer, "1")
        if taken is None:
            continue
        texts = CandidateTexts((LINES[0], f"{LINES[1]} {text}", LINES[2]), f"It is {text}")
        if step == "draft":
            state.save_draft(taken.lease, texts)
            continue
        said = Ruling(
            Decision(step),
            texts,
            override=f"Because {text}" if step == "accept" else "",
            reason=(reason or RejectReason.NOT_WRONG) if step == "reject" else None,
            note=f"Note {text}" if step == "reject" else "",
        )
        assert state.decide(taken.candidate, taken.lease, said).entry is not None
    return state


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Candidates]:
    """Return three candidates."""
    folder = tmp_path_factory.mktemp("pool")
    path = write_records(folder / "pool.jsonl", map(made_record, range(3)))
    candidates = Candidates.open([path], cache=folder / "cache")
    yield candidates
    candidates.close()


@settings(max_examples=15)
@given(steps=STEPS)
def test_lines_of_json_lose_nothing(steps: Steps, pool: Candidates, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The whole log, undos and all, and every draft come back, so that what is written again is the same file."""
    folder = tmp_path_factory.mktemp("whole")
    state = _reviewed(folder, pool, steps)
    there = ReviewState.open(folder / "there.sqlite", clock=Clock())
    export_lines(state, folder / "one.jsonl")
    import_lines(there, folder / "one.jsonl")
    export_lines(there, folder / "two.jsonl")
    assert (folder / "one.jsonl").read_bytes() == (folder / "two.jsonl").read_bytes()
    again = import_lines(there, folder / "one.jsonl")
    assert (again.added, again.drafts, len(again.refused)) == (0, 0, 0)
    assert there.entries() == state.entries()
    assert there.standing() == state.standing()
    assert there.drafts() == state.drafts()
    for review in (state, there):
        review.close()


def _entry(number: int = 0, **changed: Any) -> dict[str, Any]:
    texts = json_form(CandidateTexts.of_record(made_record(number)))
    line = {
        "kind": "decision",
        "uid": f"uid-{number}",
        "candidate_id": made_record(number)["flaw_id"],
        "version": "0123456789ab",
        "reviewer": "ann",
        "session": "1",
        "decision": "accept",
        "undoes": None,
        "texts": texts,
        "original": texts,
        "findings": [],
        "override": "",
        "reason": None,
        "note": "",
        "seconds": 4.5,
        "at": "2023-11-14T22:13:20.000000+00:00",
    }
    return {**line, **changed}


JUNK: dict[str, tuple[Any, RefusalReason]] = {
    "no object": (17, RefusalReason.MALFORMED),
    "no kind": ({"uid": "x"}, RefusalReason.MALFORMED),
    "another kind": (_entry(kind="vote"), RefusalReason.MALFORMED),
    "another decision": (_entry(decision="perhaps"), RefusalReason.MALFORMED),
    "no reviewer": (_entry(reviewer=" "), RefusalReason.MALFORMED),
    "a lone surrogate": (_entry(reviewer="\ud800"), RefusalReason.MALFORMED),
    "an odd uid": (_entry(uid="'; DROP TABLE log"), RefusalReason.MALFORMED),
    "endless seconds": (_entry(seconds=float("inf")), RefusalReason.MALFORMED),
    "seconds in words": (_entry(seconds="4"), RefusalReason.MALFORMED),
    "no time": (_entry(at="yesterday"), RefusalReason.MALFORMED),
    "no zone": (_entry(at="2023-11-14T22:13:20"), RefusalReason.MALFORMED),
    "the end of time": (_entry(at="9999-12-31T23:59:59-14:00"), RefusalReason.MALFORMED),
    "the future": (_entry(at="2031-01-01T00:00:00+00:00"), RefusalReason.FUTURE),
    "too many lines": (_entry(texts={"lines": ["x"] * 1_001, "explanation": ""}), RefusalReason.MALFORMED),
    "too long": (_entry(note="x" * 100_001), RefusalReason.MALFORMED),
    "vast findings": (_entry(findings=[{"found": "x" * 200_000}], override="yes"), RefusalReason.MALFORMED),
    "no override": (_entry(findings=[{"kind": "stale-word"}]), RefusalReason.OVERRIDE_MISSING),
    "no reason": (_entry(decision="reject"), RefusalReason.REASON_MISSING),
    "an undo of nothing": (_entry(undoes="not-there"), RefusalReason.UNKNOWN_UNDO),
}


@cases("name", JUNK)
def test_junk_among_lines_is_refused_and_counted(name: str, tmp_path: Path) -> None:
    """A line that breaks a rule is refused with its reason and its number; the lines around it are added."""
    junk, why = JUNK[name]
    state = ReviewState.open(tmp_path / f"{list(JUNK).index(name)}.sqlite", clock=Clock())
    result = _imported(state, tmp_path, _entry(1), junk, _entry(2))
    assert (result.added, dict(result.refused)) == (2, {why: 1})
    assert result.messages[0].startswith(f"lines.jsonl:2: {why}")
    state.close()


def _imported(state: ReviewState, folder: Path, *lines: object, candidates: Candidates | None = None) -> ImportResult:
    path = folder / "lines.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return import_lines(state, path, lambda: candidates)


def test_an_undo_takes_back_its_reviewers_own(state: ReviewState, tmp_path: Path) -> None:
    """A line that takes back another reviewer's decision, or one that was taken back, is refused."""
    path = tmp_path / "lines.jsonl"
    lines = [
        _entry(0),
        _entry(0, uid="theirs", reviewer="bob", undoes="uid-0"),
        _entry(0, uid="elsewhere", version="000000000000", undoes="uid-0"),
        _entry(0, uid="undo", undoes="uid-0"),
        _entry(0, uid="again", undoes="uid-0"),
        _entry(0, uid="of-undo", undoes="undo"),
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    result = import_lines(state, path)
    assert (result.added, dict(result.refused)) == (2, {RefusalReason.UNKNOWN_UNDO: 4})
    assert not state.standing()


def test_the_later_of_two_machines_stands(state: ReviewState, tmp_path: Path) -> None:
    """Of decisions that one reviewer took on two machines the later one stands, whichever file is fetched first."""
    early = _entry(0, uid="early", at="2023-11-14T10:00:00+00:00")
    late = _entry(0, uid="late", decision="reject", reason="not_wrong", at="2023-11-14T13:00:00+02:00")
    other = ReviewState.open(tmp_path / "other.sqlite", clock=Clock())
    for review, order in ((state, (early, late)), (other, (late, early))):
        for number, line in enumerate(order):
            path = tmp_path / f"{number}.jsonl"
            path.write_text(f"{json.dumps(line)}\n")
            assert import_lines(review, path).added == 1
        assert [entry.uid for entry in review.standing()] == ["late"]
    other.close()


def test_a_newer_draft_here_stays(queue: CandidateQueue, state: ReviewState, clock: Clock, tmp_path: Path) -> None:
    """A draft from elsewhere replaces an older one, and never a newer one."""
    taken = leased(queue.next("ann", "1"))
    state.save_draft(taken.lease, typed("old"))
    export_lines(state, tmp_path / "old.jsonl")
    clock.wait(5)
    state.save_draft(taken.lease, typed("new"))
    export_lines(state, tmp_path / "new.jsonl")
    assert import_lines(state, tmp_path / "old.jsonl").drafts == 0
    assert state.draft(name_of(taken), taken.candidate.version, "ann") == typed("new")
    there = ReviewState.open(tmp_path / "there.sqlite", clock=clock)
    assert [import_lines(there, tmp_path / name).drafts for name in ("old.jsonl", "new.jsonl")] == [1, 1]
    assert there.drafts()[0].texts == typed("new")
    there.close()


def _foreign(pool: Candidates, number: int = 0, **changed: Any) -> dict[str, Any]:
    """Return a decision as another program writes it."""
    candidate = pool.get(made_record(number)["flaw_id"])
    return {
        "kind": "decision",
        "candidate_id": candidate.candidate_id,
        "version": candidate.version,
        "reviewer": "eve",
        "decision": "accept",
        "texts": json_form(CandidateTexts.of_record(candidate.record)),
        **changed,
    }


WRONG = json_form(CandidateTexts((*LINES[:2], "#### 8"), "It is wrong."))
REFUSED: dict[str, tuple[dict[str, Any], RefusalReason]] = {
    "an unknown candidate": ({"candidate_id": "nothing"}, RefusalReason.UNKNOWN_CANDIDATE),
    "another version": ({"version": "000000000000"}, RefusalReason.OTHER_VERSION),
    "no texts": ({"texts": None}, RefusalReason.MALFORMED),
    "a long text": ({"texts": {"lines": ["x" * 100_001], "explanation": ""}}, RefusalReason.MALFORMED),
    "another decision": ({"decision": "perhaps"}, RefusalReason.MALFORMED),
    "no reason": ({"decision": "reject"}, RefusalReason.REASON_MISSING),
    "against the audit": ({"texts": WRONG}, RefusalReason.OVERRIDE_MISSING),
    "findings of its own": ({"texts": WRONG, "findings": []}, RefusalReason.OVERRIDE_MISSING),
    "the future": ({"at": "2031-01-01T00:00:00+00:00"}, RefusalReason.FUTURE),
}


@cases("name", REFUSED)
def test_decisions_of_other_programs_meet_the_rules_of_the_page(name: str, pool: Candidates, tmp_path: Path) -> None:
    """A decision without a `uid` is audited as in the app and refused with its reason; a line beside it is added."""
    changed, why = REFUSED[name]
    state = ReviewState.open(tmp_path / f"{list(REFUSED).index(name)}.sqlite", clock=Clock())
    result = _imported(state, tmp_path, _foreign(pool, **changed), _foreign(pool, 1), candidates=pool)
    assert (result.added, dict(result.refused)) == (1, {why: 1})
    state.close()


def test_a_foreign_decision_is_completed_and_added_once(pool: Candidates, state: ReviewState, tmp_path: Path) -> None:
    """The audit's findings, the candidate's own texts and the time are added; a second import finds it present; another is a conflict."""
    line = _foreign(pool, texts=WRONG, override="It is meant so.")
    assert _imported(state, tmp_path, line, candidates=pool).added == 1
    assert _imported(state, tmp_path, line, candidates=pool).present == 1
    (entry,) = state.standing()
    assert entry.original == CandidateTexts.of_record(made_record(0))
    assert "FA" in {finding["where"] for finding in entry.findings}
    other = _foreign(pool, decision="reject", reason="not_wrong")
    assert dict(_imported(state, tmp_path, other, candidates=pool).refused) == {RefusalReason.CONFLICT: 1}
    state.undo("eve", "1")
    assert state.draft(entry.candidate_id, entry.version, "eve") == entry.texts
    assert _imported(state, tmp_path, line, candidates=pool).present == 1
    assert not state.standing()


def test_a_foreign_skip_and_a_foreign_draft_keep_their_texts(
    pool: Candidates, state: ReviewState, tmp_path: Path
) -> None:
    """The texts of both are drafts of the reviewer."""
    skip, draft = _foreign(pool, decision="skip", texts=WRONG), {**_foreign(pool, 1, texts=WRONG), "kind": "draft"}
    del draft["decision"]
    result = _imported(state, tmp_path, skip, draft, candidates=pool)
    assert (result.added, result.drafts, result.refused.total()) == (1, 1, 0)
    assert [json_form(draft.texts) for draft in state.drafts()] == [WRONG, WRONG]


def test_a_foreign_example_is_audited(state: ReviewState, tmp_path: Path) -> None:
    """A label of another program is the person's example; one that the audit refutes needs a reason; another label is a conflict."""
    label = {"verdict": "Correct"}
    right = {
        "kind": "example",
        "reviewer": "eve",
        "question": "2 and 2?",
        "solution": "2+2 = 4\n#### 4",
        "label": label,
    }
    wrong = {**right, "solution": "2+2 = 5\n#### 5"}
    other = {**right, "label": {"verdict": "Flawed", "line": "L1", "explanation": "No."}}
    result = _imported(state, tmp_path, right, wrong, {**wrong, "override": "In this world."}, other, right)
    assert (result.examples, result.present) == (2, 1)
    assert dict(result.refused) == {RefusalReason.OVERRIDE_MISSING: 1, RefusalReason.CONFLICT: 1}


def test_the_manual_converts_to_other_programs_and_back(ten: Candidates, state: ReviewState, tmp_path: Path) -> None:
    """The Python of docs/review.md makes Label Studio tasks of an export, and lines of their annotations that are imported."""
    script = (Path(__file__).parents[3] / "docs" / "review.md").read_text().split("```python\n")[1].split("```")[0]
    manual: dict[str, Any] = {}
    exec(compile(script, "docs/review.md", "exec"), manual)  # the manual's own code
    export_lines(state, tmp_path / "out.jsonl", ten, undecided=1)
    tasks = manual["tasks_of"](tmp_path / "out.jsonl")
    answers = {
        "decision": {"choices": ["reject"]},
        "reason": {"choices": ["unreadable"]},
        "lines": {"text": ["A.", "#### 7"]},
    }
    result = [{"from_name": name, "value": value} for name, value in answers.items()]
    done = {**tasks[0], "annotations": [{"result": result, "completed_by": {"email": "eve@example.org"}}]}
    lines = list(manual["lines_of"]([done, tasks[1]]))
    assert _imported(state, tmp_path, *lines, candidates=ten).added == 1
    (entry,) = state.standing()
    assert (entry.reviewer, entry.reason, entry.texts.lines) == (
        "eve@example.org",
        RejectReason.UNREADABLE,
        ("A.", "#### 7"),
    )


def test_the_commands_export_and_import(
    tmp_path: Path, state: ReviewState, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`export` and `import` take a review from one state to another, and say by their exit status whether a line was refused."""
    monkeypatch.chdir(tmp_path)
    path = write_records(tmp_path / "pool" / "conceptual.jsonl", map(made_record, range(3)))
    pool = Candidates.open([path], cache=tmp_path / "cache")
    taken = leased(CandidateQueue(pool, state).next("ann", "1"))
    state.decide(taken.candidate, taken.lease, ruling(Decision.REJECT, taken.texts))
    where = ["--candidates", str(path.parent)]
    sent = ["--undecided", "1", "--state", str(state.path), "--out", "sent"]
    assert main(["review", "export", *where, *sent]) == 0
    there = ["import", *where, "--state", "there.sqlite"]
    assert main(["review", *there, "sent"]) == 0
    assert "1 decisions, 0 drafts and 0 examples added, 0 were there already" in capsys.readouterr().out
    (tmp_path / "foreign").write_text(f'{{"kind": "junk"}}\n{json.dumps(_foreign(pool, 1))}\n')
    assert main(["review", *there, "foreign"]) == 1
    assert "1 refused: not of this format" in capsys.readouterr().out
    assert main(["review", "import", "--state", "there.sqlite", "foreign"]) == 2
    assert "expected" in capsys.readouterr().err
    assert main(["review", *there, "missing"]) == 2
    assert capsys.readouterr().err.startswith("oracle-factory review import: ")
    pool.close()
