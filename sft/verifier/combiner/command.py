"""The command `oracle-factory fit`."""

import datetime as dt
import hashlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from harness.command_line.option_types import Seed, from_fields
from harness.errors import HarnessError
from sft.verifier.combiner.fit_choices import CalibrationMethod, CombinerKind

if TYPE_CHECKING:
    from sft.verifier.combiner.combiner import Combiner

MOST_SHOWN = 15


@dataclass(frozen=True, slots=True)
class FitOptions:
    """The options of `oracle-factory fit`."""

    samples: Annotated[list[Path], typer.Argument(metavar="SAMPLES", help="JSONL of samples, plain or .gz.")] = field(
        default_factory=list
    )
    scores: Annotated[
        list[Path],
        typer.Option(
            metavar="FILE",
            help="JSONL of the model's scores of the same samples; without it, evidence that needs none is fitted; repeatable.",
        ),
    ] = field(default_factory=list)
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write the combiner, JSON.")
    ] = None
    show: Annotated[Path | None, typer.Option(metavar="FILE", help="Print a combiner instead.")] = None
    kind: Annotated[CombinerKind, typer.Option(help="What is fitted.")] = CombinerKind.BOTH
    calibration: Annotated[CalibrationMethod, typer.Option(help="How probabilities are calibrated.")] = (
        CalibrationMethod.PLATT
    )
    evidence: Annotated[
        list[str], typer.Option(metavar="KIND", help="Fit this kind of evidence alone, or these; by default all.")
    ] = field(default_factory=list)
    twins: Annotated[
        bool, typer.Option("--twins", help="Use the twins of the scores too: for combiner-twins.json.")
    ] = False
    share: Annotated[
        list[str], typer.Option(metavar="CLASS=SHARE", help="Weigh a class to this share; repeatable.")
    ] = field(default_factory=list)
    folds: Annotated[int, typer.Option(min=2, metavar="N", help="Folds of the cross-fit, by problem.")] = 5
    seed: Seed = 0


@from_fields
def fit_combiner(options: FitOptions) -> int:
    """Fit the combiner of the hybrid engine, or print one.

    The truth of the samples is known.

    Example: oracle-factory fit samples.jsonl --scores scores.jsonl -o runs/sft/adapter/combiner.json
    """
    from sft.verifier.combiner.combiner import Combiner

    console = Console(highlight=False)
    if options.show is not None:
        show(Combiner.load(options.show), console)
        return 0
    combiner = _fitted(options)
    if options.output is not None:
        combiner.save(options.output)
    show(combiner, console)
    return 0


def _fitted(options: FitOptions) -> "Combiner":
    from sft.verifier.combiner.combiner import SOUND
    from sft.verifier.combiner.combiner_fit import fit
    from sft.verifier.combiner.evidence_rows import balanced, label_of, read_samples, read_scores, rows_of

    if not options.samples or options.output is None:
        raise HarnessError("give SAMPLES.jsonl and -o combiner.json, or --show combiner.json")
    shares = dict(map(_share, options.share))
    read = [sample for sample in read_samples(options.samples) if label_of(sample) is not None]
    if not read:
        raise HarnessError(f"{options.samples[0]}: no sample has a known class; give samples with error_class")
    samples = list({sample.sample_id: sample for sample in read}.values())
    wanted = frozenset(sample.sample_id for sample in samples)
    scores = read_scores(options.scores, wanted, twins=options.twins) if options.scores else None
    labels = [label_of(sample) or SOUND for sample in samples]
    return fit(
        rows_of(samples, scores, options.evidence or None),
        labels,
        [sample.problem_id for sample in samples],
        balanced(labels, shares),
        kind=options.kind,
        calibration=options.calibration,
        folds=options.folds,
        seed=options.seed,
        about={
            "date": dt.datetime.now(dt.UTC).date().isoformat(),
            "files": {
                path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (*options.samples, *options.scores)
            },
            "twins": bool(options.scores) and options.twins,
            "shares": shares,
        },
    )


def show(combiner: "Combiner", console: Console) -> None:
    """Print the samples that a combiner was fitted on, its metrics and its coefficients."""
    from sft.verifier.combiner.combiner import LogisticModel

    about = dict(combiner.about)
    for name, value in about.items():
        text = ", ".join(f"{key} {figure}" for key, figure in value.items()) if isinstance(value, dict) else str(value)
        console.print(f"{name}: {text}", markup=False, soft_wrap=True)
    for part in combiner.parts:
        if isinstance(part, LogisticModel):
            table = Table("feature, by one standard deviation", *combiner.classes)
            rows = zip(combiner.names, zip(*part.weights, strict=True), strict=True)
            for name, weights in sorted(rows, key=lambda row: -(max(row[1]) - min(row[1]))):
                table.add_row(name, *(f"{weight:+.3f}" for weight in weights))
            console.print(table)
        else:
            used = Counter(combiner.names[column] for column in part.features if column >= 0)
            counts = ", ".join(f"{name} {count}" for name, count in used.most_common(MOST_SHOWN))
            console.print(f"{len(part.roots)} trees; splits by feature: {counts}", markup=False, soft_wrap=True)


def _share(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        share = float(number)
    except ValueError:
        share = -1.0
    if not 0 <= share < float("inf"):
        raise HarnessError(f"--share: expected CLASS=SHARE such as correct=0.5, found {text!r}")
    return name, share
