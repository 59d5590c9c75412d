"""Tests of the review queue: it offers the requested candidates in the order of their priority."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from harness.records.provenance import ConfidenceThresholds
from harness.records.review import Decision
from reports.review.candidate_queue import CandidateQueue, LeasedCandidate, QueueFilters
from reports.review.candidates import Candidates
from reports.review.review_state import CandidateStatus, ReviewPlan, ReviewState, candidate_status
from tests.json_lines import write_lines
from tests.reports.review.made_candidates import accepted, made_record, name_of, ruling


def _all(
    queue: CandidateQueue, state: ReviewState, decision: Decision = Decision.ACCEPT, **filters: object
) -> list[LeasedCandidate]:
    """Decide until nothing is left; return what was given, in order."""
    given_out: list[LeasedCandidate] = []
    while (taken := queue.next("ann", "one", QueueFilters(**filters))) is not None:  # type: ignore[arg-type]  # of a test
        given_out.append(taken)
        assert state.decide(taken.candidate, taken.lease, ruling(decision, taken.texts)).entry is not None
    return given_out


def _pool(tmp_path: Path, *records: dict[str, object]) -> Candidates:
    return Candidates.open([write_lines(tmp_path / "pool.jsonl", records)])


def test_a_target_weighs_a_stratum(tmp_path: Path, state: ReviewState) -> None:
    """A stratum that cannot reach the target is full when it has no more, and the others are asked for until theirs is reached."""
    records = [made_record(number, tier=1 if number < 8 else 2) for number in range(10)]
    queue = CandidateQueue(_pool(tmp_path, *records), state)
    state.say(ReviewPlan(target=4))
    tiers = [taken.candidate.tier for taken in _all(queue, state)]
    assert Counter(tiers[:6]) == {"1": 4, "2": 2}
    assert tiers[6:] == ["1"] * 4


def test_equals_come_in_an_order_that_stays(tmp_path: Path) -> None:
    """Equally plausible candidates come in an order that is the same every time, and not that of the file."""
    same = {"score": 0.5, "reasons": []}
    records = [made_record(number, tier=1, plausibility=same) for number in range(12)]
    pools = [
        Candidates.open([write_lines(tmp_path / f"{name}.jsonl", order)])
        for name, order in (("forth", records), ("back", records[::-1]))
    ]
    orders = []
    for number, pool in enumerate(pools):
        state = ReviewState.open(tmp_path / f"{number}.sqlite")
        orders.append(list(map(name_of, _all(CandidateQueue(pool, state), state))))
        state.close()
    assert orders[0] == orders[1]
    assert orders[0] != sorted(orders[0])


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        (QueueFilters(tiers=("2",)), {1, 3, 5, 7, 9}),
        (QueueFilters(problem="S-00"), set(range(10))),
        (QueueFilters(problem="007"), {7}),
        (QueueFilters(problem="%"), set()),
        (QueueFilters(operators=("operator_swap",)), set(range(10))),
        (QueueFilters(operators=("'; DROP TABLE leases; --",)), set()),
        (QueueFilters(needs_edit=True), set()),
        (QueueFilters(needs_edit=False, positions=("late",), error_types=("operator_swap",)), set(range(10))),
        (QueueFilters(positions=("early",)), set()),
        (QueueFilters(problem="\ud800"), set()),
        (QueueFilters(support=ConfidenceThresholds()), set(range(10))),
        (QueueFilters(support=ConfidenceThresholds(clique=2)), {2, 3, 4, 7, 8, 9}),
        (QueueFilters(support=ConfidenceThresholds(clique=4)), {4, 9}),
        (QueueFilters(support=ConfidenceThresholds(confidence=0.75)), {3, 4, 8, 9}),
        (QueueFilters(support=ConfidenceThresholds(p_right=0.66)), {7, 8, 9}),
        (QueueFilters(support=ConfidenceThresholds(0.75, 3, 0.1)), {3, 8, 9}),
        (QueueFilters(support=ConfidenceThresholds(clique=5)), set()),
    ],
    ids=str,
)
def test_filters_keep_what_they_say(
    queue: CandidateQueue, state: ReviewState, filters: QueueFilters, kept: set[int]
) -> None:
    """A filter keeps the candidates that pass it, and no others."""
    names = set()
    while (taken := queue.next("ann", "one", filters)) is not None:
        names.add(name_of(taken))
        state.decide(taken.candidate, taken.lease, accepted(taken))
    assert names == {made_record(number)["flaw_id"] for number in kept}


def test_another_version_is_asked_again(tmp_path: Path, state: ReviewState) -> None:
    """A decision on another version of a candidate is kept, and the candidate is asked again."""
    old = CandidateQueue(_pool(tmp_path, made_record(0)), state)
    _all(old, state)
    path = write_lines(tmp_path / "new.jsonl", [made_record(0, question="Told anew?")])
    new = CandidateQueue(Candidates.open([path]), state)
    assert [stratum["accepted"] for stratum in new.progress()] == [0]
    assert len(_all(new, state)) == 1
    assert len(state.entries()) == 2


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3), st.integers(1, 2))
def test_a_candidate_stands_as_most_say(accepts: int, rejects: int, skips: int, needed: int) -> None:
    """A candidate is settled where enough judged it and most agree, disputed where as many are for as against it."""
    status = candidate_status(["accept"] * accepts + ["reject"] * rejects + ["skip"] * skips, needed=needed)
    settled = accepts + rejects >= needed and accepts != rejects
    assert (status in {CandidateStatus.ACCEPTED, CandidateStatus.REJECTED}) is settled
    if settled:
        assert (status is CandidateStatus.ACCEPTED) is (accepts > rejects)
    assert (status is CandidateStatus.DISPUTED) is (accepts == rejects > 0)
    assert (status in {CandidateStatus.OPEN, CandidateStatus.SKIPPED}) is (accepts + rejects == 0)
