"""The formalization stage problem by problem, and its counts: outcomes, methods, cliques and model agreement."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from operator import attrgetter
from typing import Any, Self

from harness.domain import CauseBasis, CauseKind, Problem, Status, Verdict
from harness.errors import HarnessError
from harness.records.formalization import ConsensusRecord, ModelRecord, ProbabilityBasis, ProgramRecord
from harness.text.characters import one_line, spaced
from harness.text.nouns import counted
from reports.views import phrases
from reports.views.artefacts import SealedStage, require_problem

CONFIDENCE_STEP, CONFIDENCE_BINS = 0.1, 13
"""A clique of five whose pairs all score 1 has 1.3, the highest score."""
LISTED_FINDINGS, FIRST_LOOKS = 15, 12
_FINDING_ORDER = ("ut3", "ut2", "ut1", "classes")
"""A refuted pair is more surprising than a wrong answer."""
NAMED = 5
"""The most problems to look at that the sentence on a run names."""
UNUSABLE, UNREAD_GOLD = "input", "gold"
"""The methods of verdicts on an answer that is no program of a problem of the corpus, and on a gold answer that is not read to its end."""


@dataclass(frozen=True, slots=True)
class ProblemRecords:
    """A problem with its programs, the verdicts on them and its consensus, each in the order of its file."""

    problem: Problem
    programs: list[ProgramRecord]
    verdicts: list[Verdict]
    consensus: ConsensusRecord | None


def problem_records(stage: SealedStage) -> Iterator[ProblemRecords]:
    """Yield the problems in the order of their file, from files read side by side, of which each has the problems in this order.

    Raises a HarnessError if a record names a problem that `problems.jsonl` lacks, or the problems of two files are in another order.
    """
    files = {
        "programs.jsonl": stage.programs(),
        "verdicts.jsonl": stage.verdicts(),
        "consensus.jsonl": stage.consensus(),
    }
    groups = {file: itertools.groupby(records, attrgetter("problem_id")) for file, records in files.items()}
    waiting = {file: next(own, None) for file, own in groups.items()}
    seen: dict[str, bool] = {}
    for problem in stage.problems():
        name = problem.problem_id
        seen[name] = True
        found: list[list[Any]] = []
        for file, group in waiting.items():
            found.append([])
            if group is not None and group[0] == name:
                found[-1] = list(group[1])
                waiting[file] = next(groups[file], None)
        programs, verdicts, consensus = found
        yield ProblemRecords(problem, programs, verdicts, next(iter(consensus), None))
    for file, group in waiting.items():
        if group is not None:
            require_problem(seen, group[0], file)
            message = f"{stage.folder / file}: expected the problems in the order of problems.jsonl, found {group[0]} elsewhere; run the stage again in a new folder"
            raise HarnessError(message)


class ProblemOutcome(IntEnum):
    """Outcome of a problem, from least to most agreement."""

    NO_ORACLE = 0
    ALONE = 1
    CONTESTED = 2
    UNANIMOUS = 3

    @property
    def title(self) -> str:
        """The outcome in words."""
        return self.name.replace("_", " ").lower()


@dataclass(slots=True)
class ProblemCounts:
    """Counts of a problem's programs and verdicts; `values` are the parameters of its programs, by model."""

    responses: int = 0
    readable: int = 0
    accepted: int = 0
    refuted: int = 0
    unknown: int = 0
    mostly_frozen: int = 0
    outcome: ProblemOutcome = ProblemOutcome.NO_ORACLE
    doubt: str = ""
    causes: Counter[CauseKind] = field(default_factory=Counter)
    unreadable_because: str | None = None
    not_positive: dict[str, str] = field(default_factory=dict)
    values: dict[str, phrases.Values] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, order=True)
class FirstLook:
    """A problem that a person should look at, and why; those to look at first are the smallest.

    Only those with a consensus count as problems that need a look.
    """

    rank: tuple[int, float]
    problem_id: str
    p_right: float | None = field(compare=False)
    confidence: float = field(compare=False)
    why: str = field(compare=False)
    has_consensus: bool = field(compare=False)

    @classmethod
    def of(cls, problem: Problem, record: ConsensusRecord | None, doubt: str) -> Self:
        """Rank doubtful gold answers, answers that may need rounding, the least sure oracles, problems without an oracle."""
        p_right, confidence = (None, 0.0) if record is None else (record.p_right, record.confidence)
        rank = (3, confidence) if p_right is None else (2, p_right)
        if record is not None and record.gold_doubt is not None:
            doubt, rank = phrases.gold_doubt_sentence(record.gold_doubt, problem.gold), (0, -record.gold_doubt.p_right)
        elif record is not None and record.findings:
            rank = (1, rank[1])
        return cls(rank, problem.problem_id, p_right, confidence, doubt, record is not None)


