"""Tests of the review state: what it keeps, refuses and reports.

`test_review_state_machine.py` holds leases, drafts and decisions to a model after any sequence of actions and restarts.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.records.review import Decision, RejectReason
from reports.review.candidate_queue import CandidateQueue, LeasedCandidate
from reports.review.examples import add_example, example_entries
from reports.review.review_schema import APPLICATION, VERSION, WAIT_SECONDS
from reports.review.review_state import IDLE_SECONDS, LEASE_SECONDS, ReviewState
from tests.cases import cases
from tests.reports.review.made_candidates import Clock, accepted, leased, name_of, ruling, typed
from tests.reports.review.test_review_examples import example


def _next(queue: CandidateQueue, reviewer: str = "ann", session: str = "one") -> LeasedCandidate:
    return leased(queue.next(reviewer, session))


def test_time_counts_while_there_are_signs_of_life(queue: CandidateQueue, state: ReviewState, clock: Clock) -> None:
    """Each gap between signs of life counts up to two minutes; of a candidate held ready, and of a clock set back, none does."""
    taken = _next(queue)
    clock.wait(50)
    state.save_draft(taken.lease, typed("a"))
    clock.wait(LEASE_SECONDS / 2)
    assert state.renew(taken.lease) is not None
    clock.wait(60)
    assert state.renew(taken.lease, shown=False) is not None
    clock.wait(-500)
    state.renew(taken.lease)
    clock.wait(7)
    entry = state.decide(taken.candidate, taken.lease, accepted(taken)).entry
    assert entry is not None
    assert entry.seconds == 50 + IDLE_SECONDS + 7


def test_a_clock_set_back_does_not_reorder(queue: CandidateQueue, state: ReviewState, clock: Clock) -> None:
    """Undo takes back the decision taken last, even where the clock says it was the first."""
    first = _next(queue)
    state.decide(first.candidate, first.lease, accepted(first))
    clock.wait(-10_000)
    second = _next(queue)
    state.decide(second.candidate, second.lease, accepted(second))
    outcome = state.undo("ann", "one")
    assert outcome.entry is not None
    assert outcome.entry.candidate_id == name_of(second)


def test_the_log_is_only_added_to(queue: CandidateQueue, state: ReviewState) -> None:
    """The file itself refuses to change or drop a decision or an example."""
    taken = _next(queue)
    state.decide(taken.candidate, taken.lease, accepted(taken))
    add_example(state, example())
    for statement in (
        "DELETE FROM log",
        "UPDATE log SET note = ''",
        "DELETE FROM examples",
        "UPDATE examples SET at = ''",
    ):
        with pytest.raises(HarnessError, match="append-only"), state.changing() as sql:
            sql.execute(statement)
    assert (len(state.entries()), example_entries(state)) == (1, [example()])


@cases("name", ["", "  ", "x" * 201, "\ud800"])
def test_a_reviewer_has_a_name(queue: CandidateQueue, name: str) -> None:
    """Nobody reviews without a name, nor under one that cannot be kept."""
    with pytest.raises(HarnessError, match=r"name .*: expected 1 to 200 characters"):
        queue.next(name, "one")


@pytest.mark.parametrize(
    "text", ["\ud800", "\x00\x1b[31m", "'; DROP TABLE log; --", "<script>alert(1)</script>", "\u202e"]
)
def test_hostile_text_is_only_text(queue: CandidateQueue, state: ReviewState, text: str) -> None:
    """Whatever is typed is kept as it is, but for what is no text at all."""
    taken = _next(queue)
    state.save_draft(taken.lease, typed(text))
    kept = "\ufffd" if text == "\ud800" else text
    assert state.draft((name_of(taken), taken.candidate.version, "ann")) == typed(kept)
    decided = ruling(Decision.REJECT, typed(text), reason=RejectReason.OTHER, note=text)
    assert state.decide(taken.candidate, taken.lease, decided).entry is not None
    assert state.entries()[0].note == kept


class TestFiles:
    """A file that cannot be used is told with what to do, and left as it is."""

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (
                f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION + 1}",
                f"has version {VERSION + 1}",
            ),
            ("CREATE TABLE log (message TEXT)", "expected the state of a review, found another SQLite database"),
            (b"not a database, but long enough to be read as one\n" * 50, "damaged or not a review"),
            (b"SQLite format 3\x00junk", "damaged or not a review"),
            (b"", "is an empty file; restore a copy"),
        ],
        ids=["newer", "foreign", "no-database", "header", "empty"],
    )
    def test_a_file_that_is_no_review_is_left_alone(self, tmp_path: Path, content: str | bytes, words: str) -> None:
        """A file of a newer version, of another program, or without a database is named and not written to."""
        path = tmp_path / "other.sqlite"
        if isinstance(content, str):
            with closing(sqlite3.connect(path)) as connection:
                connection.executescript(content)
        else:
            path.write_bytes(content)
        before = path.read_bytes()
        with pytest.raises(HarnessError, match=rf"review state .*other\.sqlite: .*{words}"):
            ReviewState.open(path)
        assert path.read_bytes() == before

    def test_a_damaged_file_says_so(self, tmp_path: Path, queue: CandidateQueue, state: ReviewState) -> None:
        """A review whose pages were overwritten is refused when it is opened, not when it is read."""
        for _ in range(6):
            taken = _next(queue)
            state.decide(taken.candidate, taken.lease, ruling(Decision.ACCEPT, typed("x" * 20_000)))
        state.close()
        path = tmp_path / "reviews" / "review.sqlite"
        data = bytearray(path.read_bytes())
        for page in range(2, len(data) // 4096, 2):
            data[page * 4096 : page * 4096 + 64] = b"\xff" * 64
        path.write_bytes(bytes(data))
        with pytest.raises(HarnessError, match=r"it is damaged or not a review; restore a copy"):
            ReviewState.open(path)

    @pytest.mark.parametrize(
        ("fault", "mended", "words"),
        [
            (
                "query_only = ON",
                "query_only = OFF",
                "readonly database; check that the file and its folder are writable",
            ),
            ("max_page_count = 1", "max_page_count = 100000", "full; free some space on the disk"),
        ],
        ids=["read-only", "full"],
    )
    def test_a_file_that_cannot_be_written_says_so(
        self, queue: CandidateQueue, state: ReviewState, fault: str, mended: str, words: str
    ) -> None:
        """Where nothing more can be written a decision is refused with what to do, and none before it is lost."""
        first = _next(queue)
        state.decide(first.candidate, first.lease, accepted(first))
        second = _next(queue)
        long = ruling(Decision.ACCEPT, typed("x" * 60_000))
        state._sql.execute(f"PRAGMA {fault}")
        with pytest.raises(HarnessError, match=words):
            state.decide(second.candidate, second.lease, long)
        assert [entry.candidate_id for entry in state.entries()] == [name_of(first)]
        state._sql.execute(f"PRAGMA {mended}")
        assert state.decide(second.candidate, second.lease, long).entry is not None

    def test_another_programs_transaction_is_waited_for(
        self, queue: CandidateQueue, state: ReviewState, tmp_path: Path
    ) -> None:
        """A file that another program holds for too long is named, with how long was waited."""
        taken = _next(queue)
        other = sqlite3.connect(tmp_path / "reviews" / "review.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        state._sql.execute("PRAGMA busy_timeout = 50")
        with pytest.raises(
            HarnessError, match=rf"locked; another program has locked it for {WAIT_SECONDS:.0f} seconds"
        ):
            state.save_draft(taken.lease, typed("Waiting."))
        other.execute("ROLLBACK")
        assert state.save_draft(taken.lease, typed("Waiting.")) is not None
        other.close()


def test_a_state_that_lost_a_part_is_refused(tmp_path: Path) -> None:
    """Whatever table, view, index or trigger is missing, and whatever table has another layout, is named."""
    whole = tmp_path / "whole.sqlite"
    ReviewState.open(whole).close()
    with sqlite3.connect(whole) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        objects = list(connection.execute("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL"))
    connection.close()
    assert len(objects) >= 10
    changes = [(name, f"DROP {kind} {name}") for kind, name in objects]
    changes += [("drafts", "ALTER TABLE drafts ADD COLUMN more TEXT"), ("plan", "DELETE FROM plan")]
    for number, (name, change) in enumerate(changes):
        path = tmp_path / f"{number}.sqlite"
        path.write_bytes(whole.read_bytes())
        with sqlite3.connect(path) as connection:
            connection.execute(change)
        connection.close()
        before = path.read_bytes()
        with pytest.raises(HarnessError, match=rf"{path.name}: .*(is missing|was changed|lacks its row)"):
            ReviewState.open(path)
        assert (name, path.read_bytes() == before) == (name, True)
