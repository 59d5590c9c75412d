"""The registry of engines, the settings that open one, and the judgement on a solution without content."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Self

import typer

from harness.command_line.option_types import Device, Endpoint, Preset
from harness.paths import ROOT
from harness.registry import Registry
from harness.solution.labels import FINAL_ANSWER, ErrorType
from sft.models.presets import DEFAULT
from sft.samples.items import Item
from sft.samples.solution_judgement import Engine, HintKind, Judgement

ADAPTERS = ROOT / "sft" / "adapters"
BATCH = 32
PRIOR = "For text, the share of flawed solutions that you expect. cautious and batch estimate it from the solutions. Of correct ones text accuses up to 2.4% where few are flawed, and 14% to 35% with 0.5."
LEVEL = "For a language model, the level to ask: 1 to 5, or max; by default the adapter's, else max."
ORACLES = "For oracle, the folder of a run whose programs judge the solutions of its problems; without it, each record's gold_solution or reference."
BATCH_SIZE = "Items judged at a time: 1,024 for text, 32 for others."


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """The settings of an engine, which are options of the commands that open one; each engine reads those that concern it."""

    preset: Preset = DEFAULT
    adapter: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The adapter of a language model, or of the step classifier.")
    ] = None
    device: Device = "cpu"
    endpoint: Endpoint = ""
    model: Annotated[
        str, typer.Option(metavar="NAME", help="The server's name of the model; without a server, PROVIDER:MODEL.")
    ] = ""
    prior: Annotated[str, typer.Option(metavar="SHARE", help=PRIOR)] = "cautious"
    level: Annotated[str, typer.Option(metavar="LEVEL", help=LEVEL)] = ""
    labels: Annotated[
        str, typer.Option(metavar="FORM", help="For --level 1 to 4 without an adapter: words or numeric.")
    ] = "words"
    explain: Annotated[
        bool,
        typer.Option(
            " /--no-explain", " /--no-explanations", help="Do not let the model write explanations.", show_default=False
        ),
    ] = True
    oracles: Annotated[Path | None, typer.Option(metavar="RUN", help=ORACLES)] = None
    batch: Annotated[int | None, typer.Option(min=1, max=4096, metavar="N", help=BATCH_SIZE)] = None

    @classmethod
    def of_options(cls, options: Self) -> Self:
        """Return the settings among the options of a command."""
        return cls(**{setting.name: getattr(options, setting.name) for setting in fields(cls)})


Opening = Callable[[EngineSettings], Engine]


@dataclass(frozen=True, slots=True)
class EngineOpener:
    """A kind of engine: `open` loads what it needs.

    `any_script`: it reads texts in every script, as language models do. `together`: the solutions that it judges at a time unless the
    settings say; many where they tell it what share of them is flawed. `guarded`: what is proved of the text alone decides before the engine.

    Raises of `open`:
        HarnessError: a library, model or file is missing; the message names the command that provides it.
    """

    name: str
    open: Opening
    any_script: bool = False
    together: int = BATCH
    guarded: bool = True


ENGINES: Registry[EngineOpener] = Registry("sft.verifier.engines")


def engine(
    name: str, *, any_script: bool = False, together: int = BATCH, guarded: bool = True
) -> Callable[[Opening], Opening]:
    """Register the opener of an engine under its name for `--engine`."""

    def register(function: Opening) -> Opening:
        ENGINES.add(EngineOpener(name, function, any_script, together, guarded))
        return function

    return register


def open_engine(name: str, settings: EngineSettings | None = None) -> Engine:
    """Return an engine by name, behind the guard unless it needs none: see `sft.verifier.guarded_engine`.

    Raises `HarnessError` where the engine is unknown, or cannot be opened.
    """
    from sft.verifier.guarded_engine import GuardedEngine

    opener = ENGINES.require(name)
    opened = opener.open(settings or EngineSettings())
    return GuardedEngine(opened, opener.any_script) if opener.guarded else opened


def together(name: str, settings: EngineSettings) -> int:
    """Return how many solutions an engine judges at a time; errors as in `open_engine`."""
    return settings.batch or ENGINES.require(name).together


EMPTY = HintKind("empty", ErrorType.SKIPPED_STEP).at(FINAL_ANSWER, "no line and no final answer")
_WHY = "The solution is empty: it has no line and no final answer."
NOTHING = replace(Judgement.of_error(ErrorType.SKIPPED_STEP, FINAL_ANSWER, _WHY, 1.0), evidence=(EMPTY,))
"""The judgement on an empty solution."""


def judge(chosen: Engine, items: Sequence[Item]) -> Iterator[Judgement]:
    """Yield a judgement on each item, in order; an empty solution is judged without the engine."""
    judged = iter(chosen.judge([item for item in items if not item.empty]))
    for item in items:
        yield NOTHING if item.empty else next(judged)
