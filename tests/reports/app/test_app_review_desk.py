"""Tests of the review desk: each request changes the state once and in order, if repeated, late or lost."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from streamlit.testing.v1 import AppTest

from harness.domain import Status
from harness.errors import HarnessError
from harness.records.review import CandidateTexts, Decision, RejectReason
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from reports.app.review_page.review_tab import PageOutbox, ReviewTab, read_outbox
from reports.review.candidate_queue import CandidateQueue, QueueFilters, ReviewProgress
from reports.review.candidates import Candidates
from reports.review.command import progress
from reports.review.review_state import ReviewPlan, ReviewState, Ruling
from reports.review.seal import accepted_file, note_decision
from sft.datasets.sources import ExternalSource
from sft.samples.items import Sample
from tests.json_lines import read_lines

SUM = " Then 3 + 4 = 8."
READS_WELL = QueueFilters(needs_edit=False)


@pytest.fixture(scope="module")
def candidates(flawed_run: Path) -> Candidates:
    """Return the candidates of a few problems."""
    return Candidates.open([flawed_run / "mutation" / "conceptual.jsonl"])


@pytest.fixture
def queue(candidates: Candidates, tmp_path: Path) -> Iterator[CandidateQueue]:
    """Return a queue on which nothing is decided."""
    state = ReviewState.open(tmp_path / "review.sqlite")
    yield CandidateQueue(candidates, state)
    state.close()


def desk_of(
    queue: CandidateQueue, reviewer: str = "ada", session: str = "tab-1", filters: QueueFilters = READS_WELL
) -> ReviewTab:
    """Return a desk as the server lays it out, at first or after a restart."""
    return ReviewTab(queue.state, queue, reviewer, session, filters)


def said(desk: ReviewTab, kind: str, number: int, **more: Any) -> dict[str, Any]:
    """Return the message of the page about the candidate it shows."""
    sheet = desk.page()["now"]
    assert sheet is not None
    view = sheet["view"]
    about = {"candidate": view["candidate_id"], "version": view["version"]}
    texts = {"lines": [line["text"] for line in view["lines"]], "explanation": view["explanation"]}
    return {"number": number, "kind": kind, **about, **texts, **more}


def send(desk: ReviewTab, *messages: dict[str, Any], client: str = "browser") -> None:
    """Let the page send messages."""
    desk.receive(PageOutbox.model_validate({"client": client, "messages": messages}))


def shown(desk: ReviewTab, which: str = "now") -> str:
    """Return the id of the candidate that is shown, or that follows."""
    sheet = desk.page()[which]  # type: ignore[literal-required]  # one of two keys
    return str(sheet["view"]["candidate_id"]) if sheet else ""


def draft(queue: CandidateQueue, candidate_id: str, version: str, reviewer: str = "ada") -> CandidateTexts:
    """Return the draft of a reviewer; there must be one."""
    kept = queue.state.draft((candidate_id, version, reviewer))
    assert kept is not None
    return kept


def explained(desk: ReviewTab) -> str:
    """Return the explanation that the page shows."""
    sheet = desk.page()["now"]
    assert sheet is not None
    return sheet["view"]["explanation"]


def given_to(queue: CandidateQueue, desk: ReviewTab, reviewer: str, session: str) -> str:
    """Give the candidate of a desk to another session, as after the end of its lease; return its id."""
    assert desk.now is not None
    queue.state.release(desk.now.lease)
    assert queue.take(desk.now.candidate.key[0], reviewer, session) is not None
    return desk.now.candidate.key[0]


def decided(queue: CandidateQueue) -> list[tuple[str, Decision]]:
    """Return what stands in the log."""
    return [(entry.candidate_id, entry.decision) for entry in queue.state.entries()]


def test_what_follows_stays_with_its_reviewer_beside_others(candidates: Candidates, tmp_path: Path) -> None:
    """While several reviewers decide at once, each is given the candidate that their page showed as the next one."""
    path = tmp_path / "review.sqlite"
    ReviewState.open(path).close()

    def review(reviewer: str) -> list[tuple[str, str]]:
        state = ReviewState.open(path)
        desk = desk_of(CandidateQueue(candidates, state), reviewer, reviewer)
        moves = []
        for number in range(1, 31):
            following = shown(desk, "next")
            send(desk, said(desk, "reject", number, reason="implausible"))
            moves.append((following, shown(desk)))
        state.close()
        return moves

    with ThreadPoolExecutor(3) as threads:
        for moves in threads.map(review, ("ada", "bob", "cyd")):
            assert [following for following, _ in moves] == [candidate for _, candidate in moves]


def test_decision_before_the_restart_arrives_after_it(queue: CandidateQueue) -> None:
    """A decision and a draft of the next candidate, made while no server answered, reach the new one in order."""
    desk = desk_of(queue)
    accepted = said(desk, "accept", 1)
    following = shown(desk, "next")
    sheet = desk.page()["next"]
    assert sheet is not None
    typed = {
        "number": 2,
        "kind": "draft",
        "candidate": following,
        "version": sheet["view"]["version"],
        "lines": [line["text"] for line in sheet["view"]["lines"]],
        "explanation": "as I typed it",
    }
    restarted = desk_of(queue)
    send(restarted, accepted, typed, client="another")
    assert decided(queue) == [(accepted["candidate"], Decision.ACCEPT)]
    assert shown(restarted) == following
    assert explained(restarted) == "as I typed it"


def test_server_audits_the_texts_of_the_message(queue: CandidateQueue) -> None:
    """What the page thinks of the texts does not count: a false sum accepted without words stays undecided, as a draft."""
    desk = desk_of(queue)
    message = said(desk, "accept", 1)
    message["lines"][0] += SUM
    before = shown(desk)
    send(desk, message)
    page = desk.page()
    assert (decided(queue), page["refused"], shown(desk)) == ([], [1], before)
    assert "write a reason to accept it" in page["notice"]
    assert page["now"] is not None
    assert page["now"]["audit"]["findings"]
    send(desk, {**message, "number": 2, "override": "a joke"})
    (entry,) = queue.state.entries()
    assert (entry.override, entry.texts.lines[0]) == ("a joke", message["lines"][0])
    assert entry.findings


def test_lost_lease_keeps_the_text_and_shows_another(queue: CandidateQueue) -> None:
    """Another reviewer was given the candidate meanwhile: the decision is not taken, a message says so, the text is a draft."""
    desk = desk_of(queue)
    lost = given_to(queue, desk, "bob", "elsewhere")
    send(desk, said(desk, "accept", 1, explanation="my words"))
    assert decided(queue) == []
    assert "kept as a draft" in desk.page()["notice"]
    assert shown(desk) not in {"", lost}
    assert draft(queue, lost, queue.candidates.get(lost).version).explanation == "my words"


def test_undo_takes_back_only_what_the_page_showed(queue: CandidateQueue) -> None:
    """A decision of another tab made since is not taken back by an undo that was meant for an earlier one."""
    desk, other = desk_of(queue), desk_of(queue, session="tab-2")
    mine = said(desk, "accept", 1)
    send(desk, mine)
    send(other, said(other, "accept", 1))
    send(desk, {"number": 2, "kind": "undo", "candidate": mine["candidate"], "version": mine["version"]})
    assert len(decided(queue)) == 2
    assert "Nothing was undone" in desk.page()["notice"]


@pytest.mark.parametrize(
    "value",
    [
        7,
        [],
        {"client": 1},
        {"client": "x", "messages": [{"number": 0, "kind": "draft"}]},
        {"client": "x", "messages": [{"number": 1, "kind": "drop"}]},
    ],
    ids=["number", "list", "no-client", "number-zero", "unknown-kind"],
)
def test_what_no_page_sends_is_one_message(value: object) -> None:
    """A browser that sends something else is told to reload."""
    with pytest.raises(HarnessError, match="reload"):
        read_outbox(value)


ACTS = st.lists(
    st.sampled_from(["accept", "skip", "reject", "draft", "undo", "restart", "again", "other"]), max_size=14
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
def test_no_order_of_acts_loses_or_doubles_a_decision(
    candidates: Candidates, tmp_path_factory: Any, acts: list[str]
) -> None:
    """Whatever two tabs do, with restarts and repetitions between: what is in force is what a plain list of acts says.

    Every message is sent again to the server, or to one that was started after the entry was written: nothing is refused.
    """
    state = ReviewState.open(tmp_path_factory.mktemp("acts") / "review.sqlite")
    queue = CandidateQueue(candidates, state)
    desks = {"tab-1": desk_of(queue), "tab-2": desk_of(queue, "bob", "tab-2")}
    sent: dict[str, list[dict[str, Any]]] = {"tab-1": [], "tab-2": []}
    expected: dict[str, list[tuple[str, str]]] = {"tab-1": [], "tab-2": []}
    tab = "tab-1"
    for act in acts:
        desk, done = desks[tab], expected[tab]
        number = len(sent[tab]) + 1
        if act == "other":
            tab = "tab-2" if tab == "tab-1" else "tab-1"
        elif act == "restart":
            desks[tab] = ReviewTab(state, queue, desk.reviewer, desk.session, desk.filters)
            send(desks[tab], *sent[tab][-1:])
        elif act == "again":
            send(desk, *sent[tab][-2:])
        elif act == "undo":
            last = desk.page()["undo"]
            if last is not None:
                sent[tab].append(
                    {"number": number, "kind": "undo", "candidate": last["candidate"], "version": last["version"]}
                )
                send(desk, sent[tab][-1])
                done.pop()
        else:
            sent[tab].append(said(desk, act, number, reason="implausible", override="because"))
            if act != "draft":
                done.append((shown(desk), act))
            send(desk, sent[tab][-1])
        assert (desks[tab].page()["refused"], desks[tab].page()["notice"]) == ([], "")
    for name, desk in desks.items():
        in_force = {e.candidate_id: str(e.decision) for e in state.standing() if e.reviewer == desk.reviewer}
        assert in_force == dict(expected[name])
    assert len({shown(desk) for desk in desks.values()}) == 2
    state.close()


def test_texts_of_a_message_are_lines(queue: CandidateQueue) -> None:
    """A line break that a browser let through does not make two lines of one."""
    desk = desk_of(queue)
    message = said(desk, "draft", 1)
    message["lines"][0] += "\nand more\r\nto come"
    send(desk, message)
    assert desk.now is not None
    lines = draft(queue, *desk.now.candidate.key).lines
    assert lines[0].endswith(" and more to come")
    assert len(lines) == len(message["lines"])


def _written(queue: CandidateQueue) -> list[dict[str, Any]]:
    """Return the training records beside the state."""
    path = accepted_file(queue.state.path)
    return read_lines(path) if path.exists() else []


def test_an_accepted_candidate_is_a_training_record_at_once(queue: CandidateQueue) -> None:
    """It holds the texts as they were left, proved again, before any seal, and datasets read it; an undo or a second opinion takes it back."""
    desk = desk_of(queue)
    first = said(desk, "accept", 1)
    first["lines"][0] = f"So {first['lines'][0]}"
    send(desk, said(desk, "draft", 1, lines=first["lines"]), {**first, "number": 2, "override": "it reads well"})
    second = said(desk, "accept", 3)
    send(desk, second)
    records = {record["flaw_id"]: record for record in _written(queue)}
    assert list(records) == [first["candidate"], second["candidate"]]
    for message in (first, second):
        record = records[message["candidate"]]
        assert record["flawed_solution"].split("\n") == message["lines"]
        assert check_record(record, open_solver(SolverName.Z3)).status is Status.CONFIRMED
    samples = ExternalSource(accepted_file(queue.state.path), "MIT", {}).read()
    texts = {sample.solution for sample in samples if isinstance(sample, Sample) and sample.truth.flawed}
    assert texts == {record["flawed_solution"] for record in records.values()}
    about = {name: second[name] for name in ("candidate", "version")}
    send(desk, {"number": 4, "kind": "undo", **about})
    assert [record["flaw_id"] for record in _written(queue)] == [first["candidate"]]
    other = desk_of(queue, "bob", "tab-2")
    taken = queue.take(first["candidate"], "bob", "tab-2", held=other.now and other.now.lease)
    assert taken is not None
    outcome = queue.state.decide(
        taken.candidate, taken.lease, Ruling(Decision.REJECT, taken.texts, reason=RejectReason.NOT_WRONG)
    )
    assert outcome.entry is not None
    note_decision(queue.candidates, queue.state, outcome.entry)
    assert _written(queue) == []


def test_an_accepted_label_without_a_proof_is_no_training_record(queue: CandidateQueue) -> None:
    """The reviewer reads why; the decision stands."""
    desk = desk_of(queue)
    message = said(desk, "accept", 1, override="because")
    message["lines"][-1] = "#### 987654"
    send(desk, message)
    assert decided(queue) == [(message["candidate"], Decision.ACCEPT)]
    assert _written(queue) == []
    assert "is not in" in desk.page()["notice"]


def test_app_and_command_count_alike(queue: CandidateQueue, capsys: pytest.CaptureFixture[str]) -> None:
    """With double review the count says what it counts: what one of two has judged is not accepted yet."""
    queue.state.say(ReviewPlan(1, 1.0))
    desk = desk_of(queue)
    send(desk, said(desk, "accept", 1))
    said_there = ReviewProgress.of(queue.progress(), queue.state.plan).sentence
    assert said_there.startswith(f"0 of {len(queue.progress())} wanted candidates are accepted; 100% count when two")
    assert ": 1 accepted or rejected by one of two, 0 judged differently" in said_there
    progress(candidates=queue.candidates.files[0], state=queue.state.path)
    assert said_there in " ".join(capsys.readouterr().out.split())


def _filters_alone() -> None:
    from types import SimpleNamespace  # AppTest runs the source of this function alone

    from reports.app.review_page.page import _filters

    _filters(SimpleNamespace(by_id={}))  # type: ignore[arg-type]  # nothing else of the candidates is read


def test_the_filters_are_in_the_order_of_a_stratum() -> None:
    """What a candidate is comes first, then what it needs and rests on, then its problem."""
    app = AppTest.from_function(_filters_alone, default_timeout=60).run()
    shown = [widget.label for widget in app.main.children.values() if getattr(widget, "label", None)]
    assert (shown[:5], shown[-1]) == (["Tier", "Position", "Type", "Operator", "Needs an edit"], "Problem")
