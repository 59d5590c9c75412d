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
from sft.samples.problem_judgement import ProblemJudgement
from sft.samples.record_lines import JudgedLine
from sft.validator.problem_engine import ProblemEngine, ProblemEngineSettings
from sft.validator.validator import text_validator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.samples.record_lines import LineInput
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


def validated_lines(validator: ProblemJudge, given: LineInput) -> Iterator[JudgedLine]:
    """Yield an answer for each line, in order."""
    waiting = given.lines()
    while batch := list(islice(waiting, validator.at_once)):
        questions = list(map(_question, batch))
        judged = validator.judge([question for question in questions if question is not None])
        for question in questions:
            judgement = UNREAD if question is None else next(judged)
            found = judgement.problem_class not in {None, ProblemClass.SOLVABLE}
            yield JudgedLine(judgement.record(), found, UNREAD.reason if question is None else "")


UNREAD = ProblemJudgement.unjudged('The line is no JSON object with a text "question".')


def _question(line: bytes | None) -> str | None:
    """Return the question of an input line, `None` without one."""
    try:
        record = json.loads((line or b"").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    question = record.get("question") if isinstance(record, dict) else None
    return question if isinstance(question, str) else None