@dataclass(slots=True)
class RunCounts:
    """Counts of one pass over each artefact of a run, without its records but for a few findings and doubts.

    `unusable` says why answers cannot be judged, and `unread` are the problems whose gold answer is not read.
    """

    problems: int = 0
    statuses: Counter[tuple[str, str]] = field(default_factory=Counter)
    methods: Counter[tuple[str, str]] = field(default_factory=Counter)
    causes: Counter[tuple[CauseKind, CauseBasis]] = field(default_factory=Counter)
    counted: frozenset[CauseKind] = frozenset(CauseKind)
    aligned_fully: int = 0
    aligned_partly: int = 0
    mostly_frozen: int = 0
    responses: Counter[str] = field(default_factory=Counter)
    readable: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    confirmed_pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    decided_pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    clique_sizes: Counter[int] = field(default_factory=Counter)
    confidences: list[int] = field(default_factory=lambda: [0] * CONFIDENCE_BINS)
    outcomes: Counter[ProblemOutcome] = field(default_factory=Counter)
    p_right: list[float] = field(default_factory=list)
    bases: Counter[ProbabilityBasis] = field(default_factory=Counter)
    judged_models: dict[str, ModelRecord] = field(default_factory=dict)
    unusable: Counter[str] = field(default_factory=Counter)
    unread: set[str] = field(default_factory=set)
    looks: list[FirstLook] = field(default_factory=list)
    first_findings: dict[str, list[tuple[Verdict, ProblemCounts]]] = field(default_factory=dict)

    @classmethod
    def read(cls, stage: SealedStage, see: Callable[[ProblemRecords, ProblemCounts], None] = lambda *_: None) -> Self:
        """Read a stage, hand each problem with its counts to `see`, and return the counts."""
        counts = cls(judged_models={model.model: model for model in stage.models()})
        for records in problem_records(stage):
            see(records, counts.add(records))
        return counts

    def add(self, records: ProblemRecords) -> ProblemCounts:
        """Count a problem and return its own counts."""
        problem, consensus, own = records.problem, records.consensus, ProblemCounts()
        # A problem that only answers name is kept with an empty question.
        self.problems += bool(problem.question)
        for program in records.programs:
            self._add_program(program, own)
        for verdict in records.verdicts:
            self._add_verdict(verdict, own)
        if consensus is not None:
            self._add_consensus(consensus, own)
        own.doubt = _doubt(consensus, own)
        if consensus is None or phrases.reason_to_look(consensus) is not None:
            self.looks.append(FirstLook.of(problem, consensus, own.doubt))
        return own

    @property
    def oracles(self) -> int:
        """Return the number of oracles."""
        return self.outcomes.total() - self.outcomes[ProblemOutcome.NO_ORACLE]

    @property
    def refuted(self) -> int:
        """Return the number of refuted claims."""
        return sum(count for (_, status), count in self.statuses.items() if status == Status.REFUTED.name)

    @property
    def named(self) -> list[str]:
        """Return the problems that need a look as the sentence names them: none where they are many."""
        return [] if len(self._need_look) > NAMED else [one_line(name, limit=60) for name in self._need_look]

    @property
    def _need_look(self) -> list[str]:
        return [look.problem_id for look in self.looks if look.has_consensus]

    @property
    def sentence(self) -> str:
        """Return the result of the run, such as `50 problems: 50 oracles, 3 need a look. 4 of 80 claims refuted.`."""
        looks = len(self._need_look)
        need = "none needs" if not looks else f"{looks:,} need{'s' if looks == 1 else ''}"
        named = f" ({', '.join(self.named)})" if self.named else ""
        head = f"{counted(self.problems, 'problem')}: {counted(self.oracles, 'oracle')}, {need} a look{named}."
        why = ", ".join(one_line(reason.replace("-", " "), limit=60) for reason in sorted(self.unusable))
        unjudged = f" {counted(self.unusable.total(), 'answer')} cannot be judged: {why}." if self.unusable else ""
        golds = f" {counted(len(self.unread), 'gold answer')} not read to the end." if self.unread else ""
        return f"{head} {self.refuted:,} of {counted(self.statuses.total(), 'claim')} refuted.{unjudged}{golds}"

    def first_looks(self) -> list[FirstLook]:
        """Return the problems that a person should look at first."""
        return sorted(self.looks)[:FIRST_LOOKS]

    def listed_findings(self) -> list[tuple[Verdict, ProblemCounts]]:
        """Return the first refuted claims with the counts of their problems."""
        return [found for claim in _FINDING_ORDER for found in self.first_findings.get(claim, [])][:LISTED_FINDINGS]

    def models(self) -> list[str]:
        """Return the models that answered or were judged, sorted."""
        return sorted({*self.responses, *self.accepted, *(model for pair in self.decided_pairs for model in pair)})

    def agreement(self, left: str, right: str) -> float | None:
        """Return the share of the two models' decided pairs that UT-3 confirmed; None without any."""
        pair = (min(left, right), max(left, right))
        return fraction(self.confirmed_pairs[pair], self.decided_pairs[pair])

    def verdicts_of(self, claim: str) -> int:
        """Return the number of verdicts of a claim."""
        return sum(count for (of, _), count in self.statuses.items() if of == claim)

    def _add_program(self, program: ProgramRecord, own: ProblemCounts) -> None:
        own.responses += 1
        self.responses[program.model] += 1
        own.values[program.model] = phrases.parameter_values(program.parameters)
        if program.reason is None:
            own.readable += 1
            self.readable[program.model] += 1
            if program.value is not None and (program.value == "0" or program.value.startswith("-")):
                own.not_positive[program.model] = program.value
        elif own.unreadable_because is None:
            own.unreadable_because = program.reason

    def _add_verdict(self, verdict: Verdict, own: ProblemCounts) -> None:
        claim, status, alignment = verdict.claim, verdict.status, verdict.alignment
        self.statuses[claim, status.name] += 1
        if status is Status.UNKNOWN and verdict.method == UNREAD_GOLD:
            self.unread.add(verdict.problem_id)
        if status is Status.REFUTED:
            if verdict.method == UNUSABLE:
                self.unusable[(verdict.reason or "").partition(":")[0]] += 1
            kept = self.first_findings.setdefault(claim, [])
            if len(kept) < LISTED_FINDINGS:
                kept.append((verdict, own))
        if claim == "ut1":
            if status is Status.CONFIRMED:
                own.accepted += 1
                self.accepted[verdict.left] += 1
        elif claim != "ut2":
            self._add_equivalence(verdict, own)
        elif alignment is not None and alignment.aligned:
            whole = not alignment.unaligned_left and not alignment.unaligned_right
            self.aligned_fully += whole
            self.aligned_partly += not whole

    def _add_equivalence(self, verdict: Verdict, own: ProblemCounts) -> None:
        status, right = verdict.status, verdict.right or ""
        pair = (min(verdict.left, right), max(verdict.left, right))
        self.methods[verdict.method or "none", status.name] += 1
        self.decided_pairs[pair] += status is not Status.UNKNOWN
        if status is Status.CONFIRMED:
            # It rests on no more aligned pairs than it has frozen inputs.
            frozen = bool(verdict.frozen) and (verdict.frozen or 0) >= len(verdict.domain or ())
            own.mostly_frozen += frozen
            self.mostly_frozen += frozen
            self.confirmed_pairs[pair] += 1
        elif status is Status.UNKNOWN:
            own.unknown += 1
        else:
            own.refuted += 1
            if verdict.cause is not None:
                own.causes[verdict.cause.kind] += 1
                self.causes[verdict.cause.kind, verdict.cause.basis] += 1

    def _add_consensus(self, consensus: ConsensusRecord, own: ProblemCounts) -> None:
        self.clique_sizes[consensus.clique_size] += 1
        self.counted = frozenset(consensus.counted)
        # 0.3 / 0.1 is 2.999…: a confidence on an edge belongs to the bin that starts there.
        place = int(consensus.confidence / CONFIDENCE_STEP + 1e-9)
        self.confidences[max(0, min(CONFIDENCE_BINS - 1, place))] += 1
        if consensus.oracle is not None:
            is_whole = consensus.clique_size >= own.readable
            shared = ProblemOutcome.UNANIMOUS if is_whole else ProblemOutcome.CONTESTED
            own.outcome = shared if consensus.clique_size > 1 else ProblemOutcome.ALONE
        self.outcomes[own.outcome] += 1
        if consensus.p_right is not None and consensus.p_right_basis is not None:
            self.p_right.append(consensus.p_right)
            self.bases[consensus.p_right_basis] += 1


