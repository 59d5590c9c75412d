"""The engines that validate problems, and their settings."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Protocol, Self

import typer

from harness.command_line.option_types import AnswerStoreFile, Device, Offline, Preset
from sft.models.presets import DEFAULT
from sft.samples.problem_judgement import ProblemJudgement


class ProblemEngine(enum.StrEnum):
    """An engine: the text alone, a trained model, its base weights, or a provider's model."""

    SYMBOLIC = "symbolic"
    CHAT = "chat"
    ZERO_SHOT = "zero-shot"
    ZERO_SHOT_LLM = "zero-shot-llm"


class ProblemJudge(Protocol):
    """An engine that judges problems, `at_once` of them in a batch."""

    @property
    def at_once(self) -> int:
        """Return how many problems are best judged at once."""

    def judge(self, questions: Sequence[str]) -> Iterator[ProblemJudgement]:
        """Yield a judgement on each text, in order."""


@dataclass(frozen=True, slots=True)
class ProblemEngineSettings:
    """The settings of an engine, which are options of the commands that open one; each engine reads those that concern it."""

    adapter: Annotated[Path | None, typer.Option(metavar="DIR", help="For chat, the folder of an adapter.")] = None
    prior: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.999,
            metavar="SHARE",
            help="Expected share of problems without an answer; by default 0.3, at which false alarms are few.",
        ),
    ] = None
    preset: Preset = DEFAULT
    device: Device = "cpu"
    model: Annotated[
        str, typer.Option(metavar="NAME", help="For zero-shot-llm: PROVIDER:MODEL, or the server's name of the model.")
    ] = ""
    endpoint: Annotated[
        str, typer.Option(metavar="URL", help="An OpenAI-compatible server; its key is read from $OPENAI_API_KEY.")
    ] = ""
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    offline: Offline = False

    @classmethod
    def of_options(cls, options: Self) -> Self:
        """Return the settings among the options of a command."""
        return cls(**{setting.name: getattr(options, setting.name) for setting in fields(cls)})
