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
        typer.Option(
            metavar="DOLLARS",
            help="The most that the questions may cost; by default, all questions with a gain are listed.",
        ),
    ] = None
    minutes: Annotated[
        float, typer.Option(min=0, metavar="N", help="Minutes that a person has to look at problems, two minutes each.")
    ] = 20.0
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="The problems of the run and others that no model was asked about yet; by default those of the run.",
        ),
    ] = None
    models: Annotated[
        str,
        typer.Option(
            metavar="MODEL,…",
            help="The models that may be asked, as for formalize; by default the models of the run that formalize can ask.",
        ),
    ] = ""
    at: Annotated[
        float,
        typer.Option(
            min=0.5,
            max=0.999,
            metavar="P",
            help="The least probability that the oracle is right for a problem to be kept.",
        ),
    ] = 0.99
    dialect: Annotated[
        str, typer.Option(metavar="NAME", help="The form of answer that the models of --models are asked for.")
    ] = "parametric"
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The questions; RUN/questions.jsonl by default."),
    ] = None
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    prices: Prices = None
