"""The command that fits the combiner of the validator: `python -m sft.validator --help`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from sft.datasets.sources import RunSource
from sft.validator.fit import fit_combiner, problems_of
from sft.validator.validator import TEXT, open_scorer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit a combiner; return 0, or 2 with one message where it cannot be done."""
    options = _parser().parse_args(arguments)
    try:
        left_out = {name for path in options.without for name in _problems_named(path)}
        source = RunSource.of(options.run, ("variant",), "")
        samples = [one for one in problems_of(source.read()) if one.problem_id not in left_out]
        scorer = None if options.adapter is None else open_scorer(options.adapter)
        combiner = fit_combiner(samples, scorer)
        combiner.save(options.out)
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"validity: {error}\n")
        return 2
    sys.stdout.write(f"{options.out}: {len(combiner.names)} features, {combiner.about['fitted_on']}\n")
    return 0


def _problems_named(path: Path) -> Iterator[str]:
    """Yield the problems that the records of a file name.

    Raises:
        HarnessError: the file cannot be read, or a record names none.
    """
    for number, record in read_records(path):
        if not isinstance(record, dict) or not isinstance(record.get("problem_id"), str):
            raise HarnessError(f"{path}:{number}: expected a record with 'problem_id'")
        yield record["problem_id"].partition(":")[0]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sft.validator",
        description="Fit the validator's combiner on the variants of a run; one problem of five is held out.",
    )
    parser.add_argument("run", type=Path, help="run folder with a sealed variant stage")
    parser.add_argument("-o", "--out", type=Path, default=TEXT, help="combiner to write (default: the package's own)")
    parser.add_argument("--adapter", type=Path, help="adapter whose model scores the problems too; without: text alone")
    parser.add_argument(
        "--without",
        type=Path,
        action="append",
        default=[],
        metavar="FILE.jsonl",
        help="leave out the problems named in a file, such as those the adapter was trained on",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
