"""The commands `oracle-factory smt generate` and `oracle-factory smt repair`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from generators.constraints.problem.domain import ProblemSize
from harness.command_line.option_types import (
    AnswerStoreFile,
    Budget,
    DryRun,
    Offline,
    Prices,
    Seed,
    above_zero,
    from_fields,
)

MODELS = "Problems from models, which are asked for lists of 20"
MOST = 10_000_000


@dataclass(frozen=True, slots=True)
class ConstraintOptions:
    """The options of `oracle-factory smt generate`."""

    domain: Annotated[
        str, typer.Option(metavar="NAME", help="puzzles, relationships, resources, scheduling or all.")
    ] = "all"
    count: Annotated[int, typer.Option(min=1, max=MOST, metavar="N", help="Problems of each domain.")] = 100
    seed: Seed = 0
    size: Annotated[ProblemSize, typer.Option(help="How large the problems are.")] = ProblemSize.SMALL
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Where to write DOMAIN.csv and problems.jsonl."),
    ] = None
    models: Annotated[
        str, typer.Option(metavar="MODEL,…", help="PROVIDER:MODEL, such as ollama:phi3.", rich_help_panel=MODELS)
    ] = ""
    max_tokens: Annotated[
        int, typer.Option(min=1, max=MOST, metavar="N", help="Tokens of an answer.", rich_help_panel=MODELS)
    ] = 16_000
    temperature: Annotated[
        str, typer.Option(metavar="N", help="0 to 2, or none for models that refuse it.", rich_help_panel=MODELS)
    ] = "0.7"
    concurrency: Annotated[
        int | None,
        typer.Option(min=1, max=MOST, metavar="N", help="Requests under way at once.", rich_help_panel=MODELS),
    ] = None
    timeout: Annotated[
        float | None,
        typer.Option(parser=above_zero, metavar="SECONDS", help="Until a request is given up.", rich_help_panel=MODELS),
    ] = None
    tries: Annotated[
        int | None,
        typer.Option(min=1, max=MOST, metavar="N", help="How often a request is sent at most.", rich_help_panel=MODELS),
    ] = None
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    budget: Budget = None
    prices: Prices = None
    offline: Offline = False
    dry_run: DryRun = False


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
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="Rows with programs: .csv with a header, .jsonl or .jsonl.gz.")
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The repaired rows: .csv or .jsonl.")],
    field: Annotated[str, typer.Option(metavar="NAME", help="The column that holds the program.")] = "program",
    no_template: Annotated[
        bool, typer.Option("--no-template", help="Do not use a template where edits do not suffice.")
    ] = False,
    guarantee: Annotated[
        bool, typer.Option("--guarantee", help="Give every row a valid program: at worst, its readable part alone.")
    ] = False,
) -> int:
    """Repair programs: one output row for each input row.

    Example: oracle-factory smt repair filtered/broken.csv -o repaired.csv

    Returns:
        0; 1 if programs are left with faults; 2 if a file cannot be read or an option used.
    """
    from generators.constraints.repair.row_repair import repair_file

    return repair_file(source, output, field, templates=not no_template, guarantee=guarantee)
