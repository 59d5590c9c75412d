"""Comparison of marks after each line with plain fine-tuning on prompt and completion, on the same samples and processor time.

`python -m benchmarks.training_scheme DATASET --minutes 4` draws a correct and a flawed solution of each problem of a folder of `oracle-factory datasets`,
trains a preset, by default the smallest, on three quarters of the problems by each scheme, and judges the others. The time of a step is measured
first, on steps that are thrown away; each scheme then takes the steps that fit into its processor time.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.corpora.problems import read_records
from harness.store.run_folder import dump, write_lines
from sft.datasets.leakage.splits import SPLITS
from sft.models.presets import DEFAULT
from sft.samples.items import Sample
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sft.models.base_model import LoadedModel
    from sft.samples.solution_judgement import Engine, Judgement
    from sft.training.run import TrainingOutcome

PLAIN = "5"
"""The level that is asked for what marks give: verdict, type of error and line."""
SCHEMES = {"marks, a quarter goes on to the JSON": "", "prompt and completion of level 5": PLAIN}
PROBED = 4
"""Steps of the measurement of a step's time; the first is left out."""
BATCH = 4
HELD = 4
"""One problem in four is judged, not trained on."""
ROUNDS = 1000
FIGURES = ("area of the verdict", "verdict accuracy", "line right, of the flawed")


@dataclass(frozen=True, slots=True)
class DrawnSamples:
    """Solutions to train on and to judge, of different problems, half of them flawed."""

    train: Sequence[Sample]
    held: Sequence[Sample]


def drawn(dataset: Path) -> DrawnSamples:
    """Return of each problem of a dataset its correct solution and one flawed one, by seed."""
    samples = [
        Sample.of_record(record) for split in SPLITS for _, record in read_records(dataset / f"samples-{split}.jsonl")
    ]
    flawed: dict[str, list[Sample]] = {}
    correct: dict[str, Sample] = {}
    for sample in samples:
        if sample.truth.flawed:
            flawed.setdefault(sample.problem_id, []).append(sample)
        else:
            correct.setdefault(sample.problem_id, sample)
    parts: dict[bool, list[Sample]] = {False: [], True: []}
    for problem in sorted(flawed.keys() & correct.keys()):
        draw = random.Random(f"scheme:{problem}")
        by_operator: dict[str, list[Sample]] = {}
        for sample in flawed[problem]:
            by_operator.setdefault(sample.operator, []).append(sample)
        chosen = draw.choice(by_operator[draw.choice(sorted(by_operator))])
        parts[draw.randrange(HELD) == 0] += [correct[problem], chosen]
    return DrawnSamples(parts[False], parts[True])


def _trained(preset: str, level: str, samples: Path, out: Path, steps: int) -> tuple[TrainingOutcome, float]:
    """Return a run of so many steps on a fresh adapter, and its seconds of processor time."""
    from sft.training.config import settings_of
    from sft.training.run import train

    settings = settings_of(
        preset,
        train=[str(samples)],
        level=level,
        out=str(out),
        batch_size=BATCH,
        valid_share=0.0,
        max_steps=steps,
        minutes=0.0,
        epochs=50.0,
        patience=0,
        log_steps=1,
    )
    started = time.process_time()
    outcome = train(settings)
    return outcome, time.process_time() - started


@dataclass(frozen=True, slots=True)
class SchemeAnswers:
    """What a scheme said of the solutions that were kept out: the chance that each is flawed, whether the verdict is right, and the line."""

    chance: np.ndarray[Any, Any]
    right: np.ndarray[Any, Any]
    line: np.ndarray[Any, Any]

    @classmethod
    def of(cls, held: Sequence[Sample], judged: Sequence[Judgement]) -> SchemeAnswers:
        """Return the answers of one scheme; a solution that was not judged is not judged rightly."""
        return cls(
            np.array([judgement.confidence if judgement.flawed else 1 - judgement.confidence for judgement in judged]),
            np.array(
                [
                    judgement.flawed == sample.truth.flawed and not judgement.error
                    for judgement, sample in zip(judged, held, strict=True)
                ]
            ),
            np.array([judgement.line == sample.truth.line for judgement, sample in zip(judged, held, strict=True)]),
        )


