"""The command `oracle-factory fit-validator`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from harness.corpora.problems import read_records
from harness.errors import HarnessError


def fit_validator(
    run: Annotated[Path, typer.Argument(help="Run folder with a sealed variant stage.")],
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The weights to write; by default the package's own."),
    ] = None,
    without: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="JSONL whose problems are left out, such as those of an evaluation; repeatable."
        ),
    ] = None,
) -> int:
    """Fit the weights of the validator on variants.

    A fifth of the problems is held out.

    Example: oracle-factory fit-validator runs/latest -o validator.json
    """
    from sft.datasets.sources import RunSource
    from sft.validator.fit import fit_validator as fitted_weights, problems_of
    from sft.validator.validator import TEXT

    left_out = {name for path in without or () for name in _problems_named(path)}
    source = RunSource.of(run, ("variant",), "")
    samples = [sample for sample in problems_of(source.read()) if sample.problem_id not in left_out]
    model = fitted_weights(samples)
    target = out or TEXT
    model.save(target)
    counts = dict(sorted(model.about["counts"].items()))
    sys.stdout.write(f"{target}: {len(model.names)} features, {counts}\n")
    return 0


def _problems_named(path: Path) -> Iterator[str]:
    """Yield the ids of the problems in the records of a file.

    Raises:
        HarnessError: the file cannot be read, or a record has no `problem_id`.
    """
    for number, record in read_records(path):
        if not isinstance(record, dict) or not isinstance(record.get("problem_id"), str):
            raise HarnessError(f"{path}:{number}: expected a record with 'problem_id'")
        yield record["problem_id"].partition(":")[0]
