"""The engines that validate problems, their settings and their opening, and the functions of Python that validate."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from harness.command_line.option_types import AnswerStoreFile, Device, Offline, Preset
from harness.command_line.runnable_commands import runnable
from harness.corpora.field_roles import FieldNames, Role
from harness.errors import HarnessError
from harness.store.progress_line import caller_progress
from sft.models.presets import DEFAULT
from sft.samples.problem_judgement import ProblemJudgement, ProblemJudgements
from sft.samples.record_lines import given_fields


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


def open_problem_engine(engine: ProblemEngine, settings: ProblemEngineSettings) -> ProblemJudge:
    """Return an engine.

    Raises:
        HarnessError: an adapter, a model or its provider is missing, or the adapter does not validate problems.
    """
    if engine is ProblemEngine.SYMBOLIC:
        from sft.validator.validator import text_validator  # it imports numpy, for which `--help` need not wait

        return replace(text_validator(), unsolvable=settings.prior)
    from sft.judges.forms import ProblemForm
    from sft.judges.local import LocalJudge, opened_model, trained_form
    from sft.judges.remote import RemoteJudge, ZeroShotAccess

    train = f"train one: {runnable('oracle-factory train --level validator --train FILE --out DIR')}"
    if engine is ProblemEngine.CHAT:
        if settings.adapter is None:
            raise HarnessError(f"--engine chat: expected --adapter DIR; {train}")
        form = trained_form(settings.adapter)
        if not isinstance(form, ProblemForm):
            message = (
                f"the adapter {settings.adapter} was trained on level {form.level}: expected level validator; {train}"
            )
            raise HarnessError(message)
    if engine is ProblemEngine.ZERO_SHOT_LLM:
        asking = ZeroShotAccess(settings.store, settings.offline)
        return RemoteJudge.of_provider(settings.model, settings.endpoint, ProblemForm(), asking)
    adapter = settings.adapter if engine is ProblemEngine.CHAT else None
    return LocalJudge(opened_model(settings.preset, adapter, settings.device), ProblemForm())


def validate_records(
    problems: Any, engine: ProblemEngine, named: FieldNames, *, progress: bool = False
) -> ProblemJudgements:
    """Return the judgements on the problems of a file, a list, a series or a data frame, of records or of texts; see `oracle_factory.validate_many`."""
    read = given_fields(problems, named, Role.QUESTION, name="problems", text="question")
    questions = [fields.question for fields in read if not isinstance(fields, str)]
    shown = caller_progress("validate", "problems", shown=progress)
    judge = open_problem_engine(engine, ProblemEngineSettings()).judge
    judged = iter(list(shown.over(judge(questions), len(questions))))
    return ProblemJudgements(
        tuple(ProblemJudgement.unjudged(own) if isinstance(own, str) else next(judged) for own in read)
    )


def validate(question: str, *, engine: ProblemEngine = ProblemEngine.SYMBOLIC) -> ProblemJudgement:
    """Return the class of a problem, solvable, contradictory or underspecified, with the reason; every text is judged.

    Raises:
        HarnessError: the combiner, the adapter or the model is missing.
    """
    (judgement,) = open_problem_engine(engine, ProblemEngineSettings()).judge([question])
    return judgement
