"""The options of `oracle-factory smt generate`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from generators.constraints.problem.domain import ProblemSize
from harness.command_line.option_types import AnswerStoreFile, Budget, DryRun, Offline, Prices, Seed, above_zero

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
