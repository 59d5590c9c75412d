"""The registry of engines, the settings that open one, and the judgement on a solution without content."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.paths import ROOT
from harness.registry import Registry
from harness.solution.labels import FINAL_ANSWER, ErrorClass, ErrorType
from sft.models.presets import DEFAULT
from sft.samples.solution_judgement import Hint, HintKind, Judgement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sft.samples.items import Item
    from sft.samples.solution_judgement import Engine

ADAPTERS = ROOT / "sft" / "adapters"
BATCH = 32


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """The settings of an engine; each engine reads those that concern it.

    `adapter` is a folder with an adapter and its combiners, by default the folder of the package for this preset; `endpoint` and `model` are the base URL of an OpenAI-compatible server and the name of its model. `twins` says
    whether lines are scored against their neighbours, `explain` whether a model writes explanations.
    """

    preset: str = DEFAULT
    adapter: Path | None = None
    device: str = "cpu"
    endpoint: str = ""
    model: str = ""
    twins: bool = False
    explain: bool = True
    batch: int = BATCH

    @property
    def folder(self) -> Path:
        """Return the folder of the adapter and of the combiners fitted to it."""
        return self.adapter or ADAPTERS / Path(self.preset).stem


@dataclass(frozen=True, slots=True)
class EngineOpener:
    """A kind of engine: `open` loads what it needs.

    Raises of `open`:
        HarnessError: a library, model or file is missing; the message names the command that provides it.
    """

    name: str
    open: Callable[[EngineSettings], Engine]


ENGINES: Registry[EngineOpener] = Registry("sft.verifier.engines")


def engine(name: str) -> Callable[[Callable[[EngineSettings], Engine]], Callable[[EngineSettings], Engine]]:
    """Register the opener of an engine under its name for `--engine`."""

    def register(function: Callable[[EngineSettings], Engine]) -> Callable[[EngineSettings], Engine]:
        ENGINES.add(EngineOpener(name, function))
        return function

    return register


def open_engine(name: str, settings: EngineSettings | None = None) -> Engine:
    """Return an engine by name.

    Raises:
        HarnessError: the engine is unknown, or cannot be opened.
    """
    return ENGINES.require(name).open(settings or EngineSettings())


NOTHING = Judgement(
    flawed=True,
    confidence=1.0,
    error_class=ErrorClass.SKIPPED_STEP,
    error_type=ErrorType.SKIPPED_STEP,
    line=FINAL_ANSWER,
    explanation="The solution is empty: it has no line and no final answer.",
    evidence=(
        Hint(
            FINAL_ANSWER,
            HintKind("empty", ErrorType.SKIPPED_STEP),
            ErrorClass.SKIPPED_STEP,
            "no line and no final answer",
        ),
    ),
)
"""The judgement on an empty solution."""


def judge(chosen: Engine, items: Sequence[Item]) -> Iterator[Judgement]:
    """Yield a judgement on each item, in order; an empty solution is judged without the engine."""
    full = [item for item in items if any(item.lines) or item.answer]
    judged = iter(chosen.judge(full))
    for item in items:
        yield next(judged) if any(item.lines) or item.answer else NOTHING
