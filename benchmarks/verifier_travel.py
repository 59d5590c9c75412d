"""Benchmark of the text engine on sources that it was not fitted on, one source left out at a time.

`python -m benchmarks verifier_travel` measures; `python -m benchmarks.verifier_travel RUN` fits on the certified flaws of a run as well, and `--fit` writes the
committed combiner. RUN has a sealed mutation stage, whose certified flaws are one more source to fit on, which is never left out.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.answer_probability import calibration_error
from benchmarks.sessions import DataMissing
from benchmarks.verifier_sources import (
    CORRECT_WEIGHT,
    FLAWED,
    FORMS,
    MeasuredSource,
    certified_flaws,
    correct_sources,
    judged_sources,
    measured,
    symbolic_verdicts,
)
from harness.paths import data_folder
from sft.evaluation.metrics import mcnemar
from sft.fitted.model import FittedModel, area, fit
from sft.fitted.prior import CAUTIOUS, ExpectedShare, shifted
from sft.samples.items import Sample
from sft.samples.solution_text import read_item
from sft.verifier.decision import CLASSES, SOUND
from sft.verifier.engine_registry import judge
from sft.verifier.engines.text import COMBINER, TextEngine
from sft.verifier.guarded_engine import GuardedEngine

if TYPE_CHECKING:
    Array = NDArray[np.float64]

CURVE = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
"""Shares of flawed solutions at which a half-flawed file is judged."""


def fitted(
    judged: Iterable[MeasuredSource], correct: Iterable[MeasuredSource], about: Mapping[str, object]
) -> FittedModel:
    """Return a combiner of these sources: each has the same weight, and half of the weight is that of flawed solutions.

    A solution that a certified equation decides is left out, since no combiner is asked about it.
    """
    rows: list[dict[str, float]] = []
    labels: list[str] = []
    weights: list[float] = []
    sources = [(source, 1.0) for source in judged] + [(source, CORRECT_WEIGHT) for source in correct]
    for source, weight in sources:
        open_ = ~source.decided
        counts = {flawed: int((open_ & (source.flawed == flawed)).sum()) for flawed in (False, True)}
        for sample, features, asked in zip(source.samples, source.features, open_, strict=True):
            if asked:
                rows.append(features)
                labels.append(FLAWED if sample.truth.flawed else SOUND)
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
        about=about,
    )


def probabilities(combiner: FittedModel, source: MeasuredSource, share: str = "") -> Array:
    """Return the probability that each solution is flawed, at an expected share, by default that of the fit; that of decided ones is 0.99."""
    open_ = np.flatnonzero(~source.decided).tolist()
    rows = combiner.probabilities(combiner.rows_of(source.features[place] for place in open_))
    expected = ExpectedShare(share or str(combiner.prior))
    moved = shifted(rows, combiner.prior, expected.of(rows, combiner.prior, int(source.decided.sum())))
    flawed = np.full(len(source.samples), 0.99)
    flawed[open_] = 1 - moved[:, 0]
    return flawed


def measure(data: Path, run: Path | None = None) -> dict[str, Any]:
    """Return the figures of each source by weights that were fitted on the others in all forms; the certified flaws of a run are fitted on, too.

    Every source has the same weight, half of it flawed; 1,000 correct solutions of GSM8K and SVAMP's equations are sources of correct ones. A
    certified false equation decides first; the area is that of the solutions that none decides.

    Raises:
        DataMissing: the judged solutions are not there.
    """
    if not (data / "errors" / "human_written.jsonl").exists():
        raise DataMissing(data / "errors")
    own = in_forms("certified flaws", certified_flaws(run, data)) if run else []
    judged = {name: in_forms(name, samples) for name, samples in judged_sources(data).items()}
    correct = {name: in_forms(name, samples) for name, samples in correct_sources(data).items()}
    sources, others = {}, {}
    for name, forms in {**judged, **correct}.items():
        rest = [[each for other, all_ in side.items() if other != name for each in all_] for side in (judged, correct)]
        combiner = fitted([*own, *rest[0]], rest[1], {})
        files = {form: _files(source, combiner) for form, source in zip(FORMS, forms, strict=True)}
        if name in judged:
            sources[name] = {
                "solutions": len(forms[0].samples),
                "flawed": int(forms[0].flawed.sum()),
                **_verdicts(forms[0], combiner),
                "files": files,
                "first_wrong_step": _first_wrong_step(forms[0], combiner),
            }
        else:
            others[name] = files
    figures = {key: [source[key] for source in sources.values()] for key in ("accuracy", "area")}
    summary = {key: {"mean": _rounded(np.mean(values)), "worst": min(values)} for key, values in figures.items()}
    told = [
        files
        for each in (*(source["files"] for source in sources.values()), *others.values())
        for files in each.values()
    ]
    halves = [files["half flawed"] for files in told if "half flawed" in files]
    worst = {
        "right_file_accused": max(files["all right"]["accused"] for files in told),
        "half_file_accused": max(half["accused"] for half in halves),
        "half_file_found": {
            "mean": _rounded(np.mean([half["found_undecided"] for half in halves])),
            "worst": min(half["found_undecided"] for half in halves),
        },
    }
    return {"sources": sources, "correct_sources": others, **summary, **worst}


def in_forms(name: str, samples: Sequence[Sample]) -> list[MeasuredSource]:
    """Return a source in each of `FORMS`."""
    return [measured(name, samples, form) for form in FORMS]


def _rounded(value: float | np.floating[Any]) -> float:
    return round(float(value), 3)


def _verdicts(source: MeasuredSource, combiner: FittedModel) -> dict[str, Any]:
    chances = probabilities(combiner, source)
    right = (chances >= 0.5) == source.flawed
    also = np.array(symbolic_verdicts(source.samples)) == source.flawed
    return {
        "area": area_of(source, chances),
        "accuracy": _rounded(right.mean()),
        "symbolic_accuracy": _rounded(also.mean()),
        "mcnemar_p": mcnemar(right.tolist(), also.tolist())["p"],
        "calibration_error": _rounded(
            calibration_error(np.maximum(chances, 1 - chances), ((chances >= 0.5) == source.flawed).astype(float))
        ),
    }


def _files(source: MeasuredSource, combiner: FittedModel) -> dict[str, Any]:
    """Return what becomes of a file with the right solutions alone and of one that is half flawed at the default share, and of the latter at others.

    `accused` is a share of the right ones, `found` of the flawed ones, `found_undecided` of those that no equation decides.
    """
    right, flawed = np.flatnonzero(~source.flawed), np.flatnonzero(source.flawed)
    figures = {"all right": _file(source.part(right.tolist()), combiner, CAUTIOUS)}
    if len(flawed):
        draw, most = random.Random("half"), min(len(right), len(flawed))
        half = source.part([place for side in (right, flawed) for place in draw.sample(side.tolist(), most)])
        figures["half flawed"] = _file(half, combiner, CAUTIOUS)
        figures |= {f"share {share}": _file(half, combiner, str(share)) for share in CURVE}
    return figures


def _file(source: MeasuredSource, combiner: FittedModel, share: str) -> dict[str, float]:
    accused = probabilities(combiner, source, share) > 0.5
    figures = {"accused": _rounded(accused[~source.flawed].mean())}
    if source.flawed.any():
        figures["found"] = _rounded(accused[source.flawed].mean())
        figures["found_undecided"] = _rounded(accused[source.flawed & ~source.decided].mean())
    return figures


def _first_wrong_step(source: MeasuredSource, combiner: FittedModel) -> dict[str, Any]:
    """Return ProcessBench's F1 where a source names the first wrong step.

    It is the harmonic mean of the share of flawed solutions whose verdict is Flawed and whose line is right, and the share of correct ones called Correct.
    """
    known = np.array([bool(sample.truth.line) for sample in source.samples])
    if not known.any():
        return {}
    items = [read_item(sample.question, sample.solution) for sample in source.samples]
    told = list(judge(GuardedEngine(TextEngine(combiner, ExpectedShare(CAUTIOUS), len(items))), items))
    placed = np.array([one.line == sample.truth.line for one, sample in zip(told, source.samples, strict=True)])
    sound = ~np.array([one.flawed or bool(one.error) for one in told])
    line, correct = float(placed[known].mean()), float(sound[~source.flawed].mean())
    return {
        "with_a_line": int(known.sum()),
        "line_right": _rounded(line),
        "correct": _rounded(correct),
        "f1": _rounded(2 * line * correct / max(1e-9, line + correct)),
    }


def area_of(source: MeasuredSource, chances: Array) -> float:
    """Return the area under the ROC curve among the solutions that no certified equation decides."""
    return _rounded(area(source.flawed[~source.decided], chances[~source.decided]))


def main() -> int:
    """Fit the committed combiner, or print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verifier_travel", description=__doc__)
    parser.add_argument("run", type=Path, nargs="?", help="a run with a sealed mutation stage")
    parser.add_argument("--fit", action="store_true", help="write the combiner of the text engine")
    data = data_folder()
    arguments = parser.parse_args()
    if not arguments.fit:
        print(json.dumps(measure(data, arguments.run), indent=1))
        return 0
    flaws = {"certified flaws": certified_flaws(arguments.run, data)} if arguments.run else {}
    judged, correct = (
        [form for name, samples in sources.items() for form in in_forms(name, samples)]
        for sources in ({**judged_sources(data), **flaws}, correct_sources(data))
    )
    about = {
        "fitted_by": "python -m benchmarks.verifier_travel RUN --fit",
        "on": ", ".join(dict.fromkeys(source.name for source in (*judged, *correct))),
        "forms": "; ".join(FORMS),
    }
    fitted(judged, correct, about).save(COMBINER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
