"""The command `oracle-factory validate`."""

from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.command_line.option_types import AnswerStoreFile, Device, Offline, Preset, QuestionField
from harness.constraint_system import ProblemClass
from harness.corpora.field_roles import FieldNames, Role
from sft.models.presets import DEFAULT
from sft.validator.problem_engine import Endpoint, ModelName, ProblemEngine, ProblemEngineSettings, ProblemJudge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.samples.record_lines import JudgedLine, RecordInput

ANSWER_STORE = Path(".cache/llm/answers.sqlite")


def validate(
    file: Annotated[str, typer.Argument(help="Records with a question, in any layout; - for standard input.")],
    *,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="JSON lines to write; - for standard output.")
    ] = "-",
    engine: Annotated[
        ProblemEngine,
        typer.Option(
            help="The text alone, a model trained on the level validator, its base weights, or a model of a provider."
        ),
    ] = ProblemEngine.SYMBOLIC,
    adapter: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="For chat, the folder of an adapter."),
    ] = None,
    prior: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.999,
            metavar="SHARE",
            help="Expected share of problems without an answer; by default 0.3, at which false alarms are few.",
        ),
    ] = None,
    preset: Preset = DEFAULT,
    device: Device = "cpu",
    model: ModelName = "",
    endpoint: Endpoint = "",
    store: AnswerStoreFile = ANSWER_STORE,
    offline: Offline = False,
    question_field: QuestionField = "",
) -> int:
    """Judge problems as solvable, contradictory or underspecified.

    Each record of the input gives a line of the output.

    Example: oracle-factory validate problems.jsonl --engine symbolic

    Returns:
        0; 1 if a line cannot be judged; 2 if the file or the engine cannot be used.
    """
    from sft.judges.remote import ZeroShotAccess
    from sft.samples.record_lines import JudgingProgress, judge_file
    from sft.validator.validation import open_problem_engine

    asking = ZeroShotAccess(store, offline)
    settings = ProblemEngineSettings(adapter, prior, preset, device, model, endpoint, asking)
    judge = open_problem_engine(engine, settings)
    progress = JudgingProgress("validate", "problems", "contradictory or underspecified")
    return judge_file(
        file, out, progress, lambda: (judge.at_once, partial(_judged_lines, judge)), FieldNames(question_field)
    )


def _judged_lines(validator: ProblemJudge, given: "RecordInput") -> "Iterator[JudgedLine]":
    """Yield an answer for each record, in order."""
    from sft.samples.problem_judgement import ProblemJudgement
    from sft.samples.record_lines import JudgedLine

    waiting = given.records(Role.QUESTION)
    while batch := list(islice(waiting, validator.at_once)):
        judged = validator.judge([fields.question for fields in batch if not isinstance(fields, str)])
        for fields in batch:
            unread = fields if isinstance(fields, str) else ""
            judgement = ProblemJudgement.unjudged(unread) if unread else next(judged)
            found = judgement.problem_class not in {None, ProblemClass.SOLVABLE}
            yield JudgedLine(judgement.record(), found, unread)
