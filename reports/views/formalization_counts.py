"""Counts of the formalization stage: outcomes, methods, cliques and model agreement, from one pass over a run."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from harness.domain import CauseBasis, CauseKind, ParameterAlignment, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.records.formalization import ConsensusRecord, ModelRecord, ProbabilityBasis, ProgramRecord

CONFIDENCE_STEP = 0.1
CONFIDENCE_BINS = 13  # a clique of five whose pairs all score 1 has 1.3, the highest score


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
    """Counts of a problem's programs and verdicts."""

    responses: int = 0
    readable: int = 0
    accepted: int = 0
    confirmed: int = 0
    refuted: int = 0
    unknown: int = 0
    mostly_frozen: int = 0
    causes: Counter[CauseKind] = field(default_factory=Counter)
    unreadable_because: str | None = None
    not_positive: dict[str, str] = field(default_factory=dict)
    """By model, the values that are zero or less."""


@dataclass(frozen=True, slots=True)
class CauseCount:
    """How many refuted pairs have a cause, how its re-try was decided, and whether it parts two formalizations."""

    kind: CauseKind
    pairs: int
    proved: int
    tested: int
    counted: bool


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """A step of the funnel: `count` of `of` are left."""

    title: str
    count: int
    of: int
    depth: int = 0


@dataclass(frozen=True, slots=True)
class ModelAgreement:
    """How often a model passes UT-1, how often UT-3 confirmed its decided pairs, and how good it is by that."""

    number: int
    model: str
    responses: int
    readable: int
    accepted: int
    confirmed: int
    decided: int
    accuracy: float | None
    """How often it is right, as estimated without gold answers; `None` in runs of earlier versions."""
    one_witness_with: str | None
    """A model that stands for it where both answer."""


@dataclass(frozen=True, slots=True)
class KeptProblems:
    """The problems whose oracle is right with at least a probability, and how many of those oracles are expected to be wrong."""

    threshold: float
    kept: int
    expected_wrong: float


