"""The command `oracle-factory validate`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from sft.validator.problem_engine import ProblemEngine


def validate(
    file: Annotated[str, typer.Argument(help='JSON lines with "question"; - for standard input.')],
    *,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="JSON lines to write; - for standard output.")
    ] = "-",
    engine: Annotated[
        ProblemEngine, typer.Option(help="The text alone, text and model, or the second where its adapter is there.")
    ] = ProblemEngine.BEST,
    adapter: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of an adapter with its combiner; by default the package's."),
    ] = None,
    prior: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.999,
            metavar="SHARE",
            help="Expected share of problems without an answer; by default 0.3, at which false alarms are few.",
        ),
    ] = None,
) -> int:
    """Judge problems as solvable, contradictory or underspecified.

    Each line of the input gives a line of the output.

    Example: oracle-factory validate problems.jsonl --engine symbolic
    """
    from sft.validator.validation import open_validator, validate_file

    unread = validate_file(open_validator(engine, adapter, unsolvable=prior), file, out)
    if unread:
        sys.stderr.write(
            f'oracle-factory validate: {unread:,} lines are not JSON objects with "question"; their answer is underspecified\n'
        )
    return 0
