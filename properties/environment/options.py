"""The options of `oracle-factory env`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from properties.factory.options import JudgeOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentOptions(JudgeOptions):
    """The options of `oracle-factory env`, which begin with those of `oracle-factory judge`."""

    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for the tasks; the run is in DIR/run.")]
    rounds: Annotated[
        int,
        typer.Option(
            min=1, max=100_000, metavar="N", help="Rounds for each problem, each with other numbers and other errors."
        ),
    ] = 4
    most: Annotated[
        int, typer.Option(min=1, max=1_000, metavar="N", help="The most tasks of each kind that a round gives.")
    ] = 4
    licence: Annotated[
        str, typer.Option(metavar="NAME", help="Licence of the texts of the corpus; GSM8K and mini are MIT.")
    ] = "MIT"
