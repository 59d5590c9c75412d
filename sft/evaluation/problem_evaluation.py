"""The evaluation of validators: problems of known class are judged by several engines, which are measured."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.constraint_system import ProblemClass
from harness.corpora.field_roles import FieldNames, Role, read_fields
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.records.verifier import EngineFigures
from harness.store.run_folder import Stage
from sft.datasets.sources import RunSource
from sft.evaluation import metrics
from sft.samples.items import ProblemSample
from sft.samples.problem_judgement import PROBLEM_CLASSES, ProblemJudgement
from sft.validator.problem_engine import ProblemEngine, ProblemEngineSettings, open_problem_engine

MAJORITY = "majority"
TITLES = {problem_class: problem_class.word for problem_class in PROBLEM_CLASSES}
NONE = "none"
LABELS = "expected 'class_label' 0, 1 or 2"


@dataclass(frozen=True, slots=True)
class TimedJudgement:
    """A judgement on a problem, with its share of the seconds of its batch."""

    judgement: ProblemJudgement
    seconds: float


def read_samples(paths: Iterable[Path], named: FieldNames | None = None) -> list[ProblemSample]:
    """Read problems of known class: of the variant stage of a run folder, or of a file of records.

    A record has a question, in a field that the user names or in one of published data sets, and `class_label` 0, 1 or 2; `sample_id` or
    `variant_id`, `problem_id` and `operator` where they are there.

    Raises:
        HarnessError: a file cannot be read, a line is no such record, an id is repeated, or there is no problem.
    """
    samples: dict[str, ProblemSample] = {}
    for path in paths:
        for sample in (
            RunSource.of(path, ("variant",), "").read()
            if path.is_dir()
            else _samples_of_file(path, named or FieldNames())
        ):
            if not isinstance(sample, ProblemSample):
                continue
            if sample.sample_id in samples:
                raise HarnessError(f"{path}: the id {sample.sample_id[:80]!r} is repeated")
            samples[sample.sample_id] = sample
    if not samples:
        raise HarnessError("no problem to judge: expected a run with a variant stage, or JSON lines with class_label")
    return list(samples.values())


def _samples_of_file(path: Path, named: FieldNames) -> Iterator[ProblemSample]:
    for number, record in read_records(path):
        given: dict[str, Any] = record if isinstance(record, dict) else {}
        fields, label = read_fields(given, named), given.get("class_label")
        label = int(label) if label in {"0", "1", "2"} else label  # as CSV holds it
        unread = fields.missing(Role.QUESTION)
        if unread or isinstance(label, bool) or label not in set(ProblemClass):
            raise HarnessError(f"{path}:{number}: {unread or LABELS}")
        name = str(given.get("sample_id") or given.get("variant_id") or f"{path.name}:{number}")
        group, operator = str(given.get("problem_id") or name), str(given.get("operator") or "")
        yield ProblemSample(name, group, fields.question, ProblemClass(label), "", path.name, "", operator)


def judge_samples(name: str, samples: Sequence[ProblemSample], settings: ProblemEngineSettings) -> list[TimedJudgement]:
    """Return the judgements of an engine on problems, in order; `majority` gives each the commonest class; raises `HarnessError` where the engine is not known, or cannot be opened."""
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


def judged_items(samples: Sequence[ProblemSample], judged: Sequence[TimedJudgement]) -> list[metrics.JudgedItem]:
    """Return the judgements as metrics count them; of a problem without an answer the operator is its type: found is judged unsolvable."""
    items = []
    for sample, timed in zip(samples, judged, strict=True):
        gold, said = sample.problem_class, timed.judgement.problem_class
        sums: dict[str, float] = {}
        if gold is not ProblemClass.SOLVABLE and sample.operator:
            found, kind = said not in {ProblemClass.SOLVABLE, None}, f"type {sample.operator}"
            sums = {f"{kind} n": 1, f"{kind} found": found, f"{kind} class n": 1, f"{kind} class right": gold is said}
        confidence = None if said is None else timed.judgement.confidence
        word = NONE if said is None else TITLES[said]
        items.append(
            metrics.JudgedItem(sample.problem_id, TITLES[gold], word, gold is said, confidence, timed.seconds, sums)
        )
    return items


def _share_said(gold: str, *said: str) -> Callable[[metrics.OutcomeCounts], metrics.Column]:
    """Return the metric that is the share of the problems of a class of which one of some classes is said."""
    return lambda totals: metrics.ratio(
        sum((totals.cell(gold, name) for name in said), 0 * totals["n"]), totals.cell(gold, "*")
    )


_BAD = (TITLES[ProblemClass.CONTRADICTORY], TITLES[ProblemClass.UNDERSPECIFIED])
MEASURES = metrics.Measures(
    {
        "accuracy": ("n", metrics.share_of("right", "n")),
        "macro_f1": ("n", metrics.macro_f1),
        "unsolvable_f1": ("n", lambda totals: metrics.f1(totals, *_BAD)),
        "false_alarms": ("n", _share_said(TITLES[ProblemClass.SOLVABLE], *_BAD)),
        **{f"recall_{name}": ("n", _share_said(name, name)) for name in _BAD},
        "calibration_error": ("n", metrics.calibration_error),
        "brier": ("n", metrics.share_of("square", "stated")),
    },
    tuple(TITLES.values()),
    (*TITLES.values(), NONE),
)
"""A problem that was not judged counts as wrong, and not as a false alarm."""


def evaluate_problems(
    stage: Stage,
    samples: Sequence[ProblemSample],
    engines: Mapping[str, Sequence[TimedJudgement]],
    *,
    rounds: int,
    seed: int,
) -> list[EngineFigures]:
    """Measure engines on the same problems, and seal judgements, figures and the comparison of each with the first."""
    items = {name: judged_items(samples, judged) for name, judged in engines.items()}
    measured = [
        MEASURES.figures(given, engine=name, dataset="all", rounds=rounds, seed=seed) for name, given in items.items()
    ]
    right = {name: [item.right for item in given] for name, given in items.items()}
    first = next(iter(right))
    files: dict[str, Iterable[dict[str, Any] | str]] = {
        "problems.jsonl": [json_form(sample) for sample in samples],
        "figures.jsonl": [json_form(figures) for figures in measured],
        "comparisons.jsonl": [
            {"engine": first, "against": name, **metrics.mcnemar(right[first], right[name])} for name in list(right)[1:]
        ],
    }
    for name, judged in engines.items():
        files[f"judgements-{name}.jsonl"] = [
            {"sample_id": sample.sample_id, **timed.judgement.record(), "seconds": round(timed.seconds, 4)}
            for sample, timed in zip(samples, judged, strict=True)
        ]
    stage.discard()
    stage.seal(files, {"seed": seed, "rounds": rounds, "engines": list(engines), "problems": len(samples)})
    return measured
