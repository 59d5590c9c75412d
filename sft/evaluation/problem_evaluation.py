"""The evaluation of validators: judged problems of known class, by engine, with intervals."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.constraint_system import ProblemClass
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.records.verifier import EngineFigures, Estimate, TypeFigures
from sft.datasets.sources import RunSource
from sft.evaluation.counts import BINS, OutcomeCounts, OutcomeTotals
from sft.evaluation.metrics import calibration_error, estimate, interval, latency, mcnemar, ratio, reliability_bin
from sft.samples.items import ProblemSample
from sft.samples.problem_judgement import VERDICT_OF, ProblemJudgement
from sft.validator.problem_engine import ProblemEngine
from sft.validator.validation import open_problem_engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from harness.store.run_folder import Stage
    from sft.validator.problem_engine import ProblemEngineSettings

MAJORITY = "majority"
FIGURES, COMPARISONS = "figures.jsonl", "comparisons.jsonl"
TITLES = {problem_class: str(verdict) for problem_class, verdict in VERDICT_OF.items()}
NONE = "none"
QUESTIONS = ("question", "modified_problem_text")
"""The fields that hold the text of a problem: of a dataset, and of a variant."""
_UNKNOWN = Estimate(None, None, None, 0)


@dataclass(frozen=True, slots=True)
class TimedJudgement:
    """A judgement on a problem, with its share of the seconds of its batch."""

    judgement: ProblemJudgement
    seconds: float

    def record(self, sample: ProblemSample) -> dict[str, Any]:
        """Return the JSON form, with the id of the problem."""
        return {"sample_id": sample.sample_id, **self.judgement.record(), "seconds": round(self.seconds, 4)}


def read_samples(paths: Iterable[Path]) -> list[ProblemSample]:
    """Read problems of known class: of the variant stage of a run folder, or of JSON lines.

    A line has the problem as `question` or `modified_problem_text`, and `class_label` 0, 1 or 2; `sample_id` or `variant_id`,
    `problem_id` and `operator` where they are there.

    Raises:
        HarnessError: a file cannot be read, a line is no such record, an id is repeated, or there is no problem.
    """
    samples: dict[str, ProblemSample] = {}
    for path in paths:
        for sample in _of_run(path) if path.is_dir() else _of_lines(path):
            if sample.sample_id in samples:
                raise HarnessError(f"{path}: the id {sample.sample_id[:80]!r} is repeated")
            samples[sample.sample_id] = sample
    if not samples:
        raise HarnessError("no problem to judge: expected a run with a variant stage, or JSON lines with class_label")
    return list(samples.values())


def _of_run(path: Path) -> Iterator[ProblemSample]:
    read = RunSource.of(path, ("variant",), "").read()
    return (sample for sample in read if isinstance(sample, ProblemSample))


def _of_lines(path: Path) -> Iterator[ProblemSample]:
    for number, record in read_records(path):
        given: dict[str, Any] = record if isinstance(record, dict) else {}
        question = next((given[name] for name in QUESTIONS if isinstance(given.get(name), str)), None)
        label = given.get("class_label")
        if question is None or isinstance(label, bool) or label not in set(ProblemClass):
            raise HarnessError(
                f"{path}:{number}: expected a problem as 'question' or 'modified_problem_text', and 'class_label' 0, 1 or 2"
            )
        name = given.get("sample_id") or given.get("variant_id") or f"{path.name}:{number}"
        group = given.get("problem_id") or name
        operator = given.get("operator") or ""
        yield ProblemSample(str(name), str(group), question, ProblemClass(label), "", path.name, "", str(operator))


def judge_samples(name: str, samples: Sequence[ProblemSample], settings: ProblemEngineSettings) -> list[TimedJudgement]:
    """Return the judgements of an engine on problems, in order; `majority` gives each the commonest class.

    Raises:
        HarnessError: the engine is not known, or cannot be opened.
    """
    if name == MAJORITY:
        counts = Counter(sample.problem_class for sample in samples)
        commonest = max(counts, key=lambda problem_class: (counts[problem_class], problem_class))
        guess = ProblemJudgement(commonest, counts[commonest] / len(samples), "Most problems are of this class.")
        return [TimedJudgement(guess, 0.0)] * len(samples)
    if name not in set(ProblemEngine):
        raise HarnessError(f"engine {name[:60]!r}: expected one of {', '.join((MAJORITY, *ProblemEngine))}")
    engine = open_problem_engine(ProblemEngine(name), settings)
    judged: list[TimedJudgement] = []
    for start in range(0, len(samples), engine.at_once):
        part = samples[start : start + engine.at_once]
        began = time.perf_counter()
        given = list(engine.judge([sample.question for sample in part]))
        each = (time.perf_counter() - began) / len(part)
        judged += [TimedJudgement(judgement, each) for judgement in given]
    return judged


def _counts(samples: Sequence[ProblemSample], judged: Sequence[TimedJudgement]) -> OutcomeCounts:
    """Return the sums that the metrics need, by problem."""
    problems: dict[str, Counter[str]] = {}
    for sample, timed in zip(samples, judged, strict=True):
        sums = problems.setdefault(sample.problem_id, Counter())
        gold, said = sample.problem_class, timed.judgement.problem_class
        right, confidence = gold is said, timed.judgement.confidence
        sums.update({"n": 1, "right": right, f"cell {TITLES[gold]} {NONE if said is None else TITLES[said]}": 1})
        if gold is not ProblemClass.SOLVABLE and sample.operator:
            found = said not in {ProblemClass.SOLVABLE, None}
            kind = f"type {sample.operator}"
            sums.update({f"{kind} n": 1, f"{kind} found": found, f"{kind} right": right})
        if said is not None:
            place = f"bin {min(BINS - 1, int(confidence * BINS))}"
            sums.update({"stated": 1, f"{place} n": 1, f"{place} right": right})
            for name, value in ((f"{place} stated", confidence), ("square", (confidence - right) ** 2)):
                sums[name] += value  # type: ignore[assignment]  # a counter of floats
    names = tuple(sorted({name for sums in problems.values() for name in sums}))
    rows = [[float(sums[name]) for name in names] for sums in problems.values()]
    return OutcomeCounts(names, np.array(rows, dtype=float).reshape(len(rows), len(names)))


def _gold(totals: OutcomeTotals, gold: str) -> Any:
    return np.sum([totals.cell(gold, said) for said in (*TITLES.values(), NONE)], axis=0)


def _said(totals: OutcomeTotals, said: str) -> Any:
    return np.sum([totals.cell(gold, said) for gold in TITLES.values()], axis=0)


def _f1(hits: Any, gold: Any, said: Any) -> Any:
    return ratio(2 * hits, gold + said)


def macro_f1(totals: OutcomeTotals) -> Any:
    """Return the mean F1 of those of the three classes that occur."""
    each = [
        (_f1(totals.cell(name, name), _gold(totals, name), _said(totals, name)), _gold(totals, name) > 0)
        for name in TITLES.values()
    ]
    return ratio(
        np.sum([np.where(occurs, f1, 0.0) for f1, occurs in each], axis=0),
        np.sum([occurs for _, occurs in each], axis=0),
    )


def unsolvable_f1(totals: OutcomeTotals) -> Any:
    """Return the F1 of the problems without an answer, contradictory and underspecified as one class."""
    names = [title for problem_class, title in TITLES.items() if problem_class is not ProblemClass.SOLVABLE]
    hits = np.sum([totals.cell(gold, said) for gold in names for said in names], axis=0)
    return _f1(
        hits,
        np.sum([_gold(totals, name) for name in names], axis=0),
        np.sum([_said(totals, name) for name in names], axis=0),
    )


def false_alarms(totals: OutcomeTotals) -> Any:
    """Return the share of solvable problems that are called contradictory or underspecified."""
    solvable = TITLES[ProblemClass.SOLVABLE]
    alarms = np.sum([totals.cell(solvable, name) for name in TITLES.values() if name != solvable], axis=0)
    return ratio(alarms, _gold(totals, solvable))


METRICS = {
    "accuracy": lambda totals: ratio(totals["right"], totals["n"]),
    "macro_f1": macro_f1,
    "unsolvable_f1": unsolvable_f1,
    "false_alarms": false_alarms,
    "recall_contradictory": lambda totals: ratio(
        totals.cell("contradictory", "contradictory"), _gold(totals, "contradictory")
    ),
    "recall_underspecified": lambda totals: ratio(
        totals.cell("underspecified", "underspecified"), _gold(totals, "underspecified")
    ),
    "calibration_error": calibration_error,
    "brier": lambda totals: ratio(totals["square"], totals["stated"]),
}
"""Each metric of a validator; a problem that was not judged counts as wrong, and not as a false alarm."""


def measure(
    samples: Sequence[ProblemSample], judged: Sequence[TimedJudgement], *, engine: str, rounds: int, seed: int
) -> EngineFigures:
    """Return every metric of an engine; intervals are percentiles of a bootstrap over problems.

    `types` has the operators of problems without an answer: found is judged unsolvable, coarse is judged of the right class.
    """
    counts = _counts(samples, judged)
    totals, drawn = counts.total(), counts.resampled(rounds, seed)
    operators = sorted({name.split()[1] for name in counts.names if name.startswith("type ")})
    return EngineFigures(
        engine=engine,
        dataset="all",
        items=len(samples),
        problems=len(counts.sums),
        metrics={name: estimate(metric, totals, drawn, len(samples)) for name, metric in METRICS.items()},
        types={
            name: TypeFigures(
                interval(f"type {name} found", f"type {name} n", totals, drawn),
                interval(f"type {name} right", f"type {name} n", totals, drawn),
                _UNKNOWN,
            )
            for name in operators
        },
        confusion={
            gold: {said: round(float(totals.cell(gold, said)[0])) for said in (*TITLES.values(), NONE)}
            for gold in TITLES.values()
        },
        verdicts={},
        bins=tuple(reliability_bin(totals, place) for place in range(BINS)),
        latency=latency([timed.seconds for timed in judged]),
    )


def evaluate_problems(
    stage: Stage,
    samples: Sequence[ProblemSample],
    engines: Mapping[str, Sequence[TimedJudgement]],
    *,
    rounds: int,
    seed: int,
) -> list[EngineFigures]:
    """Measure engines on the same problems, and seal judgements, figures and the comparison of each with the first."""
    measured = [measure(samples, judged, engine=name, rounds=rounds, seed=seed) for name, judged in engines.items()]
    right = {
        name: [
            timed.judgement.problem_class is sample.problem_class for sample, timed in zip(samples, judged, strict=True)
        ]
        for name, judged in engines.items()
    }
    first = next(iter(right))
    compared = [{"engine": first, "against": name, **mcnemar(right[first], right[name])} for name in list(right)[1:]]
    files: dict[str, Iterable[dict[str, Any] | str]] = {
        "problems.jsonl": [json_form(sample) for sample in samples],
        FIGURES: [json_form(figures) for figures in measured],
        COMPARISONS: compared,
    }
    for name, judged in engines.items():
        files[f"judgements-{name}.jsonl"] = [
            timed.record(sample) for sample, timed in zip(samples, judged, strict=True)
        ]
    stage.discard()
    stage.seal(files, {"seed": seed, "rounds": rounds, "engines": list(engines), "problems": len(samples)})
    return measured
