"""Tests of the exchange of reviews as JSON lines: lines give the same decisions once, under the rules of the Review page."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.json_form import json_form
from harness.records.review import CandidateTexts, Decision, RejectReason
from oracle_factory.command import main
from reports.review.candidate_queue import CandidateQueue
from reports.review.candidates import Candidates
from reports.review.exchange import ImportResult, RefusalReason, export_lines, import_lines
from reports.review.review_state import ReviewPlan, ReviewState, Ruling
from tests.cases import cases
from tests.json_lines import write_lines
from tests.reports.review.made_candidates import (
    LINES,
    Clock,
    leased,
    made_entry,
    made_record,
    ruling,
    typed,
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
def pool(tmp_path_factory: pytest.TempPathFactory) -> Candidates:
    """Return three candidates."""
    folder = tmp_path_factory.mktemp("pool")
    path = write_lines(folder / "pool.jsonl", map(made_record, range(3)))
    return Candidates.open([path])


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
    """Return a line of an export."""
    entry = json_form(made_entry(made_record(number)["flaw_id"], "0123456789ab", "ann", Decision.ACCEPT))
    return {**entry, "uid": f"uid-{number}", "at": "2023-11-14T22:13:20.000000+00:00", **changed}


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


def _imported(state: ReviewState, folder: Path, *lines: object, candidates: Candidates | None = None) -> ImportResult:
    path = write_lines(folder / "lines.jsonl", map(json.dumps, lines))
    return import_lines(state, path, lambda: candidates)


LONG = {"lines": ["x"] * 1_001, "explanation": ""}
WRONG = json_form(CandidateTexts((*LINES[:2], "#### 8"), "It is wrong."))
COPIED: list[tuple[RefusalReason, Any]] = [
    *((RefusalReason.MALFORMED, odd) for odd in (17, None, "text", [], {"uid": "x"})),
    *(
        (RefusalReason.MALFORMED, _entry(**odd))
        for odd in (
            {"kind": "vote"},
            {"decision": "perhaps"},
            {"reviewer": " "},
            {"reviewer": "\ud800"},
            {"uid": "'; DROP TABLE log"},
            {"seconds": float("inf")},
            {"seconds": "4"},
            {"at": "yesterday"},
            {"at": "2023-11-14T22:13:20"},
            {"at": "9999-12-31T23:59:59-14:00"},
            {"texts": LONG},
            {"note": "x" * 100_001},
            {"findings": [{"found": "x" * 200_000}], "override": "yes"},
        )
    ),
    (RefusalReason.FUTURE, _entry(at="2031-01-01T00:00:00+00:00")),
    (RefusalReason.OVERRIDE_MISSING, _entry(findings=[{"kind": "stale-word"}])),
    (RefusalReason.REASON_MISSING, _entry(decision="reject")),
    (RefusalReason.UNKNOWN_UNDO, _entry(undoes="not-there")),
]
FOREIGN: list[tuple[RefusalReason, dict[str, Any]]] = [
    (RefusalReason.UNKNOWN_CANDIDATE, {"candidate_id": "nothing"}),
    (RefusalReason.OTHER_VERSION, {"version": "000000000000"}),
    (RefusalReason.MALFORMED, {"texts": None}),
    (RefusalReason.MALFORMED, {"texts": LONG}),
    (RefusalReason.MALFORMED, {"decision": "perhaps"}),
    (RefusalReason.REASON_MISSING, {"decision": "reject"}),
    (RefusalReason.OVERRIDE_MISSING, {"texts": WRONG}),
    (RefusalReason.OVERRIDE_MISSING, {"texts": WRONG, "findings": []}),
    (RefusalReason.FUTURE, {"at": "2031-01-01T00:00:00+00:00"}),
]


@cases("why, form, is_foreign", [(*row, False) for row in COPIED] + [(*row, True) for row in FOREIGN])
def test_a_line_that_breaks_a_rule_is_refused(
    why: RefusalReason, form: Any, pool: Candidates, tmp_path: Path, *, is_foreign: bool
) -> None:
    """It is counted by its reason and told with its number, a decision without a `uid` audited as in the app; the lines around it are added."""
    state = ReviewState.open(tmp_path / "state.sqlite", clock=Clock())
    lines = [_foreign(pool, 1), _foreign(pool, **form) if is_foreign else form, _entry(2)]
    result = _imported(state, tmp_path, *lines, candidates=pool)
    assert (result.added, dict(result.refused)) == (2, {why: 1})
    assert result.messages[0].startswith(f"lines.jsonl:2: {why}")
    state.close()


def test_an_undo_takes_back_its_reviewers_own(state: ReviewState, tmp_path: Path) -> None:
    """A line that takes back another reviewer's decision, or one that was taken back, is refused."""
    undos = [
        {"uid": "theirs", "reviewer": "bob", "undoes": "uid-0"},
        {"uid": "elsewhere", "version": "000000000000", "undoes": "uid-0"},
        {"uid": "undo", "undoes": "uid-0"},
        {"uid": "again", "undoes": "uid-0"},
        {"uid": "of-undo", "undoes": "undo"},
    ]
    result = _imported(state, tmp_path, _entry(), *(_entry(**undo) for undo in undos))
    assert (result.added, dict(result.refused)) == (2, {RefusalReason.UNKNOWN_UNDO: 4})
    assert not state.standing()


