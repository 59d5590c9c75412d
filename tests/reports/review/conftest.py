"""Fixtures of the review tests: a clock, ten candidates, the review state and the queue."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reports.review.candidate_queue import CandidateQueue
from reports.review.candidates import Candidates
from reports.review.review_state import ReviewState
from tests.json_lines import write_lines
from tests.reports.review.made_candidates import Clock, made_record


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands still until it is set on."""
    return Clock()


@pytest.fixture
def ten(tmp_path: Path) -> Candidates:
    """Return ten candidates of two strata."""
    path = write_lines(tmp_path / "candidates.jsonl", map(made_record, range(10)))
    return Candidates.open([path])


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> Iterator[Callable[[], ReviewState]]:
    """Return a function that opens the review, as another process would."""
    states: list[ReviewState] = []

    def open_state() -> ReviewState:
        states.append(ReviewState.open(tmp_path / "reviews" / "review.sqlite", clock=clock))
        return states[-1]

    yield open_state
    for state in states:
        state.close()


@pytest.fixture
def state(opened: Callable[[], ReviewState]) -> ReviewState:
    """Return an empty review."""
    return opened()


@pytest.fixture
def queue(ten: Candidates, state: ReviewState) -> CandidateQueue:
    """Return the queue of ten candidates."""
    return CandidateQueue(ten, state)
