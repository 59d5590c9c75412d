"""Benchmark of the problem validator: variants of unseen problems, near-twins and the foreign dataset UMWP.

`python -m benchmarks.validator` makes variants of a quarter of the problems and prints Markdown; `--run RUN` reads a sealed
variant stage instead; `--engine hybrid --without TRAIN.jsonl` uses the adapter's model, on problems it was not trained on.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.sessions import available, session, stage_options
from generators.formalizations.annotation.compiler import MODEL
from harness.constraint_system import ProblemClass
from harness.paths import data_folder
from sft.datasets.sources import RunSource
from sft.validator.case import PROBLEM_EVIDENCE, ProblemCase
from sft.validator.combiner import CLASSES
from sft.validator.fit import is_held_out, problems_of
from sft.validator.problem_engine import ProblemEngine
from sft.validator.validation import open_validator

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sft.samples.problem_sample import ProblemSample
    from sft.validator.validator import Validator

    Array = NDArray[np.float64]

NAME = "templates"
PART = "1/4"
EXCLUDED = "gsm8k/reserved_indices.json"
UMWP = "problem_validity/umwp.jsonl"
SOLVABLE = {
    "GSM8K train, without the problems of the fit and without the reserved ones": "gsm8k/train.jsonl",
    "GSM8K test": "gsm8k/test.jsonl",
    "SVAMP, first half": "svamp/problems.jsonl",
    "SVAMP, second half": "svamp/problems.jsonl",
}
"""Problems that their authors answer; the rules were written with the first and third in view, the others were not read."""
STYLES = Path(__file__).with_name("solvable_styles.jsonl")
"""Our own problems: each of them states all that its answer needs."""
FITTED_SLICE = 3
"""The combiner was fitted on every third problem of GSM8K train, from the second on."""
CATEGORIES = {1: "missing", 2: "ambiguous", 3: "unrealistic", 4: "unrelated", 5: "no question"}
EXPECTED = 0.5
"""The share of unanswerable problems in UMWP, as its authors state it."""
SEED = 0
THRESHOLDS = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15)
FEWEST = 10
Record = dict[str, Any]


@dataclass(frozen=True)
class ValidatorScores:
    """Texts with their probabilities, in the order of `ProblemClass`, and milliseconds of processor time each."""

    shares: Array
    milliseconds: list[float]

    @cached_property
    def told(self) -> list[ProblemClass]:
        """Return the verdicts."""
        return [CLASSES[int(place)] for place in self.shares.argmax(axis=1)]


def validator_scores(validator: Validator, questions: Sequence[str]) -> ValidatorScores:
    """Judge texts one after the other."""
    import numpy as np

    rows, times = [], []
    for question in questions:
        started = time.process_time()
        score = None if validator.scorer is None else validator.scorer.score([question])[0]
        shares = validator.combiner.predict(PROBLEM_EVIDENCE.features_of(ProblemCase.of(question, score)))
        times.append((time.process_time() - started) * 1_000)
        rows.append([shares[label] for label in CLASSES])
    return ValidatorScores(np.array(rows), times)


def measure(
    data: Path,
    *,
    run: Path | None = None,
    engine: ProblemEngine = ProblemEngine.SYMBOLIC,
    seen: frozenset[str] = frozenset(),
) -> str:
    """Return the figures as Markdown; `seen` are problems that an adapter was trained on, `run` a run with sealed variants."""
    head = "## Problem validator\n\n    python -m benchmarks.validator"
    validator = open_validator(engine)
    parts = [head]
    if run is not None:
        parts.append(on_variants(validator, run, seen))
    elif available(NAME, data) and (data / EXCLUDED).is_file():
        with tempfile.TemporaryDirectory() as runs:
            options = stage_options(NAME, data, Path(runs), workers="2", marker="variant")
            more = [
                f"--harness-formalizations={MODEL}",
                f"--harness-exclude={data / EXCLUDED}",
                f"--harness-slice={PART}",
                "properties",
            ]
            done = session([*options, *more])
            if not (Path(runs, NAME, "variant") / "manifest.json").is_file():
                return f"{head}\n\nThe session failed with status {done.status}:\n\n```\n{done.output[-2000:]}\n```"
            parts.append(on_variants(validator, Path(runs, NAME), seen))
    else:
        parts.append("Variants: not measured, the data are not there.")
    parts.append(on_solvable(validator, data))
    file = data / UMWP
    parts.append(on_foreign(validator, file) if file.is_file() else "UMWP: not measured, the file is not there.")
    return "\n\n".join(parts)


def on_variants(validator: Validator, run: Path, seen: frozenset[str] = frozenset()) -> str:
    """Return the figures on the variants of problems in no fit."""
    samples = [
        sample
        for sample in problems_of(RunSource.of(run, ("variant",), "").read())
        if is_held_out(sample.problem_id) and sample.problem_id not in seen
    ]
    found = validator_scores(validator, [sample.question for sample in samples])
    return "\n\n".join([_whole(samples, found), _operators(samples, found), _pairs(samples, found)])


def _whole(samples: Sequence[ProblemSample], found: ValidatorScores) -> str:
    from sklearn.metrics import accuracy_score, f1_score

    truth = [int(sample.problem_class) for sample in samples]
    told = [int(label) for label in found.told]
    most = max(set(truth), key=truth.count)
    rows = [("the validator", told), ("majority", [most] * len(truth))]
    lines = [
        f"{len(samples):,} variants of {len({sample.problem_id for sample in samples}):,} problems that no combiner was fitted on.",
        "",
        "| | accuracy | macro F1 |",
        "|---|---|---|",
    ]
    for name, said in rows:
        f1 = f1_score(truth, said, average="macro", zero_division=0)
        lines.append(f"| {name} | {accuracy_score(truth, said):.3f} | {f1:.3f} |")
    lines += ["", "| is, told | " + " | ".join(label.name.lower() for label in CLASSES) + " |", "|---|---|---|---|"]
    for label in CLASSES:
        counts = [
            sum(t == int(label) and s == int(other) for t, s in zip(truth, told, strict=True)) for other in CLASSES
        ]
        lines.append(f"| {label.name.lower()} | " + " | ".join(f"{count:,}" for count in counts) + " |")
    times = sorted(found.milliseconds)
    lines += [
        "",
        f"Processor time a problem: p50 {statistics.median(times):.1f} ms, p95 {times[int(len(times) * 0.95)]:.1f} ms.",
    ]
    return "\n".join(lines)


def _operators(samples: Sequence[ProblemSample], found: ValidatorScores) -> str:
    right: dict[tuple[int, str, bool], list[bool]] = defaultdict(list)
    for sample, told in zip(samples, found.told, strict=True):
        right[int(sample.problem_class), sample.operator, bool(sample.twin)].append(told is sample.problem_class)
    lines = ["| class and operator | problems | told so |", "|---|---|---|"]
    for (label, operator, twin), hits in sorted(right.items()):
        name = f"{ProblemClass(label).name.lower()}: {operator}{' (near-twin)' if twin else ''}"
        lines.append(f"| {name} | {len(hits):,} | {sum(hits) / len(hits):.3f} |")
    return "\n".join(lines)


def _pairs(samples: Sequence[ProblemSample], found: ValidatorScores) -> str:
    """Return how well the probability of a class tells its problems from their originals and from their near-twins."""
    place = {sample.sample_id: number for number, sample in enumerate(samples)}
    originals = {sample.problem_id: number for number, sample in enumerate(samples) if sample.operator == "original"}
    lines = ["| told apart | pairs | AUC | the right one likelier |", "|---|---|---|---|"]
    for label in (ProblemClass.CONTRADICTORY, ProblemClass.UNDERSPECIFIED):
        own = found.shares[:, CLASSES.index(label)]
        against: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, sample in enumerate(samples):
            if sample.problem_class is label and sample.problem_id in originals:
                against[f"{label.name.lower()}, the original"].append((number, originals[sample.problem_id]))
            first = place.get(sample.twin, -1) if sample.twin else -1
            if first >= 0 and samples[first].problem_class is label:
                against[f"{label.name.lower()}, its near-twin"].append((first, number))
                against[f"{label.name.lower()}, its near-twin: {sample.operator}"].append((first, number))
        for name, pairs in sorted(against.items()):
            if len(pairs) >= FEWEST:
                left, right = (
                    [float(own[first_place]) for first_place, _ in pairs],
                    [float(own[other]) for _, other in pairs],
                )
                wins = sum((a > b) + 0.5 * (a == b) for a, b in zip(left, right, strict=True)) / len(pairs)
                lines.append(
                    f"| {name} | {len(pairs):,} | {_auc([*left, *right], [1] * len(left) + [0] * len(right)):.3f} | {wins:.3f} |"
                )
    return "\n".join(lines)


def _auc(scores: Sequence[float], truth: Sequence[int]) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(truth, scores))


def solvable_sets(data: Path) -> dict[str, list[str]]:
    """Return the questions of the sets of solvable problems that are there, by name."""
    sets = {}
    for name, path in SOLVABLE.items():
        if not (data / path).is_file():
            continue
        questions = [json.loads(line)["question"] for line in (data / path).read_text(encoding="utf-8").splitlines()]
        if "train" in name:
            reserved = (
                set(json.loads((data / EXCLUDED).read_text(encoding="utf-8"))) if (data / EXCLUDED).is_file() else set()
            )
            open_ones = [question for place, question in enumerate(questions) if place not in reserved]
            questions = [question for place, question in enumerate(open_ones) if place % FITTED_SLICE != 1]
        half = len(questions) // 2
        sets[name] = questions[:half] if "first" in name else questions[half:] if "second" in name else questions
    sets["requests, algebra, unknowns asked for: ours"] = [
        json.loads(line)["question"] for line in STYLES.read_text(encoding="utf-8").splitlines()
    ]
    if (data / UMWP).is_file():
        records = [json.loads(line) for line in (data / UMWP).read_text(encoding="utf-8").splitlines()]
        sets["UMWP, answerable"] = [record["question"] for record in records if record["answerable"]]
    return sets


def on_solvable(validator: Validator, data: Path) -> str:
    """Return the share of solvable problems that are called unsolvable, by class, and the evidence that speaks for it."""
    lines = [
        "False alarms: problems that their authors answer, judged contradictory or underspecified.",
        "",
        "| problems | number | false alarms | contradictory | underspecified | by kind of finding, one at most of each |",
        "|---|---|---|---|---|---|",
    ]
    for name, questions in solvable_sets(data).items():
        told: Counter[ProblemClass | None] = Counter()
        kinds: Counter[str] = Counter()
        for judgement in validator.judge(questions):
            told[judgement.problem_class] += 1
            if judgement.problem_class is not ProblemClass.SOLVABLE:
                found = {
                    finding.kind for finding in judgement.evidence if finding.problem_class is judgement.problem_class
                }
                kinds.update(found or {"none"})
        wrong = len(questions) - told[ProblemClass.SOLVABLE]
        shown = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        lines.append(
            f"| {name} | {len(questions):,} | {wrong / len(questions):.1%} | {told[ProblemClass.CONTRADICTORY]:,} | "
            f"{told[ProblemClass.UNDERSPECIFIED]:,} | {shown} |"
        )
    return "\n".join(lines)


def halves(records: Sequence[Record], *, seed: int = SEED) -> dict[int, bool]:
    """Return of each record of UMWP by id whether it is in the half for testing; records that name each other go together."""
    first: dict[int, int] = {record["id"]: record["id"] for record in records}

    def root(place: int) -> int:
        while first[place] != place:
            place = first[place]
        return place

    for record in records:
        for other in record["relevant_ids"] or ():
            if other in first:
                first[root(record["id"])] = root(other)
    return {place: Random(f"{seed}:{root(place)}").random() < 0.5 for place in first}


def on_foreign(validator: Validator, file: Path) -> str:
    """Return the figures on UMWP: answerable or not, without training on it, and with a fit on the half that is not for testing."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    truth = np.array([int(not record["answerable"]) for record in records])
    split = halves(records)
    test = np.array([split[record["id"]] for record in records])
    found = validator_scores(validator, [record["question"] for record in records])
    doubt = 1 - found.shares[:, CLASSES.index(ProblemClass.SOLVABLE)]
    told = np.array([int(label is not ProblemClass.SOLVABLE) for label in found.told])
    lines = [
        f"UMWP, {len(records):,} problems, answerable or not; {int(test.sum()):,} of them, pairs kept together (seed {SEED}), are for testing.",
        "",
        "| | problems | accuracy | F1 of unanswerable | AUC |",
        "|---|---|---|---|---|",
        _row("the validator as it is", truth, told, doubt),
        _row("the validator as it is, test half", truth[test], told[test], doubt[test]),
    ]
    expecting = replace(validator, unsolvable=EXPECTED)
    half = np.array(
        [
            int(judgement.problem_class is not ProblemClass.SOLVABLE)
            for judgement in expecting.judge([record["question"] for record in records])
        ]
    )
    lines.append(
        _row(
            f"told to expect {EXPECTED:.0%} (`--prior {EXPECTED}`), test half",
            truth[test],
            half[test],
            doubt[test],
        )
    )
    rows = np.array([_features(validator, record["question"]) for record in records])
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000)).fit(rows[~test], truth[~test])
    shares = model.predict_proba(rows[test])[:, 1]
    lines.append(
        _row("its evidence fitted on the other half, test half", truth[test], (shares >= 0.5).astype(int), shares)
    )
    lines.append(
        _row(
            "majority, test half",
            truth[test],
            np.full(int(test.sum()), int(truth[~test].mean() >= 0.5)),
            np.zeros(int(test.sum())),
        )
    )
    lines += ["", "| unanswerable since | problems | found by the validator as it is |", "|---|---|---|"]
    for number, name in CATEGORIES.items():
        own = [int(told[place]) for place, record in enumerate(records) if record["category"] == number]
        lines.append(f"| {name} | {len(own):,} | {sum(own) / len(own):.3f} |")
    lines += [
        "",
        "| called unanswerable from this probability on | F1, test half | recall, test half | false alarms, all answerable |",
        "|---|---|---|---|",
    ]
    for threshold in THRESHOLDS:
        called = (doubt > threshold).astype(int)
        f1, recall = f1_score(truth[test], called[test]), called[test & (truth == 1)].mean()
        lines.append(f"| {threshold} | {f1:.3f} | {recall:.3f} | {called[truth == 0].mean():.1%} |")
    return "\n".join(lines)


