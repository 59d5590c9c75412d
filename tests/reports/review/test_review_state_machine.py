"""Stateful tests of the review: after any sequence of actions it equals a model of a few lines of Python."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings, strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from harness.records.review import CandidateTexts, Decision
from reports.review.candidate_queue import CandidateQueue, LeasedCandidate
from reports.review.candidates import Candidates
from reports.review.review_state import (
    LEASE_SECONDS,
    CandidateStatus,
    DeclineReason,
    ReviewPlan,
    ReviewState,
    candidate_status,
)
from tests.json_lines import write_lines
from tests.reports.review.made_candidates import Clock, made_record, name_of, ruling, typed

CANDIDATES = 5
SHARE = 0.5
SESSIONS = [("ann", "1"), ("ann", "2"), ("bob", "1"), ("cyd", "1")]
Session = tuple[str, str]


@dataclass
class Model:
    """What should be: who holds what until when, what each reviewer typed, and what they decided, in order."""

    holders: dict[str, tuple[Session, float]] = field(default_factory=dict)
    drafts: dict[tuple[str, str], CandidateTexts] = field(default_factory=dict)
    decided: list[tuple[str, str, Decision, CandidateTexts]] = field(default_factory=list)
    lines: int = 0

    def held(self, session: Session) -> str | None:
        """Return what a session holds."""
        return next((name for name, (holder, _) in self.holders.items() if holder == session), None)

    def free(self, name: str, session: Session, now: float) -> bool:
        """Tell whether a session may hold a candidate."""
        holder = self.holders.get(name)
        return holder is None or holder[0] == session or holder[1] <= now

    def standing(self, name: str, reviewer: str) -> tuple[Decision, CandidateTexts] | None:
        """Return what a reviewer says of a candidate."""
        said = [(decision[2], decision[3]) for decision in self.decided if decision[:2] == (name, reviewer)]
        return said[-1] if said else None

    def judged(self, name: str, reviewer: str) -> bool:
        """Tell whether a reviewer has accepted or rejected a candidate."""
        said = self.standing(name, reviewer)
        return said is not None and said[0] is not Decision.SKIP

    def stands(self, name: str, *, doubled: bool) -> CandidateStatus:
        """Return how a candidate stands."""
        said = [judgement for reviewer in ("ann", "bob", "cyd") if (judgement := self.standing(name, reviewer))]
        return candidate_status((judgement[0] for judgement in said), needed=2 if doubled else 1)

    def hold(self, name: str, session: Session, now: float) -> None:
        """Give a candidate to a session, which holds no other."""
        before = self.held(session)
        if before is not None:
            del self.holders[before]
        self.holders[name] = (session, now + LEASE_SECONDS)


class Review(RuleBasedStateMachine):
    """Three reviewers, one of them in two tabs, who may keep leases that they lost long ago."""

    leases = Bundle("leases")

    @initialize()
    def begin(self) -> None:
        """Open five candidates of two strata, half of them to be judged twice."""
        self.folder = tempfile.TemporaryDirectory()
        folder = Path(self.folder.name)
        path = write_lines(folder / "pool.jsonl", map(made_record, range(CANDIDATES)))
        self.pool = Candidates.open([path])
        self.doubled = {
            made_record(number)["flaw_id"]: self.pool.get(made_record(number)["flaw_id"]).draw < SHARE
            for number in range(CANDIDATES)
        }
        self.clock, self.model = Clock(), Model()
        self._open()
        self.state.say(ReviewPlan(double=SHARE))

    def _open(self) -> None:
        self.state = ReviewState.open(Path(self.folder.name) / "review.sqlite", clock=self.clock)
        self.queue = CandidateQueue(self.pool, self.state)

    def teardown(self) -> None:
        """Close everything."""
        if hasattr(self, "folder"):
            self.state.close()
            self.folder.cleanup()

    @rule(target=leases, session=st.sampled_from(SESSIONS))
    def ask(self, session: Session) -> tuple[Session, LeasedCandidate | None]:
        """A session gets what it holds, or a free candidate that it may judge, or nothing where there is none."""
        reviewer, now = session[0], self.clock()
        taken = self.queue.next(*session)
        held = self.model.held(session)
        askable = {
            name
            for name, doubled in self.doubled.items()
            if self.model.free(name, session, now)
            and not self.model.judged(name, reviewer)
            and self.model.stands(name, doubled=doubled) not in {CandidateStatus.ACCEPTED, CandidateStatus.REJECTED}
        }
        if held is not None and not self.model.judged(held, reviewer):
            assert taken is not None
            assert name_of(taken) == held
        elif not askable:
            assert taken is None
        else:
            assert taken is not None
            assert name_of(taken) in askable
            fresh = {name for name in askable if self.model.standing(name, reviewer) is None}
            assert not fresh or name_of(taken) in fresh
        if taken is not None:
            self.model.hold(name_of(taken), session, now)
            own = CandidateTexts.of_record(taken.candidate.record)
            assert taken.texts == self.model.drafts.get((name_of(taken), reviewer), own)
        return session, taken

    @rule(target=leases, session=st.sampled_from(SESSIONS), number=st.integers(0, CANDIDATES - 1))
    def ask_for(self, session: Session, number: int) -> tuple[Session, LeasedCandidate | None]:
        """A candidate asked for by its id comes if it is free and was not judged by this reviewer."""
        name = made_record(number)["flaw_id"]
        taken = self.queue.take(name, *session)
        wanted = self.model.free(name, session, self.clock()) and not self.model.judged(name, session[0])
        assert (taken is not None) is wanted
        if taken is not None:
            self.model.hold(name, session, self.clock())
        return session, taken

    def _holds(self, taken: LeasedCandidate, session: Session) -> bool:
        return self.model.held(session) == name_of(taken)

    @rule(lease=leases, text=st.text("ab\n", max_size=5))
    def write(self, lease: tuple[Session, LeasedCandidate | None], text: str) -> None:
        """What is typed is kept, whether the lease holds or not; typing renews the lease that holds."""
        session, taken = lease
        if taken is None:
            return
        renewed = self.state.save_draft(taken.lease, typed(text))
        assert (renewed is not None) is self._holds(taken, session)
        self.model.drafts[name_of(taken), session[0]] = typed(text)
        if renewed is not None:
            self.model.holders[name_of(taken)] = (session, self.clock() + LEASE_SECONDS)

    @rule(lease=leases, decision=st.sampled_from(Decision), text=st.text("cd", max_size=3))
    def decide(self, lease: tuple[Session, LeasedCandidate | None], decision: Decision, text: str) -> None:
        """A decision counts where the lease is held and nothing was decided; else it is declined, and its text is a draft."""
        session, taken = lease
        if taken is None:
            return
        name, texts = name_of(taken), typed(text)
        outcome = self.state.decide(taken.candidate, taken.lease, ruling(decision, texts))
        if self.model.judged(name, session[0]):
            assert outcome.declined is DeclineReason.ALREADY_DECIDED
        elif not self._holds(taken, session):
            assert outcome.declined is DeclineReason.LEASE_LOST
        else:
            assert outcome.entry is not None
            self.model.decided.append((name, session[0], decision, texts))
            self.model.lines += 1
            del self.model.holders[name]
            self.model.drafts.pop((name, session[0]), None)
            if decision is Decision.SKIP:
                self.model.drafts[name, session[0]] = texts
            return
        assert outcome.entry is None
        self.model.drafts[name, session[0]] = texts
        if self._holds(taken, session):
            self.model.holders[name] = (session, self.clock() + LEASE_SECONDS)

    @rule(session=st.sampled_from(SESSIONS))
    def undo(self, session: Session) -> None:
        """An undo takes back the reviewer's last decision; its text is their draft, and a free candidate theirs."""
        mine = [decision for decision in self.model.decided if decision[1] == session[0]]
        outcome = self.state.undo(*session)
        if not mine:
            assert outcome.declined is DeclineReason.NOTHING_TO_UNDO
            return
        name, reviewer, _, texts = mine[-1]
        assert outcome.entry is not None
        assert outcome.entry.candidate_id == name
        place = max(place for place, decision in enumerate(self.model.decided) if decision is mine[-1])
        del self.model.decided[place]
        self.model.lines += 1
        self.model.drafts.setdefault((name, reviewer), texts)
        free = self.model.free(name, session, self.clock())
        assert (outcome.lease is not None) is free
        if free:
            self.model.hold(name, session, self.clock())

    @rule(lease=leases)
    def renew(self, lease: tuple[Session, LeasedCandidate | None]) -> None:
        """A lease that is held is held for longer; one that is lost says so."""
        session, taken = lease
        if taken is not None:
            renewed = self.state.renew(taken.lease)
            assert (renewed is not None) is self._holds(taken, session)
            if renewed is not None:
                self.model.holders[name_of(taken)] = (session, self.clock() + LEASE_SECONDS)

    @rule(lease=leases)
    def release(self, lease: tuple[Session, LeasedCandidate | None]) -> None:
        """A candidate that is let go is held no more; one that another session holds stays theirs."""
        session, taken = lease
        if taken is not None:
            self.state.release(taken.lease)
            if self._holds(taken, session):
                del self.model.holders[name_of(taken)]

    @rule(seconds=st.sampled_from([1.0, LEASE_SECONDS / 2, LEASE_SECONDS]))
    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.clock.wait(seconds)

    @rule()
    def restart(self) -> None:
        """The program ends and starts again."""
        self.state.close()
        self._open()

    @invariant()
    def leases_are_as_they_should_be(self) -> None:
        """Each session holds what the model says, so that no two hold the same."""
        if hasattr(self, "model"):
            with self.state.reading() as sql:
                held = [self.state.held_in(sql, *session) for session in SESSIONS]
            leases = {
                lease.candidate_id: ((lease.reviewer, lease.session), lease.until)
                for lease in held
                if lease is not None
            }
            assert leases == self.model.holders

    @invariant()
    def nothing_is_lost_and_nothing_counts_twice(self) -> None:
        """Decisions in force and drafts are those of the model; the log has a line for each decision and each undo."""
        if hasattr(self, "model"):
            entries = self.state.entries()
            assert len(entries) == len({entry.uid for entry in entries}) == self.model.lines
            in_force = {(entry.candidate_id, entry.reviewer): entry for entry in self.state.standing()}
            assert {key: (entry.decision, entry.texts) for key, entry in in_force.items()} == dict(self._expected())
            drafts = {(draft.candidate_id, draft.reviewer): draft.texts for draft in self.state.drafts()}
            assert drafts == self.model.drafts

    def _expected(self) -> Iterator[tuple[tuple[str, str], tuple[Decision, CandidateTexts]]]:
        for name in self.doubled:
            for reviewer in ("ann", "bob", "cyd"):
                said = self.model.standing(name, reviewer)
                if said is not None:
                    yield (name, reviewer), said

    @invariant()
    def progress_is_what_was_decided(self) -> None:
        """Progress counts each candidate as it stands."""
        if hasattr(self, "model"):
            stands = [self.model.stands(name, doubled=doubled) for name, doubled in self.doubled.items()]
            strata = self.queue.progress()
            for which in ("accepted", "rejected", "disputed", "awaiting", "skipped"):
                assert sum(stratum[which] for stratum in strata) == stands.count(CandidateStatus(which))


Review.TestCase.settings = settings(max_examples=80, stateful_step_count=40)
TestReview = Review.TestCase
