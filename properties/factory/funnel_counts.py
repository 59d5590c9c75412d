"""The counts of the funnel: how far each problem of a run came, and why the others did not."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.constraint_system import ProblemClass
from harness.domain import Status, Verdict
from harness.json_form import json_form, read_record
from harness.records.formalization import ConsensusRecord
from harness.records.funnel import WITH_FLAWS, WITH_VARIANTS, FunnelRecord, FunnelUnit, ProblemYield
from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, VARIANT
from harness.store.run_folder import Stage
from properties.engine.inputs import RunSettings, SessionInputs
from properties.engine.operator_run import UNFIT
from properties.engine.problem_sources import sealed_consensus
from sft.datasets.leakage import SPLITS
from sft.datasets.levels import Level

FORMALIZED, CONFIRMED, CLIQUE, ORACLE = "with a formalization", "not refuted by UT-1", "in a clique", "with an oracle"
CLEAN, DATASETS = "flaws with a clean audit", "samples in the datasets"
_PRODUCTS = {CLIQUE: "cliques", WITH_FLAWS: "flawed solutions", WITH_VARIANTS: "variants", DATASETS: "rows"}
NO_ANSWER = "no answer is about it"
NO_PLACE = "no operator finds a place"


def seal_funnel(inputs: SessionInputs, datasets: Mapping[str, Any] | None, no_datasets: str | None) -> None:
    """Count what the sealed stages of a run and the manifest of its datasets hold, and seal the stage `funnel`.

    `no_datasets` says why there are no datasets, if there are none.
    """
    problems = {problem_id: ProblemYield(problem_id=problem_id) for problem_id in sorted(inputs.problems)}
    _count_formalizations(inputs, problems)
    for name, step, made in ((MUTATION, WITH_FLAWS, "flaws"), (VARIANT, WITH_VARIANTS, "variants")):
        counts, unfit = _products(inputs.run.stage(name))
        for problem_id, progress in problems.items():
            setattr(progress, made, counts[problem_id])
            # A problem without flaws may still have no variants.
            if not counts[problem_id] and progress.left.keys() <= {WITH_FLAWS}:
                progress.left[step] = unfit.get(problem_id, NO_PLACE)
    causes = _audit(inputs.run.stage(LABEL), problems)
    flaws, clean = (sum(getattr(own, name) for own in problems.values()) for name in ("flaws", "clean"))
    total, chosen = inputs.corpus_size, len(inputs.problems)
    excluded = 0 if inputs.exclusion is None else len(inputs.exclusion.problems)
    left_out = {"left out by --problems or --slice": total - excluded - chosen, "excluded by --exclude": excluded}
    steps = [_step("problems", FunnelUnit.PROBLEMS, (total, chosen), {}, Counter(left_out))]
    steps += _problem_steps(inputs, list(problems.values()))
    steps.append(_step(CLEAN, FunnelUnit.FLAWS, (flaws, clean), {}, causes))
    steps.append(_dataset_step(datasets, no_datasets))
    files = {"steps.jsonl": map(json_form, steps), "problems.jsonl": map(json_form, problems.values())}
    inputs.run.stage(FUNNEL).seal({**files}, inputs.manifest())


def _count_formalizations(inputs: SessionInputs, problems: Mapping[str, ProblemYield]) -> None:
    """Count formalizations, confirmations and cliques, and note why problems have none."""
    stage = inputs.run.stage(FORMALIZATION)
    refuted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    parted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for verdict in _verdicts(stage):
        if verdict.problem_id not in problems or verdict.claim == "ut2":
            continue
        if verdict.status is not Status.CONFIRMED:
            reasons = refuted if verdict.claim == "ut1" else parted
            reasons[verdict.problem_id][_reason(verdict)] += 1
        elif verdict.claim == "ut1":
            problems[verdict.problem_id].confirmed += 1
    agreed = sealed_consensus(stage)
    for problem_id, progress in problems.items():
        progress.formalizations = len(inputs.models(problem_id))
        consensus = agreed.get(problem_id)
        left = _first_step_left(inputs.settings, progress, consensus, refuted[problem_id], parted[problem_id])
        if consensus is not None and consensus.oracle is not None and progress.formalizations:
            progress.clique_size, progress.confidence = consensus.clique_size, consensus.confidence
        progress.left.update(left)


def _first_step_left(
    least: RunSettings,
    own: ProblemYield,
    consensus: ConsensusRecord | None,
    refuted: Counter[str],
    parted: Counter[str],
) -> dict[str, str]:
    """Return the first step up to the oracle that a problem did not reach, with the reason; empty if it reached all."""
    if not own.formalizations:
        return {FORMALIZED: _first(refuted) if refuted else NO_ANSWER}
    if consensus is None or consensus.oracle is None:
        # Where the answer is not known, UT-1 decides nothing and agreement alone makes an oracle.
        if not own.confirmed:
            return {CONFIRMED: _first(refuted)}
        why = f": {_first(parted)}" if parted else ""
        one = "formalizations" if own.formalizations > 1 else "formalization"
        return {CLIQUE: f"its {one} agree with no other{why}"}
    if consensus.clique_size < least.min_clique:
        return {ORACLE: f"its clique is smaller than --min-clique {least.min_clique}"}
    if consensus.confidence < least.min_confidence:
        return {ORACLE: f"its confidence is below --min-confidence {least.min_confidence:g}"}
    return {}


def _reason(verdict: Verdict) -> str:
    """Return in a few words why UT-1 did not confirm a formalization, or what parts two."""
    if verdict.claim == "ut1" and verdict.method in {"input", "read"} and verdict.reason:
        return verdict.reason.partition(":")[0]
    if verdict.status is Status.UNKNOWN:
        return "not decided"
    if verdict.claim == "ut1":
        return "another answer than the gold answer" if "gold" in (verdict.reason or "") else "not evaluated"
    return "refuted" if verdict.cause is None else f"they differ in {verdict.cause.kind}"


def _products(stage: Stage) -> tuple[Counter[str], dict[str, str]]:
    """Return the number of products of the operators by problem, and by problem why none were made."""
    made, unfit = Counter[str](), dict[str, str]()
    for verdict in _verdicts(stage):
        if verdict.method == UNFIT:
            unfit[verdict.problem_id] = (verdict.reason or "").partition(":")[0]
        elif verdict.status is not Status.UNKNOWN:
            made[verdict.problem_id] += verdict.checked
    return made, unfit


def _audit(stage: Stage, problems: Mapping[str, ProblemYield]) -> Counter[str]:
    """Count the flaws with a clean audit; return why the others are not clean."""
    causes: Counter[str] = Counter()
    for verdict in _verdicts(stage) if stage.sealed else ():
        if verdict.findings:
            causes[str(verdict.findings[0].cause)] += 1
        elif verdict.status is Status.CONFIRMED:
            problems[verdict.problem_id].clean += 1
        else:
            causes[(verdict.reason or "not decided").partition(":")[0]] += 1
    return causes


def _problem_steps(inputs: SessionInputs, problems: list[ProblemYield]) -> Iterator[FunnelRecord]:
    """Yield the steps that count problems; flaws and variants both are made of the problems with an oracle."""
    sizes = Counter(progress.clique_size for progress in problems if progress.clique_size)
    types: Counter[str] = Counter(inputs.run.stage(MUTATION).counts().get("types", {}))
    classes = inputs.run.stage(VARIANT).counts().get("classes", {})
    parts: Mapping[str, Mapping[str, int]] = {
        CLIQUE: {
            "one formalization, which UT-1 confirms" if size == 1 else f"{size} formalizations that agree": count
            for size, count in sorted(sizes.items())
        },
        WITH_FLAWS: dict(types.most_common()),
        WITH_VARIANTS: {ProblemClass(int(label)).word: count for label, count in sorted(classes.items())},
    }
    reached = len(problems)
    for step in (FORMALIZED, CONFIRMED, CLIQUE, ORACLE, WITH_FLAWS, WITH_VARIANTS):
        lost = Counter(progress.left[step] for progress in problems if step in progress.left)
        left = reached - lost.total()
        yield _step(step, FunnelUnit.PROBLEMS, (reached, left), parts.get(step, {}), lost)
        reached = reached if step == WITH_FLAWS else left


def _dataset_step(datasets: Mapping[str, Any] | None, no_datasets: str | None) -> FunnelRecord:
    if datasets is None:
        return _step(DATASETS, FunnelUnit.SAMPLES, (0, 0), {}, Counter({no_datasets or "not made": 1}))
    refused = {f"of a protected problem: {why}": count for why, count in datasets["refused"].items()}
    lost, kept, files = Counter(datasets["left"]) + Counter(refused), int(datasets["samples"]), datasets["files"]
    rows = {
        f"level {level}": sum(files.get(f"level-{level}/{split}.jsonl", {}).get("records", 0) for split in SPLITS)
        for level in Level
    }
    made = {name: count for name, count in rows.items() if count}
    return _step(DATASETS, FunnelUnit.SAMPLES, (kept + lost.total(), kept), made, lost)


def _step(
    step: str, unit: FunnelUnit, counts: tuple[int, int], parts: Mapping[str, int], lost: Counter[str]
) -> FunnelRecord:
    """Return the record of a step; `counts` are how many there were before it and how many are left."""
    # Counter.most_common keeps the order of equal counts: sorted first, the order is that of the words.
    ordered = dict(Counter(dict(sorted((+lost).items()))).most_common())
    of, count = counts
    return FunnelRecord(
        step=step, unit=unit, of=of, count=count, made=_PRODUCTS.get(step, ""), parts=parts, lost=ordered
    )


def _first(reasons: Counter[str]) -> str:
    return min(reasons, key=lambda reason: (-reasons[reason], reason))


def _verdicts(stage: Stage) -> Iterable[Verdict]:
    return (read_record(Verdict, json.loads(line)) for line in stage.stream("verdicts.jsonl"))
