"""The selection of samples from all sources by seeded tickets, their balance and splits, and why the others are not used."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.solution.labels import FINAL_ANSWER
from sft.datasets.leakage import SPLITS, Fence, groups_of, origin, split_groups, text_hash
from sft.datasets.rows import AnswerEnding, SurfaceForm, form_of
from sft.datasets.sources import ExternalSource, Material, RunSource
from sft.datasets.trust import ConfidencePlan
from sft.samples.items import CORRECT_KIND, ProblemSample, Sample, Trust

if TYPE_CHECKING:
    from sft.datasets.diagnosis_samples import SolutionSource

SOLUTION_SHARES = {CORRECT_KIND: 2.0, "computational_error": 1.0, "conceptual_error": 2.0, "skipped_step": 1.0}
PROBLEM_SHARES = {"solvable": 2.0, "contradictory": 1.0, "underspecified": 1.0}
LONGEST = 8_000
"""Characters of question and solution together that a sample may have; GSM8K's longest pair has fewer than 3,000."""
_UNREVIEWED = "nobody reviewed it: "


@dataclass(frozen=True, slots=True)
class DatasetPlan:
    """The options of a selection: the limit, the balance, and the shares of training, validation and test problems.

    `most` limits the samples of a problem and operator. Unreviewed samples with an objection are taken only with
    `include_unreviewed`; `confidence` holds the thresholds of the oracles of runs. `solutions` and `problems` are the
    shares of the classes, `None` to keep the shares of the sources. Solutions that an oracle judged keep the shares that
    models give them unless `balance_diagnosed`.
    """

    seed: int = 0
    most: int = 2
    solutions: Mapping[str, float] | None = field(default_factory=lambda: dict(SOLUTION_SHARES))
    problems: Mapping[str, float] | None = field(default_factory=lambda: dict(PROBLEM_SHARES))
    splits: tuple[float, float, float] = (0.9, 0.05, 0.05)
    include_unreviewed: bool = False
    balance_diagnosed: bool = False
    confidence: ConfidencePlan = field(default_factory=ConfidencePlan)

    def form(self, sample: Sample) -> SurfaceForm:
        """Return the form in which a sample is shown."""
        return form_of(self.seed, f"{origin(sample.problem_id)}|{sample.question}")

    def candidate(self, number: int, sample: Material) -> Candidate:
        """Return a sample with its ticket, and the stratum in which its class is balanced."""
        stratum = ""
        if isinstance(sample, Sample):
            stratum = "no answer" if self.form(sample).ending is AnswerEnding.NONE else "answer"
        return Candidate(number, sample, ticket_of(self.seed, _pair(sample) or sample.sample_id), stratum)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sample that may be drawn; `number` counts in the order of reading, and lower tickets are drawn first.

    Classes are balanced within each `stratum`.
    """

    number: int
    sample: Material
    ticket: int
    stratum: str = ""

    @property
    def problem(self) -> str:
        """Return the id of its original problem."""
        return origin(self.sample.problem_id)


@dataclass(frozen=True, slots=True)
class SelectedSamples:
    """The drawn samples of each split in a random order.

    `refused` counts the samples of protected problems by source and reason, `refused_problems` these problems by reason, `left` the other
    unused samples by reason.
    """

    solutions: Mapping[str, Sequence[Sample]]
    problems: Mapping[str, Sequence[ProblemSample]]
    refused: Counter[tuple[str, str]]
    refused_problems: Mapping[str, int]
    left: Counter[str]

    @property
    def count(self) -> int:
        """Return the number of drawn samples."""
        return sum(map(len, (*self.solutions.values(), *self.problems.values())))


def ticket_of(seed: int, sample_id: str) -> int:
    """Return the ticket of a sample, a number that is drawn evenly."""
    return -text_hash(f"{seed}:{sample_id}")


def choose(
    sources: Sequence[RunSource | ExternalSource | SolutionSource], fence: Fence, plan: DatasetPlan
) -> SelectedSamples:
    """Read all sources and draw samples; raises `HarnessError` where a source is not sealed or was changed, or no sample is left."""
    solutions: list[Candidate] = []
    problems: list[Candidate] = []
    refused: Counter[tuple[str, str]] = Counter()
    refused_ids: dict[str, set[str]] = defaultdict(set)
    left: Counter[str] = Counter()
    questions: dict[str, str] = {}
    seen: set[int] = set()
    read = 0
    for read, sample in enumerate((sample for source in sources for sample in source.read()), start=1):
        if isinstance(sample, str):
            left[sample] += 1
        elif (why := fence.why(sample.problem_id, sample.question)) is not None:
            refused[sample.source, str(why)] += 1
            refused_ids[str(why)].add(origin(sample.problem_id))
        elif unfit := _unfit(sample, plan, seen):
            left[unfit] += 1
        else:
            # Edited problems have the question of the first record of their problem, which is the original's or near it.
            questions.setdefault(origin(sample.problem_id), sample.question)
            (problems if isinstance(sample, ProblemSample) else solutions).append(plan.candidate(read, sample))
    _require_flawed(solutions, left)
    drawn: list[Candidate] = []
    for candidates, shares in ((solutions, plan.solutions), (problems, plan.problems)):
        kept = limited(candidates, plan.most)
        natural = [own for own in kept if own.sample.trust is Trust.DIAGNOSED and not plan.balance_diagnosed]
        numbers = {own.number for own in natural}
        thinned = [*balanced((own for own in kept if own.number not in numbers), shares), *natural]
        left["more of one problem and operator than are wanted"] += len(candidates) - len(kept)
        left["thinned out for the balance of classes"] += len(kept) - len(thinned)
        drawn += thinned
    if not drawn:
        raise HarnessError(_empty_selection_reason(read, refused.total(), left))
    found = {why: len(ids) for why, ids in sorted(refused_ids.items())}
    members = _split(drawn, questions, plan)
    return SelectedSamples(
        {split: [sample for sample in own if isinstance(sample, Sample)] for split, own in members.items()},
        {split: [sample for sample in own if isinstance(sample, ProblemSample)] for split, own in members.items()},
        refused,
        found,
        left,
    )


def _unfit(sample: Material, plan: DatasetPlan, seen: set[int]) -> str:
    """Return why a sample is not used, empty if it is used."""
    text = ""
    if isinstance(sample, Sample):
        text = sample.solution
        if sample.trust is Trust.WIDENED and not plan.include_unreviewed:
            return f"{_UNREVIEWED}{sample.doubt}"
        if sample.truth.line == FINAL_ANSWER and plan.form(sample).ending is AnswerEnding.NONE:
            return "error of the final answer in a form that shows none"
    if len(sample.question) + len(text) > LONGEST:
        return f"longer than {LONGEST:,} characters"
    key = text_hash(f"{' '.join(sample.question.split())}\0{' '.join(text.split())}")
    if key in seen:
        return "the same text again"
    seen.add(key)
    return ""


def _require_flawed(solutions: Sequence[Candidate], left: Mapping[str, int]) -> None:
    """Refuse a selection in which all flawed solutions are left out because no person reviewed them."""
    unreviewed = {why: count for why, count in left.items() if why.startswith(_UNREVIEWED)}
    if unreviewed and all(candidate.sample.kind == CORRECT_KIND for candidate in solutions):
        whys = [(why.removeprefix(_UNREVIEWED), count) for why, count in sorted(unreviewed.items())]
        reasons = "; ".join(f"{count:,} because {why}" for why, count in whys)
        message = f"no flawed solution is left: nobody reviewed them, and something speaks against each ({reasons}). Review some in the app, {runnable('streamlit run reports/app/main.py -- --run RUN')}, or take them by --include-unreviewed"
        raise HarnessError(message)


def _empty_selection_reason(read: int, refused: int, left: Counter[str]) -> str:
    """Return why no sample is drawn, the commonest reasons first."""
    if not read:
        return f"the sources hold no flawed solution, no problem variant and no labelled solution; see why the run made none: {runnable('oracle-factory report RUN')}"
    whys = left + Counter({"of protected problems": refused})
    shown = sorted(whys.items(), key=lambda item: (-item[1], item[0]))[:4]
    reasons = "; ".join(f"{count:,} {why}" for why, count in shown)
    return f"nothing is left of {read:,} samples ({reasons}); see --include-unreviewed, --balance, --exclude and --min-confidence"


def limited(candidates: Iterable[Candidate], most: int) -> list[Candidate]:
    """Return the candidates with the lowest tickets, at most so many of a problem, class and operator."""
    taken: Counter[tuple[str, str, str]] = Counter()
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=_by_ticket):
        group = candidate.problem, candidate.sample.kind, candidate.sample.operator
        taken[group] += 1
        kept += [candidate] if taken[group] <= most else []
    return kept


def _pair(sample: Material) -> str:
    """Return the name that a problem shares with its twin, a similar text of another class; solutions have none."""
    return (sample.twin or sample.sample_id) if isinstance(sample, ProblemSample) else ""


def _follows(candidate: Candidate) -> bool:
    """Tell whether a problem was made after its twin."""
    return isinstance(candidate.sample, ProblemSample) and bool(candidate.sample.twin)


def _by_ticket(candidate: Candidate) -> tuple[int, int]:
    return candidate.ticket, candidate.number


def balanced(candidates: Iterable[Candidate], shares: Mapping[str, float] | None) -> list[Candidate]:
    """Return candidates with the given shares of classes in each stratum, with problems taking turns.

    Twins of chosen ones are chosen first. A class without a share is left out; if `shares` is `None`, the shares of all
    candidates hold. Classes are only thinned out, so that the scarcest class decides the number.
    """
    strata: dict[str, dict[str, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    total = Counter[str]()
    for candidate in candidates:
        strata[candidate.stratum][candidate.sample.kind].append(candidate)
        total[candidate.sample.kind] += 1
    wanted = {kind: share for kind, share in (total if shares is None else shares).items() if share > 0 and total[kind]}
    chosen: list[Candidate] = []
    for kinds in strata.values():
        scale = min((len(kinds[kind]) / share for kind, share in wanted.items()), default=0)
        pairs: set[str] = set()
        for kind in sorted(wanted, key=lambda kind: (any(map(_follows, kinds[kind])), kind)):
            drawn = _ranked(kinds[kind], pairs)[: round(scale * wanted[kind])]
            pairs |= {_pair(member.sample) for member in drawn if not _follows(member)}
            chosen += drawn
    return chosen


def _ranked(candidates: Iterable[Candidate], pairs: set[str]) -> list[Candidate]:
    """Return candidates in the order in which they are drawn: twins of chosen ones, others, twins of no chosen one.

    Problems take turns, since long solutions have more places for errors, and length would become evidence for a flaw.
    """
    drawn: Counter[str] = Counter()
    ranks: dict[int, tuple[int, int]] = {}
    ordered = sorted(candidates, key=_by_ticket)
    for candidate in ordered:
        rank = 1 if not _follows(candidate) else 0 if _pair(candidate.sample) in pairs else 2
        ranks[candidate.number] = rank, drawn[candidate.problem]
        drawn[candidate.problem] += 1
    return sorted(ordered, key=lambda candidate: ranks[candidate.number])


def _split(drawn: Sequence[Candidate], questions: Mapping[str, str], plan: DatasetPlan) -> dict[str, list[Material]]:
    groups = groups_of({candidate.problem: questions[candidate.problem] for candidate in drawn})
    traits: dict[str, set[str]] = defaultdict(set)
    for candidate in drawn:
        sample = candidate.sample
        own = traits[groups[candidate.problem]]
        own |= {f"tier:{sample.tier or 'unknown'}", f"class:{sample.kind}"}
        own |= {f"type:{sample.type}", f"position:{sample.position}"}
    split = split_groups(traits, plan.splits, seed=plan.seed)
    members: dict[str, list[Material]] = {name: [] for name in SPLITS}
    for candidate in sorted(drawn, key=lambda one: (ticket_of(0, f"order:{one.sample.sample_id}"), one.number)):
        members[split[groups[candidate.problem]]].append(candidate.sample)
    return members
