"""Validation of problems: `validate` for a problem in Python, and the validation of JSON lines."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.store.run_folder import dump
from sft.samples.problem_judgement import ProblemJudgement
from sft.samples.record_lines import open_input, open_output
from sft.validator.problem_engine import ProblemEngine
from sft.validator.validator import COMBINER, hybrid_validator, text_validator
from sft.verifier.engine import EngineSettings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sft.validator.validator import Validator

BATCH = 32


def open_validator(
    engine: ProblemEngine = ProblemEngine.BEST, adapter: Path | None = None, *, unsolvable: float | None = None
) -> Validator:
    """Return a validator; `adapter` is a folder with an adapter and its combiner, by default the package's own.

    `unsolvable` is the share of problems without an answer that the caller expects, by default that of the fit.

    Raises:
        HarnessError: the combiner, the adapter or the model is missing.
    """
    folder = EngineSettings(adapter=adapter).folder
    if engine is ProblemEngine.HYBRID or (engine is ProblemEngine.BEST and (folder / COMBINER).is_file()):
        return replace(hybrid_validator(folder), unsolvable=unsolvable)
    return replace(text_validator(), unsolvable=unsolvable)


def validate(question: str, *, engine: ProblemEngine = ProblemEngine.BEST) -> ProblemJudgement:
    """Return the class of a problem, solvable, contradictory or underspecified, with the reason; every text is judged.

    Raises:
        HarnessError: the combiner, the adapter or the model is missing.
    """
    (judgement,) = open_validator(engine).judge([question])
    return judgement


def validate_file(validator: Validator, source: str, target: str) -> int:
    """Write an answer for each line of a file, `-` for a standard stream; return the number of unreadable lines."""
    unread, size = 0, 1 if validator.scorer is None else BATCH
    with open_input(source) as given, open_output(target) as out:
        waiting = given.lines()
        while batch := list(islice(waiting, size)):
            questions = [_question(line) for line in batch]
            unread += sum(question is None for question in questions)
            for judgement in _judged(validator, questions):
                out.write(f"{dump(judgement.record())}\n")
            out.flush()
    return unread


def _judged(validator: Validator, questions: Sequence[str | None]) -> Iterator[ProblemJudgement]:
    judged = validator.judge([question or "" for question in questions])
    for question, judgement in zip(questions, judged, strict=True):
        yield judgement if question is not None else UNREAD


UNREAD = ProblemJudgement(ProblemClass.UNDERSPECIFIED, 1.0, 'The line is no JSON object with a text "question".')


def _question(line: bytes | None) -> str | None:
    """Return the question of an input line, `None` without one."""
    try:
        record = json.loads((line or b"").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    question = record.get("question") if isinstance(record, dict) else None
    return question if isinstance(question, str) else None
