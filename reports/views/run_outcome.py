"""Which problems of a run a person should look at, and the result of a run in two sentences."""

from collections import Counter
from dataclasses import dataclass, field

from harness.domain import Status, Verdict
from harness.records.formalization import ConsensusRecord
from harness.text.characters import one_line
from reports.views.phrases import gold_doubt_sentence, rounding_sentence

NAMED = 5
"""The most problems to look at that the sentence names."""
UNUSABLE = "input"
"""The method of a verdict on an answer that is no program of a problem of the corpus."""
UNREAD_GOLD = "gold"
"""The method of a verdict on a gold answer that is not read to its end."""
SURE = 0.9
"""An oracle that is right with less probability should be looked at."""


def reason_to_look(consensus: ConsensusRecord, gold: str | None = None) -> str | None:
    """Return why a person should look at a problem, `None` where nothing asks for it.

    Reasons are that there is no oracle, a doubt about the gold answer, an answer that may need rounding, and an oracle
    whose probability of being right is below 0.9.
    """
    if consensus.oracle is None:
        return "no two programs agree, or none gives the known answer"
    if consensus.gold_doubt is not None:
        return one_line(gold_doubt_sentence(consensus.gold_doubt, gold))
    if consensus.findings:
        return one_line(rounding_sentence(consensus.findings[0]), limit=400)
    if consensus.p_right is not None and consensus.p_right < SURE:
        return f"the oracle is right with probability {consensus.p_right:.2f}"
    return None


@dataclass(slots=True)
class RunOutcome:
    """The result of a run: its oracles, the problems to look at, its claims, and how many were refuted.

    `unusable` says why answers cannot be judged, and `unread` are the problems whose gold answer is not read.
    """

    oracles: int = 0
    look: list[str] = field(default_factory=list)
    claims: int = 0
    refuted: int = 0
    unusable: Counter[str] = field(default_factory=Counter)
    unread: set[str] = field(default_factory=set)

    def add_consensus(self, record: ConsensusRecord) -> None:
        """Count a problem with a consensus."""
        self.oracles += record.oracle is not None
        if reason_to_look(record) is not None:
            self.look.append(record.problem_id)

    def add_verdict(self, verdict: Verdict) -> None:
        """Count a claim."""
        self.claims += 1
        if verdict.status is Status.UNKNOWN and verdict.method == UNREAD_GOLD:
            self.unread.add(verdict.problem_id)
        if verdict.status is Status.REFUTED:
            self.refuted += 1
            if verdict.method == UNUSABLE:
                self.unusable[(verdict.reason or "").partition(":")[0]] += 1

    @property
    def named(self) -> list[str]:
        """Return the problems to look at that the sentence names."""
        return self.look if len(self.look) <= NAMED else []

    def sentence(self, problems: int) -> str:
        """Return the result of a run of so many problems, such as `50 problems: 50 oracles, 3 need a look. …`."""
        need = "none needs" if not self.look else f"{len(self.look):,} need{'s' if len(self.look) == 1 else ''}"
        named = f" ({', '.join(one_line(name, limit=60) for name in self.named)})" if self.named else ""
        head = f"{_counted(problems, 'problem')}: {_counted(self.oracles, 'oracle')}, {need} a look{named}."
        count = self.unusable.total()
        why = ", ".join(one_line(reason.replace("-", " "), limit=60) for reason in sorted(self.unusable))
        unjudged = f" {_counted(count, 'answer')} cannot be judged: {why}." if count else ""
        golds = f" {_counted(len(self.unread), 'gold answer')} not read to the end." if self.unread else ""
        return f"{head} {self.refuted:,} of {_counted(self.claims, 'claim')} refuted.{unjudged}{golds}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