def test_the_later_of_two_machines_stands(state: ReviewState, tmp_path: Path) -> None:
    """Of decisions that one reviewer took on two machines the later one stands, whichever file is fetched first."""
    early = _entry(uid="early", at="2023-11-14T10:00:00+00:00")
    late = _entry(uid="late", decision="reject", reason="not_wrong", at="2023-11-14T13:00:00+02:00")
    other = ReviewState.open(tmp_path / "other.sqlite", clock=Clock())
    for review, order in ((state, (early, late)), (other, (late, early))):
        assert [_imported(review, tmp_path, line).added for line in order] == [1, 1]
        assert [entry.uid for entry in review.standing()] == ["late"]
    other.close()


def test_a_newer_draft_here_stays(queue: CandidateQueue, state: ReviewState, clock: Clock, tmp_path: Path) -> None:
    """A draft from elsewhere replaces an older one, and never a newer one."""
    taken = leased(queue.next("ann", "1"))
    for text in ("old", "new"):
        clock.wait(5)
        state.save_draft(taken.lease, typed(text))
        export_lines(state, tmp_path / text)
    assert import_lines(state, tmp_path / "old").drafts == 0
    there = ReviewState.open(tmp_path / "there.sqlite", clock=clock)
    assert [import_lines(there, tmp_path / name).drafts for name in ("old", "new")] == [1, 1]
    assert [review.drafts()[0].texts for review in (state, there)] == [typed("new")] * 2
    there.close()


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
    assert state.draft((entry.candidate_id, entry.version, "eve")) == entry.texts
    assert _imported(state, tmp_path, line, candidates=pool).present == 1
    assert not state.standing()


def test_a_foreign_skip_and_a_foreign_draft_keep_their_texts(
    pool: Candidates, state: ReviewState, tmp_path: Path
) -> None:
    """The texts of both are drafts of the reviewer."""
    skip, draft = _foreign(pool, decision="skip", texts=WRONG), {**_foreign(pool, 1, texts=WRONG), "kind": "draft"}
    result = _imported(state, tmp_path, skip, draft, candidates=pool)
    assert (result.added, result.drafts, result.refused.total()) == (1, 1, 0)
    assert [json_form(draft.texts) for draft in state.drafts()] == [WRONG, WRONG]


def test_a_foreign_example_is_audited(state: ReviewState, tmp_path: Path) -> None:
    """A label of another program is the person's example; one that the audit refutes needs a reason; another label is a conflict."""
    right: dict[str, Any] = {"kind": "example", "reviewer": "eve", "label": {"verdict": "Correct"}}
    right |= {"question": "2 and 2?", "solution": "2+2 = 4\n#### 4"}
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
    path = write_lines(tmp_path / "pool" / "conceptual.jsonl", map(made_record, range(3)))
    pool = Candidates.open([path])
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
