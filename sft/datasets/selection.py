"""The selection of samples from all sources, their splits, and the reasons why the other samples are not used.

Sources are read twice: first to know what they hold, with about 300 bytes kept for each record, then to write the selected
samples.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.solution.labels import FINAL_ANSWER
from sft.datasets.leakage.decontamination import origin
from sft.datasets.leakage.splits import groups_of, split_groups
from sft.datasets.sampling import SampleEntry, SampleReservoir, balanced, ticket_of
from sft.datasets.sources import SkippedRecord
from sft.datasets.surface_forms import AnswerEnding, form_of
from sft.datasets.trust import ConfidencePlan
from sft.samples.problem_judgement import VERDICT_OF
from sft.samples.problem_sample import ProblemSample
from sft.samples.trust import Trust

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sft.datasets.leakage.decontamination import Fence
    from sft.datasets.sources import Material
    from sft.datasets.surface_forms import SurfaceForm
    from sft.samples.items import Sample

CORRECT, UNKNOWN_ERROR = "correct", "unknown_error"
SOLUTION_SHARES = {CORRECT: 2.0, "computational_error": 1.0, "conceptual_error": 2.0, "skipped_step": 1.0}
PROBLEM_SHARES = {"solvable": 2.0, "contradictory": 1.0, "underspecified": 1.0}
LONGEST = 8_000
"""Characters of question and solution together that a sample may have; GSM8K's longest pair has fewer than 3,000."""


class SampleSource(Protocol):
    """A source that gives the same samples at each reading."""

    def hashes(self) -> dict[str, str]:
        """Return the SHA-256 of each file that it reads, by name."""

    def read(self) -> Iterator[Material | SkippedRecord]:
        """Yield its samples, and the records that give none."""


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
    """The drawn entries, and the split of each by its number in the order of reading.

    `found` counts the samples of the sources by class and operator, `refused` those of protected problems by source and
    reason, `left` the other unused ones by reason.
    """

    entries: tuple[SampleEntry, ...]
    split: Mapping[int, str]
    found: Counter[tuple[str, str]]
    refused: Counter[tuple[str, str]]
    refused_problems: Mapping[str, int]
    left: Counter[str]


def kind_of(sample: Material) -> str:
    """Return the class that is balanced."""
    if isinstance(sample, ProblemSample):
        return str(VERDICT_OF[sample.problem_class])
    if not sample.truth.flawed:
        return CORRECT
    return UNKNOWN_ERROR if sample.truth.error_class is None else str(sample.truth.error_class)


def choose(sources: Sequence[SampleSource], fence: Fence, plan: DatasetPlan) -> SelectedSamples:
    """Read all sources once and draw samples.

    Raises:
        HarnessError: a source is not sealed or was changed, or no sample is left.
    """
    solutions, problems = SampleReservoir(plan.most), SampleReservoir(plan.most)
    refused: Counter[tuple[str, str]] = Counter()
    refused_ids: dict[str, set[str]] = defaultdict(set)
    left: Counter[str] = Counter()
    questions: dict[str, str] = {}
    seen: set[int] = set()
    read = 0
    for number, sample in enumerate(_materials(sources)):
        read = number + 1
        if isinstance(sample, SkippedRecord):
            left[sample.why] += 1
            continue
        why = fence.why(sample.problem_id, sample.question)
        if why is not None:
            refused[sample.source, str(why)] += 1
            refused_ids[str(why)].add(origin(sample.problem_id))
            continue
        unfit = _distrusted(sample, plan) or _unfit(sample, plan, seen)
        if unfit:
            left[unfit] += 1
            continue
        entry = _entry(number, sample, plan)
        # Edited problems have the question of the first record of their problem, which is the original's or near it.
        questions.setdefault(entry.problem, sample.question)
        (problems if isinstance(sample, ProblemSample) else solutions).add(entry)
    _require_flawed(solutions, left)
    drawn = [*_balanced(solutions, plan.solutions, left), *_balanced(problems, plan.problems, left)]
    if not drawn:
        raise HarnessError(_nothing(read, refused.total(), left))
    drawn.sort(key=lambda entry: entry.number)
    return SelectedSamples(
        tuple(drawn),
        _split(drawn, questions, plan),
        solutions.seen + problems.seen,
        refused,
        {why: len(ids) for why, ids in sorted(refused_ids.items())},
        left,
    )


_UNREVIEWED = "nobody reviewed it: "


def _distrusted(sample: Material, plan: DatasetPlan) -> str:
    """Return why a sample is not trusted enough to train, empty if it is."""
    if isinstance(sample, ProblemSample) or sample.trust is not Trust.WIDENED or plan.include_unreviewed:
        return ""
    return f"{_UNREVIEWED}{sample.doubt}"


