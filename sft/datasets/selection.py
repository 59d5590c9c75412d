"""The selection of samples from all sources, their splits, and the reasons why the other samples are not used."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.solution.labels import FINAL_ANSWER
from sft.datasets.leakage import SPLITS, groups_of, origin, split_groups
from sft.datasets.rows import AnswerEnding, form_of
from sft.datasets.sampling import Candidate, SampleReservoir, balanced, ticket_of
from sft.datasets.sources import ExternalSource, RunSource, SkippedRecord
from sft.datasets.trust import ConfidencePlan
from sft.samples.items import ProblemSample, Sample, Trust
from sft.samples.problem_judgement import VERDICT_OF

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sft.datasets.leakage import Fence
    from sft.datasets.rows import SurfaceForm
    from sft.datasets.sources import Material

CORRECT, UNKNOWN_ERROR = "correct", "unknown_error"
SOLUTION_SHARES = {CORRECT: 2.0, "computational_error": 1.0, "conceptual_error": 2.0, "skipped_step": 1.0}
PROBLEM_SHARES = {"solvable": 2.0, "contradictory": 1.0, "underspecified": 1.0}
LONGEST = 8_000
"""Characters of question and solution together that a sample may have; GSM8K's longest pair has fewer than 3,000."""
_UNREVIEWED = "nobody reviewed it: "


@dataclass(frozen=True, slots=True)
class DatasetPlan:
    """The options of a selection: the limit, the balance, and the shares of training, validation and test problems.

    `most` limits the samples of a problem and operator. Unreviewed samples with an objection are taken only with
    `include_unreviewed`; `confidence` holds the thresholds of the oracles of runs. `solutions` and `problems` are the
    shares of the classes, `None` to keep the shares of the sources; `weights` belong to fine types and operators, with
    one as the default.
    """

    seed: int = 0
    most: int = 2
    solutions: Mapping[str, float] | None = field(default_factory=lambda: dict(SOLUTION_SHARES))
    problems: Mapping[str, float] | None = field(default_factory=lambda: dict(PROBLEM_SHARES))
    weights: Mapping[str, float] = field(default_factory=dict)
    splits: tuple[float, float, float] = (0.9, 0.05, 0.05)
    include_unreviewed: bool = False
    confidence: ConfidencePlan = field(default_factory=ConfidencePlan)

    def form(self, sample: Sample) -> SurfaceForm:
        """Return the form in which a sample is shown."""
        return form_of(self.seed, f"{origin(sample.problem_id)}|{sample.question}")


@dataclass(frozen=True, slots=True)
class SelectedSamples:
    """The drawn samples of each split in a random order.

    `refused` counts the samples of protected problems by source and reason, `refused_problems` these problems by reason, `left` the other
    unused samples by reason.
    """

    splits: Mapping[str, Sequence[Material]]
    refused: Counter[tuple[str, str]]
    refused_problems: Mapping[str, int]
    left: Counter[str]

    @property
    def count(self) -> int:
        """Return the number of drawn samples."""
        return sum(map(len, self.splits.values()))

    def solutions(self, split: str) -> list[Sample]:
        """Return the solutions of a split."""
        return [sample for sample in self.splits[split] if isinstance(sample, Sample)]

    def problems(self, split: str) -> list[ProblemSample]:
        """Return the problems of a split."""
        return [sample for sample in self.splits[split] if isinstance(sample, ProblemSample)]


def kind_of(sample: Material) -> str:
    """Return the class that is balanced."""
    if isinstance(sample, ProblemSample):
        return str(VERDICT_OF[sample.problem_class])
    return str(sample.truth.error_class or UNKNOWN_ERROR) if sample.truth.flawed else CORRECT


def choose(sources: Sequence[RunSource | ExternalSource], fence: Fence, plan: DatasetPlan) -> SelectedSamples:
    """Read all sources and draw samples.

    Raises:
        HarnessError: a source is not sealed or was changed, or no sample is left.
    """
    solutions, problems = SampleReservoir(plan.most), SampleReservoir(plan.most)
    refused: Counter[tuple[str, str]] = Counter()
    refused_ids: dict[str, set[str]] = defaultdict(set)
    left: Counter[str] = Counter()
    questions: dict[str, str] = {}
    seen: set[bytes] = set()
    read = 0
    for read, sample in enumerate((sample for source in sources for sample in source.read()), start=1):
        if isinstance(sample, SkippedRecord):
            left[sample.why] += 1
            continue
        why = fence.why(sample.problem_id, sample.question)
        if why is not None:
            refused[sample.source, str(why)] += 1
            refused_ids[str(why)].add(origin(sample.problem_id))
            continue
        unfit = _unfit(sample, plan, seen)
        if unfit:
            left[unfit] += 1
            continue
        # Edited problems have the question of the first record of their problem, which is the original's or near it.
        questions.setdefault(origin(sample.problem_id), sample.question)
        (problems if isinstance(sample, ProblemSample) else solutions).add(_candidate(read, sample, plan))
    _require_flawed(solutions, left)
    drawn = [*_balanced(solutions, plan.solutions, left), *_balanced(problems, plan.problems, left)]
    if not drawn:
        raise HarnessError(_nothing(read, refused.total(), left))
    return SelectedSamples(
        _split(drawn, questions, plan), refused, {why: len(ids) for why, ids in sorted(refused_ids.items())}, left
    )