def _features(validator: Validator, question: str) -> list[float]:
    score = None if validator.scorer is None else validator.scorer.score([question])[0]
    return list(PROBLEM_EVIDENCE.features_of(ProblemCase.of(question, score)).values())


def _row(name: str, truth: NDArray[np.int64], told: NDArray[np.int64], doubt: Array) -> str:
    from sklearn.metrics import accuracy_score, f1_score

    auc = _auc(list(map(float, doubt)), list(map(int, truth)))
    f1 = f1_score(truth, told, zero_division=0)
    return f"| {name} | {len(truth):,} | {accuracy_score(truth, told):.3f} | {f1:.3f} | {auc:.3f} |"


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.validator", description="Measure the problem validator."
    )
    parser.add_argument("--run", type=Path, help="run with a sealed variant stage (default: one is made)")
    parser.add_argument(
        "--engine", choices=[str(engine) for engine in ProblemEngine], default=str(ProblemEngine.SYMBOLIC)
    )
    parser.add_argument(
        "--without", type=Path, help="JSON lines whose problem_id are left out: what an adapter was trained on"
    )
    options = parser.parse_args()
    data = data_folder()
    seen: frozenset[str] = frozenset()
    if options.without is not None:
        lines = options.without.read_text(encoding="utf-8").splitlines()
        seen = frozenset(json.loads(line)["problem_id"].partition(":")[0] for line in lines)
    print(measure(data, run=options.run, engine=ProblemEngine(options.engine), seen=seen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
