"""Tests of the exchange of decisions: files from other programs give the same decisions once, under the same rules.

More than 400 lines because every way of exchange is held to the same laws by the same tables.
"""

import json
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.errors import HarnessError
from harness.json_form import json_form
from harness.records.review import CandidateTexts, Decision, RejectReason
from oracle_factory.command import main
from reports.review.candidate_queue import CandidateQueue
from reports.review.candidates.candidates import Candidates
from reports.review.exchange.argilla import ArgillaUsers, export_argilla, import_argilla, settings as argilla_settings
from reports.review.exchange.json_lines import export_plain, import_plain
from reports.review.exchange.judgement_merge import MergeResult, RefusalReason
from reports.review.exchange.label_studio import export_label_studio, import_label_studio, labeling_config
from reports.review.state.decisions import ReviewPlan, Ruling
from reports.review.state.review_state import ReviewState
from tests.cases import cases
from tests.reports.review.made_candidates import (
    LINES,
    Clock,
    accepted,
    leased,
    made_record,
    name_of,
    ruling,
    typed,
    write_records,
)

Send = Callable[[ReviewState, Candidates, Path], int]
Fetch = Callable[[ReviewState, Candidates, Path], MergeResult]


def _send_plain(state: ReviewState, _: Candidates, path: Path) -> int:
    return export_plain(state, path)


def _fetch_plain(state: ReviewState, _: Candidates, path: Path) -> MergeResult:
    return import_plain(state, path)


WAYS: dict[str, tuple[Send, Fetch]] = {
    "jsonl": (_send_plain, _fetch_plain),
    "argilla": (export_argilla, import_argilla),
    "label-studio": (export_label_studio, import_label_studio),
}
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


def _typed(state: ReviewState) -> dict[tuple[str, str, str], CandidateTexts]:
    return {(draft.candidate_id, draft.version, draft.reviewer): draft.texts for draft in state.drafts()}


