"""Validation of problems: `validate` for a problem in Python, and the validation of JSON lines."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from harness.command_line.runnable_commands import runnable
from harness.constraint_system import ProblemClass
from harness.errors import HarnessError
from harness.paths import cache_folder
from harness.store.run_folder import dump
from sft.samples.problem_judgement import ProblemJudgement
from sft.samples.record_lines import open_input, open_output, require_lines
from sft.validator.problem_engine import ProblemEngine, ProblemEngineSettings
from sft.validator.validator import text_validator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.judging_progress import JudgingProgress
    from sft.validator.problem_engine import ProblemJudge
    from sft.validator.validator import Validator


def open_validator(*, unsolvable: float | None = None) -> Validator:
    """Return the validator of texts.

    `unsolvable` is the share of problems without an answer that the caller expects, by default that of the fit.

    Raises:
        HarnessError: the combiner is missing.
    """
    return replace(text_validator(), unsolvable=unsolvable)


def open_problem_engine(engine: ProblemEngine, settings: ProblemEngineSettings) -> ProblemJudge:
    """Return an engine.

    Raises:
        HarnessError: an adapter, a model or its provider is missing, or the adapter does not validate problems.
    """
    if engine is ProblemEngine.SYMBOLIC:
        return open_validator(unsolvable=settings.unsolvable)
    from sft.judges.local import LocalJudge, opened_model, trained_form
    from sft.judges.problem_form import ProblemForm
    from sft.judges.remote import RemoteJudge, ZeroShotAccess

    train = f"train one: {runnable('oracle-factory train --level validator --train FILE --out DIR')}"
    if engine is ProblemEngine.CHAT:
        if settings.adapter is None:
            raise HarnessError(f"--engine chat: expected --adapter DIR; {train}")
        form = trained_form(settings.adapter)
        if not isinstance(form, ProblemForm):
            raise HarnessError(
                f"the adapter {settings.adapter} was trained on level {form.level}: expected level validator; {train}"
            )
    if engine is ProblemEngine.ZERO_SHOT_LLM:
        asking = settings.asking or ZeroShotAccess(cache_folder() / "llm" / "answers.sqlite")
        return RemoteJudge.of_provider(settings.model, settings.endpoint, ProblemForm(), asking)
    adapter = settings.adapter if engine is ProblemEngine.CHAT else None
    return LocalJudge(opened_model(settings.preset, adapter, settings.device), ProblemForm())


def validate(question: str, *, engine: ProblemEngine = ProblemEngine.SYMBOLIC) -> ProblemJudgement:
    """Return the class of a problem, solvable, contradictory or underspecified, with the reason; every text is judged.

    Raises:
        HarnessError: the combiner, the adapter or the model is missing.
    """
    (judgement,) = open_problem_engine(engine, ProblemEngineSettings()).judge([question])
    return judgement


def validate_file(validator: ProblemJudge, source: str, target: str, progress: JudgingProgress) -> None:
    """Write an answer for each line of a file, `-` for a standard stream, and count them.

    Raises:
        HarnessError: the file cannot be read, or has no line.
    """
    with open_input(source) as given, open_output(target) as out:
        waiting = given.lines()
        while batch := list(islice(waiting, validator.at_once)):
            questions = [_question(line) for line in batch]
            for judgement in _judged(validator, questions):
                out.write(f"{dump(judgement.record())}\n")
                unread = UNREAD.reason if judgement is UNREAD else None
                progress.add(found=judgement.problem_class not in {None, ProblemClass.SOLVABLE}, error=unread)
            out.flush()
            progress.tell(done=given.done())
    progress.tell(done=None, last=True)
    require_lines(source, progress.judged, "question")


def _judged(validator: ProblemJudge, questions: Sequence[str | None]) -> Iterator[ProblemJudgement]:
    judged = validator.judge([question for question in questions if question is not None])
    for question in questions:
        yield UNREAD if question is None else next(judged)


UNREAD = ProblemJudgement.unjudged('The line is no JSON object with a text "question".')


def _question(line: bytes | None) -> str | None:
    """Return the question of an input line, `None` without one."""
    try:
        record = json.loads((line or b"").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    question = record.get("question") if isinstance(record, dict) else None
    return question if isinstance(question, str) else None
