"""The command `oracle-factory validate`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Annotated

import typer

from harness.command_line.option_types import QuestionField, from_fields
from harness.constraint_system import ProblemClass
from harness.corpora.field_roles import FieldNames, Role
from harness.store.progress_line import StageProgress
from sft.samples.problem_judgement import ProblemJudgement
from sft.samples.record_lines import JudgedLine, RecordInput, judge_file
from sft.validator.problem_engine import ProblemEngine, ProblemEngineSettings, ProblemJudge, open_problem_engine


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateOptions(ProblemEngineSettings):
    """The options of `oracle-factory validate`."""

    file: Annotated[str, typer.Argument(help="Records with a question, in any layout; - for standard input.")]
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="JSON lines to write; - for standard output.")
    ] = "-"
    engine: Annotated[
        ProblemEngine,
        typer.Option(
            help="The text alone, a model trained on the level validator, its base weights, or a model of a provider."
        ),
    ] = ProblemEngine.SYMBOLIC
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
    progress = StageProgress("validate", sys.stderr, noun="problems")
    named = FieldNames(options.question_field)
    lines = partial(_judged_lines, judge)
    finding = "contradictory or underspecified"
    return judge_file(options.file, options.out, progress, lines, named, batch=judge.at_once, finding=finding)


def _judged_lines(validator: ProblemJudge, given: RecordInput) -> Iterator[JudgedLine]:
    """Yield an answer for each record, in order."""
    waiting = given.records(Role.QUESTION)
    while batch := list(islice(waiting, validator.at_once)):
        judged = validator.judge([fields.question for fields in batch if not isinstance(fields, str)])
        for fields in batch:
            unread = fields if isinstance(fields, str) else ""
            judgement = ProblemJudgement.unjudged(unread) if unread else next(judged)
            found = judgement.problem_class not in {None, ProblemClass.SOLVABLE}
            yield JudgedLine(judgement.record(), found, unread)