def _said(state: ReviewState) -> dict[tuple[str, str, str], tuple[Any, ...]]:
    """Return what stands, without what differs by program: who told it when; who skipped says what they typed last."""
    drafts = _typed(state)
    return {
        (key := (entry.candidate_id, entry.version, entry.reviewer)): (
            entry.decision,
            drafts[key] if entry.decision is Decision.SKIP else entry.texts,
            entry.override,
            entry.reason,
            entry.note,
            entry.original,
        )
        for entry in state.standing()
    }


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Candidates]:
    """Return three candidates."""
    folder = tmp_path_factory.mktemp("pool")
    path = write_records(folder / "pool.jsonl", map(made_record, range(3)))
    candidates = Candidates.open([path], cache=folder / "cache")
    yield candidates
    candidates.close()


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=15)
@given(steps=STEPS)
def test_what_goes_out_comes_back(
    way: str, steps: Steps, pool: Candidates, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Sent and fetched into an empty review, every decision in force is there as it was; fetched again, nothing changes."""
    send, fetch = WAYS[way]
    folder = tmp_path_factory.mktemp("trip")
    state = _reviewed(folder, pool, steps)
    send(state, pool, folder / "out")
    there = ReviewState.open(folder / "there.sqlite", clock=Clock())
    first = fetch(there, pool, folder / "out")
    assert not first.refused
    assert _said(there) == _said(state)
    assert _typed(there) == _typed(state)
    before = (there.entries(), there.drafts())
    again = fetch(there, pool, folder / "out")
    assert (again.added, again.drafts, len(again.refused)) == (0, 0, 0)
    assert (there.entries(), there.drafts()) == before
    for review in (state, there):
        review.close()


@settings(max_examples=15)
@given(steps=STEPS)
def test_lines_of_json_lose_nothing(steps: Steps, pool: Candidates, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The whole log, undos and all, and every draft come back, so that what is written again is the same file."""
    folder = tmp_path_factory.mktemp("whole")
    state = _reviewed(folder, pool, steps)
    there = ReviewState.open(folder / "there.sqlite", clock=Clock())
    export_plain(state, folder / "one.jsonl")
    import_plain(there, folder / "one.jsonl")
    export_plain(there, folder / "two.jsonl")
    assert (folder / "one.jsonl").read_bytes() == (folder / "two.jsonl").read_bytes()
    assert there.entries() == state.entries()
    assert there.standing() == state.standing()
    assert there.drafts() == state.drafts()
    for review in (state, there):
        review.close()


@pytest.mark.parametrize("way", WAYS)
def test_drafts_go_out_and_come_back(way: str, queue: CandidateQueue, state: ReviewState, tmp_path: Path) -> None:
    """A draft that is exported is a draft after import."""
    send, fetch = WAYS[way]
    taken = leased(queue.next("ann", "1"))
    state.save_draft(taken.lease, typed("She has 7 l"))
    send(state, queue.candidates, tmp_path / "out")
    there = ReviewState.open(tmp_path / "there.sqlite", clock=Clock())
    assert fetch(there, queue.candidates, tmp_path / "out").drafts == 1
    assert there.draft(name_of(taken), taken.candidate.version, "ann") == typed("She has 7 l")
    assert not there.entries()
    there.close()


@pytest.mark.parametrize("way", WAYS)
def test_what_is_here_comes_not_again(way: str, queue: CandidateQueue, state: ReviewState, tmp_path: Path) -> None:
    """Importing a review into itself adds nothing."""
    send, fetch = WAYS[way]
    for decision in Decision:
        taken = leased(queue.next("ann", "1"))
        state.decide(taken.candidate, taken.lease, ruling(decision, taken.texts))
    send(state, queue.candidates, tmp_path / "out")
    merged = fetch(state, queue.candidates, tmp_path / "out")
    assert (merged.added, merged.drafts, len(merged.refused)) == (0, 0, 0)
    assert len(state.entries()) == 3


@pytest.mark.parametrize("way", ["argilla", "label-studio"])
def test_a_reviewer_is_not_overruled_from_elsewhere(
    way: str, queue: CandidateQueue, state: ReviewState, tmp_path: Path
) -> None:
    """Where the reviewer has decided otherwise here meanwhile, what comes back is refused and told."""
    send, fetch = WAYS[way]
    taken = leased(queue.next("ann", "1"))
    state.decide(taken.candidate, taken.lease, accepted(taken))
    send(state, queue.candidates, tmp_path / "out")
    state.undo("ann", "1")
    again = leased(queue.next("ann", "1"))
    state.decide(again.candidate, again.lease, ruling(Decision.REJECT, again.texts))
    merged = fetch(state, queue.candidates, tmp_path / "out")
    assert dict(merged.refused) == {RefusalReason.CONFLICT: 1} or merged.present == 1
    assert [entry.decision for entry in state.standing()] == [Decision.REJECT]


def test_an_undone_import_stays_undone(queue: CandidateQueue, state: ReviewState, tmp_path: Path) -> None:
    """What was fetched and then taken back here does not come again with the same file; its text is the reviewer's draft."""
    there = ReviewState.open(tmp_path / "there.sqlite", clock=Clock())
    taken = leased(CandidateQueue(queue.candidates, there).next("ann", "1"))
    there.decide(taken.candidate, taken.lease, accepted(taken))
    export_argilla(there, queue.candidates, tmp_path / "out")
    leased(queue.take(name_of(taken), "ann", "1"))
    import_argilla(state, queue.candidates, tmp_path / "out")
    assert state.undo("ann", "1").lease is not None
    assert state.draft(name_of(taken), taken.candidate.version, "ann") == taken.texts
    assert import_argilla(state, queue.candidates, tmp_path / "out").present == 1
    assert not state.standing()
    there.close()


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


@pytest.mark.parametrize(("junk", "why"), JUNK.values(), ids=JUNK)
def test_junk_among_lines_is_refused_and_counted(
    junk: object, why: RefusalReason, state: ReviewState, tmp_path: Path
) -> None:
    """A line that breaks a rule is refused by its reason, told by its number; the lines around it are taken."""
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (_entry(1), junk, _entry(2))))
    merged = import_plain(state, path)
    assert (merged.added, dict(merged.refused)) == (2, {why: 1})
    assert merged.messages[0].startswith(f"lines.jsonl:2: {why}")
    assert len(state.entries()) == 2


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
    merged = import_plain(state, path)
    assert (merged.added, dict(merged.refused)) == (2, {RefusalReason.UNKNOWN_UNDO: 4})
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
            assert import_plain(review, path).added == 1
        assert [entry.uid for entry in review.standing()] == ["late"]
    other.close()