def _nothing(read: int, refused: int, left: Counter[str]) -> str:
    """Return why no sample is drawn, the commonest reasons first."""
    if not read:
        return f"the sources hold no flawed solution, no problem variant and no labelled solution; see why the run made none: {runnable('oracle-factory report RUN')}"
    whys = left + Counter({"of protected problems": refused})
    told = "; ".join(
        f"{count:,} {why}" for why, count in sorted(whys.items(), key=lambda item: (-item[1], item[0]))[:4]
    )
    return f"nothing is left of {read:,} samples ({told}); see --include-unreviewed, --balance, --exclude and --min-confidence"


def _require_flawed(solutions: SampleReservoir, left: Mapping[str, int]) -> None:
    """Refuse a selection in which all flawed solutions are left out because no person reviewed them."""
    unreviewed = {why: count for why, count in left.items() if why.startswith(_UNREVIEWED)}
    if unreviewed and all(kind == CORRECT for kind, _ in solutions.seen):
        told = "; ".join(
            f"{count:,} because {why.removeprefix(_UNREVIEWED)}" for why, count in sorted(unreviewed.items())
        )
        message = f"no flawed solution is left: nobody reviewed them, and something speaks against each ({told}). Review some in the app, {runnable('streamlit run reports/app/main.py -- --run RUN')}, or take them by --include-unreviewed"
        raise HarnessError(message)


def drawn_samples(
    sources: Sequence[SampleSource], chosen: SelectedSamples
) -> Iterator[tuple[str, SampleEntry, Material]]:
    """Read all sources again and yield the drawn samples with their split, in the order of reading."""
    wanted = {entry.number: entry for entry in chosen.entries}
    for number, sample in enumerate(_materials(sources)):
        entry = wanted.get(number)
        if entry is not None and not isinstance(sample, SkippedRecord):
            yield chosen.split[number], entry, sample


def _materials(sources: Sequence[SampleSource]) -> Iterator[Material | SkippedRecord]:
    for source in sources:
        yield from source.read()


def _unfit(sample: Material, plan: DatasetPlan, seen: set[int]) -> str:
    """Return why a sample is not used, empty if it is used."""
    text = "" if isinstance(sample, ProblemSample) else sample.solution
    if len(sample.question) + len(text) > LONGEST:
        return f"longer than {LONGEST:,} characters"
    if (
        not isinstance(sample, ProblemSample)
        and sample.truth.line == FINAL_ANSWER
        and plan.form(sample).ending is AnswerEnding.NONE
    ):
        return "error of the final answer in a form that shows none"
    key = hashlib.blake2b(
        f"{' '.join(sample.question.split())}\0{' '.join(text.split())}".encode("utf-8", "surrogatepass"), digest_size=8
    )
    number = int.from_bytes(key.digest(), "big")
    if number in seen:
        return "the same text again"
    seen.add(number)
    return ""


def _entry(number: int, sample: Material, plan: DatasetPlan) -> SampleEntry:
    kind = kind_of(sample)
    pair, follows = "", False
    if isinstance(sample, ProblemSample):
        pair, follows = sample.twin or sample.sample_id, bool(sample.twin)
        type_, position, stratum = f"{kind}/{sample.operator}", "none", ""
    else:
        type_, position = sample.truth.error_type or kind, sample.position
        stratum = "no answer" if plan.form(sample).ending is AnswerEnding.NONE else "answer"
    weight = plan.weights.get(sample.operator, plan.weights.get(type_, 1.0))
    return SampleEntry(
        number,
        origin(sample.problem_id),
        kind,
        type_,
        sample.operator,
        str(sample.tier or "unknown"),
        position,
        stratum,
        ticket_of(plan.seed, pair or sample.sample_id, weight),
        pair,
        follows,
    )


def _balanced(drawing: SampleReservoir, shares: Mapping[str, float] | None, left: Counter[str]) -> list[SampleEntry]:
    kept = drawing.kept()
    left["more of one problem and operator than are wanted"] += sum(drawing.seen.values()) - len(kept)
    thinned = balanced(kept, shares)
    left["thinned out for the balance of classes"] += len(kept) - len(thinned)
    return thinned


def _split(drawn: Sequence[SampleEntry], questions: Mapping[str, str], plan: DatasetPlan) -> dict[int, str]:
    groups = groups_of({entry.problem: questions[entry.problem] for entry in drawn})
    traits: dict[str, set[str]] = defaultdict(set)
    for entry in drawn:
        traits[groups[entry.problem]] |= {
            f"tier:{entry.tier}",
            f"class:{entry.kind}",
            f"type:{entry.type}",
            f"position:{entry.position}",
        }
    split = split_groups(traits, plan.splits, seed=plan.seed)
    return {entry.number: split[groups[entry.problem]] for entry in drawn}
