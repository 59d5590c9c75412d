"""The options of `oracle-factory formalize`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.command_line.option_types import AnswerStoreFile, Budget, DryRun, Offline, Prices

REQUESTS = "Requests"


def _amounts(text: str) -> typer.models.OptionInfo:
    """Return an option of requests: a value for all providers, or PROVIDER=VALUE, with commas."""
    option: typer.models.OptionInfo = typer.Option(metavar="N,…", help=text, rich_help_panel=REQUESTS)
    return option


@dataclass(frozen=True, slots=True)
class FormalizeOptions:
    """The options of `oracle-factory formalize`."""

    models: Annotated[
        str,
        typer.Option(
            metavar="MODEL,…",
            help="PROVIDER:MODEL of openai, anthropic, gemini, ollama, compatible, local or replay; or annotation.",
        ),
    ] = ""
    questions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The questions of oracle-factory next, which name models and problems, in place of --models and --problems.",
        ),
    ] = None
    corpus: Annotated[str, typer.Option(metavar="NAME|FILE", help="The problems.")] = "mini"
    problems: Annotated[
        str | None,
        typer.Option(metavar="WHICH", help="Places, ranges and ids: 5, 0:100, mini-001,mini-007; all by default."),
    ] = None
    exclude: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A JSON list of problems that may not be used.")
    ] = None
    dialect: Annotated[
        str, typer.Option(metavar="NAME", help="The form of formalization to ask for: parametric, template or both.")
    ] = "parametric"
    shots: Annotated[
        int | None,
        typer.Option(min=0, max=20, metavar="N", help="Examples in a prompt; 5 for parametric, 4 for template."),
    ] = None
    examples: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Own examples, JSON lines {dialect, question, answer, response}."),
    ] = None
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write formalizations; - for standard output."),
    ] = None
    repairs: Annotated[
        int, typer.Option(min=0, max=100, metavar="N", help="Most repeated requests after a refused answer.")
    ] = 1
    samples: Annotated[int, typer.Option(min=1, max=100, metavar="N", help="Answers of each model.")] = 1
    max_tokens: Annotated[str, _amounts("Tokens of an answer; 2048 by default; also MODEL=N.")] = ""
    temperature: Annotated[str, _amounts("0 to 2, or none for models that refuse it; 0 by default; also MODEL=N.")] = ""
    concurrency: Annotated[str, _amounts("Requests under way at once, or PROVIDER=N.")] = ""
    requests_per_minute: Annotated[str, _amounts("Requests a minute, or PROVIDER=N.")] = ""
    tokens_per_minute: Annotated[str, _amounts("Tokens a minute, or PROVIDER=N.")] = ""
    timeout: Annotated[str, _amounts("Seconds until a request is given up, or PROVIDER=N.")] = ""
    tries: Annotated[str, _amounts("How often a request is sent at most, or PROVIDER=N.")] = ""
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    budget: Budget = None
    prices: Prices = None
    batch: Annotated[
        bool,
        typer.Option(
            "--batch", help="Collect the answers of batches, submit the next questions at the batch price, and exit."
        ),
    ] = False
    collect: Annotated[bool, typer.Option("--collect", help="Collect the answers of batches and submit nothing.")] = (
        False
    )
    wait: Annotated[bool, typer.Option("--wait", help="With --batch or --collect: wait until no batch is open.")] = (
        False
    )
    offline: Offline = False
    dry_run: DryRun = False
