"""The questions that `oracle-factory next` chooses and `oracle-factory formalize` asks, and how they are read."""

import json
from dataclasses import dataclass
from pathlib import Path

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import Integer, MalformedRecordError, Number, read_record


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRecord:
    """A problem that a model is to be asked to formalize."""

    problem_id: str
    """The problem."""
    ask: str
    """The model as the command line names it, `openai:gpt-4.1-mini`."""
    dialect: str
    """The form that is asked for."""
    sample: Integer
    """Which answer of the model to the same question, from 0."""
    p_right: Number
    """The probability that the problem's oracle is right, before; 0 if no model was asked."""
    cost: Number
    """The expected cost of the answer, in dollars."""


def read_questions(path: Path, *, option: str) -> list[QuestionRecord]:
    """Return the questions of a file in order.

    Raises:
        HarnessError: the file cannot be read, has no question, or a line is none.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else f"cannot be read ({type(error).__name__})"
        raise HarnessError(f"{option} {path}: {why}; make questions: {runnable('oracle-factory next RUN')}") from None
    questions = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                questions.append(read_record(QuestionRecord, json.loads(line)))
            except (ValueError, MalformedRecordError) as error:
                raise HarnessError(
                    f"{option} {path}:{number}: expected a question, found {error}; make them: {runnable('oracle-factory next RUN')}"
                ) from None
    if not questions:
        raise HarnessError(
            f"{option} {path}: expected questions, found none; make them: {runnable('oracle-factory next RUN')}"
        )
    return questions
