"""Validation of problems: `validate` for a problem in Python, and the validation of JSON lines."""

from __future__ import annotations

import contextlib
import json
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.store.run_folder import dump
from sft.samples.problem_judgement import ProblemJudgement
from sft.validator.problem_engine import ProblemEngine
from sft.validator.validator import COMBINER, hybrid_validator, text_validator
from sft.verifier.engine import EngineSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO

    from sft.validator.validator import Validator

LONGEST_LINE = 2_000_000
BATCH = 32


def open_validator(engine: ProblemEngine = ProblemEngine.BEST, adapter: Path | None = None) -> Validator:
    """Return a validator; `adapter` is a folder with an adapter and its combiner, by default the package's own.

    Raises:
        HarnessError: the combiner, the adapter or the model is missing.
    """
    folder = EngineSettings(adapter=adapter).folder
    if engine is ProblemEngine.HYBRID or (engine is ProblemEngine.BEST and (folder / COMBINER).is_file()):
        return hybrid_validator(folder)
    return text_validator()


def validate(question: str, *, engine: ProblemEngine = ProblemEngine.BEST) -> ProblemJudgement:
    """Return the class of a problem, solvable, contradictory or underspecified, with the reason; every text is judged.

    Raises:
        HarnessError: the combiner, the adapter or the model is missing.
    """
    (judgement,) = open_validator(engine).judge([question])
    return judgement


def validate_file(validator: Validator, source: str, target: str) -> int:
    """Write an answer for each line of a file, `-` for a standard stream; return the number of unreadable lines."""
    with contextlib.ExitStack() as stack:
        return _validate(validator, stack.enter_context(_reading(source)), stack.enter_context(_writing(target)))


def _reading(name: str) -> contextlib.AbstractContextManager[TextIO]:
    return contextlib.nullcontext(sys.stdin) if name == "-" else Path(name).open(encoding="utf-8", errors="replace")


def _writing(name: str) -> contextlib.AbstractContextManager[TextIO]:
    return contextlib.nullcontext(sys.stdout) if name == "-" else Path(name).open("w", encoding="utf-8")


def _validate(validator: Validator, lines: Iterable[str], out: TextIO) -> int:
    """Write one answer for each line, and return the number of unreadable lines."""
    unread, size = 0, 1 if validator.scorer is None else BATCH
    waiting = iter(lines)
    while batch := list(islice(waiting, size)):
        questions = [_question(line) for line in batch]
        unread += sum(question is None for question in questions)
        out.writelines(f"{dump(judgement.record())}\n" for judgement in _judged(validator, questions))
        out.flush()
    return unread


def _judged(validator: Validator, questions: Sequence[str | None]) -> Iterator[ProblemJudgement]:
    judged = validator.judge([question or "" for question in questions])
    for question, judgement in zip(questions, judged, strict=True):
        yield judgement if question is not None else UNREAD


UNREAD = ProblemJudgement(ProblemClass.UNDERSPECIFIED, 1.0, 'The line is no JSON object with a text "question".')


def _question(line: str) -> str | None:
    """Return the question of an input line, `None` without one."""
    if len(line) > LONGEST_LINE:
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    question = record.get("question") if isinstance(record, dict) else None
    return question if isinstance(question, str) else None