def measure(dataset: Path, minutes: float, items: int, preset: str = DEFAULT) -> str:
    """Return the figures as Markdown."""
    from sft.models.base_model import load_with_adapter

    samples = drawn(dataset)
    held = samples.held[: 2 * (items // 2)]
    truth = np.array([sample.truth.flawed for sample in held])
    rows, answers = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "train.jsonl")
        write_lines(path, (dump(sample.record()) + "\n" for sample in samples.train))
        _trained(preset, PLAIN, path, Path(folder, "first"), 1)  # what is loaded once is no part of a step
        for number, (name, level) in enumerate(SCHEMES.items()):
            _, single = _trained(preset, level, path, Path(folder, f"one{number}"), 1)
            _, more = _trained(preset, level, path, Path(folder, f"probe{number}"), PROBED)
            step = (more - single) / (PROBED - 1)
            if step <= 0:
                message = f"{PROBED} steps took {more:.1f} s, one step {single:.1f} s: the time of a step cannot be measured now"
                raise RuntimeError(message)
            steps = max(1, int(minutes * 60 / step))
            print(f"{name}: {step:.1f} s a step, {steps} steps", file=sys.stderr, flush=True)
            outcome, spent = _trained(preset, level, path, Path(folder, f"run{number}"), steps)
            loaded = load_with_adapter(preset, outcome.adapter, "cpu")
            judged = list(
                _engine(loaded, level).judge([read_item(sample.question, sample.solution) for sample in held])
            )
            answers.append(SchemeAnswers.of(held, judged))
            cells = " | ".join(_with_intervals(_figures(truth, answers[-1])))
            rows.append(f"| {name} | {steps} | {_run_cells(outcome, spent)} | {cells} |")
            print(rows[-1], file=sys.stderr, flush=True)
    marks, plain = (_figures(truth, each) for each in answers)
    apart = " | ".join(_with_intervals(marks - plain))
    return "\n".join(
        [
            f"## Marks against plain fine-tuning\n\n    python -m benchmarks.training_scheme DATASET --minutes {minutes:g} --items {items}",
            f"\n{len(samples.train)} samples to train on, {len(held)} of other problems to judge, {truth.sum()} of them flawed; {Path(preset).stem}, batches of {BATCH}, {minutes:g} minutes of processor time each.",
            f"In brackets: 95% of {ROUNDS:,} resamples of the problems that are judged; one run of each scheme, so the chance of the training is not in them.",
            f"\n| scheme | steps | tokens read | processor seconds | loss, first and last quarter | {' | '.join(FIGURES)} |",
            "|---|---|---|---|---|---|---|---|",
            *rows,
            f"| the first less the second | | | | | {apart} |",
        ]
    )


def _engine(loaded: LoadedModel, level: str) -> Engine:
    from sft.models.line_marks import MarkWriter
    from sft.verifier.language_model.level_judgements import LevelEngine, form_of
    from sft.verifier.language_model.model_judgements import MarkEngine, OpenedModel
    from sft.verifier.line_scores.scorer import Scorer

    if level:
        return LevelEngine(loaded, form_of(level))
    scorer = Scorer(loaded.model, loaded.tokenizer)
    return MarkEngine(OpenedModel(loaded, scorer, MarkWriter(loaded.tokenizer), adapted=True), None, None)


def _run_cells(outcome: TrainingOutcome, spent: float) -> str:
    losses = [entry["loss"] for entry in outcome.history if "loss" in entry]
    quarter = max(1, len(losses) // 4)
    first, last = sum(losses[:quarter]) / quarter, sum(losses[-quarter:]) / quarter
    return f"{outcome.metrics['tokens_read']:,} | {spent:.0f} | {first:.2f}, {last:.2f}"


def _figures(truth: np.ndarray[Any, Any], answers: SchemeAnswers) -> np.ndarray[Any, Any]:
    """Return the figures on all judged problems and on each resample of them: an array of 1 + ROUNDS rows.

    The solutions of a problem stand beside each other, the correct one and the flawed one.
    """
    from sklearn.metrics import roc_auc_score

    problems = len(truth) // 2
    draw = np.random.default_rng(0)
    picks = [np.arange(problems), *(draw.integers(problems, size=problems) for _ in range(ROUNDS))]
    found = []
    for pick in picks:
        taken = np.concatenate([2 * pick, 2 * pick + 1])
        flawed = truth[taken]
        found.append(
            [
                roc_auc_score(flawed, answers.chance[taken]),
                answers.right[taken].mean(),
                answers.line[taken][flawed].mean(),
            ]
        )
    return np.array(found)


def _with_intervals(figures: np.ndarray[Any, Any]) -> list[str]:
    """Return each figure of the first row with the middle 95% of the other rows."""
    low, high = np.quantile(figures[1:], [0.025, 0.975], axis=0)
    return [
        f"{value:.3f} ({least:.3f} to {most:.3f})" for value, least, most in zip(figures[0], low, high, strict=True)
    ]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training_scheme", description=__doc__)
    parser.add_argument("dataset", type=Path, help="a folder of oracle-factory datasets")
    parser.add_argument("--minutes", type=float, default=4.0, help="of processor time, for each scheme")
    parser.add_argument("--items", type=int, default=120, help="solutions to judge")
    parser.add_argument("--preset", default=DEFAULT, help="the model to train")
    options = parser.parse_args()
    print(measure(options.dataset, options.minutes, options.items, options.preset))
    return 0


if __name__ == "__main__":
    sys.exit(main())
