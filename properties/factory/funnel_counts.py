"""The counts of the funnel: how far each problem of a run came, and why the others did not."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from harness.constraint_system import ProblemClass
from harness.domain import Status, Verdict
from harness.json_form import json_form, read_record
from harness.records.formalization import ConsensusRecord
from harness.records.funnel import WITH_FLAWS, WITH_VARIANTS, FunnelRecord, FunnelUnit, ProblemYield
from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, VARIANT
from properties.engine.operator_run import UNFIT
from sft.datasets.leakage import SPLITS
from sft.datasets.levels import Level
from sft.samples.problem_judgement import VERDICT_OF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from harness.store.run_folder import Stage
    from properties.engine.inputs import SessionInputs

FORMALIZED, CONFIRMED, CLIQUE, ORACLE = "with a formalization", "not refuted by UT-1", "in a clique", "with an oracle"
CLEAN, DATASETS = "flaws with a clean audit", "samples in the datasets"
_MADE = {CLIQUE: "cliques", WITH_FLAWS: "flawed solutions", WITH_VARIANTS: "variants", DATASETS: "rows"}
NO_ANSWER = "no answer is about it"
NO_PLACE = "no operator finds a place"


@dataclass(slots=True)
class ProblemProgress:
    """What is known of one problem, and by step that it did not reach, why."""

    formalizations: int = 0
    confirmed: int = 0
    clique_size: int = 0
    confidence: float = 0.0
    flaws: int = 0
    clean: int = 0
    variants: int = 0
    left: dict[str, str] = field(default_factory=dict)

    def record(self, problem_id: str) -> ProblemYield:
        """Return the record."""
        return ProblemYield(problem_id=problem_id, **asdict(self))


def seal_funnel(inputs: SessionInputs, datasets: Mapping[str, Any] | None, no_datasets: str | None) -> None:
    """Count what the sealed stages of a run and the manifest of its datasets hold, and seal the stage `funnel`.

    `no_datasets` says why there are no datasets, if there are none.
    """
    problems = {problem_id: ProblemProgress() for problem_id in sorted(inputs.problems)}
    _formalize(inputs, problems)
    _make(inputs, MUTATION, WITH_FLAWS, problems)
    _make(inputs, VARIANT, WITH_VARIANTS, problems)
    causes = _audit(inputs.run.stage(LABEL), problems)
    steps = [
        _selected(inputs),
        *_problem_steps(inputs, problems),
        _audited(problems, causes),
        _drawn(datasets, no_datasets),
    ]
    inputs.run.stage(FUNNEL).seal(
        {
            "steps.jsonl": map(json_form, steps),
            "problems.jsonl": (json_form(progress.record(problem_id)) for problem_id, progress in problems.items()),
        },
        inputs.manifest(),
    )


def _formalize(inputs: SessionInputs, problems: Mapping[str, ProblemProgress]) -> None:
    """Count formalizations, confirmations and cliques."""
    stage = inputs.run.stage(FORMALIZATION)
    refuted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    parted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for verdict in _verdicts(stage):
        if verdict.problem_id not in problems or verdict.claim == "ut2":
            continue
        progress = problems[verdict.problem_id]
        if verdict.claim == "ut1":
            progress.confirmed += verdict.status is Status.CONFIRMED
            if verdict.status is not Status.CONFIRMED:
                refuted[verdict.problem_id][_screening_class(verdict)] += 1
        elif verdict.status is not Status.CONFIRMED:
            parted[verdict.problem_id][_parting(verdict)] += 1
    agreed = {
        record.problem_id: record
        for record in (read_record(ConsensusRecord, form) for form in stage.records("consensus.jsonl"))
    }
    settings = inputs.settings
    for problem_id, progress in problems.items():
        progress.formalizations = len(inputs.models(problem_id))
        if not progress.formalizations:
            reasons = refuted[problem_id]
            progress.left[FORMALIZED] = _first(reasons) if reasons else NO_ANSWER
            continue
        consensus = agreed.get(problem_id)
        # Where the answer is not known, UT-1 decides nothing and agreement alone makes an oracle.
        if not progress.confirmed and (consensus is None or consensus.oracle is None):
            progress.left[CONFIRMED] = _first(refuted[problem_id])
            continue
        if consensus is None or consensus.oracle is None:
            reasons = parted[problem_id]
            why = f": {_first(reasons)}" if reasons else ""
            progress.left[CLIQUE] = (
                f"its {'formalizations' if progress.formalizations > 1 else 'formalization'} agree with no other{why}"
            )
            continue
        progress.clique_size, progress.confidence = consensus.clique_size, consensus.confidence
        if consensus.clique_size < settings.min_clique:
            progress.left[ORACLE] = f"its clique is smaller than --min-clique {settings.min_clique}"
        elif consensus.confidence < settings.min_confidence:
            progress.left[ORACLE] = f"its confidence is below --min-confidence {settings.min_confidence:g}"


def _screening_class(verdict: Verdict) -> str:
    """Return in a few words why UT-1 did not confirm a formalization."""
    if verdict.method in {"input", "read"} and verdict.reason:
        return verdict.reason.partition(":")[0]
    if verdict.status is Status.UNKNOWN:
        return "not decided"
    return "another answer than the gold answer" if verdict.reason and "gold" in verdict.reason else "not evaluated"


def _parting(verdict: Verdict) -> str:
    """Return what parts two formalizations."""
    if verdict.status is Status.UNKNOWN:
        return "not decided"
    return "refuted" if verdict.cause is None else f"they differ in {verdict.cause.kind}"


def _make(inputs: SessionInputs, name: str, step: str, problems: Mapping[str, ProblemProgress]) -> None:
    """Count what the operators of a stage made of each problem."""
    unfit: dict[str, str] = {}
    made: Counter[str] = Counter()
    for verdict in _verdicts(inputs.run.stage(name)):
        if verdict.method == UNFIT:
            unfit[verdict.problem_id] = (verdict.reason or "").partition(":")[0]
        elif verdict.status is not Status.UNKNOWN:
            made[verdict.problem_id] += verdict.checked
    for problem_id, progress in problems.items():
        if name == MUTATION:
            progress.flaws = made[problem_id]
        else:
            progress.variants = made[problem_id]
        # A problem without flaws may still have no variants.
        if not made[problem_id] and progress.left.keys() <= {WITH_FLAWS}:
            progress.left[step] = unfit.get(problem_id, NO_PLACE)


def _audit(stage: Stage, problems: Mapping[str, ProblemProgress]) -> Counter[str]:
    """Count the flaws with a clean audit; return why the others are not clean."""
    causes: Counter[str] = Counter()
    if not stage.sealed:
        return causes
    for verdict in _verdicts(stage):
        if verdict.status is Status.CONFIRMED and not verdict.findings:
            problems[verdict.problem_id].clean += 1
        elif verdict.findings:
            causes[str(verdict.findings[0].cause)] += 1
        else:
            causes[(verdict.reason or "not decided").partition(":")[0]] += 1
    return causes


def _selected(inputs: SessionInputs) -> FunnelRecord:
    total = inputs.corpus_size
    excluded = 0 if inputs.exclusion is None else len(inputs.exclusion.problems)
    chosen = len(inputs.problems)
    lost = {"left out by --problems or --slice": total - excluded - chosen, "excluded by --exclude": excluded}
    return _step("problems", FunnelUnit.PROBLEMS, (total, chosen), {}, Counter(lost))


def _problem_steps(inputs: SessionInputs, problems: Mapping[str, ProblemProgress]) -> Iterator[FunnelRecord]:
    """Yield the steps that count problems; flaws and variants both are made of the problems with an oracle."""
    reached = len(problems)
    for step in (FORMALIZED, CONFIRMED, CLIQUE, ORACLE):
        lost = Counter(progress.left[step] for progress in problems.values() if step in progress.left)
        parts: Mapping[str, int] = {}
        if step == CLIQUE:
            sizes = Counter(progress.clique_size for progress in problems.values() if progress.clique_size)
            parts = {_size_text(size): count for size, count in sorted(sizes.items())}
        yield _step(step, FunnelUnit.PROBLEMS, (reached, reached - lost.total()), parts, lost)
        reached -= lost.total()
    for step, name in ((WITH_FLAWS, MUTATION), (WITH_VARIANTS, VARIANT)):
        lost = Counter(progress.left[step] for progress in problems.values() if step in progress.left)
        yield _step(step, FunnelUnit.PROBLEMS, (reached, reached - lost.total()), _parts(inputs, name), lost)


def _size_text(size: int) -> str:
    return "one formalization, which UT-1 confirms" if size == 1 else f"{size} formalizations that agree"


def _parts(inputs: SessionInputs, name: str) -> Mapping[str, int]:
    """Return what a stage made: flaws by type, the most frequent first, or variants by class."""
    counts = inputs.run.stage(name).counts()
    if name == MUTATION:
        return dict(Counter(counts.get("types", {})).most_common())
    classes = counts.get("classes", {})
    return {str(VERDICT_OF[ProblemClass(int(label))]): count for label, count in sorted(classes.items())}


def _audited(problems: Mapping[str, ProblemProgress], causes: Counter[str]) -> FunnelRecord:
    total = sum(progress.flaws for progress in problems.values())
    clean = sum(progress.clean for progress in problems.values())
    return _step(CLEAN, FunnelUnit.FLAWS, (total, clean), {}, causes)


def _drawn(datasets: Mapping[str, Any] | None, no_datasets: str | None) -> FunnelRecord:
    if datasets is None:
        return _step(DATASETS, FunnelUnit.SAMPLES, (0, 0), {}, Counter({no_datasets or "not made": 1}))
    refused = {f"of a protected problem: {why}": count for why, count in datasets["refused"].items()}
    lost = Counter(datasets["left"]) + Counter(refused)
    rows: dict[str, int] = {}
    for level in Level:
        names = (f"level-{level}/{split}.jsonl" for split in SPLITS)
        rows[f"level {level}"] = sum(datasets["files"].get(name, {}).get("records", 0) for name in names)
    kept = int(datasets["samples"])
    return _step(
        DATASETS,
        FunnelUnit.SAMPLES,
        (kept + lost.total(), kept),
        {name: count for name, count in rows.items() if count},
        lost,
    )


def _step(
    step: str, unit: FunnelUnit, counts: tuple[int, int], parts: Mapping[str, int], lost: Counter[str]
) -> FunnelRecord:
    """Return the record of a step; `counts` are how many there were before it and how many are left."""
    # Counter.most_common keeps the order of equal counts: sorted first, the order is that of the words.
    ordered = dict(Counter(dict(sorted((+lost).items()))).most_common())
    return FunnelRecord(
        step=step, unit=unit, of=counts[0], count=counts[1], made=_MADE.get(step, ""), parts=parts, lost=ordered
    )


def _first(reasons: Counter[str]) -> str:
    return min(reasons, key=lambda reason: (-reasons[reason], reason))


def _verdicts(stage: Stage) -> Iterable[Verdict]:
    return (read_record(Verdict, json.loads(line)) for line in stage.stream("verdicts.jsonl"))
