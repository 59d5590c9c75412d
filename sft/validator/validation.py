"""Validation of problems: the opening of an engine, and `validate` for a problem in Python."""

from dataclasses import replace
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.corpora.field_roles import FieldNames, Role
from harness.errors import HarnessError
from harness.store.stage_progress import caller_progress
from sft.samples.problem_judgement import ProblemJudgement, ProblemJudgements
from sft.samples.record_lines import given_fields
from sft.validator.problem_engine import ProblemEngine, ProblemEngineSettings, ProblemJudge
from sft.validator.validator import text_validator


def open_problem_engine(engine: ProblemEngine, settings: ProblemEngineSettings) -> ProblemJudge:
    """Return an engine.

    Raises:
        HarnessError: an adapter, a model or its provider is missing, or the adapter does not validate problems.
    """
    if engine is ProblemEngine.SYMBOLIC:
        return replace(text_validator(), unsolvable=settings.prior)
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
