"""The steps of the constraint pipeline, and the options of `oracle-factory smt run`."""

import enum
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from generators.constraints.problem.domain import ProblemSize
from harness.command_line.option_types import AnswerStoreFile, Budget, Preset, Prices, Seed
from sft.constraints import command
from sft.constraints.output_forms import OutputForm


class PipelineStep(enum.StrEnum):
    """The steps in their order."""

    GENERATE = "generate"
    BREAK = "break"
    FILTER = "filter"
    REPAIR = "repair"
    VALIDATE = "validate"
    FORMAT = "format"
    TRAIN = "train"
    WRITE = "write"
    REFINE = "refine"
    EVALUATE = "evaluate"


Count = Annotated[int, typer.Option(min=0, metavar="N", help="Most problems of this part.")]


@dataclass(frozen=True, slots=True)
class PipelineOptions:
    """The options of `oracle-factory smt run`."""

    run: Annotated[str, typer.Option(metavar="NAME", help="The run's folder: a name under --runs, or a path.")] = "smt"
    runs: Annotated[Path, typer.Option(metavar="DIR", help="The folder of runs.")] = Path("runs")
    from_: Annotated[PipelineStep | None, typer.Option("--from", help="The first step; earlier ones are sealed.")] = (
        None
    )
    until: Annotated[PipelineStep | None, typer.Option(help="The last step.")] = None
    skip: Annotated[list[PipelineStep], typer.Option(help="Leave a step out; repeatable.")] = field(
        default_factory=list
    )
    count: Annotated[
        int, typer.Option("--count", "--num-examples", min=0, metavar="N", help="Problems of each domain.")
    ] = 150
    size: Annotated[ProblemSize, typer.Option(help="How large the problems are.")] = ProblemSize.SMALL
    problems: Annotated[list[str], typer.Option(metavar="FILE", help="Further problems, JSONL or CSV; repeatable.")] = (
        field(default_factory=list)
    )
    seed: Seed = 0
    broken: Annotated[
        float, typer.Option(min=0, max=1, metavar="X", help="Share of the programs that is broken, to be repaired.")
    ] = 0.2
    validation: Count = 12
    evaluation: Count = 24
    form: command.Form = OutputForm.REASONING
    preset: Preset = command.PRESET
    model: command.Model = None
    minutes: Annotated[
        float, typer.Option(min=0, metavar="X", help="Time of the whole, divided among the steps; 0: no limit.")
    ] = 20.0
    train_minutes: Annotated[
        float | None, typer.Option(min=0, metavar="X", help="Time of the training; by default half of --minutes.")
    ] = None
    max_steps: Annotated[int, typer.Option(min=0, metavar="N", help="Take no more steps; 0: no limit.")] = 0
    quantization: command.Quantization = None
    device: command.ModelDevice = "auto"
    batch: command.Batch = 8
    most: command.MostTokens = 288
    baseline: command.Baseline = ""
    store: AnswerStoreFile = command.ANSWER_STORE
    budget: Budget = None
    prices: Prices = None
