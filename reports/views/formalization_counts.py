"""Counts of the formalization stage: outcomes, methods, cliques and model agreement, from one pass over a run."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from harness.domain import CauseBasis, CauseKind, Status, Verdict
from harness.records.formalization import ConsensusRecord, ModelRecord, ProbabilityBasis, ProgramRecord
from harness.text.characters import one_line
from reports.views.artefacts import SealedStage
from reports.views.certainty import FirstLooks
from reports.views.problem_records import ProblemRecords, problem_records
from reports.views.run_outcome import RunOutcome, reason_to_look
from reports.views.verdict_phrases import Values, cause_title, dissent_reason, parameter_values, rounding_sentence

CONFIDENCE_STEP, CONFIDENCE_BINS = 0.1, 13
"""A clique of five whose pairs all score 1 has 1.3, the highest score."""
LISTED_FINDINGS = 15
_FINDING_ORDER = ("ut3", "ut2", "ut1", "classes")
"""A refuted pair is more surprising than a wrong answer."""


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
    values: dict[str, Values] = field(default_factory=dict)


@dataclass(slots=True)
class RunCounts:
    """Counts of one pass over each artefact of a run, without its records but for a few findings and doubts."""

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
    lowered: list[float] = field(default_factory=list)
    judged_models: dict[str, ModelRecord] = field(default_factory=dict)
    outcome: RunOutcome = field(default_factory=RunOutcome)
    looks: FirstLooks = field(default_factory=FirstLooks)
    findings: int = 0
    first_findings: dict[str, list[tuple[Verdict, ProblemCounts]]] = field(default_factory=dict)

    @classmethod
    def read(
        cls, stage: SealedStage, see: Callable[[ProblemRecords, ProblemCounts], None] | None = None
    ) -> "tuple[RunCounts, Mapping[str, int]]":
        """Read a stage, hand each problem with its counts to `see`, and return the counts and the place of each problem."""
        counts = cls(judged_models={model.model: model for model in stage.models()})
        places: dict[str, int] = {}
        for place, records in enumerate(problem_records(stage)):
            places[records.problem.problem_id] = place
            own = counts.add(records)
            if see is not None:
                see(records, own)
        return counts, places

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
        if consensus is None or reason_to_look(consensus) is not None:
            self.looks.add(problem, consensus, own.doubt)
        return own

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
        own.values[program.model] = parameter_values(program.parameters)
        if program.reason is None:
            own.readable += 1
            self.readable[program.model] += 1
            if program.value is not None and (program.value == "0" or program.value.startswith("-")):
                own.not_positive[program.model] = program.value
        elif own.unreadable_because is None:
            own.unreadable_because = program.reason

    def _add_verdict(self, verdict: Verdict, own: ProblemCounts) -> None:
        claim, status = verdict.claim, verdict.status
        self.statuses[claim, status.name] += 1
        self.outcome.add_verdict(verdict)
        if status is Status.REFUTED:
            self.findings += 1
            kept = self.first_findings.setdefault(claim, [])
            if len(kept) < LISTED_FINDINGS:
                kept.append((verdict, own))
        if claim == "ut1":
            if status is Status.CONFIRMED:
                own.accepted += 1
                self.accepted[verdict.left] += 1
        elif claim == "ut2":
            alignment = verdict.alignment
            if alignment is not None and alignment.aligned:
                whole = not alignment.unaligned_left and not alignment.unaligned_right
                self.aligned_fully += whole
                self.aligned_partly += not whole
        else:
            self._add_equivalence(verdict, own)

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
        elif status is Status.REFUTED:
            own.refuted += 1
            if verdict.cause is not None:
                own.causes[verdict.cause.kind] += 1
                self.causes[verdict.cause.kind, verdict.cause.basis] += 1
        else:
            own.unknown += 1

    def _add_consensus(self, consensus: ConsensusRecord, own: ProblemCounts) -> None:
        self.outcome.add_consensus(consensus)
        self.clique_sizes[consensus.clique_size] += 1
        self.counted = frozenset(consensus.counted)
        # 0.3 / 0.1 is 2.999…: a confidence on an edge belongs to the bin that starts there.
        place = int(consensus.confidence / CONFIDENCE_STEP + 1e-9)
        self.confidences[max(0, min(CONFIDENCE_BINS - 1, place))] += 1
        if consensus.oracle is None:
            own.outcome = ProblemOutcome.NO_ORACLE
        elif consensus.clique_size <= 1:
            own.outcome = ProblemOutcome.ALONE
        else:
            everyone = consensus.clique_size >= own.readable
            own.outcome = ProblemOutcome.UNANIMOUS if everyone else ProblemOutcome.CONTESTED
        self.outcomes[own.outcome] += 1
        if consensus.p_right is not None and consensus.p_right_basis is not None:
            self.p_right.append(consensus.p_right)
            self.bases[consensus.p_right_basis] += 1
            if consensus.p_right_independent is not None:
                self.lowered.append(consensus.p_right)


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
        return one_line(f"{rounding_sentence(consensus.findings[0])}; {members}", limit=400)
    value = counts.not_positive.get(consensus.oracle)
    if value is not None and consensus.p_right_basis is not ProbabilityBasis.GOLD_ANSWER:
        return one_line(f"the answer is {value}, and an answer is seldom zero or less; {members}", limit=200)
    if consensus.dissenters:
        first = consensus.dissenters[0]
        cause = "" if first.cause is None else f" ({cause_title(first.cause)})"
        return one_line(f"{members}; {first.model} dissents{cause}: {dissent_reason(first)}", limit=200)
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
