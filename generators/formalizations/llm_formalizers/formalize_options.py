"""The options of `oracle-factory formalize`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from harness.command_line.option_types import AnswerStoreFile, Budget, DryRun, Offline, Prices

_SHOWN_SOLUTION = "Show models the worked solution, as for templates; their answers are named MODEL/solution, and do not count as witnesses against the gold answer."
_QUESTIONS = (
    "The questions of oracle-factory next, which name models and problems, in place of --models and --problems."
)
_MODELS = "PROVIDER:MODEL of openai, anthropic, gemini, ollama, compatible or local; or annotation."
_PROBLEMS = "Places, ranges, ids and lists: 5, 0:100, mini-001,mini-007, tier3_final; all by default."
_OUTPUT = "Where to write formalizations, beside those there; - for standard output."
_BATCHES = "Collect the answers of batches, submit the next questions at the batch price, and exit."


def _option(metavar: str | None, text: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, **more)


def _amounts(text: str) -> Any:
    """Return an option of requests: a value for all providers, or PROVIDER=VALUE, with commas."""
    return _option("N,…", text, rich_help_panel="Requests")


@dataclass(frozen=True, slots=True)
class FormalizeOptions:
    """The options of `oracle-factory formalize`."""

    models: Annotated[str, _option("MODEL,…", _MODELS)] = ""
    questions: Annotated[Path | None, _option("FILE", _QUESTIONS)] = None
    corpus: Annotated[str, _option("NAME|FILE", "The problems.")] = "mini"
    problems: Annotated[str | None, _option("WHICH", _PROBLEMS)] = None
    exclude: Annotated[Path | None, _option("FILE", "A JSON list of problems that may not be used.")] = None
    dialect: Annotated[str, _option("NAME", "The form of formalization to ask for: parametric, template or both.")] = (
        "parametric"
    )
    with_solution: Annotated[bool, _option(None, _SHOWN_SOLUTION, "--with-solution")] = False
    shots: Annotated[
        int | None, _option("N", "Examples in a prompt; 5 for parametric, 4 for template.", min=0, max=20)
    ] = None
    examples: Annotated[
        Path | None, _option("FILE", "Own examples, JSON lines {dialect, question, answer, response}.")
    ] = None
    output: Annotated[str | None, _option("FILE", _OUTPUT, "--output", "-o")] = None
    force: Annotated[bool, typer.Option("--force", help="Write the file anew, whatever it holds.")] = False
    repairs: Annotated[int, _option("N", "Most repeated requests after a refused answer.", min=0, max=100)] = 1
    samples: Annotated[int, _option("N", "Answers of each model.", min=1, max=100)] = 1
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
    batch: Annotated[bool, _option(None, _BATCHES, "--batch")] = False
    collect: Annotated[bool, _option(None, "Collect the answers of batches and submit nothing.", "--collect")] = False
    wait: Annotated[bool, _option(None, "With --batch or --collect: wait until no batch is open.", "--wait")] = False
    offline: Offline = False
    dry_run: DryRun = False
