"""The command `oracle-factory fit`: the combiner of the engine `text`, fitted on samples with known truth."""

import datetime as dt
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from harness.command_line.option_types import Seed, from_fields
from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from sft.samples.items import Sample
from sft.samples.sample_files import read_samples

if TYPE_CHECKING:
    from sft.fitted.model import FittedModel


@dataclass(frozen=True, slots=True)
class FitOptions:
    """The options of `oracle-factory fit`."""

    samples: Annotated[list[Path], typer.Argument(metavar="SAMPLES", help="JSONL of samples, plain or .gz.")] = field(
        default_factory=list
    )
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write the combiner, JSON.")
    ] = None
    show: Annotated[Path | None, typer.Option(metavar="FILE", help="Print a combiner instead.")] = None
    folds: Annotated[int, typer.Option(min=2, metavar="N", help="Folds of the cross-fit, by problem.")] = 5
    seed: Seed = 0


@from_fields
def fit_combiner(options: FitOptions) -> int:
    """Fit the combiner of the engine text, or print one.

    The truth of the samples is known. `verify --engine text --adapter DIR` uses DIR/combiner.json.

    Example: oracle-factory fit samples.jsonl -o runs/mine/combiner.json
    """
    from sft.fitted.model import FittedModel

    if options.show is not None:
        _show(FittedModel.load(options.show, runnable(f"oracle-factory fit SAMPLES.jsonl -o {options.show}")))
        return 0
    if not options.samples or options.output is None:
        raise HarnessError("give SAMPLES.jsonl and -o combiner.json, or --show combiner.json")
    combiner = _fitted(options)
    combiner.save(options.output)
    _show(combiner)
    return 0


def _fitted(options: FitOptions) -> "FittedModel":
    from sft.fitted.fit import fit
    from sft.samples.solution_text import concluded, read_item
    from sft.verifier.case import EVIDENCE, Case
    from sft.verifier.decision import CLASSES
    from sft.verifier.guarded_engine import without_form

    labelled = {
        sample.sample_id: (sample, label)
        for sample in read_samples(options.samples)
        if (label := label_of(sample)) is not None
    }
    if not labelled:
        raise HarnessError(f"{options.samples[0]}: no sample has a known class; give samples with error_class")
    samples = [sample for sample, _ in labelled.values()]
    return fit(
        [
            EVIDENCE.features_of(Case(without_form(concluded(read_item(sample.question, sample.solution)))))
            for sample in samples
        ],
        [label for _, label in labelled.values()],
        classes=CLASSES,
        groups=[sample.problem_id for sample in samples],
        folds=options.folds,
        seed=options.seed,
        about={
            "date": dt.datetime.now(dt.UTC).date().isoformat(),
            "files": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in options.samples},
        },
    )


def label_of(sample: Sample) -> str | None:
    """Return the class of a sample, `None` for a flawed sample of unknown class."""
    from sft.verifier.decision import SOUND

    if not sample.truth.flawed:
        return SOUND
    return None if sample.truth.error_class is None else str(sample.truth.error_class)


def _show(combiner: "FittedModel") -> None:
    """Print the samples that a combiner was fitted on, its metrics and its coefficients."""
    console = Console(highlight=False)
    for name, value in combiner.about.items():
        text = ", ".join(f"{key} {figure}" for key, figure in value.items()) if isinstance(value, dict) else str(value)
        console.print(f"{name}: {text}", markup=False, soft_wrap=True)
    table = Table("feature, by one standard deviation", *combiner.classes)
    rows = zip(combiner.names, zip(*combiner.weights, strict=True), strict=True)
    for name, weights in sorted(rows, key=lambda row: -(max(row[1]) - min(row[1]))):
        table.add_row(name, *(f"{weight:+.3f}" for weight in weights))
    console.print(table)
