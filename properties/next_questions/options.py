"""The options of `oracle-factory next`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.command_line.option_types import AnswerStoreFile, Prices


@dataclass(frozen=True, slots=True)
class NextOptions:
    """The options of `oracle-factory next`."""

    run: Annotated[str, typer.Argument(help="Name of a run under runs/, or the path of a run.")]
    budget: Annotated[
        str | None,
        typer.Option(metavar="DOLLARS", help="What the questions may cost; all that gain something by default."),
    ] = None
    minutes: Annotated[
        float, typer.Option(min=0, metavar="N", help="How long a person looks at problems, two minutes each.")
    ] = 20.0
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="The problems of the run and others, which nobody was asked about so far; those of the run by default.",
        ),
    ] = None
    models: Annotated[
        str,
        typer.Option(
            metavar="MODEL,…",
            help="Who may be asked, as for formalize; by default the models of the run that formalize can ask.",
        ),
    ] = ""
    at: Annotated[
        float,
        typer.Option(
            min=0.5, max=0.999, metavar="P", help="Problems are kept from this probability that the oracle is right."
        ),
    ] = 0.99
    dialect: Annotated[str, typer.Option(metavar="NAME", help="The form that models of --models are asked for.")] = (
        "parametric"
    )
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The questions; RUN/questions.jsonl by default."),
    ] = None
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    prices: Prices = None