@dataclass(slots=True)
class RunCounts:
    """Counts of one pass over each artefact of a run, without its records."""

    problems: int = 0
    per_problem: dict[str, ProblemCounts] = field(default_factory=dict)
    statuses: Counter[tuple[str, str]] = field(default_factory=Counter)
    methods: Counter[tuple[str, str]] = field(default_factory=Counter)
    causes: Counter[tuple[CauseKind, CauseBasis]] = field(default_factory=Counter)
    counted: frozenset[CauseKind] = frozenset(CauseKind)
    aligned_fully: int = 0
    aligned_partly: int = 0
    responses: Counter[str] = field(default_factory=Counter)
    readable: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    confirmed_pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    decided_pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    clique_sizes: Counter[int] = field(default_factory=Counter)
    confidences: list[int] = field(default_factory=lambda: [0] * CONFIDENCE_BINS)
    outcomes: Counter[ProblemOutcome] = field(default_factory=Counter)
    p_right: array[float] = field(default_factory=lambda: array("d"))
    mostly_frozen: int = 0
    bases: Counter[ProbabilityBasis] = field(default_factory=Counter)
    lowered: list[float] = field(default_factory=list)
    judged_models: dict[str, ModelRecord] = field(default_factory=dict)

    def add_program(self, program: ProgramRecord) -> None:
        """Count a response, and whether it could be read."""
        counts = self.counts(program.problem_id)
        counts.responses += 1
        self.responses[program.model] += 1
        if program.reason is None:
            counts.readable += 1
            self.readable[program.model] += 1
            if program.value is not None and (program.value == "0" or program.value.startswith("-")):
                counts.not_positive[program.model] = program.value
        elif counts.unreadable_because is None:
            counts.unreadable_because = program.reason

    def add_verdict(self, verdict: Verdict) -> None:
        """Count a verdict under its claim, its method and its models."""
        claim, status, left, right = verdict.claim, verdict.status, verdict.left, verdict.right
        self.statuses[claim, status.name] += 1
        if claim == "ut1":
            if status is Status.CONFIRMED:
                self.counts(verdict.problem_id).accepted += 1
                self.accepted[left] += 1
        elif claim == "ut2":
            alignment = verdict.alignment
            if alignment is not None and alignment.aligned:
                if is_full(alignment):
                    self.aligned_fully += 1
                else:
                    self.aligned_partly += 1
        else:
            self._add_equivalence(verdict, (left, right or "") if left < (right or "") else (right or "", left))

    def add_consensus(self, consensus: ConsensusRecord) -> None:
        """Count a problem's clique, confidence and outcome."""
        self.clique_sizes[consensus.clique_size] += 1
        self.counted = frozenset(consensus.counted)
        last = CONFIDENCE_BINS - 1
        # 0.3 / 0.1 is 2.999…: a confidence on an edge belongs to the bin that starts there.
        self.confidences[max(0, min(last, int(consensus.confidence / CONFIDENCE_STEP + 1e-9)))] += 1
        self.outcomes[self.outcome(consensus)] += 1
        if consensus.p_right is not None and consensus.p_right_basis is not None:
            self.p_right.append(consensus.p_right)
            self.bases[consensus.p_right_basis] += 1
            if consensus.p_right_independent is not None:
                self.lowered.append(consensus.p_right)

    def add_models(self, models: Iterable[ModelRecord]) -> None:
        """Take note of how good the models are."""
        self.judged_models |= {model.model: model for model in models}

    def kept(self, threshold: float) -> KeptProblems:
        """Return the problems kept if the oracle must be right with at least a probability."""
        kept = [probability for probability in self.p_right if probability >= threshold]
        return KeptProblems(threshold, len(kept), sum(1 - probability for probability in kept))

    def outcome(self, consensus: ConsensusRecord) -> ProblemOutcome:
        """Return the outcome of a problem."""
        if consensus.oracle is None:
            return ProblemOutcome.NO_ORACLE
        if consensus.clique_size <= 1:
            return ProblemOutcome.ALONE
        everyone = consensus.clique_size >= self.counts(consensus.problem_id).readable
        return ProblemOutcome.UNANIMOUS if everyone else ProblemOutcome.CONTESTED

    def counts(self, problem_id: str) -> ProblemCounts:
        """Return the counts of a problem, zero before the first record."""
        return self.per_problem.setdefault(problem_id, ProblemCounts())

    def forget(self, problem_id: str) -> None:
        """Drop the counts of a problem that is done; what they add to the run's stays."""
        self.per_problem.pop(problem_id, None)

    def cause_counts(self) -> list[CauseCount]:
        """Return the causes of the refuted pairs, the most frequent first."""
        kinds = Counter(dict.fromkeys(CauseKind, 0))
        for (kind, _), pairs in self.causes.items():
            kinds[kind] += pairs
        return [
            CauseCount(
                kind,
                pairs,
                self.causes[kind, CauseBasis.PROVED],
                self.causes[kind, CauseBasis.TESTED],
                kind in self.counted,
            )
            for kind, pairs in kinds.most_common()
            if pairs
        ]

    def funnel(self) -> list[FunnelStep]:
        """Return the steps from problems to problems with an oracle."""
        responses, readable = self.responses.total(), self.readable.total()
        pairs = self.verdicts_of("ut2")
        compared = self.verdicts_of("ut3")
        confirmed = self.statuses["ut3", "CONFIRMED"]
        with_oracle = self.outcomes.total() - self.outcomes[ProblemOutcome.NO_ORACLE]
        return [
            FunnelStep("problems", self.problems, self.problems),
            FunnelStep("responses", responses, responses),
            FunnelStep("readable programs", readable, responses),
            FunnelStep("UT-1 confirmed", self.statuses["ut1", "CONFIRMED"], readable),
            FunnelStep("pairs", pairs, pairs),
            FunnelStep("UT-2 fully aligned", self.aligned_fully, pairs, depth=1),
            FunnelStep("UT-2 partly aligned", self.aligned_partly, pairs, depth=1),
            FunnelStep("UT-3 confirmed", confirmed, compared, depth=1),
            FunnelStep("of these mostly frozen", self.mostly_frozen, confirmed, depth=2),
            FunnelStep("UT-3 refuted", self.statuses["ut3", "REFUTED"], compared, depth=1),
            FunnelStep("UT-3 unknown", self.statuses["ut3", "UNKNOWN"], compared, depth=1),
            FunnelStep("problems with an oracle", with_oracle, self.problems),
        ]

    def models(self) -> list[str]:
        """Return the models that answered or were judged, sorted."""
        return sorted({*self.responses, *self.accepted, *(model for pair in self.decided_pairs for model in pair)})

    def agreements(self) -> list[ModelAgreement]:
        """Return each model's totals, the highest agreement first."""
        rows = []
        for number, model in enumerate(self.models(), start=1):
            own = [pair for pair in self.decided_pairs if model in pair]
            judged = self.judged_models.get(model)
            rows.append(
                ModelAgreement(
                    number=number,
                    model=model,
                    responses=self.responses[model],
                    readable=self.readable[model],
                    accepted=self.accepted[model],
                    confirmed=sum(self.confirmed_pairs[pair] for pair in own),
                    decided=sum(self.decided_pairs[pair] for pair in own),
                    accuracy=None if judged is None else judged.accuracy,
                    one_witness_with=None if judged is None else judged.one_witness_with,
                )
            )
        return sorted(rows, key=lambda row: (-(fraction(row.confirmed, row.decided) or 0), row.model))

    def agreement(self, left: str, right: str) -> float | None:
        """Return the share of the two models' decided pairs that UT-3 confirmed; None without any."""
        pair = (left, right) if left < right else (right, left)
        return fraction(self.confirmed_pairs[pair], self.decided_pairs[pair])

    def verdicts_of(self, claim: str) -> int:
        """Return the number of verdicts of a claim."""
        return sum(count for (of, _), count in self.statuses.items() if of == claim)

    def _add_equivalence(self, verdict: Verdict, pair: tuple[str, str]) -> None:
        status = verdict.status
        self.methods[verdict.method or "none", status.name] += 1
        counts = self.counts(verdict.problem_id)
        if status is Status.CONFIRMED:
            counts.confirmed += 1
            counts.mostly_frozen += is_mostly_frozen(verdict)
            self.mostly_frozen += is_mostly_frozen(verdict)
            self.confirmed_pairs[pair] += 1
            self.decided_pairs[pair] += 1
        elif status is Status.REFUTED:
            counts.refuted += 1
            if verdict.cause is not None:
                counts.causes[verdict.cause.kind] += 1
                self.causes[verdict.cause.kind, verdict.cause.basis] += 1
            self.decided_pairs[pair] += 1
        else:
            counts.unknown += 1


def is_mostly_frozen(verdict: Verdict) -> bool:
    """Tell whether a UT-3 verdict rests on no more aligned pairs than it has frozen inputs."""
    return bool(verdict.frozen) and (verdict.frozen or 0) >= len(verdict.domain or ())


def is_full(alignment: ParameterAlignment) -> bool:
    """Tell whether every parameter of both programs has a partner."""
    return not alignment.unaligned_left and not alignment.unaligned_right


def fraction(part: int, whole: int) -> float | None:
    """Return `part / whole`, or None if `whole` is 0: zero checks are no agreement."""
    return part / whole if whole else None


def confidence_ranges(bins: Sequence[int]) -> list[str]:
    """Return the range of each bin of the confidence histogram, such as `0.7 to 0.8`."""
    edges = [index * CONFIDENCE_STEP for index in range(len(bins) + 1)]
    return [f"{low:.1f} to {high:.1f}" for low, high in pairwise(edges)]
