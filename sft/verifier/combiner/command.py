"""The command that fits the combiner of the hybrid engine on samples whose truth is known.

`python -m sft.verifier.combiner.command SAMPLES.jsonl --scores SCORES.jsonl -o sft/adapters/NAME/combiner.json` fits the combiner;
`--show FILE` prints one.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from sft.samples.items import Sample
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.combiner.combiner import SOUND, Combiner, LogisticModel
from sft.verifier.combiner.combiner_fit import CalibrationMethod, CombinerKind, fit
from sft.verifier.model_scores import Scores

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

MOST_SHOWN = 15


def read_samples(paths: Sequence[Path]) -> Iterator[Sample]:
    """Yield the samples of JSONL files.

    Raises:
        HarnessError: a file cannot be read, or a line is no sample.
    """
    for path in paths:
        for number, record in read_records(path):
            try:
                yield Sample.of_record(record)
            except (KeyError, TypeError, ValueError) as error:
                message = f"{path}:{number}: is no sample ({type(error).__name__}: {str(error)[:100]})"
                raise HarnessError(message) from None


def read_scores(paths: Sequence[Path], wanted: frozenset[str], *, twins: bool) -> dict[str, Scores]:
    """Return the scores of the wanted samples in JSONL files of `{"sample_id", "scores": {…}}`, without twins if so asked.

    Raises:
        HarnessError: a file cannot be read, or a line holds no scores.
    """
    found: dict[str, Scores] = {}
    for path in paths:
        for number, record in read_records(path):
            try:
                if record["sample_id"] in wanted:
                    scores = Scores.of_record(record.get("scores", record))
                    found[record["sample_id"]] = scores if twins else Scores(scores.places)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                message = f"{path}:{number}: holds no scores of a sample ({type(error).__name__}: {str(error)[:100]})"
                raise HarnessError(message) from None
    return found


def rows_of(
    samples: Sequence[Sample], scores: Mapping[str, Scores] | None, only: Collection[str] | None = None
) -> list[dict[str, float]]:
    """Return the features of each sample; without scores those that need none; `only` are the kinds of evidence read.

    Raises:
        HarnessError: there are scores, but not of every sample.
    """
    if scores is not None:
        missing = [one.sample_id for one in samples if one.sample_id not in scores]
        if missing:
            message = f"{len(missing):,} of {len(samples):,} samples have no scores, such as {missing[0]!r}; score the same file"
            raise HarnessError(message)
    return [
        EVIDENCE.features_of(
            Case(read_item(one.question, one.solution), None if scores is None else scores[one.sample_id]), only
        )
        for one in samples
    ]


def label_of(sample: Sample) -> str | None:
    """Return the class of a sample, `None` where it is known to be flawed and no more."""
    if not sample.truth.flawed:
        return SOUND
    return None if sample.truth.error_class is None else str(sample.truth.error_class)


def balanced(labels: Sequence[str], shares: Mapping[str, float]) -> list[float]:
    """Return weights under which the named classes have the given shares and the mean weight is one; no shares, no weights."""
    if not shares:
        return [1.0] * len(labels)
    counts = Counter(labels)
    whole = sum(shares.get(name, 0.0) for name in counts)
    if whole <= 0:
        message = f"expected shares of {', '.join(counts)}, found {', '.join(shares)}"
        raise HarnessError(message)
    return [shares.get(name, 0.0) / whole * len(labels) / counts[name] for name in labels]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit a combiner, or show one.

    Returns:
        0, or 2 where something given cannot be used.
    """
    options = _parser().parse_args(arguments)
    console = Console(highlight=False)
    try:
        if options.show is not None:
            show(Combiner.load(options.show), console)
            return 0
        combiner = _fitted(options)
        combiner.save(options.output)
        show(combiner, console)
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"fit: {error}\n")
        return 2
    return 0


def _fitted(options: argparse.Namespace) -> Combiner:
    if not options.samples or options.output is None:
        raise HarnessError("give SAMPLES.jsonl and -o combiner.json, or --show combiner.json")
    read = [one for one in read_samples(options.samples) if label_of(one) is not None]
    if not read:
        raise HarnessError("no sample whose class is known")
    samples = list({one.sample_id: one for one in read}.values())
    wanted = frozenset(one.sample_id for one in samples)
    scores = read_scores(options.scores, wanted, twins=options.twins) if options.scores else None
    labels = [label_of(one) or SOUND for one in samples]
    return fit(
        rows_of(samples, scores, options.evidence or None),
        labels,
        [one.problem_id for one in samples],
        balanced(labels, dict(options.share)),
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
            "shares": dict(options.share),
        },
    )


def show(combiner: Combiner, console: Console) -> None:
    """Print what a combiner was fitted on, how well it did, and its coefficients."""
    about = dict(combiner.about)
    for name, value in about.items():
        text = ", ".join(f"{key} {one}" for key, one in value.items()) if isinstance(value, dict) else str(value)
        console.print(f"{name}: {text}", markup=False, soft_wrap=True)
    for part in combiner.parts:
        if isinstance(part, LogisticModel):
            table = Table("feature, by one standard deviation", *combiner.classes)
            rows = zip(combiner.names, zip(*part.weights, strict=True), strict=True)
            for name, weights in sorted(rows, key=lambda row: -(max(row[1]) - min(row[1]))):
                table.add_row(name, *(f"{weight:+.3f}" for weight in weights))
            console.print(table)
        else:
            used = Counter(combiner.names[one] for one in part.features if one >= 0)
            told = ", ".join(f"{name} {count}" for name, count in used.most_common(MOST_SHOWN))
            console.print(f"{len(part.roots)} trees; splits by feature: {told}", markup=False, soft_wrap=True)


def _share(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        share = float(number)
    except ValueError:
        share = -1.0
    if not 0 <= share < float("inf"):
        raise argparse.ArgumentTypeError(f"expected CLASS=SHARE such as correct=0.5, found {text!r}")
    return name, share


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sft.verifier.combiner.command",
        description="Fit the combiner of the hybrid engine on samples whose truth is known.",
    )
    parser.add_argument("samples", metavar="SAMPLES", type=Path, nargs="*", help="JSONL of samples, plain or .gz")
    parser.add_argument(
        "--scores",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="JSONL of the model's scores of the same samples; without it, evidence that needs none is fitted",
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="the combiner, JSON")
    parser.add_argument("--show", metavar="FILE", type=Path, help="print a combiner instead")
    parser.add_argument("--kind", type=CombinerKind, choices=list(CombinerKind), default=CombinerKind.BOTH)
    parser.add_argument(
        "--calibration", type=CalibrationMethod, choices=list(CalibrationMethod), default=CalibrationMethod.PLATT
    )
    parser.add_argument(
        "--evidence", metavar="KIND", action="append", default=[], help="fit this kind alone, or these; by default all"
    )
    parser.add_argument("--twins", action="store_true", help="use the twins of the scores too: for combiner-twins.json")
    parser.add_argument(
        "--share", metavar="CLASS=SHARE", type=_share, action="append", default=[], help="weigh a class to this share"
    )
    parser.add_argument(
        "--folds", metavar="N", type=int, default=5, help="folds of the cross-fit, by problem; 5 by default"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0)
    return parser


if __name__ == "__main__":
    sys.exit(main())
