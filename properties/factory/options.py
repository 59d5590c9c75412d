"""The options of `oracle-factory judge`, `run`, `env` and `next`."""

import enum
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from harness.command_line.option_types import AnswerField, AnswerStoreFile, Prices, QuestionField, Seed, SolutionField
from harness.command_line.session_options import REPRODUCTION_DEFAULTS


def option(metavar: str, about: str, *names: str, min: float | None = None, max: float | None = None) -> Any:  # noqa: A002  # as typer names them
    """Return an option of a command with its text for the help."""
    return typer.Option(*names, metavar=metavar, help=about, min=min, max=max)


Licence = Annotated[str, option("NAME", "Licence of the texts of the corpus; GSM8K and mini are MIT.")]


class EngineName(enum.StrEnum):
    """The engine that judges the stages of a run."""

    LOCAL = "local"
    RAY = "ray"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """The options of `oracle-factory judge`, which those of `oracle-factory run` begin with."""

    corpus: Annotated[
        str,
        typer.Argument(
            metavar="PROBLEMS",
            help="mini, gsm8k:train, gsm8k:test, or a file of problems: JSON lines, plain or .gz, Parquet or Arrow, or a folder of such files.",
        ),
    ]
    answers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ANSWERS]…",
            help="Formalizations, by default those bundled with mini: files of JSON lines, plain or .gz, of Parquet or Arrow, folders of such files or of PROBLEM_ID/MODEL.py, annotation, or the corpus, if its problems have an equation.",
        ),
    ] = None
    out: Annotated[
        Path | None, option("DIR", "The run folder; an unfinished run there continues. By default one under runs/.")
    ] = None
    problems: Annotated[str | None, option("0:70|ID,…", "Only these problems: zero-based ranges and ids.")] = None
    slice: Annotated[str | None, option("K/N", "Only the K-th of N interleaved parts of the problems.")] = None
    exclude: Annotated[Path | None, option("FILE", "JSON list of zero-based lines or ids that no stage may use.")] = (
        None
    )
    max_pairs: Annotated[
        int,
        option("N", "Most pairs of a problem that are compared one by one; with more, classes are compared.", min=1),
    ] = REPRODUCTION_DEFAULTS["max_pairs"]
    family: Annotated[
        list[str] | None,
        option("NAME=PATTERN", "Models whose names match, as gpt=*/gpt-4o/*, are samples of one model; repeatable."),
    ] = None
    question_field: QuestionField = ""
    solution_field: SolutionField = ""
    answer_field: AnswerField = ""
    seed: Seed = 0
    processes: Annotated[
        int, option("N", "Processes that judge; one per core by default.", "--processes", "-j", min=1, max=1024)
    ] = len(os.sched_getaffinity(0))
    engine: Annotated[
        EngineName,
        option("local|ray", "The engine: processes of this machine, or a cluster of Ray; both write the same bytes."),
    ] = EngineName.LOCAL
    address: Annotated[
        str | None,
        option("HOST:PORT", "For --engine ray: the address of the cluster; by default one is started on this machine."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCommandOptions(JudgeOptions):
    """The options of `oracle-factory judge` with those of what it prints."""

    verbose: Annotated[bool, typer.Option("--verbose", help="Print all tables of the run.")] = False
    json: Annotated[bool, typer.Option("--json", help="Print what came of the run as JSON.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FactoryOptions(JudgeOptions):
    """The options of `oracle-factory run`."""

    out: Annotated[Path, option("DIR", "The run folder; an unfinished run there continues.")]
    evaluation: Annotated[
        list[Path] | None, option("FILE", "A file whose problems no dataset may hold; repeatable.")
    ] = None
    levels: Annotated[str | None, option("LEVEL,…", "Levels of the datasets; all by default.")] = None
    licence: Licence = "MIT"
    min_clique: Annotated[int, option("N", "How many formalizations must agree on an oracle.", min=1)] = 1
    min_confidence: Annotated[float, option("X", "The confidence that an oracle needs.", min=0)] = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentOptions(JudgeOptions):
    """The options of `oracle-factory env`, which begin with those of `oracle-factory judge`."""

    out: Annotated[Path, option("DIR", "The folder for the tasks; the run is in DIR/run.")]
    rounds: Annotated[
        int, option("N", "Rounds for each problem, each with other numbers and other errors.", min=1, max=100_000)
    ] = 4
    most: Annotated[int, option("N", "The most tasks of each kind that a round gives.", min=1, max=1_000)] = 4
    licence: Licence = "MIT"


@dataclass(frozen=True, slots=True)
class NextOptions:
    """The options of `oracle-factory next`."""

    run: Annotated[str, typer.Argument(help="Name of a run under runs/, or the path of a run.")]
    budget: Annotated[
        str | None,
        option("DOLLARS", "The most that the questions may cost; by default, one question a problem is listed."),
    ] = None
    minutes: Annotated[
        float, option("N", "Minutes that a person has to look at problems, two minutes each.", min=0)
    ] = 20.0
    corpus: Annotated[
        str | None,
        option(
            "NAME|FILE",
            "The problems of the run and others that no model was asked about yet; by default those of the run.",
        ),
    ] = None
    models: Annotated[
        str,
        option(
            "MODEL,…",
            "The models that may be asked, as for formalize; by default the models of the run that formalize can ask.",
        ),
    ] = ""
    at: Annotated[
        float,
        option("P", "The least probability that the oracle is right for a problem to be kept.", min=0.5, max=0.999),
    ] = 0.99
    dialect: Annotated[str, option("NAME", "The form of answer that the models of --models are asked for.")] = (
        "parametric"
    )
    output: Annotated[
        Path | None, option("FILE", "The questions; RUN/questions.jsonl by default.", "--output", "-o")
    ] = None
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    prices: Prices = None
