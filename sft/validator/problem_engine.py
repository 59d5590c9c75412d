"""The engines that validate problems, their settings and their opening, and the validation of files and of Python's records."""

import enum
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import tee
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from harness.command_line.option_types import (
    AnswerStoreFile,
    Device,
    Endpoint,
    Offline,
    Preset,
    QuestionField,
    from_fields,
)
from harness.command_line.runnable_commands import runnable
from harness.constraint_system import ProblemClass
from harness.corpora.field_roles import FieldNames, RecordFields, Role
from harness.errors import HarnessError
from harness.store.progress_line import StageProgress, caller_progress
from sft.models.presets import DEFAULT
from sft.samples.problem_judgement import ProblemJudgement, ProblemJudgements
from sft.samples.record_lines import JudgedLine, RecordInput, given_fields, judge_file, judged_in_batches


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


PRIOR = "Expected share of problems without an answer; by default 0.3, at which false alarms are few."
ENGINE = "The text alone, a model trained on the level validator, its base weights, or a model of a provider."


@dataclass(frozen=True, slots=True)
class ProblemEngineSettings:
    """The settings of an engine, which are options of the commands that open one; each engine reads those that concern it."""

    adapter: Annotated[Path | None, typer.Option(metavar="DIR", help="For chat, the folder of an adapter.")] = None
    prior: Annotated[float | None, typer.Option(min=0.001, max=0.999, metavar="SHARE", help=PRIOR)] = None
    preset: Preset = DEFAULT
    device: Device = "cpu"
    model: Annotated[
        str, typer.Option(metavar="NAME", help="For zero-shot-llm: PROVIDER:MODEL, or the server's name of the model.")
    ] = ""
    endpoint: Endpoint = ""
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    offline: Offline = False


def open_problem_engine(engine: ProblemEngine, settings: ProblemEngineSettings) -> ProblemJudge:
    """Return an engine; raises `HarnessError` where an adapter, a model or its provider is missing, or the adapter does not validate problems."""
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
            found = f"the adapter {settings.adapter} was trained on level {form.level}"
            raise HarnessError(f"{found}: expected level validator; {train}")
    if engine is ProblemEngine.ZERO_SHOT_LLM:
        asking = ZeroShotAccess(settings.store, settings.offline)
        return RemoteJudge.of_provider(settings.model, settings.endpoint, ProblemForm(), asking)
    adapter = settings.adapter if engine is ProblemEngine.CHAT else None
    return LocalJudge(opened_model(settings.preset, adapter, settings.device), ProblemForm())


def _judgements(judge: ProblemJudge, given: Iterable[RecordFields | str]) -> Iterator[ProblemJudgement]:
    def of_questions(records: Sequence[RecordFields]) -> Iterator[ProblemJudgement]:
        return judge.judge([fields.question for fields in records])

    return judged_in_batches(given, of_questions, ProblemJudgement.unjudged, judge.at_once)


def validate_records(
    problems: Any, engine: ProblemEngine, named: FieldNames, *, progress: bool = False
) -> ProblemJudgements:
    """Return the judgements on the problems of a file, a list, a series or a data frame, of records or of texts; see `oracle_factory.validate_many`."""
    given = given_fields(problems, named, Role.QUESTION, name="problems", text="question")
    judged = _judgements(open_problem_engine(engine, ProblemEngineSettings()), given)
    shown = caller_progress("validate", "problems", shown=progress)
    return ProblemJudgements(tuple(shown.over(judged, len(given))))


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateOptions(ProblemEngineSettings):
    """The options of `oracle-factory validate`."""

    file: Annotated[str, typer.Argument(help="Records with a question, in any layout; - for standard input.")]
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="JSON lines to write; - for standard output.")
    ] = "-"
    engine: Annotated[ProblemEngine, typer.Option(help=ENGINE)] = ProblemEngine.SYMBOLIC
    question_field: QuestionField = ""


@from_fields
def validate(options: ValidateOptions) -> int:
    """Judge problems as solvable, contradictory or underspecified.

    Each record of the input gives a line of the output.

    Example: oracle-factory validate problems.jsonl --engine symbolic

    Returns:
        0; 1 if a line cannot be judged; 2 if the file or the engine cannot be used.
    """
    judge = open_problem_engine(options.engine, options)

    def lines(given: RecordInput) -> Iterator[JudgedLine]:
        asked, records = tee(given.records(Role.QUESTION))
        for fields, judged in zip(asked, _judgements(judge, records), strict=True):
            found = judged.problem_class not in {None, ProblemClass.SOLVABLE}
            yield JudgedLine(judged.record(), found, fields if isinstance(fields, str) else "")

    progress = StageProgress("validate", sys.stderr, noun="problems")
    named = FieldNames(options.question_field)
    finding = "contradictory or underspecified"
    return judge_file(options.file, options.out, progress, lines, named, batch=judge.at_once, finding=finding)
