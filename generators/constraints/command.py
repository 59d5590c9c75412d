"""The commands `oracle-factory smt generate` and `oracle-factory smt repair`."""

from pathlib import Path
from typing import Annotated

import typer

from generators.constraints.generation_options import ConstraintOptions
from harness.command_line.option_types import from_fields

_ROWS = "Rows with programs: .csv with a header, .jsonl or .jsonl.gz."
_EDITS_ALONE = "Repair by edits alone: no template and no part where they do not suffice."
_GUARANTEE = "Give every row a valid program: at worst, its readable part alone."


@from_fields
def generate(options: ConstraintOptions) -> int:
    """Make problems in plain language with programs.

    Generators make them; with --models, models do.

    Example: oracle-factory smt generate --domain all --count 500 -o problems

    Returns:
        0; 1 if answers of models are missing; 2 if an option cannot be used; 3 if the budget is reached; 130 if it was
        interrupted. In all cases but 2 the available problems are written.
    """
    from generators.constraints.generation_job import run_job

    return run_job(options)


def repair(
    source: Annotated[Path, typer.Argument(metavar="FILE", help=_ROWS)],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The repaired rows: .csv or .jsonl.")],
    field: Annotated[str, typer.Option(metavar="NAME", help="The column that holds the program.")] = "program",
    no_template: Annotated[bool, typer.Option("--no-template", help=_EDITS_ALONE)] = False,
    guarantee: Annotated[bool, typer.Option("--guarantee/--no-guarantee", help=_GUARANTEE)] = True,
) -> int:
    """Repair programs: one output row for each input row.

    Example: oracle-factory smt repair filtered/broken.csv -o repaired.csv

    Returns:
        0; 1 if programs are left with faults; 2 if a file cannot be read or an option used.
    """
    from generators.constraints.repair.row_repair import repair_file

    return repair_file(source, output, field, templates=not no_template, guarantee=guarantee and not no_template)
