"""Benchmark of the text engine on sources that it was not fitted on, one source left out at a time.

`python -m benchmarks.verifier_travel` measures; `python -m benchmarks.verifier_travel RUN --fit` writes the committed combiner. RUN has a sealed mutation
stage, whose certified flaws are one more source to fit on, which is never left out.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.verifier_sources import (
    CORRECT_WEIGHT,
    FLAWED,
    MeasuredSource,
    certified_flaws,
    coarse,
    correct_sources,
    judged_sources,
    labels_of,
    measured,
)
from harness.paths import data_folder
from sft.evaluation.metrics import mcnemar
from sft.fitted import CalibrationMethod
from sft.fitted.fit import fit
from sft.fitted.prior import CAUTIOUS, ESTIMATED, FITTED, ExpectedShare, shifted
from sft.samples.solution_text import read_item
from sft.verifier.decision import CLASSES, SOUND
from sft.verifier.engine_registry import ADAPTERS, COMBINER, judge, open_engine
from sft.verifier.engines.text import TextEngine
from sft.verifier.guarded_engine import GuardedEngine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from sft.fitted.model import FittedModel

    Array = NDArray[np.float64]

SAME = FITTED


def fitted(
    judged: Iterable[MeasuredSource], correct: Iterable[MeasuredSource], about: Mapping[str, object]
) -> FittedModel:
    """Return a combiner of these sources: each has the same weight, and half of the weight is that of flawed solutions.

    A solution that a certified equation decides is left out, since no combiner is asked about it.
    """
    rows: list[dict[str, float]] = []
    labels: list[str] = []
    groups: list[str] = []
    weights: list[float] = []
    sources = [(source, 1.0) for source in judged] + [(source, CORRECT_WEIGHT) for source in correct]
    for source, weight in sources:
        open_ = ~source.decided
        counts = {flawed: int((open_ & (source.flawed == flawed)).sum()) for flawed in (False, True)}
        for sample, features, asked in zip(source.samples, source.features, open_, strict=True):
            if asked:
                rows.append(features)
                labels.append(FLAWED if sample.truth.flawed else SOUND)
                groups.append(f"{sample.problem_id}|{sample.question[:80]}")
                weights.append(weight / counts[sample.truth.flawed])
    total = {
        label: sum(w for w, other in zip(weights, labels, strict=True) if other == label) for label in (SOUND, FLAWED)
    }
    even = [len(rows) * weight / total[label] / 2 for weight, label in zip(weights, labels, strict=True)]
    return fit(
        rows,
        labels,
        even,
        classes=CLASSES,
        groups=groups,
        calibration=CalibrationMethod.NONE,
        about=about,
    )


def probabilities(combiner: FittedModel, source: MeasuredSource, share: str = SAME) -> Array:
    """Return the probability that each solution is flawed, at an expected share; that of decided ones is 0.99."""
    open_ = np.flatnonzero(~source.decided).tolist()
    rows = combiner.probabilities(combiner.rows_of(source.features[place] for place in open_))
    moved = shifted(rows, combiner.prior, ExpectedShare(share).of(rows, combiner.prior))
    flawed = np.full(len(source.samples), 0.99)
    flawed[open_] = 1 - moved[:, 0]
    return flawed


def measure(data: Path, run: Path | None = None) -> str:
    """Return the figures as Markdown; the certified flaws of a run are fitted on, too."""
    head = f"## Text evidence on sources it was not fitted on\n\n    python -m benchmarks.verifier_travel{' RUN' if run else ''}"
    if not (data / "errors" / "human_written.jsonl").exists():
        return f"{head}\n\nNot measured: the data are not there."
    own = [measured("certified flaws", certified_flaws(run, data))] if run else []
    judged = [measured(name, samples) for name, samples in judged_sources(data).items()]
    correct = [measured(name, samples) for name, samples in correct_sources(data).items()]
    left_out = {
        source.name: fitted([*own, *(other for other in judged if other is not source)], correct, {})
        for source in judged
    }
    return "\n\n".join(
        [
            head,
            _INTRODUCTION,
            _table(judged, left_out),
            _priors(judged, left_out),
            _mixtures(judged, left_out),
            _first_steps(judged, left_out),
            _temperatures(judged, left_out),
        ]
    )


_INTRODUCTION = (
    "The weights for each source were fitted on the other sources, on the certified flaws of RUN if it is given, on 2,500 correct solutions of GSM8K and on SVAMP's "
    "equations: every source has the same weight, half of it flawed. A certified false equation decides first. Area under the curve: of the solutions that none decides."
)


def _table(judged: Sequence[MeasuredSource], left_out: dict[str, FittedModel]) -> str:
    lines = [
        "| source | solutions, flawed | area | verdict accuracy: text | symbolic | McNemar p | weighted F1: text | symbolic | ECE | correct ones accused |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    figures = []
    for source in judged:
        chances = probabilities(left_out[source.name], source)
        told = _told(source, chances)
        gold = [coarse(label) for label in labels_of(source.samples)]
        right = (chances >= 0.5) == source.flawed
        also = np.array([prediction != SOUND for prediction in source.symbolic]) == source.flawed
        figures.append((right.mean(), _area(source, chances)))
        p = mcnemar(right.tolist(), also.tolist())["p"]
        lines.append(
            f"| `{source.name}` | {len(gold):,}, {source.flawed.mean():.0%} | {figures[-1][1]:.3f} | {right.mean():.3f} | {also.mean():.3f} | {p:.1e} "
            f"| {_f1(gold, told)} | {_f1(gold, source.symbolic)} | {calibration_error(chances, source.flawed):.3f} | {(chances >= 0.5)[~source.flawed].mean():.1%} |"
        )
    worst, mean = np.min(figures, axis=0), np.mean(figures, axis=0)
    lines.append(
        f"\nVerdict accuracy: mean {mean[0]:.3f}, worst source {worst[0]:.3f}; area: mean {mean[1]:.3f}, worst {worst[1]:.3f}."
    )
    return "\n".join(lines)


_SHARES = (
    "Verdict accuracy and ECE by the expected share of flawed solutions: that of the fit, one half; the true one, given by `--prior`; the one that "
    "`--prior batch` estimates from all solutions of the source:"
)


def _priors(judged: Sequence[MeasuredSource], left_out: dict[str, FittedModel]) -> str:
    lines = [
        _SHARES,
        "",
        "| source | one half | true share | with it | estimated share | with it |",
        "|---|---|---|---|---|---|",
    ]
    for source in judged:
        open_ = ~source.decided
        true = float(source.flawed[open_].mean())
        combiner = left_out[source.name]
        rows = combiner.probabilities(
            combiner.rows_of(source.features[place] for place in np.flatnonzero(open_).tolist())
        )
        guess = ExpectedShare(ESTIMATED).of(rows, left_out[source.name].prior)
        cells = [
            f"{((chances >= 0.5) == source.flawed).mean():.3f}, {calibration_error(chances, source.flawed):.3f}"
            for share in (SAME, str(true), ESTIMATED)
            for chances in [probabilities(left_out[source.name], source, share)]
        ]
        lines.append(f"| `{source.name}` | {cells[0]} | {true:.2f} | {cells[1]} | {guess:.2f} | {cells[2]} |")
    return "\n".join(lines)


MIXED_SHARES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7)
MIXED = 400
"""Solutions of a mixture, fewer where a source has not so many."""
DRAWS = 10
_POLICIES = {"one half (`fitted`)": SAME, "`0.1`": "0.1", "`batch`": ESTIMATED, "`cautious`, the default": CAUTIOUS}
_MIXTURES = (
    f"Mixtures of {MIXED} solutions of a source with {MIXED_SHARES[0]:.0%} to {MIXED_SHARES[-1]:.0%} of flawed ones, {DRAWS} draws each: verdict accuracy less that of `symbolic`, by `--prior`; "
    "and the correct solutions accused where none, a tenth and a half are flawed, those included that a certified equation accuses:"
)


def _mixtures(judged: Sequence[MeasuredSource], left_out: dict[str, FittedModel]) -> str:
    """Return how each way to expect a share does where the true share is anything."""
    gains: dict[str, dict[tuple[str, float], float]] = {name: {} for name in _POLICIES}
    accused: dict[str, dict[tuple[str, float], float]] = {name: {} for name in _POLICIES}
    for source in judged:
        combiner, draw = left_out[source.name], np.random.default_rng(0)
        open_ = np.flatnonzero(~source.decided)
        rows = np.full((len(source.samples), 2), 0.5)
        rows[open_] = combiner.probabilities(combiner.rows_of(source.features[place] for place in open_.tolist()))
        symbolic = np.array([said != SOUND for said in source.symbolic])
        flawed, correct = np.flatnonzero(source.flawed), np.flatnonzero(~source.flawed)
        for share in MIXED_SHARES:
            size = min(MIXED, len(correct) / (1 - share), len(flawed) / share if share else MIXED)
            sums: dict[str, list[tuple[float, float]]] = {name: [] for name in _POLICIES}
            for _ in range(DRAWS):
                mixed = np.concatenate(
                    [
                        draw.permutation(correct)[: round(size * (1 - share))],
                        draw.permutation(flawed)[: round(size * share)],
                    ]
                )
                asked, truth = ~source.decided[mixed], source.flawed[mixed]
                for name, prior in _POLICIES.items():
                    said = np.ones(len(mixed), dtype=bool)
                    expected = ExpectedShare(prior).of(rows[mixed][asked], combiner.prior)
                    said[asked] = shifted(rows[mixed][asked], combiner.prior, expected)[:, 0] < 0.5
                    gain = (said == truth).mean() - (symbolic[mixed] == truth).mean()
                    sums[name].append((float(gain), float(said[~truth].mean())))
            for name, drawn in sums.items():
                gains[name][source.name, share], accused[name][source.name, share] = np.mean(drawn, axis=0)
    lines = [
        _MIXTURES,
        "",
        "| `--prior` | worst source and share | mean | at one half | correct ones accused at 0% | 10% | 50% |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, gain in gains.items():
        worst = min(gain, key=lambda key: gain[key])
        halves = np.mean([value for (_, share), value in gain.items() if share == 0.5])
        rates = [
            [value for (_, share), value in accused[name].items() if share == wanted] for wanted in (0.0, 0.1, 0.5)
        ]
        cells = " | ".join(f"{min(each):.1%} to {max(each):.1%}" for each in rates)
        lines.append(
            f"| {name} | {gain[worst]:+.3f} (`{worst[0]}`, {worst[1]:.0%}) | {np.mean(list(gain.values())):+.3f} | {halves:+.3f} | {cells} |"
        )
    return "\n".join(lines)


_FIRST_STEPS = (
    "The first wrong step, where a source names it: the share of flawed solutions of which the verdict is Flawed and the line right, the share of correct ones called Correct, and the harmonic mean "
    "of the two (ProcessBench's F1). The place is told by weights that saw neither source:"
)


def _first_steps(judged: Sequence[MeasuredSource], left_out: dict[str, FittedModel]) -> str:
    lines = [
        _FIRST_STEPS,
        "",
        "| source | flawed with a known line, correct | judged by | line right | correct | F1 |",
        "|---|---|---|---|---|---|",
    ]
    for source in judged:
        known = np.array([bool(sample.truth.line) for sample in source.samples])
        if not known.any():
            continue
        items = [read_item(sample.question, sample.solution) for sample in source.samples]
        for name, prior in (("symbolic", ""), ("one half", SAME), ("cautious", CAUTIOUS)):
            asked = TextEngine(left_out[source.name], ExpectedShare(prior), len(items)) if prior else None
            engine = open_engine("symbolic") if asked is None else GuardedEngine(asked)
            told = list(judge(engine, items))
            placed = np.array(
                [judgement.line == sample.truth.line for judgement, sample in zip(told, source.samples, strict=True)]
            )
            sound = ~np.array([judgement.flawed or bool(judgement.error) for judgement in told])
            line, correct = float(placed[known].mean()), float(sound[~source.flawed].mean())
            f1 = 2 * line * correct / max(1e-9, line + correct)
            cells = f"{int(known.sum()):,}, {int((~source.flawed).sum()):,}"
            lines.append(f"| `{source.name}` | {cells} | {name} | {line:.3f} | {correct:.3f} | {f1:.3f} |")
    return "\n".join(lines)


_TEMPERATURES = (1.0, 1.1, 1.2, 1.3, 1.5)


def _temperatures(judged: Sequence[MeasuredSource], left_out: dict[str, FittedModel]) -> str:
    lines = [
        "ECE where the log-odds of the solutions that no equation decides are divided by a temperature; no verdict changes:",
        "",
        f"| source | {' | '.join(f'{temperature:g}' for temperature in _TEMPERATURES)} |",
        f"|---{'|---' * len(_TEMPERATURES)}|",
    ]
    for source in judged:
        chances = probabilities(left_out[source.name], source)
        cells = []
        for temperature in _TEMPERATURES:
            odds = np.log(chances / (1 - chances)) / np.where(source.decided, 1.0, temperature)
            cells.append(f"{calibration_error(1 / (1 + np.exp(-odds)), source.flawed):.3f}")
        lines.append(f"| `{source.name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def _told(source: MeasuredSource, chances: Array) -> list[str]:
    return [
        "computational_error" if decided else FLAWED if chance >= 0.5 else SOUND
        for decided, chance in zip(source.decided, chances, strict=True)
    ]


def _f1(gold: Sequence[str], told: Sequence[str]) -> str:
    from sklearn.metrics import f1_score

    return f"{f1_score(gold, told, average='weighted', zero_division=0):.3f}"


def _area(source: MeasuredSource, chances: Array) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(source.flawed[~source.decided], chances[~source.decided]))


def calibration_error(chances: Array, flawed: NDArray[np.bool_]) -> float:
    """Return the expected calibration error of verdicts, over ten bins of confidence."""
    confidence, right = np.maximum(chances, 1 - chances), (chances >= 0.5) == flawed
    bins = np.minimum(9, (confidence * 10).astype(int))
    return float(
        sum(
            (bins == place).mean() * abs(confidence[bins == place].mean() - right[bins == place].mean())
            for place in set(bins)
        )
    )


def main() -> int:
    """Fit the committed combiner, or print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verifier_travel", description=__doc__)
    parser.add_argument("run", type=Path, nargs="?", help="a run with a sealed mutation stage")
    parser.add_argument("--fit", action="store_true", help="write the combiner of the text engine")
    data = data_folder()
    arguments = parser.parse_args()
    if not arguments.fit:
        print(measure(data, arguments.run))
        return 0
    judged = [measured(name, samples) for name, samples in judged_sources(data).items()]
    if arguments.run:
        judged.append(measured("certified flaws", certified_flaws(arguments.run, data)))
    correct = [measured(name, samples) for name, samples in correct_sources(data).items()]
    about = {
        "fitted_by": "python -m benchmarks.verifier_travel RUN --fit",
        "on": ", ".join(source.name for source in (*judged, *correct)),
    }
    fitted(judged, correct, about).save(ADAPTERS / "text" / COMBINER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