def _nothing(read: int, refused: int, left: Counter[str]) -> str:
    """Return why no sample is drawn, the commonest reasons first."""
    if not read:
        return f"the sources hold no flawed solution, no problem variant and no labelled solution; see why the run made none: {runnable('oracle-factory report RUN')}"
    whys = left + Counter({"of protected problems": refused})
    shown = sorted(whys.items(), key=lambda item: (-item[1], item[0]))[:4]
    reasons = "; ".join(f"{count:,} {why}" for why, count in shown)
    return f"nothing is left of {read:,} samples ({reasons}); see --include-unreviewed, --balance, --exclude and --min-confidence"


def _require_flawed(solutions: SampleReservoir, left: Mapping[str, int]) -> None:
    """Refuse a selection in which all flawed solutions are left out because no person reviewed them."""
    unreviewed = {why: count for why, count in left.items() if why.startswith(_UNREVIEWED)}
    if unreviewed and solutions.seen.keys() <= {CORRECT}:
        reasons = "; ".join(
            f"{count:,} because {why.removeprefix(_UNREVIEWED)}" for why, count in sorted(unreviewed.items())
        )
        message = f"no flawed solution is left: nobody reviewed them, and something speaks against each ({reasons}). Review some in the app, {runnable('streamlit run reports/app/main.py -- --run RUN')}, or take them by --include-unreviewed"
        raise HarnessError(message)


def _unfit(sample: Material, plan: DatasetPlan, seen: set[bytes]) -> str:
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
    words = f"{' '.join(sample.question.split())}\0{' '.join(text.split())}"
    key = hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    if key in seen:
        return "the same text again"
    seen.add(key)
    return ""


def _candidate(number: int, sample: Material, plan: DatasetPlan) -> Candidate:
    kind = kind_of(sample)
    pair, follows = "", False
    if isinstance(sample, ProblemSample):
        pair, follows = sample.twin or sample.sample_id, bool(sample.twin)
        type_, stratum = f"{kind}/{sample.operator}", ""
    else:
        type_ = sample.truth.error_type or kind
        stratum = "no answer" if plan.form(sample).ending is AnswerEnding.NONE else "answer"
    weight = plan.weights.get(sample.operator, plan.weights.get(type_, 1.0))
    ticket = ticket_of(plan.seed, pair or sample.sample_id, weight)
    return Candidate(number, sample, kind, type_, ticket, stratum, pair, follows)


def _balanced(drawing: SampleReservoir, shares: Mapping[str, float] | None, left: Counter[str]) -> list[Candidate]:
    kept = drawing.kept()
    left["more of one problem and operator than are wanted"] += sum(drawing.seen.values()) - len(kept)
    thinned = balanced(kept, shares)
    left["thinned out for the balance of classes"] += len(kept) - len(thinned)
    return thinned


def _split(drawn: Sequence[Candidate], questions: Mapping[str, str], plan: DatasetPlan) -> dict[str, list[Material]]:
    groups = groups_of({candidate.problem: questions[candidate.problem] for candidate in drawn})
    traits: dict[str, set[str]] = defaultdict(set)
    for candidate in drawn:
        sample = candidate.sample
        traits[groups[candidate.problem]] |= {
            f"tier:{sample.tier or 'unknown'}",
            f"class:{candidate.kind}",
            f"type:{candidate.type}",
            f"position:{sample.position if isinstance(sample, Sample) else 'none'}",
        }
    split = split_groups(traits, plan.splits, seed=plan.seed)
    members: dict[str, list[Material]] = {name: [] for name in SPLITS}
    for candidate in sorted(drawn, key=lambda one: (ticket_of(0, f"order:{one.sample.sample_id}"), one.number)):
        members[split[groups[candidate.problem]]].append(candidate.sample)
    return members
