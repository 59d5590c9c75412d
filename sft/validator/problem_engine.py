"""The engines that validate problems, and their settings."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from sft.models.presets import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sft.judges.remote import ZeroShotAccess
    from sft.samples.problem_judgement import ProblemJudgement

Endpoint = Annotated[
    str, typer.Option(metavar="URL", help="An OpenAI-compatible server; its key is read from $OPENAI_API_KEY.")
]
ModelName = Annotated[
    str, typer.Option(metavar="NAME", help="For zero-shot-llm: PROVIDER:MODEL, or the server's name of the model.")
]


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
    """The settings of an engine; each reads those that concern it.

    `unsolvable` is the expected share of problems without an answer, by default that of the fit; `model` is PROVIDER:MODEL, or
    the name of a model at the `endpoint`; `asking` is the store of its answers.
    """

    adapter: Path | None = None
    unsolvable: float | None = None
    preset: str = DEFAULT
    device: str = "cpu"
    model: str = ""
    endpoint: str = ""
    asking: ZeroShotAccess | None = None