def fraction(part: int, whole: int) -> float | None:
    """Return `part / whole`, or None if `whole` is 0: zero checks do not agree."""
    return part / whole if whole else None


def _doubt(consensus: ConsensusRecord | None, counts: ProblemCounts) -> str:
    """Return the reason that limits a problem's confidence."""
    if consensus is None:
        return "the consensus stage has no record of it"
    if consensus.oracle is None:
        return _without_oracle(counts)
    members = f"clique of {consensus.clique_size} of {counts.readable} readable"
    if consensus.findings:
        return one_line(f"{phrases.rounding_sentence(consensus.findings[0])}; {members}", limit=400)
    value = counts.not_positive.get(consensus.oracle)
    if value is not None and consensus.p_right_basis is not ProbabilityBasis.GOLD_ANSWER:
        return one_line(f"the answer is {value}, and an answer is seldom zero or less; {members}", limit=200)
    if consensus.dissenters:
        first = consensus.dissenters[0]
        cause = "" if first.cause is None else f" ({spaced(first.cause)})"
        return one_line(f"{members}; {first.model} dissents{cause}: {phrases.dissent_reason(first)}", limit=200)
    return f"{members}; {counts.unknown} pairs unknown" if counts.unknown else members


def _without_oracle(counts: ProblemCounts) -> str:
    if not counts.responses:
        return "no model answered"
    if not counts.readable:
        return one_line(f"none of {counts.responses} responses could be read: {counts.unreadable_because}", limit=200)
    if counts.accepted <= 1:
        passed = "only one" if counts.accepted else "none"
        return f"{passed} of {counts.readable} readable programs passed UT-1"
    return (
        f"no two of {counts.accepted} programs that passed UT-1 were proved equivalent "
        f"({counts.refuted} refuted, {counts.unknown} unknown)"
    )
