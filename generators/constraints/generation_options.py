"""The options of `oracle-factory smt generate`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from generators.constraints.problem.domain import ProblemSize
from harness.command_line.option_types import AnswerStoreFile, Budget, DryRun, Offline, Prices, Seed, above_zero

MOST = 10_000_000
_OUTPUT = "Where to write DOMAIN.csv and problems.jsonl."
_MODELS = "PROVIDER:MODEL, or none: the generators; by default ollama:phi3 where Ollama serves it, else none."


def _of_models(metavar: str, text: str, **more: Any) -> Any:
    panel = "Problems from models"
    return typer.Option(metavar=metavar, help=text, rich_help_panel=panel, **more)


@dataclass(frozen=True, slots=True)
class ConstraintOptions:
    """The options of `oracle-factory smt generate`."""

    domain: Annotated[
        str, typer.Option(metavar="NAME", help="puzzles, relationships, resources, scheduling or all.")
    ] = "all"
    count: Annotated[int, typer.Option(min=1, max=MOST, metavar="N", help="Problems of each domain.")] = 100
    seed: Seed = 0
    size: Annotated[ProblemSize, typer.Option(help="How large the problems are.")] = ProblemSize.SMALL
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FOLDER", help=_OUTPUT)] = None
    models: Annotated[str, _of_models("MODEL,…", _MODELS)] = ""
    batch_size: Annotated[int, _of_models("N", "Problems in a list, for which a model is asked.", min=1, max=100)] = 20
    max_tokens: Annotated[int, _of_models("N", "Tokens of an answer.", min=1, max=MOST)] = 16_000
    temperature: Annotated[str, _of_models("N", "0 to 2, or none for models that refuse it.")] = "0.7"
    concurrency: Annotated[int | None, _of_models("N", "Requests under way at once.", min=1, max=MOST)] = None
    timeout: Annotated[float | None, _of_models("SECONDS", "Until a request is given up.", parser=above_zero)] = None
    tries: Annotated[int | None, _of_models("N", "How often a request is sent at most.", min=1, max=MOST)] = None
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    budget: Budget = None
    prices: Prices = None
    offline: Offline = False
    dry_run: DryRun = False