def test_a_newer_draft_here_stays(queue: CandidateQueue, state: ReviewState, clock: Clock, tmp_path: Path) -> None:
    """A draft from elsewhere replaces an older one, and never a newer one."""
    taken = leased(queue.next("ann", "1"))
    state.save_draft(taken.lease, typed("old"))
    export_plain(state, tmp_path / "old.jsonl")
    clock.wait(5)
    state.save_draft(taken.lease, typed("new"))
    export_plain(state, tmp_path / "new.jsonl")
    assert import_plain(state, tmp_path / "old.jsonl").drafts == 0
    assert state.draft(name_of(taken), taken.candidate.version, "ann") == typed("new")
    there = ReviewState.open(tmp_path / "there.sqlite", clock=clock)
    assert [import_plain(there, tmp_path / name).drafts for name in ("old.jsonl", "new.jsonl")] == [1, 1]
    assert there.drafts()[0].texts == typed("new")
    there.close()


def _changed(record: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """Return a record with the value at a path of keys replaced."""
    changed = json.loads(json.dumps(record))
    *way, last = path.split(".")
    place = changed
    for key in way:
        place = place[int(key) if isinstance(place, list) else key]
    place[int(last) if isinstance(place, list) else last] = value
    return changed  # type: ignore[no-any-return]  # what JSON reads


ODD = {
    "argilla": (
        "records.json",
        [
            ("id", 7, RefusalReason.MALFORMED),
            ("id", "nothing", RefusalReason.UNKNOWN_CANDIDATE),
            ("metadata.version", "000000000000", RefusalReason.OTHER_VERSION),
            ("fields", None, RefusalReason.MALFORMED),
            ("responses.decision.0.value", "perhaps", RefusalReason.MALFORMED),
            ("responses.reason.0.value", "mood", RefusalReason.MALFORMED),
            ("responses.reason", [], RefusalReason.REASON_MISSING),
            ("responses.decision.0.user_id", None, RefusalReason.MALFORMED),
            ("responses.edited_solution.0.value", "x" * 100_001, RefusalReason.MALFORMED),
            ("responses", [1], RefusalReason.MALFORMED),
        ],
    ),
    "label-studio": (
        "tasks.json",
        [
            ("data.candidate_id", "nothing", RefusalReason.UNKNOWN_CANDIDATE),
            ("data.version", "000000000000", RefusalReason.OTHER_VERSION),
            ("data", None, RefusalReason.MALFORMED),
            ("annotations", {}, RefusalReason.MALFORMED),
            ("annotations.0.result.0.value.choices", ["perhaps"], RefusalReason.MALFORMED),
            ("annotations.0.result.0.value.choices", [], RefusalReason.MALFORMED),
            ("annotations.0.result.0.value", {"rectanglelabels": ["pen"]}, RefusalReason.MALFORMED),
            ("annotations.0.result.3.value.choices", [], RefusalReason.REASON_MISSING),
            ("annotations.0.lead_time", -1, RefusalReason.MALFORMED),
        ],
    ),
}


@cases("way", ODD)
def test_odd_records_of_other_programs_are_refused(
    way: str, queue: CandidateQueue, state: ReviewState, tmp_path: Path
) -> None:
    """A record that breaks a rule is refused by its reason; the one beside it is taken."""
    (send, fetch), (name, odd) = WAYS[way], ODD[way]
    for decision in (Decision.ACCEPT, Decision.REJECT):
        taken = queue.next("ann", "1")
        if taken is not None:
            state.decide(taken.candidate, taken.lease, ruling(decision, taken.texts))
    send(state, queue.candidates, tmp_path / "out")
    file = tmp_path / "out" / name
    exported = sorted(json.loads(file.read_text()), key=lambda record: '"reject' in json.dumps(record))
    accepted_one, rejected_one = exported[0], exported[-1]
    for number, (path, value, why) in enumerate(odd):
        file.write_text(json.dumps([accepted_one, _changed(rejected_one, path, value), "junk"]))
        there = ReviewState.open(tmp_path / f"{number}.sqlite", clock=Clock())
        merged = fetch(there, queue.candidates, file)
        assert (path, merged.added) == (path, 1)
        assert merged.refused == Counter([why, RefusalReason.MALFORMED]), path
        there.close()


@pytest.mark.parametrize("way", ["argilla", "label-studio"])
def test_nobody_accepts_against_the_audit_elsewhere(
    way: str, queue: CandidateQueue, state: ReviewState, tmp_path: Path
) -> None:
    """What the audit speaks against is not taken from another program without a written reason, and is with one."""
    send, fetch = WAYS[way]
    for reviewer, override in (("ann", ""), ("bob", "It is meant so.")):
        state.say(ReviewPlan(double=1.0))
        taken = leased(queue.next(reviewer, reviewer))
        wrong = CandidateTexts((*LINES[:2], "#### 8"), taken.texts.explanation)
        state.decide(taken.candidate, taken.lease, ruling(Decision.ACCEPT, wrong, override=override))
    send(state, queue.candidates, tmp_path / "out")
    there = ReviewState.open(tmp_path / "there.sqlite", clock=Clock())
    merged = fetch(there, queue.candidates, tmp_path / "out")
    assert (merged.added, dict(merged.refused)) == (1, {RefusalReason.OVERRIDE_MISSING: 1})
    (entry,) = there.standing()
    assert (entry.reviewer, entry.override) == ("bob", "It is meant so.")
    assert "FA" in {finding["where"] for finding in entry.findings}
    there.close()


def test_shortlists_go_out_to_be_judged(ten: Candidates, state: ReviewState, tmp_path: Path) -> None:
    """The most plausible undecided candidates of each stratum go out, with their own texts as what is suggested."""
    assert export_argilla(state, ten, tmp_path / "argilla", undecided=2) == 4
    assert export_label_studio(state, ten, tmp_path / "label-studio", undecided=2) == 4
    records = json.loads((tmp_path / "argilla" / "records.json").read_text())
    tasks = json.loads((tmp_path / "label-studio" / "tasks.json").read_text())
    assert (
        {record["id"] for record in records}
        == {task["data"]["candidate_id"] for task in tasks}
        == set(ten.shortlists(2))
    )
    own = "\n".join(LINES)
    assert {record["suggestions"]["edited_solution"]["value"] for record in records} == {own}
    assert {task["predictions"][0]["result"][0]["value"]["text"][0] for task in tasks} == {own}
    assert import_argilla(state, ten, tmp_path / "argilla") == MergeResult()
    assert import_label_studio(state, ten, tmp_path / "label-studio") == MergeResult()


def test_argilla_asks_for_what_it_is_answered(queue: CandidateQueue, state: ReviewState, tmp_path: Path) -> None:
    """Names of the settings are unique; each field, answer, suggestion and datum of a record is one that they declare."""
    taken = leased(queue.next("ann", "1"))
    reject = ruling(Decision.REJECT, taken.texts, reason=RejectReason.OTHER, note="Odd.", override="So.")
    state.decide(taken.candidate, taken.lease, reject)
    export_argilla(state, queue.candidates, tmp_path / "out")
    assert json.loads((tmp_path / "out" / ".argilla" / "settings.json").read_text()) == argilla_settings()
    declared = {
        part: {setting["name"] for setting in argilla_settings()[part]} for part in ("fields", "questions", "metadata")
    }
    assert len(set.union(*declared.values())) == sum(map(len, declared.values()))
    (record,) = json.loads((tmp_path / "out" / "records.json").read_text())
    assert set(record["fields"]) == declared["fields"]
    assert set(record["responses"]) == declared["questions"]
    assert set(record["suggestions"]) <= declared["questions"]
    assert set(record["metadata"]) == declared["metadata"]
    options = {
        setting["name"]: {option["value"] for option in setting["settings"]["options"]}
        for setting in argilla_settings()["questions"]
        if setting["settings"]["type"] == "label_selection"
    }
    for question, values in options.items():
        assert {answer["value"] for answer in record["responses"][question]} <= values


def test_argillas_own_export_is_read(queue: CandidateQueue, state: ReviewState, tmp_path: Path) -> None:
    """Argilla writes no status of an answer: what has a decision is decided, what has none is a draft, by the user's UUID."""
    taken = leased(queue.next("ann", "1"))
    state.save_draft(taken.lease, taken.texts)
    export_argilla(state, queue.candidates, tmp_path / "out")
    file = tmp_path / "out" / "records.json"
    (record,) = json.loads(file.read_text())
    decided, typing = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
    record["responses"] = {
        "decision": [{"value": "reject", "user_id": decided}],
        "reason": [{"value": "unreadable", "user_id": decided}],
        "edited_solution": [{"value": "Line.\n#### 7", "user_id": typing}],
    }
    file.write_text(json.dumps([record]))
    there = ReviewState.open(tmp_path / "there.sqlite", clock=Clock())
    people = tmp_path / "people.json"
    people.write_text(json.dumps({"eve": decided}))
    merged = import_argilla(there, queue.candidates, tmp_path / "out", people=ArgillaUsers.read(people))
    assert (merged.added, merged.drafts) == (1, 1)
    (entry,) = there.standing()
    assert (entry.reviewer, entry.reason, entry.texts) == ("eve", RejectReason.UNREADABLE, taken.texts)
    (draft,) = there.drafts()
    assert (draft.reviewer, draft.texts.lines) == (typing, ("Line.", "#### 7"))
    there.close()


@pytest.mark.parametrize(
    ("user", "reviewer"),
    [
        (7, "label-studio:7"),
        ({"id": 3, "email": "eve@example.org"}, "label-studio:eve@example.org"),
        (None, "label-studio:unknown"),
    ],
    ids=["number", "object", "none"],
)
def test_label_studios_own_annotations_are_read(
    user: object, reviewer: str, ten: Candidates, state: ReviewState, tmp_path: Path
) -> None:
    """An annotation made in Label Studio is a decision of its user, with the texts of the fields and the seconds it took."""
    export_label_studio(state, ten, tmp_path / "out", undecided=1)
    file = tmp_path / "out" / "tasks.json"
    task, *_ = json.loads(file.read_text())
    result = [
        {
            "id": "a",
            "from_name": "decision",
            "to_name": "question",
            "type": "choices",
            "value": {"choices": ["reject"]},
        },
        {
            "id": "b",
            "from_name": "reason",
            "to_name": "question",
            "type": "choices",
            "value": {"choices": ["not_wrong"]},
        },
        {
            "id": "c",
            "from_name": "flawed_solution",
            "to_name": "question",
            "type": "textarea",
            "value": {"text": ["A.", "#### 7"]},
        },
    ]
    task["annotations"] = [{"id": 9, "result": result, "lead_time": 12.5, "completed_by": user, "was_cancelled": False}]
    file.write_text(json.dumps([task]))
    assert import_label_studio(state, ten, file).added == 1
    (entry,) = state.standing()
    assert (entry.reviewer, entry.seconds, entry.reason) == (reviewer, 12.5, RejectReason.NOT_WRONG)
    assert entry.texts.lines == ("A.", "#### 7")


@settings(max_examples=40)
@given(st.text(max_size=60))
def test_a_hostile_title_is_only_a_title(title: str) -> None:
    """Whatever the title is, the configuration is XML with the same elements, and the title is one attribute."""
    root, plain = (ET.fromstring(labeling_config(header)) for header in (title, "Review"))  # noqa: S314  # what was just written
    assert [node.tag for node in root.iter()] == [node.tag for node in plain.iter()]
    assert [sorted(node.attrib) for node in root.iter()] == [sorted(node.attrib) for node in plain.iter()]


def test_label_studio_shows_texts_as_text() -> None:
    """No element of the configuration renders markup, and each value that is shown is a datum of the task."""
    root = ET.fromstring(labeling_config("<HyperText name='x' value='$question'/>"))  # noqa: S314  # as above
    assert {node.tag for node in root.iter()} == {"View", "Header", "Text", "TextArea", "Choices", "Choice"}
    shown = {
        node.attrib["value"] for node in root.iter() if node.tag in {"Text", "TextArea"} and "value" in node.attrib
    }
    assert shown == {"$question", "$solution", "$change", "$flawed_solution", "$explanation"}


@pytest.mark.parametrize(
    "content", [b"", b"{", b"{}", b"[" * 100_000, b"\xff\xfe"], ids=["empty", "cut", "object", "deep", "bytes"]
)
@pytest.mark.parametrize("way", ["argilla", "label-studio"])
def test_a_file_that_is_no_list_says_so(
    way: str, content: bytes, ten: Candidates, state: ReviewState, tmp_path: Path
) -> None:
    """A file that is no JSON list is refused whole, by name."""
    path = tmp_path / "foreign.json"
    path.write_bytes(content)
    with pytest.raises(HarnessError, match=r"foreign\.json: (cannot be read as JSON|expected a JSON list)"):
        WAYS[way][1](state, ten, path)


@pytest.mark.parametrize("users", ["[]", "{", '{"ann": 1}', '{"ann": "not-a-uuid"}'])
def test_users_are_uuids(users: str, tmp_path: Path) -> None:
    """A list of users that is none is refused with what was expected."""
    path = tmp_path / "users.json"
    path.write_text(users)
    with pytest.raises(HarnessError, match="UUID of the user in Argilla"):
        ArgillaUsers.read(path)


@pytest.mark.parametrize("way", WAYS)
def test_the_commands_send_and_fetch(
    way: str, tmp_path: Path, state: ReviewState, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`export` and `import` take a review from one state to another, and say what was refused by their exit status."""
    monkeypatch.chdir(tmp_path)
    path = write_records(tmp_path / "pool" / "conceptual.jsonl", map(made_record, range(3)))
    queue = CandidateQueue(Candidates.open([path], cache=tmp_path / "cache"), state)
    taken = leased(queue.next("ann", "1"))
    state.decide(taken.candidate, taken.lease, ruling(Decision.REJECT, taken.texts))
    where = ["--candidates", str(path.parent), "--format", way]
    assert main(["review", "export", *where, "--state", str(state.path), "--out", "sent"]) == 0
    there = ["import", *where, "--state", "there.sqlite"]
    assert main(["review", *there, "sent"]) == 0
    assert "1 decisions, 0 drafts and 0 examples added, 0 were there already" in capsys.readouterr().out
    foreign = tmp_path / "foreign"
    foreign.write_text(json.dumps(["junk"] if way != "jsonl" else {"kind": "junk"}))
    assert main(["review", *there, "foreign"]) == 1
    assert "1 refused: not of this format" in capsys.readouterr().out
    assert main(["review", *there, "missing"]) == 2
    assert capsys.readouterr().err.startswith("oracle-factory review import: ")
